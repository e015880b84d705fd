import { invalid } from '../../kernel/errors.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import { leadingTo, type QuestionResult } from './result.ts'

const cardOfBoard = hot<{ id: string; board: string }, { title: string }>((db, param) =>
  db.selectFrom('cards').select('title').where('id', '=', param('id')).where('board_id', '=', param('board')),
)

const waitingFor = hot<OnBoard, { id: string; title: string; status: string; created_at: string }>((db, param) =>
  db
    .selectFrom('card_dependencies as link')
    .innerJoin('cards', 'cards.id', 'link.card_id')
    .where(sameBoard('cards', 'link'))
    .select(['cards.id', 'cards.title', 'cards.status', 'link.created_at'])
    .where('link.depends_on_id', '=', param('id'))
    .where(onBoard('link', param('board_id')))
    .orderBy('link.created_at')
    .orderBy('link.id'),
)

/**
 * The cards that depend directly on a card, by time of the dependency.
 * @throws DomainError VALIDATION_ERROR unless it is a card of the board
 */
export async function dependentsOf(db: Db, boardId: string, cardId: string): Promise<QuestionResult> {
  const [card] = await cardOfBoard(db, { id: cardId, board: boardId })
  if (card === undefined) throw invalid('card_id', `${cardId} is not a card of this board.`)
  const rows = (await waitingFor(db, { id: cardId, board_id: boardId })).map(({ id, title, status, created_at }) => ({
    id,
    type: 'Card',
    title,
    summary: `${status}, waits for "${card.title}"`,
    meta: { ...leadingTo({ type: 'card', id, title }), card_id: id, card_status: status, created_at },
  }))
  return { rows }
}
