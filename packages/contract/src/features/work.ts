/** What a team of agents needs to share a board: ready cards, claims, events (work 2, 3, 5). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import { Id, paging, Ref } from '../shared.ts'
import { toolHints } from '../tool-hints.ts'
import { list_board_events, longWait, stream_board_events } from './board-events.ts'
import { Attempts, Card, Checkpoint, CheckpointInput } from './card.ts'
import { allowOverlap, CardSummary, cardFilters, ofSession } from './cards.ts'
import { CardStatus, Claim, Overlap } from './summaries.ts'

/** A card that an agent may take up now (work 2). */
export const ReadyCard = CardSummary.pick({
  id: true,
  ref: true,
  title: true,
  status: true,
  priority: true,
  card_type: true,
  labels: true,
  due_date: true,
  spec_id: true,
  spec_ref: true,
  sprint_id: true,
  assignee_id: true,
  claim: true,
  paths: true,
  updated_at: true,
  proof: true,
})
  .extend({
    spec_title: z.string().nullable(),
    unblocks: z.int().min(0).describe('open cards that wait for it, directly or through others'),
    overlaps: z
      .object({ count: z.int().min(0), first: Overlap.nullable() })
      .nullable()
      .describe('null without paths'),
    why: z.enum(['yours', 'rework', 'begun', 'ready']),
  })
  .meta({ id: 'ReadyCard' })

/** The number of cards held back, each counted for the first reason in this order (work 3). */
export const Waiting = z
  .object({
    claimed: z.int().min(0),
    reserved: z.int().min(0),
    attempts: z.int().min(0),
    on_hold: z.int().min(0),
    dependencies: z.int().min(0),
    spec_not_ready: z.int().min(0),
    sprint: z.int().min(0),
    separate_review: z.int().min(0),
    person: z.int().min(0),
    overlap: z.int().min(0),
    column: z.int().min(0).exactOptional().describe('while their column is full'),
    cards: z
      .array(
        z.object({ ref: Ref, why: z.string(), by: z.array(z.string()).describe('references, or names of agents') }),
      )
      .max(5)
      .describe('the oldest of them'),
    more: z.int().min(0).describe('how many more there are'),
  })
  .meta({ id: 'Waiting' })

const lease = {
  lease_seconds: z.int().min(60).max(86_400).default(1_800),
  note: z.string().max(500).nullable().exactOptional(),
}

const Lease = z
  .object({ ...lease, start: z.boolean().default(false).describe('move it to started'), ...ofSession, ...allowOverlap })
  .meta({ id: 'Lease' })

/** Filters that tools accept but do not list, because few agents need them. */
const rare = {
  card_type: cardFilters.card_type.clone().register(toolHints, { hidden: true }),
  label: cardFilters.label.clone().register(toolHints, { hidden: true }),
  sprint_id: Id.optional().register(toolHints, { hidden: true }),
  assignee_id: cardFilters.assignee_id.clone().register(toolHints, { hidden: true }),
}

const ClaimNext = z
  .object({
    ...lease,
    for: z.enum(['start', 'validation']).default('start'),
    ...cardFilters,
    ...rare,
    start: z.boolean().default(false).describe('also move it to started'),
    another: z.boolean().default(false).describe('than what you hold'),
    wait_ms: longWait,
    ...ofSession,
  })
  .refine(body => !body.start || body.for === 'start', {
    path: ['start'],
    error: 'a card in validation cannot be moved to started; leave start out',
  })
  .meta({ id: 'ClaimNext' })

const ClaimedNext = z
  .object({
    claim: Claim.nullable(),
    card: Card.nullable(),
    move: z.object({ from_status: CardStatus, to_status: CardStatus }).nullable(),
    waiting: Waiting.nullable(),
  })
  .meta({ id: 'ClaimedNext' })

const onBoard = { board_id: Id }
const onCard = { card_id: Id }
const keywords = ['task', 'ticket', 'todo']
const claimWords = [...keywords, 'take', 'lock', 'lease', 'reserve', 'pick up']

const list_ready_cards = operation({
  name: 'list_ready_cards',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/ready',
  permission: 'CARDS_READ',
  extension: true,
  title: 'List ready cards',
  description: 'List the cards that you can start, continue or validate now, best first.',
  params: onBoard,
  query: { for: z.enum(['start', 'continue', 'validation']).default('start'), ...cardFilters, ...rare, ...paging },
  list: ReadyCard,
  errors: [],
  keywords: [...keywords, 'next', 'available', 'unblocked', 'what to do'],
})

const claim_next_card = operation({
  name: 'claim_next_card',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/claim-next',
  permission: 'CARDS_CLAIM',
  extension: true,
  title: 'Claim next card',
  description: 'Claim the best ready card for yourself. If none is ready, says why.',
  aside: ['lease_seconds'],
  params: onBoard,
  body: ClaimNext,
  bodyOptional: true,
  response: ClaimedNext,
  status: 200,
  errors: [],
  asks: {
    permissions: ({ body }) =>
      body.start === true ? ['CARDS_CLAIM', 'CARDS_MOVE_STARTED', 'CARDS_WRITE_IN_NOT_STARTED'] : ['CARDS_CLAIM'],
    guards: [{ permission: 'CARDS_CLAIM' }, { permission: 'CARDS_MOVE_STARTED', part: 'start' }],
  },
  keywords: [...claimWords, 'next work'],
})

const claim_card = operation({
  name: 'claim_card',
  method: 'POST',
  path: '/api/v1/cards/{card_id}/claim',
  permission: 'CARDS_CLAIM',
  extension: true,
  title: 'Claim card',
  description: 'Claim a card for yourself, or renew your claim.',
  params: onCard,
  body: Lease,
  bodyOptional: true,
  response: Claim,
  status: 200,
  errors: ['ARCHIVED', 'INVALID_STATE', 'CLAIMED', 'ATTEMPTS_USED_UP', 'PATHS_OVERLAP', 'COLUMN_FULL'],
  asks: {
    permissions: ({ body }, status) =>
      body.start === true && status === 'not_started'
        ? ['CARDS_CLAIM', 'CARDS_MOVE_STARTED', 'CARDS_WRITE_IN_NOT_STARTED']
        : ['CARDS_CLAIM'],
    guards: [{ permission: 'CARDS_CLAIM' }, { permission: 'CARDS_MOVE_STARTED', part: 'start' }],
  },
  effect: 'repeatable',
  keywords: claimWords,
})

const release_claim = operation({
  name: 'release_claim',
  method: 'DELETE',
  path: '/api/v1/cards/{card_id}/claim',
  permission: 'CARDS_CLAIM',
  extension: true,
  title: 'Release claim',
  description: 'Release the claim on a card.',
  params: onCard,
  errors: [],
  // Checked once the owner of the claim is known.
  asks: checkedByImplementation(
    { permission: 'CARDS_CLAIM' },
    { permission: 'BOARDS_UPDATE', part: "another agent's claim" },
  ),
  keywords: [...claimWords, 'unlock', 'give back'],
})

const save_checkpoint = operation({
  name: 'save_checkpoint',
  method: 'PUT',
  path: '/api/v1/cards/{card_id}/checkpoint',
  permission: 'CARDS_CLAIM',
  extension: true,
  title: 'Save checkpoint',
  description: 'Save your progress on a claimed card. Renews the claim.',
  params: onCard,
  body: CheckpointInput,
  response: Checkpoint,
  errors: ['ARCHIVED', 'CLAIMED', 'NOT_CLAIMED'],
  keywords: [...keywords, 'progress', 'note', 'handover', 'resume', 'state', 'remember'],
})

const AttemptsAllow = z
  .object({
    more: z.int().min(1).max(20),
    note: z.string().min(1).max(4_000).nullable().exactOptional().describe('becomes a comment'),
  })
  .meta({ id: 'AttemptsAllow' })

const allow_attempts = operation({
  name: 'allow_attempts',
  method: 'POST',
  path: '/api/v1/cards/{card_id}/attempts',
  permission: 'BOARDS_UPDATE',
  extension: true,
  title: 'Allow attempts',
  description: 'Allow more attempts of work on a card.',
  params: onCard,
  body: AttemptsAllow,
  response: z.object({ card_id: Id, attempts: Attempts }).meta({ id: 'AttemptsAllowed' }),
  status: 200,
  errors: ['ARCHIVED'],
  keywords: [...keywords, 'retry', 'try again', 'limit'],
})

const list_claims = operation({
  name: 'list_claims',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/claims',
  permission: 'CARDS_READ',
  extension: true,
  title: 'List claims',
  description: 'List who works on which card of a board.',
  params: onBoard,
  query: paging,
  list: Claim,
  errors: [],
  keywords: claimWords,
})

export const work = {
  list_ready_cards,
  claim_next_card,
  claim_card,
  release_claim,
  save_checkpoint,
  allow_attempts,
  list_claims,
  list_board_events,
  stream_board_events,
} as const
