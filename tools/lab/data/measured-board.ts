import type { Client } from '@specboard/client'

/** A board with 200 ideations; the first one has three questions. */
export async function makeIdeations(client: Client): Promise<{ board_id: string; ideations: readonly string[] }> {
  const { id: board_id } = await client.createBoard({ name: 'Bench', description: '' })
  const ideations: string[] = []
  for (let index = 0; index < 200; index++) {
    const described = { title: `Idea ${index}`, description: 'x'.repeat(300), labels: ['a', 'b'] }
    ideations.push((await client.createIdeation({ board_id, ...described })).id)
  }
  for (let index = 0; index < 3; index++)
    await client.askIdeationQuestion({ ideation_id: ideations[0]!, question: `Why ${index}?` })
  return { board_id, ideations }
}

/** Creates a spec with 50 scenarios, 30 cards and 20 questions; returns its id. */
export async function makeLargeSpec(client: Client, board_id: string): Promise<string> {
  const { id: spec_id } = await client.createSpec({
    board_id,
    title: 'Measured',
    status: 'approved',
    functional_requirements: Array.from({ length: 20 }, (_, index) => `Requirement ${index}`),
    acceptance_criteria: Array.from({ length: 20 }, (_, index) => `Criterion ${index}`),
    test_scenarios: Array.from({ length: 50 }, (_, index) => ({
      id: `s${index}`,
      title: `Scenario ${index}`,
      linked_criteria: [String(index % 20)],
    })),
  })
  for (let index = 0; index < 30; index++) await client.createCard({ board_id, spec_id, title: `Card ${index}` })
  for (let index = 0; index < 20; index++) await client.askSpecQuestion({ spec_id, question: `What ${index}?` })
  return spec_id
}
