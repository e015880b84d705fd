import { randomUUID } from 'node:crypto'
import { type Client, createClient } from '@specboard/client'
import { databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'
import { measure } from '../bench/measure.ts'
import { startProduct } from '../bench/processes.ts'
import { fill, type Seeded } from '../bench-growth/fill.ts'

/** What a call may take at the median, ms (board 1). */
const goal = 30

const boards = 50
const cardsEach = 10_000

/** Of ten records of a filled board five are cards. */
const recordsEach = cardsEach * 2

/** Unanswered questions on each board. */
const questionsEach = 20

/** A board with the first record of each kind, from which the others are copied. */
async function seed(client: Client, index: number): Promise<Seeded> {
  const { id: board_id } = await client.createBoard({ name: `Board ${index}`, description: '' })
  const { id: ideation_id } = await client.createIdeation({ board_id, title: 'Idea' })
  const { id: spec_id } = await client.createSpec({ board_id, title: 'Spec', status: 'in_progress' })
  const { id: card_id } = await client.createCard({ board_id, spec_id, title: 'Card' })
  return { board_id, ideation_id, spec_id, card_id }
}

/**
 * Gives the cards of a long project: of five hundred two are worked on, two wait for a validation, two are on hold, fifty
 * are not started, and the others are done; and puts questions on some. Written past the service, which is stopped.
 */
function live(folder: string, filled: readonly Seeded[]): void {
  const database = new SqliteDatabase(databaseFile(folder))
  database.pragma('synchronous = off')
  const status = database.prepare(`update cards set moved_at = '2026-01-01T00:00:00.000Z', status = case position % 1000
      when 1 then 'in_progress' when 2 then 'in_progress' when 3 then 'validation' when 4 then 'validation'
      when 5 then 'on_hold' when 11 then 'on_hold'
      else case when position % 1000 < 110 then 'not_started' else 'done' end end
    where board_id = ?`)
  const questioned = database.prepare<[string, number], { id: string }>(
    'select id from cards where board_id = ? and archived = 0 limit ?',
  )
  const ask = database.prepare(`insert into questions (id, board_id, owner_type, owner_id, question, question_type,
      allow_free_text, asked_by, created_at) values (?, ?, 'card', ?, 'Why?', 'text', 0, 'somebody', ?)`)
  for (const { board_id } of filled)
    database.transaction(() => {
      status.run(board_id)
      for (const { id } of questioned.all(board_id, questionsEach))
        ask.run(randomUUID(), board_id, id, new Date().toISOString())
    })()
  database.close()
}

/** Prints how long the inbox takes of somebody who sees many boards, each of a long project. */
export async function reportInbox(folder: string): Promise<void> {
  const seeding = await startProduct(folder)
  const key = seeding.key!
  const client = createClient({ url: seeding.url, key })
  const seeded: Seeded[] = []
  for (let index = 0; index < boards; index++) seeded.push(await seed(client, index))
  await seeding.stop()
  live(folder, await fill({ folder }, seeded, recordsEach))
  const server = await startProduct(folder)
  try {
    const owner = createClient({ url: server.url, key })
    // The module of the inbox is loaded with its first call, in a thread of its own.
    const { counts } = await owner.listMyInbox({ limit: 1 })
    const waiting = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const board_id = seeded[0]!.board_id
    console.log(`${waiting} things wait on ${boards} boards of ${cardsEach} cards`)
    await measure('list_my_inbox', server, () => owner.listMyInbox({}), { goal })
    await measure('list_my_inbox, one board', server, () => owner.listMyInbox({ board_id }))
    await measure('get_board_overview', server, () => owner.getBoardOverview({ board_id }))
  } finally {
    await server.stop()
  }
}
