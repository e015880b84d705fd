import type { Context } from '../../kernel/context.ts'
import { excerpt } from '../../lib/excerpt.ts'
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

/** Appends an entry to a card's activity, with the domain events of the write, which name the card's spec. */
export const recordOnCard = (
  ctx: Context,
  card: CardKey,
  action: string,
  details: Readonly<Record<string, unknown>>,
  domain: readonly DomainEvent[] = [],
): Promise<void> =>
  ctx.record({
    boardId: card.board_id,
    entity: { type: 'card', id: card.id },
    activity: { action, details },
    cardId: card.id,
    ...(domain.length > 0 && { domain: domain.map(event => ({ card_id: card.id, spec_id: card.spec_id, ...event })) }),
  })

/** A value with all texts at any depth cut to 200 characters. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return excerpt(value, 200)
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]))
}

/** Appends the entry `card_updated` for changed fields, with long texts cut (cards 13). */
export const recordUpdate = (
  ctx: Context,
  card: CardKey,
  changes: readonly Change[],
  domain: readonly DomainEvent[] = [],
): Promise<void> =>
  recordOnCard(
    ctx,
    card,
    'card_updated',
    {
      fields: changes.map(change => change.field),
      changes: changes.map(change => ({ ...change, old: shortened(change.old), new: shortened(change.new) })),
    },
    domain,
  )
