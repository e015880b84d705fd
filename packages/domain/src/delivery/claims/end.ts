import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { ClaimsTable } from '../../schema/tables.ts'
import type { CardRecord, Status } from '../card-record/record.ts'
import { readCard } from '../card-record/store.ts'
import { recordOnCard } from '../card-record/write.ts'
import { boardsHeldOn, recordingAllOverlaps, recordingOverlaps, recordingOverlapsOfCard } from '../scopes/overlaps.ts'
import { type LossReason, recordLapse, recordLoss } from './lapse.ts'
import { endReservationsOf } from './reservation.ts'
import { endsOnEntering } from './rules.ts'
import { deleteClaim, findStoredClaim } from './store.ts'

/** Why a claim ended (work 3). */
type Reason = 'released' | 'moved' | 'taken_over'

/** Appends the end of a claim to its card's activity. */
export const recordRelease = (ctx: Context, claim: ClaimsTable, reason: Reason): Promise<void> =>
  recordOnCard(ctx, { id: claim.card_id, board_id: claim.board_id, spec_id: null }, 'claim_released', {
    agent_id: claim.agent_id,
    by: ctx.caller.id,
    reason,
  })

/**
 * Ends a claim, and notifies its holder if somebody else ended it. For an expired claim, no end is recorded.
 * @param loss what the holder is told; null for one that reads nothing any more
 */
async function end(
  ctx: Context,
  claim: ClaimsTable,
  reason: Reason,
  card: CardRecord,
  loss: LossReason | null = reason === 'moved' ? 'moved' : 'taken_over',
): Promise<void> {
  await recordingOverlapsOfCard(ctx, card, () => deleteClaim(ctx.db, { card: claim.card_id }))
  if (claim.expires_at <= ctx.now()) return recordLapse(ctx, claim, card, 'expired')
  await recordRelease(ctx, claim, reason)
  if (loss !== null) await recordLoss(ctx, claim, card, loss)
}

/** Releases the active claim on a card. */
export async function releaseStoredClaim(ctx: Context, cardId: string): Promise<void> {
  const claim = await findStoredClaim(ctx.db, cardId)
  if (claim !== undefined) await end(ctx, claim, 'released', await readCard(ctx.db, cardId))
}

/** Ends the claim on a card that enters a status outside the claim's stage; `card` is its state before that. */
export async function endClaimOnEntering(ctx: Context, card: CardRecord, to: Status): Promise<void> {
  const claim = await findStoredClaim(ctx.db, card.id)
  if (claim !== undefined && endsOnEntering(claim.stage, to)) await end(ctx, claim, 'moved', card)
}

const claimsOfSpec = hot<{ spec: string; now: string }, ClaimsTable>((db, param) =>
  db
    .selectFrom('claims')
    .innerJoin('cards', 'cards.id', 'claims.card_id')
    .where(sameBoard('cards', 'claims'))
    .selectAll('claims')
    .where('cards.spec_id', '=', param('spec'))
    .where('claims.expires_at', '>', param('now'))
    .orderBy('claims.card_id'),
)

/** Ends the claims on the cards of a cancelled spec: nobody can continue them (crew 4.3). */
export async function endClaimsOfSpec(ctx: Context, specId: string): Promise<void> {
  for (const claim of await claimsOfSpec(ctx.db, { spec: specId, now: ctx.now() }))
    await end(ctx, claim, 'moved', await readCard(ctx.db, claim.card_id), 'spec_moved')
}

/** Notifies the holder of a claim that its card is deleted. */
export async function loseClaimOnDeletion(ctx: Context, card: CardRecord): Promise<void> {
  const claim = await findStoredClaim(ctx.db, card.id)
  if (claim === undefined || claim.expires_at <= ctx.now()) return
  await recordLoss(ctx, claim, card, 'deleted')
  if (card.paths.length > 0) await recordingOverlaps(ctx, card, () => deleteClaim(ctx.db, { card: card.id }))
}

const claimsOf = hot<{ agent: string }, ClaimsTable>((db, param) =>
  db.selectFrom('claims').selectAll().where('agent_id', '=', param('agent')).orderBy('card_id'),
)

/** What the agent whose claims end is told (crew 4.3). */
type Notice = Extract<LossReason, 'taken_over'> | null

/** Ends claims of an agent on a board, and its reservations there, with the overlaps that they were part of. */
async function endOn(
  ctx: Context,
  place: { agent: string; board: string },
  claims: readonly ClaimsTable[],
  notice: Notice,
) {
  for (const claim of claims) await end(ctx, claim, 'released', await readCard(ctx.db, claim.card_id), notice)
  const { agent, board } = place
  const endReservations = () => endReservationsOf(ctx.db, agent, board)
  const heldBoards = await heldBy(ctx, agent)
  if (heldBoards.has(board)) await recordingAllOverlaps(ctx, board, endReservations)
  else await endReservations()
}

/** The boards on which an agent holds paths. */
const heldBy = async (ctx: Context, agent: string): Promise<Set<string>> =>
  new Set((await boardsHeldOn(ctx.db, { agent, now: ctx.now() })).map(({ board_id }) => board_id))

/** Ends all claims and reservations of an agent that is deactivated, or of one that is deleted and so told nothing. */
export async function endClaimsOf(ctx: Context, agent: string, notice: Notice): Promise<void> {
  const claims = Map.groupBy(await claimsOf(ctx.db, { agent }), claim => claim.board_id)
  for (const board of new Set([...claims.keys(), ...(await heldBy(ctx, agent))]))
    await endOn(ctx, { agent, board }, claims.get(board) ?? [], notice)
  await endReservationsOf(ctx.db, agent)
}

const waysToBoard = hot<{ agent: string; board: string }, { way: string }>(
  (_, param) =>
    sql<{ way: string }>`select id as way from boards where id = ${param('board')} and owner_id = ${param('agent')}
      union all select id from grants where board_id = ${param('board')} and agent_id = ${param('agent')}
      union all select id from shares where board_id = ${param('board')} and user_id = ${param('agent')}`,
)

const claimsOnBoard = hot<{ agent: string; board: string }, ClaimsTable>((db, param) =>
  db
    .selectFrom('claims')
    .selectAll()
    .where('agent_id', '=', param('agent'))
    .where('board_id', '=', param('board'))
    .orderBy('card_id'),
)

/**
 * Ends the claims and reservations of an agent on a board that it no longer sees; call it when its access to the board
 * is gone.
 */
export async function endUnseenClaims(ctx: Context, agentId: string, boardId: string): Promise<void> {
  const named = { agent: agentId, board: boardId }
  if ((await waysToBoard(ctx.db, named)).length > 0) return
  await endOn(ctx, named, await claimsOnBoard(ctx.db, named), 'taken_over')
}
