/** `bin/mcp.mjs` of the plugin: passes messages between stdio and the service, and adds key and view (harness 2). */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { addressAt } from '@specboard/client/address'
import { targetOf } from '../frame/target.ts'
import { stateFolder } from '../hook/state.ts'
import { KnownLists } from './known-lists.ts'
import { Relay } from './relay.ts'

/** The view of models (mcp 6.8), for the board of the project. */
function endpointOf(url: string, board: string | undefined): URL {
  const endpoint = addressAt(url, '/mcp')
  endpoint.searchParams.set('toolsets', process.env.SPECBOARD_MCP_TOOLSETS || 'core')
  if (board !== undefined) endpoint.searchParams.set('board_id', board)
  return endpoint
}

const { url, key, board, refusal } = targetOf(process.env, process.cwd())
const endpoint = endpointOf(url, process.env.SPECBOARD_MCP_BOARD || board)
const name = createHash('sha256').update(endpoint.href).digest('hex').slice(0, 32)
const relay = new Relay({
  endpoint,
  key,
  refusal,
  lists: new KnownLists(join(stateFolder(process.env), 'mcp', `${name}.json`)),
  write: message => process.stdout.write(`${JSON.stringify(message)}\n`),
})
// Nobody reads the output any more, so no answers are owed.
process.stdout.on('error', () => process.exit(0))
createInterface({ input: process.stdin })
  .on('line', line => relay.take(line))
  .on('close', () => void relay.end().then(() => process.exit(0)))
