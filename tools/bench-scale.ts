/**
 * Measures every analytics operation on a board of 1,000 cards and 100 specs, then on one of 10,000 cards and
 * 1,000 specs: p50 of each over HTTP, of its SQL alone, and how it grew.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { features } from '@specboard/contract'
import { type Board, makeBoard } from './bench/boards.ts'
import { p50 } from './bench/percentiles.ts'
import { startProduct } from './bench/processes.ts'
import { bareTimes, placesOf, type Reading } from './bench/statements.ts'

const calls = 15

/** p50 of an operation, ms: over HTTP, and of its SQL statements alone. */
interface Cost {
  readonly product: number
  readonly bare: number
}

/** Measures both boards and prints the table. */
export async function benchScale(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-scale-'))
  try {
    const small = await measureBoard(join(folder, 'small'), 100)
    const large = await measureBoard(join(folder, 'large'), 1000)
    console.log('\np50 in ms; SQL: only the same statements, with their rows read\n')
    row('', '1,000 cards', 'SQL', '10,000 cards', 'SQL', 'growth', 'of SQL')
    for (const [name, before] of small) {
      const after = large.get(name)!
      row(
        name,
        before.product.toFixed(1),
        before.bare.toFixed(1),
        after.product.toFixed(1),
        after.bare.toFixed(1),
        `${(after.product / before.product).toFixed(1)} ×`,
        `${(after.bare / before.bare).toFixed(1)} ×`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const row = (name: string, ...cells: readonly string[]): void =>
  console.log(name.padEnd(28) + cells.map(cell => cell.padStart(14)).join(''))

/** Creates a board with the given number of specs, the only one of its account, and measures each operation on it. */
async function measureBoard(folder: string, specs: number): Promise<Map<string, Cost>> {
  const server = await startProduct(folder)
  const key = server.key!
  const readings = readingsOf(await makeBoard(createClient({ url: server.url, key }), specs))
  const product: number[] = []
  for (const reading of readings) product.push(p50(await productTimes(server.url, key, reading)))
  await server.stop()
  const bare = await bareTimes(folder, key, readings, calls)
  return new Map(
    readings.map(({ operation }, index) => [operation.name, { product: product[index]!, bare: p50(bare[index]!) }]),
  )
}

async function productTimes(url: string, key: string, reading: Reading): Promise<number[]> {
  const { params, query } = placesOf(reading)
  const path = reading.operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => String(params[name]))
  const asked = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const times: number[] = []
  for (let round = 0; round < calls; round++) {
    const started = performance.now()
    const response = await fetch(`${url}${path}?${asked}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    await response.text()
    times.push(performance.now() - started)
    if (!response.ok) throw new Error(`${reading.operation.name} answered ${response.status}.`)
  }
  return times
}

/** A call of every analytics operation for a board. */
function readingsOf({ board_id, spec_id, sprint_id }: Board): Reading[] {
  const at = { board_id }
  const spec = { ...at, entity_type: 'spec', entity_id: spec_id }
  const asked: Readonly<Record<keyof typeof features.analytics, Reading['fields']>> = {
    get_analytics_overview: {},
    get_blockers_analytics: { ...at, limit: 50 },
    get_funnel_analytics: at,
    get_quality_analytics: at,
    get_velocity_analytics: at,
    get_coverage_analytics: { ...at, limit: 50 },
    get_validation_analytics: at,
    get_sprints_analytics: at,
    get_spec_analytics: { ...at, spec_id },
    get_sprint_analytics: { ...at, sprint_id },
    get_agent_analytics: at,
    list_entity_analytics: { ...at, type: 'card' },
    get_entity_analytics: spec,
    export_analytics_overview: {},
    export_board_analytics: at,
    export_entity_analytics: spec,
  }
  return Object.values(features.analytics).map(operation => ({ operation, fields: asked[operation.name] }))
}
