import type { Context } from '../../kernel/context.ts'
import { excerpt } from '../../lib/excerpt.ts'
import { forgetDoneTier, noteDoneTier } from '../../planning/proof/done-tiers.ts'
import { proofOfCard } from '../../planning/proof/records.ts'
import { removeWaiver, waiverOf } from '../../planning/proof/waivers.ts'
import { rollBackValidatedSpec } from '../../planning/specs/change-status.ts'
import type { DomainEvent } from '../../schema/contents.ts'
import type { CardRecord, Report, Status } from '../card-record/record.ts'
import { recordOnCard, writeCard } from '../card-record/write.ts'
import { noCheckpoint } from '../claims/checkpoint.ts'
import { endClaimOnEntering } from '../claims/end.ts'
import { unreserved } from '../claims/reservation.ts'
import { specOf } from './gates/facts.ts'
import { place } from './positions.ts'
import { noChanges } from './requirement-changes.ts'

/** The parts of a card's change of status. */
export interface StatusEntry {
  /** The position in the new column; by default the end. */
  readonly position?: number | null | undefined
  /** Reports to append to the card. */
  readonly conclusions?: readonly Report[]
  /** The task validation that causes the move automatically. */
  readonly validationId?: string
  /** For whom the card is reserved from now on. */
  readonly reserved?: Pick<CardRecord, 'reserved_for' | 'reserved_until'>
  /** The change that causes the move, if no caller does (git 7). */
  readonly cause?: Readonly<Record<string, unknown>> | undefined
}

/** Revokes the waiver of a card when work on it resumes (evidence 8, rule 5). */
async function endWaiver(ctx: Context, card: CardRecord): Promise<void> {
  if ((await waiverOf(ctx.db, card.id)) === undefined) return
  await removeWaiver(ctx.db, card.id)
  await recordOnCard(ctx, card, 'card_waiver_removed', { reopened: true })
}

/** The attempts of a card that starts over (crew 4.6). */
const noAttempts = { failed_attempts: 0, lost_attempts: 0, attempt_limit: null } as const

/** The domain event of an appended conclusion. */
export const conclusionAdded = ({ text, source }: Report): DomainEvent => ({
  name: 'card.conclusion_added',
  source,
  text: excerpt(text, 280),
})

/**
 * Gives a card another status, with the effects of entering it (cards 4.2, 4.5) and the entry `card_moved`. Checks no
 * gates.
 */
export async function enterStatus(
  ctx: Context,
  card: CardRecord,
  to: Status,
  { position, conclusions = [], validationId, reserved = unreserved, cause }: StatusEntry = {},
): Promise<void> {
  const now = ctx.now()
  const placed = await place(ctx.db, card, to, position, now)
  await writeCard(ctx, card.id, {
    status: to,
    position: placed,
    moved_at: now,
    moved_by: ctx.caller.id,
    ...(conclusions.length > 0 && { conclusions: [...card.conclusions, ...conclusions] }),
    ...(to === 'validation' && { validation_stay: card.validation_stay + 1 }),
    ...reserved,
    ...((to === 'done' || to === 'cancelled') && { ...noCheckpoint, ...noChanges }),
    ...(to === 'not_started' && ctx.access.allows('BOARDS_UPDATE') && noAttempts),
  })
  if (card.status === 'done') {
    await endWaiver(ctx, card)
    await forgetDoneTier(ctx.db, card.id)
  }
  if (to === 'done')
    await noteDoneTier(ctx.db, card, async settings =>
      proofOfCard(ctx.db, { ...card, status: to }, await specOf(ctx.db, card), settings),
    )
  if (to === 'cancelled' && card.spec_id !== null) await rollBackValidatedSpec(ctx, card.spec_id, card)
  const details = {
    from_status: card.status,
    to_status: to,
    from_position: card.position,
    to_position: placed,
    ...(to === 'done' && { present: ctx.caller.present }),
    ...(cause !== undefined && { cause }),
  }
  await recordOnCard(ctx, card, 'card_moved', details, [
    {
      name: 'card.moved',
      from_status: card.status,
      to_status: to,
      ...(validationId !== undefined && { validation_id: validationId }),
    },
    ...(to === 'cancelled' ? [{ name: 'card.cancelled' }] : []),
    ...(card.status === 'cancelled' ? [{ name: 'card.restored' }] : []),
    ...conclusions.map(conclusionAdded),
  ])
  await endClaimOnEntering(ctx, card, to)
}
