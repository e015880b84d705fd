import { randomUUID } from 'node:crypto'
import { writeWithoutLock } from '@specboard/domain'
import type { Lab } from '../harness/lab.ts'

const vocabulary = 20_000

/** A word of letters only, so that words begin differently. */
export const word = (number: number): string =>
  [...`${(number * 7_919) % 99_991}`].map(digit => 'etaoinshrd'[Number(digit)]).join('')

/** Random words; a few of them occur in most texts, most of them in few. */
const some = (count: number): string =>
  Array.from({ length: count }, () => word(Math.floor(Math.random() ** 3 * vocabulary))).join(' ')

/** Writes cards of random words directly into the database: the service would take minutes for them. */
export async function fillSearched(lab: Lab, name: string, records: number): Promise<void> {
  const id = await lab.with(name, async ({ client }) => {
    const { id: board_id } = await client.createBoard({ name: 'Search', description: '' })
    const { id: spec_id } = await client.createSpec({ board_id, title: 'Spec', status: 'in_progress' })
    return (await client.createCard({ board_id, spec_id, title: 'First' })).id
  })
  await writeWithoutLock(lab.place(name), async db => {
    const card = await db.selectFrom('cards').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    for (let number = 3; number <= records; number++)
      await db
        .insertInto('cards')
        .values({
          ...card,
          id: randomUUID(),
          number,
          title: some(6),
          description: `everywhere ${some(40)}`,
          position: number,
          status: number % 7 === 0 ? 'started' : 'not_started',
          updated_at: new Date(Date.parse(card.updated_at) + number * 1_000).toISOString(),
        })
        .execute()
    await db.updateTable('boards').set({ last_number: records }).execute()
  })
}
