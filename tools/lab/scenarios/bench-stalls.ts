/**
 * Measures how long calls about a large board block others: every read, with and without a limit, over HTTP and MCP,
 * and the writes that concern the whole board, with the slowest answer of `/health` at the same time.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@specboard/client'
import { makeEveryKind } from '../data/every-kind.ts'
import { fill } from '../data/fill.ts'
import { progress } from '../harness/progress.ts'
import { scenario } from '../harness/scenario.ts'
import { percentile } from '../harness/statistics.ts'
import { type LoadTarget, readsOf } from '../load/calls.ts'
import { longestStall } from '../load/measured.ts'

/** The limit of the contract: no call may block others longer, ms. */
const goal = 50

/** How many of the worst calls are shown, even if they meet the goal. */
const minShown = 10

const environment = { SPECBOARD_MCP_RATE_LIMIT: '0' }

export default scenario({
  summary: 'whom a call about a large board keeps waiting, by the slowest answer of /health meanwhile',
  options: { records: 200_000, rounds: 3 },
  short: { records: 1_000, rounds: 1 },
  run: async (lab, { records, rounds }) => {
    const ids = await lab.with('data', ({ client }) => makeEveryKind(client), environment)
    await fill(lab.place(), [ids], records)
    const server = await lab.start('data', environment)
    const called: LoadTarget = { url: server.url, key: server.key!, records: ids }
    const { limit: _, ...whole } = ids
    const limited = await readsOf(called)
    const reads = [...(await readsOf({ ...called, records: whole }))].flatMap(([name, call]) => [
      { name, call },
      { name: `${name}, limit 20`, call: limited.get(name)! },
    ])
    const calls = [
      ...reads.flatMap(({ name, call }) =>
        (['http', 'mcp'] as const).map(door => ({ name: `${name} (${door})`, run: () => call(door), rounds })),
      ),
      ...widestWrites(called).map(([name, run]) => ({ name, run, rounds: 1 })),
    ]
    const bar = progress('calls', calls.length)
    const health = lab.watch(server)
    const stalls: { readonly name: string; readonly took: number; readonly slowest: number }[] = []
    for (const { name, run, rounds } of calls) {
      stalls.push({ name, ...(await longestStall(run, rounds, health)) })
      bar.step()
    }
    bar.end()
    lab.report.say(`${stalls.length} calls about a board with ${records.toLocaleString('en')} records`)
    const row = lab.report.table('call', 'slowest call ms', 'slowest /health ms')
    const sorted = stalls.toSorted((a, b) => b.slowest - a.slowest)
    for (const { name, took, slowest } of sorted.filter(({ slowest }, place) => slowest > goal || place < minShown))
      row(name, took, slowest)
    const slowest = stalls.map(({ slowest }) => slowest)
    lab.report.figure('/health meanwhile', {
      [`above ${goal} ms`]: slowest.filter(ms => ms > goal).length,
      'p99 over all calls ms': percentile(slowest, 0.99),
    })
  },
})

/** Writes that concern a whole board, each made once; the last one deletes it. */
function widestWrites({
  url,
  key,
  records,
}: LoadTarget): readonly (readonly [name: string, write: () => Promise<unknown>])[] {
  const client = createClient({ url, key })
  const board_id = String(records.board_id)
  return [
    ['update_board', () => client.updateBoard({ board_id, name: 'Renamed' })],
    [
      'move_card, to the top',
      async () => {
        const column = { board_id, status: 'not_started', limit: 1 } as const
        const { total } = await client.listCards(column)
        const { items } = await client.listCards({ ...column, offset: total - 1 })
        await client.moveCard({ card_id: items[0]!.id, target_status: 'not_started', position: 0 })
      },
    ],
    ['start_kg_backfill', () => client.startKgBackfill({ board_id })],
    ['get_kg_backfill_progress, running', () => client.getKgBackfillProgress({ board_id })],
    ['cancel_kg_backfill', () => client.cancelKgBackfill({ board_id })],
    [
      'delete_board',
      async () => {
        await client.deleteBoard({ board_id })
        // Work after the answer is measured, too.
        await pause(5_000)
      },
    ],
  ]
}
