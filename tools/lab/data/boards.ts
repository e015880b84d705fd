import type { Client } from '@specboard/client'
import { inParallel } from '../harness/in-parallel.ts'
import { progress } from '../harness/progress.ts'

const cardsPerSpec = 10

/** A board to measure on, with one of its specs and one of its sprints. */
export interface Board {
  readonly board_id: string
  readonly spec_id: string
  readonly sprint_id: string
}

/** Creates a board with specs, ten cards on each: a third of the cards done, a third of those after a validation. */
export async function makeBoard(client: Client, specs: number): Promise<Board> {
  const { id: board_id } = await client.createBoard({ name: `${specs} specs`, description: '' })
  const bar = progress(`board of ${specs} specs`, specs * (cardsPerSpec + 1))
  const records = await inParallel(Array.from({ length: specs }), 16, async (_, index) => {
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
  return { board_id, ...records[0]! }
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
  const described = { board_id, spec_id, title: `Card ${place}`, description: text.repeat(5), imported: true }
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
