import type { Context } from '../../kernel/context.ts'
import type { ClaimRecord } from '../../planning/summaries/claims.ts'
import { updateRow } from '../../schema/rows.ts'
import type { ClaimsTable } from '../../schema/tables.ts'
import type { CardRecord } from '../card-record/record.ts'
import { recordOnCard } from '../card-record/write.ts'
import { recordingOverlapsOfCard } from '../scopes/overlaps.ts'
import { beginSession, findSession, shownSession } from '../sessions/store.ts'
import { saveNote } from './checkpoint.ts'
import { recordRelease } from './end.ts'
import { recordLapse } from './lapse.ts'
import { endReservation } from './reservation.ts'
import { recordsRenewal, stageOf } from './rules.ts'
import { findStoredClaim, storeClaim } from './store.ts'

/** How long a card is claimed, and the agent's note. */
export interface Lease {
  readonly lease_seconds: number
  /** If absent, a renewed claim keeps its note. */
  readonly note?: string | null
  /** Ignores overlaps that the board would refuse, for callers who may change the board (harness 5.5). */
  readonly allow_overlap?: boolean | undefined
  /** The conversation that works on the card; if absent, a renewed claim keeps its own (harness 3.2). */
  readonly session?: string | null | undefined
}

/**
 * Claims a card for the caller, or renews its claim, with the entry in the activity (work 3).
 * @returns null if another agent has an active claim
 * @throws DomainError PATHS_OVERLAP if the board refuses the overlaps that it would cause
 */
export async function takeClaim(ctx: Context, card: CardRecord, lease: Lease): Promise<ClaimRecord | null> {
  const former = await findStoredClaim(ctx.db, card.id)
  const isHeldUntil = (time: string | null | undefined) => time != null && time > ctx.now()
  return recordingOverlapsOfCard(ctx, card, () => take(ctx, card, former, lease), {
    isWork: stageOf(card.status) === 'work',
    allow: lease.allow_overlap,
    isUnheld: !isHeldUntil(former?.expires_at) && !isHeldUntil(card.reserved_until),
  })
}

async function take(
  ctx: Context,
  card: CardRecord,
  former: ClaimsTable | undefined,
  { lease_seconds, note, session }: Lease,
): Promise<ClaimRecord | null> {
  const now = ctx.now()
  const live = former !== undefined && former.expires_at > now
  const renewed = live && former.agent_id === ctx.caller.id ? former : undefined
  const isRecorded = renewed !== undefined && !recordsRenewal(renewed.recorded_at, now)
  const claim: ClaimsTable = {
    card_id: card.id,
    board_id: card.board_id,
    agent_id: ctx.caller.id,
    stage: stageOf(card.status),
    note: note === undefined ? (renewed?.note ?? null) : note,
    claimed_at: renewed?.claimed_at ?? now,
    renewed_at: now,
    expires_at: new Date(Date.parse(now) + lease_seconds * 1_000).toISOString(),
    recorded_at: isRecorded ? renewed.recorded_at : now,
    is_attempt: 1,
    lost_seen: 0,
    session: session ?? renewed?.session ?? null,
  }
  if (session != null) await beginSession(ctx, { board: card.board_id, name: session })
  if (!(await storeClaim(ctx.db, claim))) return null
  if (former !== undefined && !live) {
    await recordLapse(ctx, former, card, 'taken_over')
    if (former.agent_id !== ctx.caller.id) await recordRelease(ctx, former, 'taken_over')
  }
  if (!isRecorded) {
    const { agent_id, stage } = claim
    const details = { agent_id, lease_seconds, stage, note: claim.note }
    await recordOnCard(ctx, card, renewed === undefined ? 'card_claimed' : 'claim_renewed', details)
  }
  // Changes from before a claim do not count as changes since it.
  if (renewed === undefined && card.requirement_changes !== null)
    await updateRow(ctx.db, 'cards', card.id, { changes_seen_at: now })
  await saveNote(ctx, card, note)
  await endReservation(ctx, card)
  const { board_id, recorded_at, is_attempt, lost_seen, ...answered } = claim
  const bound = answered.session === null ? null : await findSession(ctx, answered.session)
  return {
    ...answered,
    session: bound == null ? null : shownSession(bound),
    card_ref: card.ref,
    agent_name: ctx.caller.name,
    agent_kind: ctx.caller.kind,
  }
}
