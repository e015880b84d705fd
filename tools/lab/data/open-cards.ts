import { randomUUID } from 'node:crypto'
import { type DatabasePlace, writeWithoutLock } from '@specboard/domain'
import { inParallel } from '../harness/in-parallel.ts'
import type { Lab } from '../harness/lab.ts'
import { progress } from '../harness/progress.ts'
import { sentence } from './first-records.ts'

const specs = 100

/**
 * Creates a board whose cards are open, with dependencies between any of them; returns its id. The service is stopped
 * afterwards.
 */
export async function makeOpenCards(
  lab: Lab,
  name: string,
  counts: { readonly cards: number; readonly dependencies: number },
): Promise<string> {
  const { board_id, cards } = await lab.with(name, async ({ client }) => {
    const { id: board_id } = await client.createBoard({ name: 'Open cards', description: '' })
    const bar = progress('open cards', counts.cards)
    const specIds = await inParallel(Array.from({ length: specs }), 16, async (_, index) => {
      const spec = await client.createSpec({ board_id, status: 'in_progress', title: `Spec ${index}` })
      return spec.id
    })
    const cards = await inParallel(Array.from({ length: counts.cards }), 16, async (_, index) => {
      bar.step()
      const described = { title: `Card ${index}`, description: sentence.repeat(5) }
      return (await client.createCard({ board_id, spec_id: specIds[index % specs]!, ...described })).id
    })
    bar.end()
    return { board_id, cards }
  })
  await link(lab.place(name), board_id, cards, counts.dependencies)
  return board_id
}

/**
 * Writes the links directly into the database, because the service would check each for cycles: a card waits for any
 * earlier one.
 */
function link(place: DatabasePlace, board_id: string, cards: readonly string[], count: number): Promise<void> {
  const pairs = new Set<string>()
  while (pairs.size < count) {
    const later = 1 + Math.floor(Math.random() * (cards.length - 1))
    pairs.add(`${later} ${Math.floor(Math.random() * later)}`)
  }
  const created_at = new Date().toISOString()
  const rows = [...pairs].map(pair => {
    const [later, earlier] = pair.split(' ').map(Number)
    return { id: randomUUID(), board_id, card_id: cards[later!]!, depends_on_id: cards[earlier!]!, created_at }
  })
  return writeWithoutLock(place, async db => {
    for (let at = 0; at < rows.length; at += 1_000)
      await db
        .insertInto('card_dependencies')
        .values(rows.slice(at, at + 1_000))
        .execute()
  })
}
