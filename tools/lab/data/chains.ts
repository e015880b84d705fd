import type { Client } from '@specboard/client'
import { inParallel } from '../harness/in-parallel.ts'
import { progress } from '../harness/progress.ts'

const cardsPerChain = 5

/** Chains count from here: one-digit numbers are not terms, so the decisions of all chains would look alike. */
const firstNumber = 100

/** Creates chains of ideation, refinement, spec, sprint, cards and a bug, which refer to each other in every way. */
export async function makeChains(client: Client, board_id: string, chains: number): Promise<void> {
  const bar = progress('records', chains)
  await inParallel(Array.from({ length: chains }), 16, async (_, chain) => {
    await makeChain(client, board_id, firstNumber + chain)
    bar.step()
  })
  bar.end()
}

async function makeChain(client: Client, board_id: string, chain: number): Promise<void> {
  const ideation = await client.createIdeation({ board_id, title: `Idea ${chain}`, description: 'What for.' })
  for (const status of ['review', 'approved', 'evaluating', 'done'] as const)
    await client.moveIdeation({ ideation_id: ideation.id, status })
  const refinement = await client.createRefinement({
    ideation_id: ideation.id,
    title: `Story ${chain}`,
    in_scope: ['All of it'],
    decisions: [`Write log ${chain} as JSON`],
  })
  const spec = await client.createSpec({
    board_id,
    ideation_id: ideation.id,
    refinement_id: refinement.id,
    title: `Spec ${chain}`,
    status: 'in_progress',
    description: 'How it is to work.',
    context: '## Analysis\nPolling was rejected. We assume one writer.',
    functional_requirements: ['It reads', 'It writes'],
    technical_requirements: ['In one process'],
    acceptance_criteria: ['What was written is read'],
    test_scenarios: [{ id: 's1', title: 'Write, then read', linked_criteria: ['0'] }],
    business_rules: [{ id: 'r1', title: 'Rule', rule: 'Nothing twice', when: 'always', then: 'once' }],
    decisions: [
      { id: 'd0', title: `Use Redis for cache ${chain}`, rationale: 'Quick' },
      { id: 'd1', title: `Do not use Redis for cache ${chain}`, rationale: 'One process' },
      { id: 'd2', title: `Store part ${chain} in PostgreSQL`, rationale: 'Known', linked_requirements: ['1'] },
      {
        id: 'd3',
        title: `Store part ${chain} in SQLite`,
        rationale: 'Embedded',
        supersedes_decision_id: 'd2',
        alternatives_considered: ['Files'],
      },
    ],
  })
  const at = { board_id, spec_id: spec.id }
  const cards: string[] = []
  for (let place = 0; place < cardsPerChain; place++) {
    const { id } = await client.createCard({
      ...at,
      title: `Card ${place} of ${chain}`,
      description: 'What is to be done.',
    })
    if (place > 0) await client.addCardDependency({ card_id: id, depends_on_id: cards[Math.floor(place / 2)]! })
    cards.push(id)
  }
  const bug = await client.createCard({
    ...at,
    title: `Bug of ${chain}`,
    card_type: 'bug',
    origin_task_id: cards[0]!,
    severity: 'major',
    expected_behavior: 'It reads',
    observed_behavior: 'It does not',
  })
  const test = { card_type: 'test' as const, test_scenario_ids: ['s1'] }
  const { id: test_task_id } = await client.createCard({ ...at, ...test, title: `Test of ${chain}` })
  await client.linkTestTask({ card_id: bug.id, test_task_id })
  await client.createSprint({ ...at, title: `Sprint ${chain}`, card_ids: cards.slice(0, 3), expected_outcome: 'Works' })
}
