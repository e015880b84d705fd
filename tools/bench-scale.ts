/**
 * Measures every analytics operation on a board of 1,000 cards and 100 specs, then on one of 10,000 cards and
 * 1,000 specs: p50 of each over HTTP, of its SQL by itself, and how it grew.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@specboard/client'
import { features } from '@specboard/contract'
import { startProduct } from './bench/processes.ts'
import { bareTimes, placesOf, type Reading } from './bench/statements.ts'
import { inParallel } from './pool.ts'
import { progress } from './progress.ts'

const calls = 15
const cardsPerSpec = 10

interface Board {
  readonly board_id: string
  readonly spec_id: string
  readonly sprint_id: string
}

/** p50 of an operation, ms: asked over HTTP, and its statements run by themselves. */
interface Cost {
  readonly product: number
  readonly bare: number
}

/** Measures both boards and prints the table. */
export async function benchScale(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-scale-'))
  try {
    const first = await startProduct(join(folder, 'data'))
    const key = first.key!
    await first.stop()
    const small = await measureBoard(join(folder, 'data'), key, 100)
    const large = await measureBoard(join(folder, 'data'), key, 1000)
    console.log('\np50 in ms; SQL: the same statements by themselves, their rows read\n')
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

const p50 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!

/** Makes a board of so many specs, and measures each operation on it. */
async function measureBoard(folder: string, key: string, specs: number): Promise<Map<string, Cost>> {
  const server = await startProduct(folder)
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

/** Every operation of the analytics, asked about a board. */
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

/** A board with so many specs, ten cards on each: a third done, a third of them after a validation. */
async function makeBoard(client: Client, specs: number): Promise<Board> {
  const { id: board_id } = await client.createBoard({ name: `${specs} specs`, description: '' })
  const bar = progress(`board of ${specs} specs`, specs * (cardsPerSpec + 1))
  const made = await inParallel(Array.from({ length: specs }), 16, async (_, index) => {
    const spec = await client.createSpec({ board_id, status: 'in_progress', ...specOf(index) })
    bar.step()
    const cards: string[] = []
    for (let place = 0; place < cardsPerSpec; place++) {
      cards.push(await makeCard(client, board_id, spec.id, place))
      bar.step()
    }
    const sprint = { board_id, spec_id: spec.id, title: `Sprint ${index}`, card_ids: cards }
    return { spec_id: spec.id, sprint_id: index % 5 === 0 ? (await client.createSprint(sprint)).id : '' }
  })
  bar.end()
  return { board_id, ...made[0]! }
}

const text = 'What is to be built, in a sentence or two, as people write it. '

const specOf = (index: number) => ({
  title: `Spec ${index}`,
  description: text.repeat(10),
  functional_requirements: Array.from({ length: 5 }, (_, place) => `Requirement ${place}: ${text}`),
  acceptance_criteria: Array.from({ length: 5 }, (_, place) => `Criterion ${place}: ${text}`),
  test_scenarios: Array.from({ length: 5 }, (_, place) => ({
    id: `s${place}`,
    title: `Scenario ${place}`,
    linked_criteria: [String(place)],
    given: text,
    when: text,
    then: text,
  })),
  business_rules: Array.from({ length: 3 }, (_, place) => ({
    id: `r${place}`,
    title: `Rule ${place}`,
    rule: text,
    when: text,
    then: text,
    linked_requirements: [String(place)],
  })),
})

async function makeCard(client: Client, board_id: string, spec_id: string, place: number): Promise<string> {
  const described = { board_id, spec_id, title: `Card ${place}`, description: text.repeat(5) }
  if (place === 9)
    return (await client.createCard({ ...described, card_type: 'test', test_scenario_ids: ['s0'], status: 'done' })).id
  const status = place < 2 ? 'validation' : place < 5 ? 'done' : place < 7 ? 'in_progress' : 'not_started'
  const { id } = await client.createCard({ ...described, status })
  if (status === 'validation')
    await client.submitTaskValidation({
      card_id: id,
      summary: text,
      recommendation: 'approve',
      confidence: 90,
      confidence_justification: text,
      estimated_completeness: place === 0 ? 90 : 50,
      completeness_justification: text,
      estimated_drift: 10,
      drift_justification: text,
    })
  return id
}
