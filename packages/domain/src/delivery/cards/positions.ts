import { PrerequisiteWork } from '../../kernel/prerequisite-work.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import type { Db, ReadWrite } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { CardRecord, Status } from '../card-record/record.ts'

/** A column: a board and a status. Its cards are ordered by position, `created_at` and id (cards 4.6). */
interface Column {
  readonly board: string
  readonly status: Status
  /** The card to place; its current position does not count. */
  readonly card: string
}

const highest = hot<Column, { position: number | null }>((db, param) =>
  db
    .selectFrom('cards')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('board_id', '=', param('board'))
    .where('status', '=', param('status'))
    .where('id', '<>', param('card')),
)

const takenBy = hot<Column & { position: number }, { id: string }>((db, param) =>
  db
    .selectFrom('cards')
    .select('id')
    .where('board_id', '=', param('board'))
    .where('status', '=', param('status'))
    .where('position', '=', param('position'))
    .where('id', '<>', param('card'))
    .limit(1),
)

/** Cards moved up in one unit of work. */
const atOnce = 200

/** After the last position of every column. */
const end = Number.MAX_SAFE_INTEGER

/** The lowest position among the last `atOnce` cards of part of a column. */
const lowestOfLast = hot<Column & { from: number; before: number }, { position: number }>((db, param) =>
  db
    .selectFrom('cards')
    .select('position')
    .where('board_id', '=', param('board'))
    .where('status', '=', param('status'))
    .where('position', '>=', param('from'))
    .where('position', '<', param('before'))
    .where('id', '<>', param('card'))
    .orderBy('position', 'desc')
    .limit(1)
    .offset(atOnce - 1),
)

const shift = hot<Column & { from: number; before: number; now: string }, never>((db, param) =>
  db
    .updateTable('cards')
    .set(eb => ({ position: eb('position', '+', 1), updated_at: param('now') }))
    .where('board_id', '=', param('board'))
    .where('status', '=', param('status'))
    .where('position', '>=', param('from'))
    .where('position', '<', param('before'))
    .where('id', '<>', param('card')),
)

/**
 * Moves the cards from a position on up by one, the last ones first and in pieces: in between and after a crash the
 * column has a gap, but the same order.
 */
async function makeRoom(database: ReadWrite, column: Column, position: number, now: string): Promise<void> {
  for (let before = end; before > position; ) {
    const upTo = before
    const move = async (db: Db) => {
      const [lowest] = await lowestOfLast(db, { ...column, from: position, before: upTo })
      const from = lowest?.position ?? position
      await shift(db, { ...column, from, before: upTo, now })
      return from
    }
    before = await database.write(move, { lock: column.board, isPiece: true })
    await yieldToEventLoop()
  }
}

/** The position after the last card of a column, including archived ones; 0 in an empty column. */
export async function endOfColumn(db: Db, boardId: string, status: Status, cardId: string): Promise<number> {
  const [last] = await highest(db, { board: boardId, status, card: cardId })
  return last?.position == null ? 0 : last.position + 1
}

/**
 * Finds the position of a card in a column: the requested one, or the end for null or -1. If the position is taken, the
 * cards from there on move up by one.
 * @throws PrerequisiteWork when they are many
 */
export async function place(
  db: Db,
  { board_id, id }: Pick<CardRecord, 'board_id' | 'id'>,
  status: Status,
  requested: number | null | undefined,
  now: string,
): Promise<number> {
  if (requested == null || requested < 0) return endOfColumn(db, board_id, status, id)
  const column = { board: board_id, status, card: id }
  const [occupant] = await takenBy(db, { ...column, position: requested })
  if (occupant === undefined) return requested
  const part = { ...column, from: requested, before: end }
  const [beyond] = await lowestOfLast(db, part)
  if (beyond !== undefined && beyond.position > requested)
    throw new PrerequisiteWork(`room in ${board_id} ${status}`, database => makeRoom(database, column, requested, now))
  await shift(db, { ...part, now })
  return requested
}
