/**
 * Measures whom a call about a large board keeps waiting: every operation that can be read, with and without a limit and
 * through both doors, and the writes that concern all of it, with the slowest answer of `/health` meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { HealthWatch } from './attack/health-watch.ts'
import { optionOf } from './bench/options.ts'
import { percentile } from './bench/percentiles.ts'
import { startProduct } from './bench/processes.ts'
import { fill } from './bench-growth/fill.ts'
import { progress } from './progress.ts'
import { readsOf, type Soaked } from './soak/calls.ts'
import { makeRecords } from './soak/records.ts'

/** The limit that issues and the contract give: nothing that a caller asks holds the others longer, ms. */
const goal = 50

/** How often each call is made. */
const rounds = 3

/** Reads `--records=200000`. */
export const stallRecords = (args: readonly string[]): number => Number(optionOf(args, 'records') ?? 200_000)

/** A call, and what it did to others. */
interface Stall {
  readonly name: string
  readonly door: 'http' | 'mcp'
  /** The slowest of its rounds, and the slowest answer of `/health` meanwhile, ms. */
  readonly took: number
  readonly slowest: number
}

const environment = { SPECBOARD_MCP_RATE_LIMIT: '0' }

/** Measures every read and the widest writes on one board with this many records, and prints the slowest first. */
export async function benchStalls(records: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-stalls-'))
  try {
    const first = await startProduct(folder, environment)
    const key = first.key!
    const ids = await makeRecords(createClient({ url: first.url, key }))
    await first.stop()
    await fill({ folder }, [ids], records)
    const server = await startProduct(folder, environment)
    const soaked = { url: server.url, key, records: ids }
    const stalls = await stallsOf(soaked).finally(() => server.stop())
    print(stalls, records)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function stallsOf(soaked: Soaked): Promise<Stall[]> {
  const { limit: _, ...whole } = soaked.records
  const limited = await readsOf(soaked)
  const unlimited = await readsOf({ ...soaked, records: whole })
  const calls = [...unlimited].flatMap(([name, call]) => [
    { name, call },
    { name: `${name}, limit 20`, call: limited.get(name)! },
  ])
  const writes = writesOf(soaked)
  const bar = progress('calls', calls.length * doors.length + writes.length)
  const health = new HealthWatch(soaked.url)
  const stalls: Stall[] = []
  for (const { name, call } of calls)
    for (const door of doors) {
      stalls.push({ name, door, ...(await measured(() => call(door), health, rounds)) })
      bar.step()
    }
  for (const [name, write] of writes) {
    stalls.push({ name, door: 'http', ...(await measured(write, health, 1)) })
    bar.step()
  }
  bar.end()
  await health.stop()
  return stalls
}

const doors = ['http', 'mcp'] as const

/** How long what goes on after the answer to a delete is watched, ms. */
const aftermathMs = 5_000

/** Writes that concern a whole board, each made once; the last one deletes it. */
function writesOf({ url, key, records }: Soaked): readonly (readonly [name: string, write: () => Promise<unknown>])[] {
  const client = createClient({ url, key })
  const board_id = String(records.board_id)
  const moveToTop = async () => {
    const column = { board_id, status: 'not_started', limit: 1 } as const
    const { total } = await client.listCards(column)
    const { items } = await client.listCards({ ...column, offset: total - 1 })
    await client.moveCard({ card_id: items[0]!.id, target_status: 'not_started', position: 0 })
  }
  const deleteBoard = async () => {
    await client.deleteBoard({ board_id })
    await new Promise(resolve => setTimeout(resolve, aftermathMs))
  }
  return [
    ['update_board', () => client.updateBoard({ board_id, name: 'Renamed' })],
    ['move_card, to the top', moveToTop],
    ['start_kg_backfill', () => client.startKgBackfill({ board_id })],
    ['get_kg_backfill_progress, running', () => client.getKgBackfillProgress({ board_id })],
    ['cancel_kg_backfill', () => client.cancelKgBackfill({ board_id })],
    ['delete_board', deleteBoard],
  ]
}

/** The next look at `/health` shows what the end of the last answer did. */
const lookMs = 60

async function measured(
  call: () => Promise<unknown>,
  health: HealthWatch,
  rounds: number,
): Promise<Pick<Stall, 'took' | 'slowest'>> {
  await health.times()
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await call()
    took.push(performance.now() - began)
  }
  await new Promise(resolve => setTimeout(resolve, lookMs))
  return { took: Math.max(...took), slowest: (await health.times()).slowest }
}

/** The calls that stalled others longer than the goal, and in any case the first of the list. */
const leastShown = 10

function print(stalls: readonly Stall[], records: number): void {
  const sorted = stalls.toSorted((a, b) => b.slowest - a.slowest)
  console.log(`${stalls.length} calls about a board with ${records.toLocaleString('en')} records, ms`)
  console.log('call'.padEnd(44), 'door'.padEnd(6), 'slowest call'.padStart(14), 'slowest /health'.padStart(18))
  for (const { name, door, took, slowest } of sorted.filter(
    ({ slowest }, place) => slowest > goal || place < leastShown,
  ))
    console.log(name.padEnd(44), door.padEnd(6), took.toFixed(0).padStart(14), slowest.toFixed(0).padStart(18))
  const times = stalls.map(({ slowest }) => slowest)
  const over = times.filter(ms => ms > goal).length
  console.log(`/health above ${goal} ms: ${over}; p99 over all calls ${percentile(times, 0.99).toFixed(0)} ms`)
}
