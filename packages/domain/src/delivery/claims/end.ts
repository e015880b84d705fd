import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'
import type { ClaimsTable } from '../../schema/tables.ts'
import type { CardRecord, Status } from '../card-record/record.ts'
import { recordOnCard } from '../card-record/write.ts'
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

/** Ends a claim. Of one whose time was over, nothing is told: it was none any more. */
async function end(ctx: Context, claim: ClaimsTable, reason: Reason): Promise<void> {
  await deleteClaim(ctx.db, { card: claim.card_id })
  if (claim.expires_at > ctx.now()) await recordRelease(ctx, claim, reason)
}

/** Releases the live claim on a card. */
export async function releaseStoredClaim(ctx: Context, cardId: string): Promise<void> {
  const claim = await findStoredClaim(ctx.db, cardId)
  if (claim !== undefined) await end(ctx, claim, 'released')
}

/** Ends the claim on a card that has entered a status outside the claim's stage. */
export async function endClaimOnEntering(ctx: Context, card: Pick<CardRecord, 'id'>, to: Status): Promise<void> {
  const claim = await findStoredClaim(ctx.db, card.id)
  if (claim !== undefined && endsOnEntering(claim.stage, to)) await end(ctx, claim, 'moved')
}

const claimsOf = hot<{ agent: string }, ClaimsTable>((db, param) =>
  db.selectFrom('claims').selectAll().where('agent_id', '=', param('agent')).orderBy('card_id'),
)

/** Ends all claims of an agent that is deleted or made inactive. */
export async function endClaimsOf(ctx: Context, agentId: string): Promise<void> {
  for (const claim of await claimsOf(ctx.db, { agent: agentId })) await end(ctx, claim, 'released')
}

const unseenClaims = hot<{ agent: string; board: string }, ClaimsTable>((db, param) =>
  db
    .selectFrom('claims')
    .selectAll()
    .where('agent_id', '=', param('agent'))
    .where('board_id', '=', param('board'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('boards')
            .select('id')
            .where('id', '=', param('board'))
            .where('owner_id', '=', param('agent'))
            .unionAll(
              selectFrom('grants')
                .select('id')
                .where('agent_id', '=', param('agent'))
                .where('board_id', '=', param('board')),
            )
            .unionAll(
              selectFrom('shares')
                .select('id')
                .where('user_id', '=', param('agent'))
                .where('board_id', '=', param('board')),
            ),
        ),
      ),
    )
    .orderBy('card_id'),
)

/** Ends the claims of an agent on a board that it no longer sees; call it when a way to the board is gone. */
export async function endUnseenClaims(ctx: Context, agentId: string, boardId: string): Promise<void> {
  for (const claim of await unseenClaims(ctx.db, { agent: agentId, board: boardId })) await end(ctx, claim, 'released')
}
