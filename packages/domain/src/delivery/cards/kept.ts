import type { Context } from '../../kernel/context.ts'
import type { ClaimRecord } from '../../planning/summaries/claims.ts'
import { protectingClaim } from '../claims/rules.ts'
import { findClaim } from '../claims/store.ts'
import { readMoveFacts } from './gates/facts.ts'

/** The claim that keeps a card from other agents (crew 2.5); null if there is none. */
export async function findKeepingClaim(ctx: Context, cardId: string): Promise<ClaimRecord | null> {
  const claim = await findClaim(ctx.db, cardId, ctx.now())
  if (claim?.stage !== 'validation') return claim
  return protectingClaim(claim, (await readMoveFacts(ctx, cardId)).activeOutcome)
}
