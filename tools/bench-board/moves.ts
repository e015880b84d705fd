import type { Client } from '@specboard/client'
import { measure } from '../bench/measure.ts'
import type { ServerProcess } from '../bench/processes.ts'

/** What a call may take at the median, ms (board 3). */
const goal = 2

/** Calls before those that are measured: in a service that runs, their code has been optimised. */
const warmUp = 2_000

const dependencies = 20
const scenarios = 50

/** A new spec with scenarios that name its criteria, and open cards on it, the first of which waits for the others. */
async function seed(client: Client): Promise<{ readonly spec_id: string; readonly card_id: string }> {
  const { id: board_id } = await client.createBoard({ name: 'Moves', description: '' })
  const criteria = Array.from({ length: scenarios }, (_, index) => `Criterion ${index}`)
  const { id: spec_id } = await client.createSpec({
    board_id,
    title: 'Spec',
    status: 'in_progress',
    acceptance_criteria: criteria,
    test_scenarios: criteria.map((text, index) => ({ id: `s${index}`, title: text, linked_criteria: [String(index)] })),
  })
  const card = async (title: string) => (await client.createCard({ board_id, spec_id, title })).id
  const card_id = await card('Waits')
  for (let index = 0; index < dependencies; index++)
    await client.addCardDependency({ card_id, depends_on_id: await card(`Awaited ${index}`) })
  return { spec_id, card_id }
}

/** Prints how long get_allowed_moves takes where much has to be judged, and most of it is closed. */
export async function reportMoves(server: ServerProcess, client: Client): Promise<void> {
  const { spec_id, card_id } = await seed(client)
  const moves = (entity_type: string, entity_id: string) => () => client.getAllowedMoves({ entity_type, entity_id })
  const report = async (what: string, call: () => Promise<unknown>) => {
    for (let round = 0; round < warmUp; round++) await call()
    await measure(`allowed moves, ${what}`, server, call, { goal })
  }
  await report(`card with ${dependencies} dependencies`, moves('card', card_id))
  await report(`spec with ${scenarios} scenarios`, moves('spec', spec_id))
}
