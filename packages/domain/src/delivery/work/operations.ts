import type { features, InputOf, ReadyCard } from '@specboard/contract'
import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import { passGates } from '../../kernel/gates.ts'
import { type Implementation, inSteps } from '../../kernel/implement.ts'
import { readCard } from '../card-record/store.ts'
import { countHeldBack, readyAmong, readyCards } from '../cards/list/ready.ts'
import { readSummaries, type Summary } from '../cards/list/summaries.ts'
import { moveThroughGates } from '../cards/moves/move-card.ts'
import { judgeClaim } from '../cards/prospects.ts'
import { readWholeCard } from '../cards/whole-card.ts'
import { takeClaim } from '../claims/claim.ts'
import { releaseStoredClaim } from '../claims/end.ts'
import { claimed } from '../claims/rules.ts'
import { findClaim, listClaimsOf } from '../claims/store.ts'
import { waitsOn } from './waiting-graph.ts'

type Work = typeof features.work

/** Counts who waits for whom before it reads the cards: in turns, so that no other call waits for a large board. */
const listReadyCards = inSteps<Work['list_ready_cards']>(async ({ query }, steps) => {
  const waits = await waitsOn(steps)
  const ids = await readyCards(steps, query.for, query, waits)
  return steps.read(async ctx => {
    const { limit, offset = 0 } = query
    const page = ids.slice(offset, limit === undefined ? undefined : offset + limit)
    const items = await readSummaries(ctx, page)
    return {
      items: items.map(card => readyCard(card, waits.unblocks.get(card.id) ?? 0)),
      total: ids.length,
    }
  })
})

function readyCard(card: Summary, unblocks: number): z.output<typeof ReadyCard> {
  const {
    position,
    severity,
    blocked_by,
    open_questions,
    comments_count,
    assignee_name,
    moved_at,
    scenarios,
    ...rest
  } = card
  return { ...rest, unblocks }
}

/** So many of the best cards are judged again by the unit of work that claims one of them. */
const judgedAgain = 100

/**
 * Chooses in turns, then claims in one unit of work, which judges again what it claims: of two agents that ask at once,
 * one gets the next card. Chooses anew when others were quicker with all of them.
 */
const claimNextCard = inSteps<Work['claim_next_card']>(async ({ body }, steps) => {
  for (;;) {
    const ids = await readyCards(steps, body.for, body, await waitsOn(steps))
    if (ids.length === 0)
      return { claim: null, card: null, move: null, waiting: await countHeldBack(steps, body.for, body) }
    const claimed = await steps.write(ctx => claimFirst(ctx, ids.slice(0, judgedAgain), body))
    if (claimed !== null) return claimed
  }
})

/** Claims the first card that is still ready; null where none is. */
async function claimFirst(ctx: Context, ids: readonly string[], body: InputOf<Work['claim_next_card']>['body']) {
  const ready = await readyAmong(ctx, ids, body.for)
  for (const id of ids.filter(id => ready.has(id))) {
    const claim = await takeClaim(ctx, await readCard(ctx.db, id), body)
    if (claim === null) continue
    const move = body.start ? await startCard(ctx, id) : null
    return { claim, card: await readWholeCard(ctx, id), move, waiting: null }
  }
  return null
}

async function startCard(ctx: Context, cardId: string) {
  const to_status = 'started'
  return { from_status: await moveThroughGates(ctx, cardId, to_status, undefined), to_status } as const
}

const claimCard: Implementation<Work['claim_card']> = async ({ params, body }, ctx) => {
  const card = await readCard(ctx.db, params.card_id)
  passGates(judgeClaim({ card, claim: await findClaim(ctx.db, card.id, ctx.now()) }, ctx))
  const claim = await takeClaim(ctx, card, body)
  if (claim !== null) return claim
  throw claimed((await findClaim(ctx.db, card.id, ctx.now()))!, card.board_id)
}

/** Another agent's claim is released by who may change the board (work 3). */
const releaseClaim: Implementation<Work['release_claim']> = async ({ params }, ctx) => {
  const claim = await findClaim(ctx.db, params.card_id, ctx.now())
  ctx.require(claim === null || claim.agent_id === ctx.caller.id ? 'CARDS_CLAIM' : 'BOARDS_UPDATE')
  if (claim === null) {
    throw new DomainError('NOT_FOUND', 'Nobody has a live claim on this card.', {
      entity_type: 'claim',
      entity_id: params.card_id,
    })
  }
  await releaseStoredClaim(ctx, params.card_id)
}

const listClaims: Implementation<Work['list_claims']> = ({ query }, ctx) =>
  listClaimsOf(ctx.db, ctx.boardId, ctx.now(), query)

/** Ready cards and claims (work 2, 3). */
export const claimOperations = {
  list_ready_cards: listReadyCards,
  claim_next_card: claimNextCard,
  claim_card: claimCard,
  release_claim: releaseClaim,
  list_claims: listClaims,
}
