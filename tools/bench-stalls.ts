/**
 * Measures whom a read of a large board keeps waiting: every operation that can be read, with and without a limit and
 * through both doors, with the slowest answer of `/health` meanwhile.
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

/** A read, and what it did to others. */
interface Stall {
  readonly name: string
  readonly door: 'http' | 'mcp'
  /** The slowest of its rounds, and the slowest answer of `/health` meanwhile, ms. */
  readonly took: number
  readonly slowest: number
}

const environment = { SPECBOARD_MCP_RATE_LIMIT: '0' }

/** Measures every read on one board with this many records, and prints the slowest first. */
export async function benchStalls(records: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-stalls-'))
  try {
    const first = await startProduct(folder, environment)
    const key = first.key!
    const ids = await makeRecords(createClient({ url: first.url, key }))
    await first.stop()
    fill(folder, [ids], records)
    const server = await startProduct(folder, environment)
    const stalls = await stallsOf({ url: server.url, key, records: ids }).finally(() => server.stop())
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
  const bar = progress('reads', calls.length * doors.length)
  const health = new HealthWatch(soaked.url)
  const stalls: Stall[] = []
  for (const { name, call } of calls)
    for (const door of doors) {
      stalls.push({ name, door, ...(await measured(() => call(door), health)) })
      bar.step()
    }
  bar.end()
  await health.stop()
  return stalls
}

const doors = ['http', 'mcp'] as const

/** The next look at `/health` shows what the end of the last answer did. */
const lookMs = 60

async function measured(call: () => Promise<unknown>, health: HealthWatch): Promise<Pick<Stall, 'took' | 'slowest'>> {
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

/** The reads that stalled others longer than the goal, and in any case the first of the list. */
const leastShown = 10

function print(stalls: readonly Stall[], records: number): void {
  const sorted = stalls.toSorted((a, b) => b.slowest - a.slowest)
  console.log(`${stalls.length} reads of a board with ${records.toLocaleString('en')} records, ms`)
  console.log('read'.padEnd(44), 'door'.padEnd(6), 'slowest call'.padStart(14), 'slowest /health'.padStart(18))
  for (const { name, door, took, slowest } of sorted.filter(
    ({ slowest }, place) => slowest > goal || place < leastShown,
  ))
    console.log(name.padEnd(44), door.padEnd(6), took.toFixed(0).padStart(14), slowest.toFixed(0).padStart(18))
  const times = stalls.map(({ slowest }) => slowest)
  const over = times.filter(ms => ms > goal).length
  console.log(`/health above ${goal} ms: ${over}; p99 over all reads ${percentile(times, 0.99).toFixed(0)} ms`)
}
