/**
 * Measures every analytics operation on a board of 1,000 cards and 100 specs, then on one of 10,000 cards and
 * 1,000 specs: p50 of each, and how it grew.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@specboard/client'
import { startProduct } from './bench/processes.ts'
import { inParallel } from './pool.ts'
import { progress } from './progress.ts'

const calls = 15
const cardsPerSpec = 10

interface Board {
  readonly board_id: string
  readonly spec_id: string
  readonly sprint_id: string
}

/** Measures both boards and prints the table. */
export async function benchScale(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-scale-'))
  const server = await startProduct(join(folder, 'data'))
  try {
    const client = createClient({ url: server.url, key: server.key! })
    const small = await measureBoard(client, await makeBoard(client, 100))
    const large = await measureBoard(client, await makeBoard(client, 1000))
    console.log(
      `\n${'p50 of'.padEnd(28)}${'1,000 cards'.padStart(14)}${'10,000 cards'.padStart(14)}${'growth'.padStart(10)}`,
    )
    for (const [name, before] of small) {
      const after = large.get(name)!
      console.log(
        `${name.padEnd(28)}${`${before.toFixed(1)} ms`.padStart(14)}${`${after.toFixed(1)} ms`.padStart(14)}${`${(after / before).toFixed(1)} ×`.padStart(10)}`,
      )
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
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

/** The p50 of each operation on a board, ms. */
async function measureBoard(client: Client, { board_id, spec_id, sprint_id }: Board): Promise<Map<string, number>> {
  const at = { board_id }
  const spec = { ...at, entity_type: 'spec', entity_id: spec_id }
  const operations: Readonly<Record<string, () => Promise<unknown>>> = {
    get_analytics_overview: () => client.getAnalyticsOverview(),
    get_blockers_analytics: () => client.getBlockersAnalytics({ ...at, limit: 50 }),
    get_funnel_analytics: () => client.getFunnelAnalytics(at),
    get_quality_analytics: () => client.getQualityAnalytics(at),
    get_velocity_analytics: () => client.getVelocityAnalytics(at),
    get_coverage_analytics: () => client.getCoverageAnalytics({ ...at, limit: 50 }),
    get_validation_analytics: () => client.getValidationAnalytics(at),
    get_sprints_analytics: () => client.getSprintsAnalytics(at),
    get_spec_analytics: () => client.getSpecAnalytics({ ...at, spec_id }),
    get_sprint_analytics: () => client.getSprintAnalytics({ ...at, sprint_id }),
    get_agent_analytics: () => client.getAgentAnalytics(at),
    list_entity_analytics: () => client.listEntityAnalytics({ ...at, type: 'card' }),
    get_entity_analytics: () => client.getEntityAnalytics(spec),
    export_analytics_overview: async () => (await client.exportAnalyticsOverview()).text(),
    export_board_analytics: async () => (await client.exportBoardAnalytics(at)).text(),
    export_entity_analytics: async () => (await client.exportEntityAnalytics(spec)).text(),
  }
  const measured = new Map<string, number>()
  for (const [name, call] of Object.entries(operations)) {
    const times: number[] = []
    for (let round = 0; round < calls; round++) {
      const started = performance.now()
      await call()
      times.push(performance.now() - started)
    }
    measured.set(name, times.sort((a, b) => a - b)[Math.floor(calls / 2)]!)
  }
  return measured
}
