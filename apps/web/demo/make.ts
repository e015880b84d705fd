/**
 * Makes the demo board that the inbox of an empty service offers: builds it in a service of its own and writes its
 * archive next to the pages, or where `--to` says.
 *
 * Usage: pnpm run demo:board [--to=file] [--engine=postgres]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createClient } from '@specboard/client'
import { databasesOf } from '../../../tools/lab/harness/databases.ts'
import { startService } from '../../../tools/lab/harness/service.ts'
import { hiring, plan, work } from './shop.ts'

const offered = fileURLToPath(new URL('../src/demo/demo.specboard.zip', import.meta.url))
const { values } = parseArgs({ options: { to: { type: 'string' }, engine: { type: 'string' } } })
const archive = values.to ?? offered

const folder = mkdtempSync(join(tmpdir(), 'specboard-demo-board-'))
await using databases = await databasesOf(values.engine)
const server = await startService(folder, (await databases.make()).environment)
try {
  const owner = createClient({ url: server.url, key: server.key! })
  const { id: board_id } = await owner.createBoard({ name: 'Demo: web shop', key: 'SHOP', description: 'A web shop.' })
  const hire = hiring(owner, server.url, board_id)
  const planner = await hire('Planner')
  const spec_id = await plan(planner, board_id)
  await work(owner, await hire('Executor'), await hire('Reviewer'), { board_id, spec_id })
  writeFileSync(archive, Buffer.from(await (await owner.exportBoard({ board_id })).arrayBuffer()))
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
