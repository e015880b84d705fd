import type { features, InputOf, ReadyCard } from '@specboard/contract'
import type { z } from 'zod'
import type { Access } from '../../kernel/access/access.ts'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import { passGates } from '../../kernel/gates.ts'
import { type Implementation, multiStep, type Steps } from '../../kernel/implement.ts'
import type { Paging } from '../../kernel/page.ts'
import { mayCall } from '../../kernel/service/may-call.ts'
import { type IgnoredChanges, waitFor } from '../../kernel/streams/waiting.ts'
import type { ClaimRecord } from '../../planning/summaries/claims.ts'
import { readCard } from '../card-record/store.ts'
import { checkpointGates, claimGates } from '../cards/card-gates.ts'
import { columnFull, fullColumns } from '../cards/gates/column-limit.ts'
import { readMoveFacts } from '../cards/gates/facts.ts'
import { type CardQuery, filterTest } from '../cards/list/filters.ts'
import { byPlace, countHeldBack, readyAmong, readyCards, type SortKey } from '../cards/list/ready.ts'
import { readSummaries, type Summary } from '../cards/list/summaries.ts'
import { moveThroughGates } from '../cards/moves/move-card.ts'
import { markRead } from '../cards/news.ts'
import { readWholeCard, type WholeCard } from '../cards/whole-card.ts'
import { storeCheckpoint } from '../claims/checkpoint.ts'
import { takeClaim } from '../claims/claim.ts'
import { releaseStoredClaim } from '../claims/end.ts'
import { claimed } from '../claims/rules.ts'
import { findClaim, listClaimsOf, liveClaims, nextFreeAt } from '../claims/store.ts'
import { BoardScopes, overlappingAmong, overlapsOfCard, refusedForOverlaps } from '../scopes/overlaps.ts'
import { claimsOn, type HeldClaim } from '../sessions/store.ts'
import { allowAttempts } from './allow-attempts.ts'
import { begunAmong, exhaustedOn, inOfferedOrder, type Offer, readBegun } from './begun.ts'
import { carriersOn } from './carried.ts'
import type { ReadyIndex } from './ready-index.ts'
import { forgetReadyIndex, onReadyIndex } from './ready-indexes.ts'

type Work = typeof features.work

const listReadyCards = multiStep<Work['list_ready_cards']>(({ query }, steps) =>
  query.for === 'start' ? listStartable(query, steps) : listOthers(query.for, query, steps),
)

type ListQuery = InputOf<Work['list_ready_cards']>['query']

/** Queries the index of the board and reads the page, in one read. */
const listStartable = (query: ListQuery, steps: Steps) =>
  onReadyIndex(steps, async (ctx, index) => {
    const { cards, total } = await offered(ctx, index, query, query)
    const byId = new Map(cards.map(card => [card.id, card]))
    const items = await readSummaries(
      ctx,
      cards.map(card => card.id),
    )
    const overlaps = await overlapsAmong(ctx, items)
    return { items: items.map(card => readyCard(card, byId.get(card.id)!, overlaps(card))), total }
  })

/** A page of the cards that the caller may take up now: started ones first, then those it may start (crew 4.5). */
async function offered(ctx: Context, index: ReadyIndex, query: CardQuery, { offset = 0, limit }: Paging) {
  const { caller } = ctx
  const refused = new Set(await refusedForOverlaps(ctx))
  const claims = await liveClaims(ctx.db, { board: ctx.boardId, now: ctx.now() })
  const selection = {
    agent: caller.id,
    claims,
    skipped: [...(await exhaustedOn(ctx)), ...refused],
  }
  const heldCards = new Set(claims.filter(({ agent_id }) => agent_id === caller.id).map(({ card_id }) => card_id))
  const matches = filterTest(query, { id: caller.id, name: caller.name, claimed: heldCards })
  const carried = await carriersOn(ctx.db, ctx.boardId)(ctx.access)
  const rows = (await readBegun(ctx, query, carried)).filter(({ id }) => !refused.has(id))
  return index.follow(ctx.db, () => {
    const started = inOfferedOrder(rows, index.unblocks)
    const own = [
      ...started.filter(({ why }) => why === 'yours'),
      ...index.own({ ...selection, matches }).map(yours),
    ].sort(byPlace)
    const first: readonly Offer[] = [...own, ...started.filter(({ why }) => why !== 'yours')]
    const page = first.slice(offset, limit === undefined ? undefined : offset + limit)
    const remaining = limit === undefined ? Number.MAX_SAFE_INTEGER : limit - page.length
    const rest = index.page({
      ...selection,
      matches: both(matches, carried.not_started),
      offset: Math.max(0, offset - first.length),
      limit: remaining,
    })
    return {
      cards: [...page, ...rest.cards.map(card => ({ ...card, why: 'ready' }) satisfies Offer)],
      total: first.length + rest.total,
    }
  })
}

type CardTest = ReturnType<typeof filterTest>

const both = (one: CardTest, other: CardTest): CardTest =>
  one === undefined || other === undefined ? (one ?? other) : card => one(card) && other(card)

const yours = (card: SortKey): Offer => ({ ...card, why: 'yours' })

async function listOthers(purpose: 'continue' | 'validation', query: ListQuery, steps: Steps) {
  const unblocks = await countsOf(steps)
  const ids = await readyOthers(steps, purpose, query, unblocks)
  return steps.read(async ctx => {
    const { limit, offset = 0 } = query
    const items = await readSummaries(ctx, ids.slice(offset, limit === undefined ? undefined : offset + limit))
    const overlaps = await overlapsAmong(ctx, items)
    const why = (card: Summary) =>
      card.claim?.agent_id === ctx.caller.id || purpose === 'continue' ? 'yours' : 'ready'
    return {
      items: items.map(card => readyCard(card, { unblocks: unblocks(card.id), why: why(card) }, overlaps(card))),
      total: ids.length,
    }
  })
}

/**
 * Cards to continue or to validate; none to validate for a caller that takes cards but may give no verdict (crew 4.2).
 */
async function readyOthers(
  steps: Steps,
  purpose: 'continue' | 'validation',
  query: CardQuery,
  unblocks: (card: string) => number,
): Promise<string[]> {
  if (purpose === 'validation' && !(await steps.read(async ({ access }) => mayJudge(access)))) return []
  return readyCards(steps, purpose, query, unblocks)
}

const mayJudge = (access: Access): boolean =>
  !access.allows('CARDS_CLAIM') || mayCall(access, { operation: 'submit_task_validation', status: 'validation' })

/** How many open cards wait for each card of the board. */
const countsOf = (steps: Steps) => onReadyIndex(steps, (ctx, index) => index.follow(ctx.db, () => index.unblocks))

type Ready = z.output<typeof ReadyCard>

/** The overlaps of the cards on a page; nothing is read if none has a scope (harness 5.3). */
async function overlapsAmong(ctx: Context, cards: readonly Summary[]): Promise<(card: Summary) => Ready['overlaps']> {
  if (cards.every(card => card.paths.length === 0)) return () => null
  const scopes = await BoardScopes.read(ctx, ctx.boardId)
  return card => (card.paths.length === 0 ? null : scopes.firstOfCard(card))
}

function readyCard(
  card: Summary,
  { unblocks, why }: Pick<Offer, 'unblocks' | 'why'>,
  overlaps: Ready['overlaps'],
): Ready {
  const {
    position,
    severity,
    blocked_by,
    open_questions,
    comments_count,
    assignee_name,
    created_at,
    moved_at,
    scenarios,
    change_state,
    checks_state,
    ...rest
  } = card
  return { ...rest, unblocks, overlaps, why }
}

/** How many of the best cards a claim re-checks. */
const judgedAgain = 100

/** The number of attempts, with no card ready any more, after which the index of the board is rebuilt. */
const maxChoices = 5

type Claiming = InputOf<Work['claim_next_card']>['body']

/** claim_next_card: takes the best card, or waits for one (work 3, crew 5.1). */
const claimNextCard = multiStep<Work['claim_next_card']>(async ({ body }, steps) => {
  const claimed = body.wait_ms > 0 ? await waitForCard(body, steps) : await claimBest(body, steps)
  if (claimed !== null) return claimed
  const hasRoom = !(await steps.read(ctx => lacksRoom(ctx, body)))
  return { claim: null, card: null, move: null, waiting: await countHeldBack(steps, body.for, body, hasRoom) }
})

/** Discussions, and the planning before specs: neither makes a card ready. */
const talk = /^(comment|ideation|refinement)_|question_(added|answered|updated|deleted)$/

/** The events and fields that cannot make a card ready. */
const unheardBy = ({ label }: Claiming): IgnoredChanges => ({
  happened: ({ action }) => talk.test(action ?? ''),
  fields: new Set(['priority', 'due_date', ...(label === undefined ? ['labels'] : [])]),
})

/** Takes the best card as soon as there is one; null if none appeared in time. */
const waitForCard = (body: Claiming, steps: Steps) =>
  waitFor(steps, {
    waitMs: body.wait_ms,
    unheard: unheardBy(body),
    boards: async ctx => [ctx.boardId],
    look: async () => {
      const found = await claimBest(body, steps)
      return { found, nextAt: found === null ? await steps.read(nextFreeAt) : null }
    },
  })

/**
 * Chooses in turns, then claims in one unit of work, which re-checks what it claims: if two agents ask at once, one of
 * them gets the next card. Chooses again if others were quicker with all of them; null if no card is ready.
 */
async function claimBest(body: Claiming, steps: Steps) {
  for (let choices = 1; ; choices++) {
    const ids = await bestOf(body, steps)
    if (ids.length === 0) return null
    const claimed = await steps.write(ctx => claimFirst(ctx, ids, body))
    if (claimed !== null) return claimed
    if (choices % maxChoices === 0) await steps.read(async ctx => forgetReadyIndex(ctx))
  }
}

/** Whether the column that a claim would start a card in is full (access 4). */
const lacksRoom = async ({ db, boardId }: Context, body: Claiming): Promise<boolean> =>
  body.for === 'start' &&
  body.start &&
  columnFull(await fullColumns(db, boardId, await boardSettings(db, boardId)), 'started', boardId) !== null

/** The cards that can be taken now: if no further card can be started, only those that are already started. */
async function withRoom(ctx: Context, body: Claiming, cards: readonly Offer[]): Promise<readonly Offer[]> {
  if (!(await lacksRoom(ctx, body))) return cards
  const ids = cards.map(({ id }) => id)
  const started = await begunAmong(ctx, ids)
  return cards.filter(({ id }) => started.has(id))
}

/** The cards that the caller should take next, best first. */
async function bestOf(body: Claiming, steps: Steps): Promise<string[]> {
  const excluded = await steps.read(ctx => keptByCaller(ctx, body))
  if (body.for === 'validation') {
    const ids = await readyOthers(steps, body.for, body, await countsOf(steps))
    return ids.filter(id => !excluded.has(id)).slice(0, judgedAgain)
  }
  const limit = judgedAgain + excluded.size
  const cards = await onReadyIndex(steps, async (ctx, index) =>
    withRoom(ctx, body, await withoutOverlapFirst(ctx, (await offered(ctx, index, body, { limit })).cards)),
  )
  return cards.map(({ id }) => id).filter(id => !excluded.has(id))
}

/**
 * The cards that the caller holds and does not take now: all of them when it asks for another (crew 4.5), otherwise those
 * that other live sessions of it work on (harness 3.2).
 */
async function keptByCaller(ctx: Context, { another, session }: Claiming): Promise<ReadonlySet<string>> {
  if (!another && session == null) return new Set()
  const claims = await claimsOn(ctx.db, { agent: ctx.caller.id, board: ctx.boardId, now: ctx.now() })
  const isKept = (one: HeldClaim) => another || (one.session !== null && one.session !== session)
  return new Set(claims.filter(isKept).map(({ card_id }) => card_id))
}

/** Ranks new cards that overlap with what others hold below others of the same priority (harness 5.5). */
async function withoutOverlapFirst(ctx: Context, cards: readonly Offer[]): Promise<readonly Offer[]> {
  const ids = cards.map(({ id }) => id)
  const overlapping = await overlappingAmong(ctx, ids)
  if (overlapping.size === 0) return cards
  const behind = ({ id, why }: Offer) => why === 'ready' && overlapping.has(id)
  const alike = Map.groupBy(cards, ({ why, rank }) => (why === 'ready' ? rank : -1))
  return [...alike.values()].flatMap(group => [...group.filter(card => !behind(card)), ...group.filter(behind)])
}

/** Claims the first card that is still ready; null if there is none. */
async function claimFirst(ctx: Context, ids: readonly string[], body: Claiming) {
  const ready = await readyAmong(ctx, ids, body.for)
  const started = body.for === 'start' ? await begunAmong(ctx, ids) : new Set<string>()
  const refused = new Set(body.for === 'start' ? await refusedForOverlaps(ctx) : [])
  const hasRoom = !(await lacksRoom(ctx, body))
  // The caller's other workers may have taken some of them since they were chosen.
  const excluded = await keptByCaller(ctx, body)
  const isOpen = (id: string) => (ready.has(id) && hasRoom) || started.has(id)
  for (const id of ids.filter(id => isOpen(id) && !refused.has(id) && !excluded.has(id))) {
    const claim = await takeClaim(ctx, await readCard(ctx.db, id), body)
    if (claim === null) continue
    const move = body.start && !started.has(id) ? await startCard(ctx, id) : null
    const card = await readWholeCard(ctx, id)
    await markRead(ctx, id)
    return { claim: withOverlaps(claim, card), card, move, waiting: null }
  }
  return null
}

/** A claim in responses: without overlaps for a card without a scope. */
const withOverlaps = (claim: ClaimRecord, { paths, overlaps }: Pick<WholeCard, 'paths' | 'overlaps'>) =>
  paths.length === 0 ? claim : { ...claim, overlaps }

async function startCard(ctx: Context, cardId: string) {
  const to_status = 'started'
  return { from_status: await moveThroughGates(ctx, cardId, to_status, undefined), to_status } as const
}

const claimCard: Implementation<Work['claim_card']> = async ({ params, body }, ctx) => {
  const facts = await readMoveFacts(ctx, params.card_id)
  const { card } = facts
  passGates(claimGates(facts, ctx))
  const claim = await takeClaim(ctx, card, body)
  if (claim !== null) {
    if (body.start && card.status === 'not_started') await startCard(ctx, card.id)
    return withOverlaps(claim, { paths: card.paths, overlaps: await overlapsOfCard(ctx, card) })
  }
  throw claimed((await findClaim(ctx.db, card.id, ctx.now()))!, card.board_id)
}

/** save_checkpoint: for the holder, whose claim it renews as every write does (crew 5.4). */
const saveCheckpoint: Implementation<Work['save_checkpoint']> = async ({ params, body }, ctx) => {
  const facts = await readMoveFacts(ctx, params.card_id)
  passGates(checkpointGates(facts, ctx))
  return storeCheckpoint(ctx, facts.card, body)
}

/** Another agent's claim can be released by whoever may change the board (work 3). */
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

const listClaims: Implementation<Work['list_claims']> = async ({ query }, ctx) => {
  const { items, total } = await listClaimsOf(ctx.db, ctx.boardId, ctx.now(), query)
  if (items.length === 0) return { items, total }
  const scopes = await BoardScopes.read(ctx, ctx.boardId)
  return { items: items.map(claim => ({ ...claim, ...scopes.shownOf(claim.card_id) })), total }
}

/** Ready cards and claims (work 2, 3). */
export const claimOperations = {
  list_ready_cards: listReadyCards,
  claim_next_card: claimNextCard,
  claim_card: claimCard,
  release_claim: releaseClaim,
  save_checkpoint: saveCheckpoint,
  allow_attempts: allowAttempts,
  list_claims: listClaims,
}
