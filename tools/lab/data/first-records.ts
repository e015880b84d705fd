import type { Client } from '@specboard/client'
import type { SeededBoard } from './fill.ts'

/** A few sentences, as people write them. */
export const sentence = 'What is to be built, in a sentence or two, as people write it. '

/** A board with the first record of each kind, from which others are copied. */
export async function makeFirstRecords(client: Client, name: string): Promise<SeededBoard> {
  const { id: board_id } = await client.createBoard({ name, description: '' })
  const described = { board_id, description: sentence.repeat(5), labels: ['a', 'b'] }
  const ideation = await client.createIdeation({ ...described, title: 'The first ideation' })
  const spec = await client.createSpec({
    ...described,
    title: 'The first spec',
    status: 'in_progress',
    functional_requirements: [sentence, sentence],
    acceptance_criteria: [sentence, sentence],
  })
  const card = await client.createCard({ ...described, spec_id: spec.id, title: 'The first card' })
  return { board_id, ideation_id: ideation.id, spec_id: spec.id, card_id: card.id }
}

/** Creates a number of boards, each with the first record of each kind. */
export async function makeBoards(client: Client, count: number): Promise<SeededBoard[]> {
  const boards: SeededBoard[] = []
  for (let index = 0; index < count; index++) boards.push(await makeFirstRecords(client, `Board ${index}`))
  return boards
}
