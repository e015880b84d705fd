import { type Client, ClientError } from '@specboard/client'

/** Draws an integer from 0 up to, but not including, `sides`. */
export type Roll = (sides: number) => number

/** Numbers that look random but are the same for the same seed. */
export function dice(seed: number): Roll {
  let state = seed
  return sides => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const words = 'Read, run and compared with the spec.'

/** Makes a call and ignores its refusal. */
async function attempt(call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch (error) {
    if (!(error instanceof ClientError) || error.status >= 500) throw error
  }
}

/**
 * Works on a board as drawn: specs get content, evaluations and validations; cards get reports, validations,
 * tests, bugs and sprints; some records of every kind are archived.
 */
export async function drawUse(client: Client, board_id: string, roll: Roll): Promise<void> {
  const specs = (await client.listSpecs({ board_id })).items
  for (const [index, { id: spec_id }] of specs.entries()) {
    const cards = (await client.getSpec({ spec_id })).cards.map(card => card.id)
    await attempt(() => client.updateSpec({ spec_id, ...contentOf(roll, cards) }))
    if (cards.length > 0) await testsAndBugs(client, roll, board_id, spec_id, cards)
    if (index % 4 === 0 || cards.length > 0) await sprintsOf(client, roll, board_id, spec_id, cards)
    for (const card_id of cards) await work(client, roll, card_id)
    if (index % 5 === 0) await judge(client, roll, board_id)
    if (index % 7 === 0) await evaluate(client, roll, board_id)
    if (index % 9 === 0) await attempt(() => client.moveSpec({ spec_id, status: 'done' }))
    if (index % 13 === 7) await archive(client, board_id, 'spec', spec_id)
    for (const card_id of cards) if (roll(15) === 0) await archive(client, board_id, 'card', card_id)
  }
  await plan(client, roll, board_id)
}

const archive = (client: Client, board_id: string, entity_type: 'spec' | 'card', entity_id: string) =>
  attempt(() => client.archiveRecord({ board_id, entity_type, entity_id }))

/** Creates ideations on their way to done, with questions, refinements, their knowledge and the derived specs. */
async function plan(client: Client, roll: Roll, board_id: string): Promise<void> {
  const { items: specs } = await client.listSpecs({ board_id })
  const ideations: { readonly id: string }[] = []
  for (let at = 0; at < 10; at++)
    ideations.push(await client.createIdeation({ board_id, title: `What led to ${specs[at % specs.length]!.title}` }))
  for (const { id: ideation_id } of ideations) {
    await attempt(() => client.askIdeationQuestion({ ideation_id, question: 'For whom?' }))
    for (const status of ['review', 'approved', 'evaluating', 'done'] as const)
      await attempt(() => client.moveIdeation({ ideation_id, status }))
  }
  for (const { id: ideation_id } of ideations.slice(0, 6))
    await attempt(async () => {
      const part = { ideation_id, title: 'A part of it', in_scope: ['All'], decisions: ['Keep it small'] }
      const { id: refinement_id } = await client.createRefinement(part)
      await client.createRefinementKnowledge({ refinement_id, title: 'Known', content: words })
      if (roll(3) > 0) await client.createSpec({ board_id, title: 'Made of a part', ideation_id, refinement_id })
      for (const status of ['review', 'approved', 'done'] as const)
        if (roll(4) > 0) await client.moveRefinement({ refinement_id, status })
    })
}

/** Creates a spec that is validated and evaluated once or twice. */
async function evaluate(client: Client, roll: Roll, board_id: string): Promise<void> {
  const title = `Evaluated ${roll(1000)}`
  const { id: spec_id } = await client.createSpec({ board_id, title, status: 'validated' })
  for (let time = 1 + roll(2); time > 0; time--)
    await attempt(() => client.updateSpec({ spec_id, evaluation: evaluationOf(roll) }))
}

const evaluationOf = (roll: Roll) => ({
  breakdown_completeness: roll(101),
  breakdown_justification: words,
  granularity: roll(101),
  granularity_justification: words,
  dependency_coherence: roll(101),
  dependency_justification: words,
  test_coverage_quality: roll(101),
  test_coverage_justification: words,
  overall_score: roll(101),
  overall_justification: words,
  recommendation: (['approve', 'request_changes', 'reject'] as const)[roll(3)]!,
})

/** Creates a test card for the first scenario of a spec, and a bug in one of its cards that the test should catch. */
async function testsAndBugs(
  client: Client,
  roll: Roll,
  board_id: string,
  spec_id: string,
  cards: string[],
): Promise<void> {
  const bug = {
    card_type: 'bug' as const,
    title: '=It breaks, says "A1"',
    severity: (['critical', 'major', 'minor'] as const)[roll(3)]!,
    expected_behavior: 'Works',
    observed_behavior: 'Breaks',
    origin_task_id: cards[roll(cards.length)]!,
  }
  const test = { card_type: 'test' as const, title: 'Try it', test_scenario_ids: ['s0'] }
  await attempt(async () => cards.push((await client.createCard({ board_id, spec_id, ...bug })).id))
  await attempt(async () => {
    const { id } = await client.createCard({ board_id, spec_id, ...test })
    await client.updateCard({ card_id: cards.at(-1)!, linked_test_task_ids: [id] })
    cards.push(id)
  })
}

const contentOf = (roll: Roll, cards: readonly string[]) => {
  const list = <Item>(max: number, item: (place: number) => Item) =>
    Array.from({ length: roll(max) }, (_, place) => item(place))
  const links = () => cards.filter(() => roll(4) === 0)
  const acceptance_criteria = ['Holds at 0', 'Holds at 1', ...list(4, place => `Criterion ${place}`)]
  const functional_requirements = ['Does 0', 'Does 1', ...list(4, place => `Requirement ${place}`)]
  const linked_requirements = () => [String(roll(2)), functional_requirements[roll(functional_requirements.length)]!]
  return {
    acceptance_criteria,
    functional_requirements,
    technical_requirements: [
      'As plain text',
      ...list(3, place => ({ id: `t${place}`, text: 'Fast', linked_task_ids: links() })),
    ],
    test_scenarios: list(6, place => ({
      id: `s${place}`,
      title: `Scenario ${place}`,
      linked_criteria: [String(roll(2)), acceptance_criteria[roll(acceptance_criteria.length)]!],
      status: roll(2) === 0 ? ('ready' as const) : ('draft' as const),
    })),
    business_rules: list(4, place => ({
      id: `r${place}`,
      title: 'Rule',
      rule: 'r',
      when: 'w',
      then: 't',
      linked_requirements: linked_requirements(),
      linked_task_ids: links(),
    })),
    api_contracts: list(3, place => ({
      id: `c${place}`,
      method: 'GET',
      path: '/x',
      linked_requirements: linked_requirements(),
    })),
    decisions: list(4, place => ({
      id: `d${place}`,
      title: 'Decision',
      rationale: 'r',
      linked_task_ids: links(),
      status: roll(3) === 0 ? ('revoked' as const) : ('active' as const),
    })),
  }
}

/** Creates a sprint of some of the cards; some sprints are evaluated and closed. */
async function sprintsOf(
  client: Client,
  roll: Roll,
  board_id: string,
  spec_id: string,
  cards: readonly string[],
): Promise<void> {
  const card_ids = cards.filter(() => roll(3) > 0)
  const dates = roll(2) === 0 ? {} : { start_date: '2026-01-05', ...(roll(2) === 0 && { end_date: '2026-02-01' }) }
  const scope = { test_scenario_ids: ['s0'] }
  const sprint = { board_id, spec_id, title: `Sprint ${roll(100)}`, card_ids, ...dates }
  const { id: sprint_id } = await client
    .createSprint({ ...sprint, ...scope })
    .catch(() => client.createSprint({ ...sprint, card_ids: [] }))
  await attempt(() => client.updateSprint({ sprint_id, skip_test_coverage: true, skip_qualitative_validation: true }))
  await attempt(() => client.moveSprint({ sprint_id, status: 'active' }))
  if (roll(2) === 0) return
  await attempt(() => client.moveSprint({ sprint_id, status: 'review' }))
  await attempt(() =>
    client.submitSprintEvaluation({
      sprint_id,
      overall_score: 50 + roll(50),
      recommendation: (['approve', 'request_changes', 'reject'] as const)[roll(3)]!,
      granularity: roll(100),
      granularity_justification: words,
    }),
  )
  if (roll(2) === 0) await attempt(() => client.moveSprint({ sprint_id, status: 'closed' }))
}

/** Moves a card on: a report, one to three validations, or a pause. */
async function work(client: Client, roll: Roll, card_id: string): Promise<void> {
  const report = {
    conclusion: words,
    completeness: 60 + roll(41),
    completeness_justification: words,
    drift: roll(60),
    drift_justification: words,
  }
  const chance = roll(10)
  if (chance < 4) await attempt(() => client.moveCard({ card_id, target_status: 'validation', ...report }))
  if (chance === 4) await attempt(() => client.moveCard({ card_id, target_status: 'on_hold' }))
  if (chance === 5) await attempt(() => client.moveCard({ card_id, target_status: 'cancelled' }))
  for (let time = roll(4); chance < 4 && time > 0; time--)
    await attempt(() =>
      client.submitTaskValidation({
        card_id,
        summary: words,
        reviewer_id: `person-with-a-long-id-${roll(3)}`,
        recommendation: roll(4) === 0 ? 'reject' : 'approve',
        confidence: 60 + roll(41),
        confidence_justification: words,
        estimated_completeness: 60 + roll(41),
        completeness_justification: words,
        estimated_drift: roll(70),
        drift_justification: words,
      }),
    )
}

/** Creates a spec that is submitted to its gate once or twice. */
async function judge(client: Client, roll: Roll, board_id: string): Promise<void> {
  const { id: spec_id } = await client.createSpec({ board_id, title: `Judged ${roll(1000)}`, status: 'approved' })
  for (let time = 1 + roll(2); time > 0; time--)
    await attempt(() =>
      client.submitSpecValidation({
        spec_id,
        completeness: 60 + roll(41),
        completeness_justification: words,
        assertiveness: 60 + roll(41),
        assertiveness_justification: words,
        ambiguity: roll(50),
        ambiguity_justification: words,
        general_justification: words,
        recommendation: roll(5) === 0 ? 'reject' : 'approve',
      }),
    )
}
