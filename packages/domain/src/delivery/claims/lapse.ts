import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { sendNews } from '../../kernel/news.ts'
import { updateRow } from '../../schema/rows.ts'
import type { ClaimsTable } from '../../schema/tables.ts'
import type { CardRecord } from '../card-record/record.ts'
import { recordOnCard } from '../card-record/write.ts'
import { areUsedUp, attemptsOf } from './attempts.ts'
import { isBegun } from './rules.ts'

/** Why an agent has lost its claim (crew 4.3). */
export type LossReason = 'expired' | 'taken_over' | 'moved' | 'deleted' | 'spec_moved'

/** The fields of a claim's card that are needed to report its loss. */
type LostCard = Pick<CardRecord, 'id' | 'ref' | 'title' | 'status' | 'board_id' | 'spec_id' | 'checkpoint'>

/**
 * Notifies the holder of a claim that somebody else has ended it, or that it has expired, with the entry `claim_lost`
 * (crew 4.2).
 */
export async function recordLoss(ctx: Context, claim: ClaimsTable, card: LostCard, reason: LossReason): Promise<void> {
  const { agent_id, stage, note, expires_at } = claim
  if (agent_id === ctx.caller.id) return
  const by = reason === 'expired' ? null : ctx.caller.id
  await recordOnCard(ctx, card, 'claim_lost', { agent_id, reason, by })
  const { ref, title, status } = card
  await sendNews(ctx, {
    to: agent_id,
    kind: 'claim_lost',
    source: card.id,
    entity: { type: 'card', id: card.id, board_id: card.board_id },
    data: { reason, by, at: reason === 'expired' ? expires_at : ctx.now(), stage, note, checkpoint: card.checkpoint },
    ...(reason === 'deleted' && { record: { ref, title, status } }),
  })
}

/**
 * Counts the attempt of a claim that expired while work was under way, and notifies its holder (crew 4.6). Call it
 * before the row of the claim is deleted.
 */
export async function recordLapse(
  ctx: Context,
  claim: ClaimsTable,
  card: CardRecord,
  reason: LossReason,
): Promise<void> {
  if (claim.is_attempt === 0) return
  if (claim.stage === 'work' && isBegun(card.status))
    await recordAttempts(ctx, card, { lost_attempts: card.lost_attempts + 1 })
  if (claim.lost_seen === 0) await recordLoss(ctx, claim, card, reason)
}

/** Stores how often work on a card has failed, with the entry `card_attempts_used_up` when no attempt is left. */
export async function recordAttempts(
  ctx: Context,
  card: CardRecord,
  counts: Partial<Pick<CardRecord, 'failed_attempts' | 'lost_attempts'>>,
): Promise<void> {
  await updateRow(ctx.db, 'cards', card.id, counts)
  const { max_attempts } = await boardSettings(ctx.db, card.board_id)
  const before = attemptsOf(card, false, max_attempts)
  const attempts = attemptsOf({ ...card, ...counts }, false, max_attempts)
  if (areUsedUp(attempts) && !areUsedUp(before)) await recordOnCard(ctx, card, 'card_attempts_used_up', { attempts })
}
