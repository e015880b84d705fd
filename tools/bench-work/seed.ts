import { randomUUID } from 'node:crypto'
import { createClient } from '@specboard/client'
import { writeWithoutLock } from '@specboard/domain'
import { startProduct } from '../bench/processes.ts'
import { inParallel } from '../in-parallel.ts'
import { progress } from '../progress.ts'

const specs = 100
const text = 'What is to be built, in a sentence or two, as people write it. '

/** Creates a board whose cards are open, with dependencies between any of them, in a folder that no server is using. */
export async function seedOpenCards(
  folder: string,
  wanted: { readonly cards: number; readonly dependencies: number },
): Promise<{ readonly key: string; readonly board_id: string }> {
  const server = await startProduct(folder)
  const key = server.key!
  const client = createClient({ url: server.url, key })
  const { id: board_id } = await client.createBoard({ name: 'Open cards', description: '' })
  const bar = progress('open cards', wanted.cards)
  const specIds = await inParallel(Array.from({ length: specs }), 16, async (_, index) => {
    const spec = await client.createSpec({ board_id, status: 'in_progress', title: `Spec ${index}` })
    return spec.id
  })
  const cards = await inParallel(Array.from({ length: wanted.cards }), 16, async (_, index) => {
    bar.step()
    const spec_id = specIds[index % specs]!
    return (await client.createCard({ board_id, spec_id, title: `Card ${index}`, description: text.repeat(5) })).id
  })
  bar.end()
  await server.stop()
  await link(folder, board_id, cards, wanted.dependencies)
  return { key, board_id }
}

/** Writes the links past the service, which would look for a cycle with each: a card waits for any earlier one. */
function link(folder: string, board_id: string, cards: readonly string[], count: number): Promise<void> {
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
  return writeWithoutLock(folder, async db => {
    for (let at = 0; at < rows.length; at += 1_000)
      await db
        .insertInto('card_dependencies')
        .values(rows.slice(at, at + 1_000))
        .execute()
  })
}
