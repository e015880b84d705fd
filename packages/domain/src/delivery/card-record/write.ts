import type { Context } from '../../kernel/context.ts'
import type { Change, DomainEvent } from '../../schema/contents.ts'
import { updateRow } from '../../schema/rows.ts'
import { type CardRecord, columnsOf } from './record.ts'

/** The fields of a card that entries and refusals need. */
export type CardKey = Pick<CardRecord, 'id' | 'board_id' | 'spec_id'>

/** Changes fields of a card and sets its `updated_at`. */
export const writeCard = (
  ctx: Context,
  cardId: string,
  fields: Partial<Omit<CardRecord, 'id' | 'board_id'>>,
): Promise<void> => updateRow(ctx.db, 'cards', cardId, columnsOf({ ...fields, updated_at: ctx.now() }))

/** Appends an entry to a card's activity, with the domain events of the write, which name the card's spec, and what changed. */
export const recordOnCard = (
  ctx: Context,
  card: CardKey,
  action: string,
  details: Readonly<Record<string, unknown>>,
  domain: readonly DomainEvent[] = [],
  changes?: readonly Change[],
): Promise<void> =>
  ctx.record({
    boardId: card.board_id,
    entity: { type: 'card', id: card.id },
    activity: { action, details },
    cardId: card.id,
    ...(changes !== undefined && { changes }),
    ...(domain.length > 0 && { domain: domain.map(event => ({ card_id: card.id, spec_id: card.spec_id, ...event })) }),
  })

/**
 * Appends the entry `card_updated` for changed fields; its activity shows them with long texts truncated (cards 13).
 */
export const recordUpdate = (
  ctx: Context,
  card: CardKey,
  changes: readonly Change[],
  domain: readonly DomainEvent[] = [],
): Promise<void> =>
  recordOnCard(ctx, card, 'card_updated', { fields: changes.map(change => change.field) }, domain, changes)
