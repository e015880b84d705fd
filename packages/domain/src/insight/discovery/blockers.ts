import { dialect, type Json } from '@specboard/storage'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { leadingTo, type QuestionResult, type Row } from './result.ts'

/** Hours without a change after which a started card counts as stale. */
const staleAfter = 72

const waiting: ReadonlySet<string> = new Set(['not_started', 'started', 'in_progress', 'validation', 'on_hold'])
const inWork: ReadonlySet<string> = new Set(['started', 'in_progress', 'validation'])

/** A card of an active sprint. */
export interface SprintCard {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly updated_at: string
  readonly sprint_id: string
  readonly sprint_title: string
  /** The cards it depends on that are neither done nor cancelled, in any sprint. */
  readonly blocking_cards: readonly { readonly id: string; readonly title: string; readonly status: string }[]
}

/** The rows of a card: up to three reasons why it is held up, in this order. */
export function blockersOf(card: SprintCard, now: string): Row[] {
  const { id, title, status, updated_at, sprint_id, sprint_title, blocking_cards } = card
  const hours = (Date.parse(now) - Date.parse(updated_at)) / 3_600_000
  const blocked = (type: string, summary: string, further: object): Row => ({
    id,
    type,
    title,
    summary,
    meta: {
      ...leadingTo({ type: 'card', id, title }),
      card_id: id,
      card_status: status,
      sprint_id,
      sprint_title,
      ...further,
    },
  })
  const rows: Row[] = []
  if (waiting.has(status) && blocking_cards.length > 0) {
    const names = blocking_cards.map(other => `"${other.title}" (${other.status})`).join(', ')
    rows.push(blocked('blocked_card', `Waits for ${names}`, { blocking_cards }))
  }
  if (status === 'on_hold') rows.push(blocked('on_hold_card', `On hold, last changed ${updated_at}`, { updated_at }))
  if (inWork.has(status) && hours > staleAfter) {
    const age_hours = Math.round(hours * 10) / 10
    const stale = { last_updated: updated_at, age_hours, stale_hours_threshold: staleAfter }
    rows.push(blocked('stale_card', `${status} without a change for ${age_hours} hours`, stale))
  }
  return rows
}

const activeSprints = hot<{ board: string }, { id: string }>((db, param) =>
  db
    .selectFrom('sprints')
    .select('id')
    .where('board_id', '=', param('board'))
    .where('status', '=', 'active')
    .where('archived', '=', 0)
    .orderBy('created_at')
    .orderBy('id'),
)

const cardsInSprints = hot<
  { board: string },
  Omit<SprintCard, 'blocking_cards'> & {
    blocking_cards: Json<SprintCard['blocking_cards']>
  }
>((db, param) =>
  db
    .selectFrom('cards')
    .innerJoin('sprints', 'sprints.id', 'cards.sprint_id')
    .where(sameBoard('sprints', 'cards'))
    .select(['cards.id', 'cards.title', 'cards.status', 'cards.updated_at'])
    .select(['sprints.id as sprint_id', 'sprints.title as sprint_title'])
    .select(eb =>
      dialect
        .jsonArrayFrom(
          eb
            .selectFrom('card_dependencies')
            .innerJoin('cards as other', 'other.id', 'card_dependencies.depends_on_id')
            .where(sameBoard('other', 'card_dependencies'))
            .select(['other.id', 'other.title', 'other.status'])
            .whereRef('card_dependencies.card_id', '=', 'cards.id')
            .where(sameBoard('card_dependencies', 'cards'))
            .where('other.status', 'not in', ['done', 'cancelled'])
            .orderBy('card_dependencies.created_at')
            .orderBy('card_dependencies.id'),
        )
        .as('blocking_cards'),
    )
    .where('sprints.board_id', '=', param('board'))
    .where('sprints.status', '=', 'active')
    .where('sprints.archived', '=', 0)
    .where('cards.archived', '=', 0)
    .orderBy('cards.created_at')
    .orderBy('cards.id'),
)

/** What holds up the cards of a board's active sprints. */
export async function blockersInSprints(db: Db, boardId: string, now: string): Promise<QuestionResult> {
  const active_sprint_ids = (await activeSprints(db, { board: boardId })).map(sprint => sprint.id)
  if (active_sprint_ids.length === 0)
    return { rows: [], summary: {}, active_sprint_ids, message: 'No sprint of this board is active.' }
  const cards = await cardsInSprints(db, { board: boardId })
  const rows = cards.flatMap(card => blockersOf({ ...card, blocking_cards: parseJson(card.blocking_cards) }, now))
  const types = Map.groupBy(rows, row => row.type)
  const summary = Object.fromEntries([...types].map(([type, group]) => [type, group.length]))
  return { rows, summary, active_sprint_ids }
}
