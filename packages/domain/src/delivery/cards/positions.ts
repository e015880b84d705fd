import type { Db } from '../../schema/database.ts'
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

const shift = hot<Column & { position: number; now: string }, never>((db, param) =>
  db
    .updateTable('cards')
    .set(eb => ({ position: eb('position', '+', 1), updated_at: param('now') }))
    .where('board_id', '=', param('board'))
    .where('status', '=', param('status'))
    .where('position', '>=', param('position'))
    .where('id', '<>', param('card')),
)

/** The position after the last card of a column, including archived ones; 0 in an empty column. */
export async function endOfColumn(db: Db, boardId: string, status: Status, cardId: string): Promise<number> {
  const [last] = await highest(db, { board: boardId, status, card: cardId })
  return last?.position == null ? 0 : last.position + 1
}

/**
 * Finds the position of a card in a column: the wanted one, or the end for null or -1. If the position is taken, the
 * cards from there on move up by one.
 */
export async function place(
  db: Db,
  { board_id, id }: Pick<CardRecord, 'board_id' | 'id'>,
  status: Status,
  wanted: number | null | undefined,
  now: string,
): Promise<number> {
  if (wanted == null || wanted < 0) return endOfColumn(db, board_id, status, id)
  const column = { board: board_id, status, card: id }
  const taken = await takenBy(db, { ...column, position: wanted })
  if (taken.length > 0) await shift(db, { ...column, position: wanted, now })
  return wanted
}
