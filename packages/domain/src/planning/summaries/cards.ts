import type { CardBrief } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { expressionBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { refOf, type WithReference } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { CardsTable, Schema } from '../../schema/tables.ts'
import { type ClaimRow, claimOf, withClaim } from './claims.ts'

/** A card as nested in its spec or sprint (specs 2.1). */
export type Brief = z.output<typeof CardBrief>

/** A row with the columns of a brief. */
export type CardBriefRow = Pick<
  CardsTable,
  'id' | 'title' | 'status' | 'priority' | 'assignee_id' | 'sprint_id' | 'card_type' | 'archived'
> &
  WithReference & { claim: Json<ClaimRow> | ClaimRow | null }

/** The cards of a spec or sprint, including archived ones, oldest first, as one JSON column. */
export const withCards = (parent: 'spec' | 'sprint', of: string, now: string) =>
  dialect.jsonArrayFrom(
    expressionBuilder<Schema>()
      .selectFrom('cards')
      .select([
        'cards.id',
        refOf('cards').as('ref'),
        'cards.title',
        'cards.status',
        'cards.priority',
        'cards.assignee_id',
        'cards.sprint_id',
        'cards.card_type',
        'cards.archived',
      ])
      .select(withClaim('cards', now).as('claim'))
      .where(`cards.${parent}_id`, '=', sql.ref<string>(`${of}.id`))
      .where(sameBoard('cards', of))
      .orderBy('cards.created_at')
      .orderBy('cards.id'),
  )

/** The counts of a record's cards that are not archived, as columns (board 6). */
export const countedCards = (parent: 'spec' | 'sprint', of: string) => {
  const cards = sql`from cards c
    where ${sql.ref(`c.${parent}_id`)} = ${sql.ref(`${of}.id`)} and ${sameBoard('c', of)} and c.archived = 0`
  return {
    cards_total: sql<number>`(select count(*) ${cards})`,
    cards_done: sql<number>`(select count(*) ${cards} and c.status = 'done')`,
  }
}

/** A row as CardBrief. */
export const cardBriefOf = (row: CardBriefRow): Brief => ({
  ...row,
  status: row.status as Brief['status'],
  priority: row.priority as Brief['priority'],
  card_type: row.card_type as Brief['card_type'],
  archived: row.archived === 1,
  claim: claimOf(row.claim),
})
