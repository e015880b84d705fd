/**
 * Measures whom a read of a large board keeps waiting: every operation that can be read, with and without a limit and
 * through both doors, with the slowest answer of `/health` meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { HealthWatch } from './attack/health-watch.ts'
import { percentile } from './bench/percentiles.ts'
import { startProduct } from './bench/processes.ts'
import { fill, type Seeded } from './bench-growth/fill.ts'
import { progress } from './progress.ts'
import { readsOf } from './soak/calls.ts'
import { makeRecords } from './soak/records.ts'

/** The limit that issues and the contract give: nothing that a caller asks holds the others longer, ms. */
const goal = 50

/** How often each call is made. */
const rounds = 3

/** Reads `--records=200000`. */
export const stallRecords = (args: readonly string[]): number =>
  Number(args.find(arg => arg.startsWith('--records='))?.slice('--records='.length) ?? 200_000)

/** Measures every read on one board with this many records, and prints the slowest first. */
export async function benchStalls(records: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-stalls-'))
  const environment = { SPECBOARD_MCP_RATE_LIMIT: '0' }
  try {
    const first = await startProduct(folder, environment)
    const key = first.key!
    const ids = await makeRecords(createClient({ url: first.url, key }))
    await first.stop()
    fill(folder, [ids as unknown as Seeded], records)
    const server = await startProduct(folder, environment)
    const health = new HealthWatch(server.url)
    try {
      const { limit: _, ...whole } = ids
      const limited = await readsOf({ url: server.url, key, records: ids })
      const unlimited = await readsOf({ url: server.url, key, records: whole })
      const calls = [...unlimited].flatMap(([name, call]) => [
        { name, call },
        { name: `${name}, limit 20`, call: limited.get(name)! },
      ])
      const bar = progress('reads', calls.length * 2)
      const rows: { name: string; door: string; took: number; slowest: number }[] = []
      for (const { name, call } of calls)
        for (const door of ['http', 'mcp'] as const) {
          await health.times()
          const took: number[] = []
          for (let round = 0; round < rounds; round++) {
            const began = performance.now()
            await call(door)
            took.push(performance.now() - began)
          }
          // The next look shows what the end of the last answer did.
          await new Promise(resolve => setTimeout(resolve, 60))
          const { slowest } = await health.times()
          rows.push({ name, door, took: Math.max(...took), slowest })
          bar.step()
        }
      bar.end()
      const sorted = rows.toSorted((a, b) => b.slowest - a.slowest)
      console.log(`${rows.length} reads of a board with ${records.toLocaleString('en')} records, ms`)
      console.log('read'.padEnd(44), 'door'.padEnd(6), 'slowest call'.padStart(14), 'slowest /health'.padStart(18))
      for (const { name, door, took, slowest } of sorted.filter(({ slowest }, place) => slowest > goal || place < 10))
        console.log(name.padEnd(44), door.padEnd(6), took.toFixed(0).padStart(14), slowest.toFixed(0).padStart(18))
      const slowest = rows.map(row => row.slowest)
      const over = slowest.filter(ms => ms > goal).length
      console.log(`/health above ${goal} ms: ${over}; p99 over all reads ${percentile(slowest, 0.99).toFixed(0)} ms`)
    } finally {
      await health.stop()
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
