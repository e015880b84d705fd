import { type Client, ClientError } from '@specboard/client'

/** Numbers that look random and are the same in each run. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return sides => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const words = 'Read, run and compared with the spec.'

/** Does what the rules allow; what they refuse is passed over. */
async function attempt(call: () => Promise<unknown>): Promise<void> {
  try {
    await call()
  } catch (error) {
    if (!(error instanceof ClientError) || error.status >= 500) throw error
  }
}

/** Lets a loaded board live: specs get content and validations, cards reports, validations and sprints, some are archived. */
export async function live(client: Client, board_id: string): Promise<void> {
  const roll = dice(7)
  const specs = (await client.listSpecs({ board_id })).items
  for (const [index, { id: spec_id }] of specs.entries()) {
    const cards = (await client.getSpec({ spec_id })).cards.map(card => card.id)
    await attempt(() => client.updateSpec({ spec_id, ...contentOf(roll, cards) }))
    if (index % 4 === 0) await sprintsOf(client, roll, board_id, spec_id, cards)
    for (const card_id of cards) await work(client, roll, card_id)
    if (index % 5 === 0) await judge(client, roll, board_id)
    if (index % 9 === 0) await attempt(() => client.moveSpec({ spec_id, status: 'done' }))
    if (index % 13 === 0)
      await attempt(() => client.archiveRecord({ board_id, entity_type: 'spec', entity_id: spec_id }))
  }
  const ideations = (await client.listIdeations({ board_id })).items
  for (const { id: ideation_id } of ideations.slice(0, 10))
    for (const status of ['review', 'approved', 'evaluating', 'done'] as const)
      await attempt(() => client.moveIdeation({ ideation_id, status }))
  for (const { id: ideation_id } of ideations.slice(0, 6))
    await attempt(() => client.createRefinement({ ideation_id, title: 'A part of it', in_scope: ['All'] }))
}

const contentOf = (roll: (sides: number) => number, cards: readonly string[]) => {
  const list = <Item>(most: number, item: (place: number) => Item) =>
    Array.from({ length: roll(most) }, (_, place) => item(place))
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

/** A sprint of some of the cards, some sprints evaluated and closed. */
async function sprintsOf(
  client: Client,
  roll: (sides: number) => number,
  board_id: string,
  spec_id: string,
  cards: readonly string[],
): Promise<void> {
  const card_ids = cards.filter(() => roll(3) > 0)
  const { id: sprint_id } = await client.createSprint({ board_id, spec_id, title: `Sprint ${roll(100)}`, card_ids })
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

/** A card on its way: a report, one to three validations, or a pause. */
async function work(client: Client, roll: (sides: number) => number, card_id: string): Promise<void> {
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

/** A new spec that is submitted to its gate once or twice. */
async function judge(client: Client, roll: (sides: number) => number, board_id: string): Promise<void> {
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
