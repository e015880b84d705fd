import { setTimeout } from 'node:timers/promises'
import { type Client, ClientError, createClient } from '@specboard/client'
import { p50 } from '../bench/percentiles.ts'
import { startProduct } from '../bench/processes.ts'
import type { Databases } from '../databases.ts'
import { line, measured } from './measured.ts'

/** How long the calls are measured without an import, ms: a disk has slow moments of its own. */
const aloneMs = 5_000

/** Imports rows into a board that others read and write meanwhile, and prints how long these waited, and how long without it. */
export async function reportIntoBoard(folder: string, databases: Databases, rows: number): Promise<void> {
  const server = await startProduct(folder, (await databases.make()).environment)
  const client = createClient({ url: server.url, key: server.key! })
  try {
    const [here, elsewhere] = await Promise.all(
      ['Standing', 'Elsewhere'].map(name => client.createBoard({ name, description: '' })),
    )
    const calls = callsOn(client, here!.id, elsewhere!.id)
    const alone = await timesDuring(calls, () => setTimeout(aloneMs))
    const text = Array.from({ length: rows }, (_, row) => `${row},Card ${row},Some text about what is to be done.\n`)
    const file = new File([`id,title,description\n${text.join('')}`], 'plan.csv')
    const beside = await timesDuring(calls, async () => {
      const imported = await measured(server, () => client.importBoard({ file, board_id: here!.id }))
      console.log(line(`import of ${rows} rows into a board in use`, imported, 'none'))
    })
    for (const [index, [name]] of calls.entries()) {
      const goal = name.startsWith('write') ? ', goal 100' : ''
      console.log(`  ${name}: ${figures(beside[index]!)}${goal}; without it ${figures(alone[index]!)}`)
    }
  } finally {
    await server.stop()
  }
}

const figures = (times: readonly number[]): string =>
  `${times.length} calls, p50 ${p50(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(0)} ms`

type Calls = readonly (readonly [name: string, call: () => Promise<unknown>])[]

/** Calls that are made one after the other while the import runs, each kind beside the others. */
const callsOn = (client: Client, here: string, elsewhere: string): Calls => [
  ['write on the same board', () => client.createIdeation({ board_id: here, title: 'Meanwhile' })],
  ['write on another board', () => client.createIdeation({ board_id: elsewhere, title: 'Meanwhile' })],
  ['read on the same board', () => client.listCards({ board_id: here, limit: 20 })],
  ['read on another board', () => client.listCards({ board_id: elsewhere, limit: 20 })],
]

/** Makes each call again and again while something is done; how long each of them took, ms. */
async function timesDuring(calls: Calls, run: () => Promise<unknown>): Promise<readonly number[][]> {
  const ended = { yet: false }
  const times = calls.map(([, call]) => timesOf(call, ended))
  try {
    await run()
  } finally {
    ended.yet = true
  }
  return await Promise.all(times)
}

/** How long each call took until the end, ms; one that was refused because it had waited for too long counts too. */
async function timesOf(call: () => Promise<unknown>, ended: { readonly yet: boolean }): Promise<number[]> {
  const times: number[] = []
  do {
    const started = performance.now()
    await call().catch(refuseOthers)
    times.push(performance.now() - started)
  } while (!ended.yet)
  return times
}

/** @throws every error but the refusal of a call that had waited for too long */
function refuseOthers(error: unknown): void {
  if (!(error instanceof ClientError && error.status === 503)) throw error
}
