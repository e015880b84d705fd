import { setTimeout as pause } from 'node:timers/promises'
import { type Client, ClientError } from '@specboard/client'
import type { Lab } from '../harness/lab.ts'
import { timed } from '../harness/statistics.ts'
import { reportTaken } from './measured.ts'

/** How long the calls are measured without an import, ms: disks are sometimes slow anyway. */
const aloneMs = 5_000

/**
 * Imports rows into a board that others read and write at the same time, and reports their latency with and without the
 * import.
 */
export async function reportIntoBoard(lab: Lab, rows: number): Promise<void> {
  await lab.with('into-board', async server => {
    const board = async (name: string) => (await server.client.createBoard({ name, description: '' })).id
    const [board_id, elsewhere] = [await board('Standing'), await board('Elsewhere')]
    const calls = callsOn(server.client, board_id, elsewhere)
    const alone = await timesDuring(calls, () => pause(aloneMs))
    const text = Array.from({ length: rows }, (_, row) => `${row},Card ${row},Some text about what is to be done.\n`)
    const file = new File([`id,title,description\n${text.join('')}`], 'plan.csv')
    const importing = () => server.client.importBoard({ file, board_id })
    const beside = await timesDuring(calls, () =>
      reportTaken(lab.report, `import of ${rows} rows into a board in use`, server, importing, 'none'),
    )
    for (const [index, [name]] of calls.entries()) {
      const goal = name.startsWith('write') ? { goal: 'longest ≤ 100' } : {}
      lab.report.times(`  ${name}`, beside[index]!, { calls: beside[index]!.length, ...goal })
      lab.report.times('  … without it', alone[index]!, { calls: alone[index]!.length })
    }
  })
}

type Calls = readonly (readonly [name: string, call: () => Promise<unknown>])[]

/** Calls that are made one after the other while the import runs, each kind alongside the others. */
const callsOn = (client: Client, here: string, elsewhere: string): Calls => [
  ['write on the same board', () => client.createIdeation({ board_id: here, title: 'Meanwhile' })],
  ['write on another board', () => client.createIdeation({ board_id: elsewhere, title: 'Meanwhile' })],
  ['read on the same board', () => client.listCards({ board_id: here, limit: 20 })],
  ['read on another board', () => client.listCards({ board_id: elsewhere, limit: 20 })],
]

/** Repeats each call while something else runs; returns the duration of each, ms. */
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
    times.push(await timed(() => call().catch(refuseOthers)))
  } while (!ended.yet)
  return times
}

/** @throws every error but the refusal of a call that had waited for too long */
function refuseOthers(error: unknown): void {
  if (!(error instanceof ClientError && error.status === 503)) throw error
}
