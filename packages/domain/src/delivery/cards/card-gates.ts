import { CardStatus } from '@specboard/contract'
import { archivedCard } from '../../kernel/archived.ts'
import { firstRefusal, type Ruling, ruling } from '../../kernel/gates.ts'
import type { Effect, RecordGates, Requester } from '../../kernel/record-gates.ts'
import { type Approval, approvalGate } from '../../planning/review/approvals.ts'
import { workersOnCard } from '../../planning/review/participants.ts'
import { notReviewed, type Participation, reviewerGate } from '../../planning/review/rules.ts'
import type { CardRecord, Status } from '../card-record/record.ts'
import { attemptsUsedUp } from '../claims/attempts.ts'
import {
  claimRefusal,
  endsOnEntering,
  moveRefusal,
  notHeld,
  protectedFieldsFor,
  protectingClaim,
  reservationRefusal,
  unclaimableIn,
  validationRefusal,
} from '../claims/rules.ts'
import { exemptionsForDone } from './done-by-worker.ts'
import { columnFull, limitOf } from './gates/column-limit.ts'
import { type MoveFacts, readMoveFacts } from './gates/facts.ts'
import { asksOf, gatesOfMove, isApproved, type Move, notInValidation, reportToCome } from './gates/gates.ts'
import { exemptionsForRework, goesBack } from './rework.ts'

/** Everything that the gates of a card's moves and other operations depend on. */
export interface CardFacts extends MoveFacts {
  /** Who worked on the card; empty on a board that does not separate review. */
  readonly workers: readonly Participation[]
}

const archived = (card: CardRecord): Ruling => ruling('archived', archivedCard(card))

/**
 * Whether a move of a card to `done` only lacks the right person: then it is in the inbox of the people who may make
 * it.
 */
const waitsForApproval = (facts: MoveFacts): boolean =>
  facts.card.status === 'validation' &&
  firstRefusal(withoutReport(gatesOfMove({ facts, to: 'done', report: reportToCome({ facts, to: 'done' }) }))) === null

/** The ruling of the board's settings on who may move a card to `done` (people 1.3); empty for any other move. */
export function finishGates(
  { facts, to }: Pick<Move, 'facts' | 'to'>,
  requester: Pick<Requester, 'caller' | 'boardId'>,
): Ruling[] {
  const { card, settings, finishers } = facts
  if (to !== 'done' || card.status === 'done') return []
  const approval: Approval = {
    setting: 'approval_done',
    action: 'the move of this card to done',
    permissions: ['CARDS_MOVE_DONE', writeIn(card.status)],
    isAsked: settings.approval_done === 'person' && !requester.caller.present && waitsForApproval(facts),
  }
  return [approvalGate(approval, settings, finishers, requester)]
}

/** The permission to write on a card in a status. */
const writeIn = (status: Status) => `CARDS_WRITE_IN_${status.toUpperCase() as Uppercase<Status>}` as const

/** The ruling of the board's settings on who may approve a card (people 1.3). */
const verdictGate = (facts: CardFacts, requester: Requester): Ruling =>
  approvalGate(
    {
      setting: 'approval_card_validation',
      action: 'the approval of this card',
      permissions: ['CARDS_VALIDATE', 'CARDS_WRITE_IN_VALIDATION'],
      isAsked: facts.card.status === 'validation' && facts.activeOutcome !== 'failed' && !isApproved(facts),
    },
    facts.settings,
    facts.workers,
    requester,
  )

/**
 * The ruling of the limit of the column that a move enters (access 4); empty if the column has no limit. Rework may go
 * back to a full column: otherwise two full columns whose cards wait for each other would be stuck.
 */
function columnGates({ facts, to }: Pick<Move, 'facts' | 'to'>): Ruling[] {
  const { card, settings, fullColumns } = facts
  if (card.status === to || limitOf(settings, to) === undefined) return []
  return [ruling('column', goesBack(facts, to) ? null : columnFull(fullColumns, to, card.board_id))]
}

/**
 * The rulings on a move, in order: the archive, another agent's claim, who may finish, the gates of its row (cards
 * 4.2), the limit of the column.
 */
export const moveGates = (move: Move, requester: Requester): Ruling[] => [
  archived(move.facts.card),
  ruling('claim', moveRefusal(protectingClaim(move.facts.claim, move.facts.activeOutcome), requester)),
  ...finishGates(move, requester),
  ...gatesOfMove(move),
  ...columnGates(move),
]

/**
 * The rulings on a move caused by a change (git 7): the same, except that a change by the claim's holder passes the
 * claim, that a merge is not a review, and that a full column accepts what has already happened.
 * @param agent whose change it is; null if unknown
 */
export function automaticMoveGates(move: Move, requester: Requester, agent: string | null): Ruling[] {
  const { card, claim, activeOutcome, settings, finishers } = move.facts
  const isOwn = claim !== null && claim.agent_id === agent
  const isUnreviewed = move.to === 'done' && card.status !== 'done' && settings.approval_done === 'separate'
  return [
    archived(card),
    ruling('claim', isOwn ? null : moveRefusal(protectingClaim(claim, activeOutcome), requester)),
    ...(isUnreviewed ? [ruling('person', notReviewed(finishers, requester.boardId))] : finishGates(move, requester)),
    ...gatesOfMove(move),
  ]
}

/**
 * The rulings of the gates of a validation (cards 5.2).
 * @param approves whether it would succeed: everybody who may submit may also reject (people 1.3)
 */
export const validationGates = (facts: CardFacts, requester: Requester, approves: boolean): Ruling[] => [
  archived(facts.card),
  ruling('claim', validationRefusal(facts.claim, requester)),
  ruling('status', notInValidation(facts.card)),
  ...(approves ? [verdictGate(facts, requester)] : []),
  reviewerGate(facts.settings, facts.workers, requester),
]

/** The rulings of the gates of a claim (work 3). */
export const claimGates = (
  { card, claim, reservation, attempts }: Pick<MoveFacts, 'card' | 'claim' | 'reservation' | 'attempts'>,
  requester: Requester,
): Ruling[] => [
  archived(card),
  ruling('status', unclaimableIn(card.status)),
  ruling('claim', claimRefusal(claim, requester) ?? reservationRefusal(reservation, requester)),
  ruling(
    'attempts',
    isOwn(claim, requester) || card.status === 'validation' ? null : attemptsUsedUp(attempts, requester),
  ),
]

/** The rulings of the gates of a checkpoint (crew 5.4). */
export const checkpointGates = ({ card, claim }: Pick<MoveFacts, 'card' | 'claim'>, requester: Requester): Ruling[] => [
  archived(card),
  ruling('claim', notHeld(claim, requester)),
]

const isOwn = (claim: MoveFacts['claim'], { caller }: Requester): boolean => claim?.agent_id === caller.id

/** The effects of entering a status (cards 4.5, 5.4, work 3). */
function effectsOf({ card, claim, spec, activeOutcome }: MoveFacts, to: Status): Effect[] {
  if (to === card.status) return []
  const effects: readonly (readonly [Effect, boolean])[] = [
    ['claim_ends', claim !== null && endsOnEntering(claim.stage, to)],
    ['spec_rolled_back', to === 'cancelled' && spec?.status === 'validated'],
    ['validation_inactive', to === 'validation' && activeOutcome !== null],
  ]
  return effects.flatMap(([effect, applies]) => (applies ? [effect] : []))
}

/** A report that has not been sent yet is requested; its absence does not close a gate (board 3). */
const withoutReport = (rulings: readonly Ruling[]): Ruling[] =>
  rulings.map(one => (one.gate === 'report' ? ruling('report', null) : one))

/** The facts of a card, with those who worked on it if that matters. */
export const readCardFacts: RecordGates<CardFacts>['read'] = async (ctx, id) => {
  const facts = await readMoveFacts(ctx, id)
  const { require_separate_reviewer, approval_card_validation } = facts.settings
  const separates = require_separate_reviewer || approval_card_validation === 'separate'
  return { ...facts, workers: separates ? await workersOnCard(ctx.db, facts.card) : [] }
}

/** What can be done with a card (board 3). */
export const cardGates = {
  read: readCardFacts,
  recordOf: ({ card }) => card,
  statuses: CardStatus.options,
  targets: status => CardStatus.options.filter(other => other !== status),
  move: (facts, to, requester) => ({
    opens: [...exemptionsForRework(facts, to, requester), ...exemptionsForDone(facts, to, requester)],
    rulings: withoutReport(moveGates({ facts, to, report: reportToCome({ facts, to }) }, requester)),
    asks: asksOf({ facts, to }),
    effects: effectsOf(facts, to),
  }),
  operations: {
    update_card: ({ card, claim, activeOutcome }, requester) => ({
      rulings: [archived(card)],
      lockedFields: [...protectedFieldsFor(protectingClaim(claim, activeOutcome), requester)].sort(),
    }),
    submit_task_validation: (facts, requester) => ({
      rulings: validationGates(facts, requester, true),
      asks: ['outcome', 'summary'],
    }),
    claim_card: (facts, requester) => ({ rulings: claimGates(facts, requester) }),
  },
} satisfies RecordGates<CardFacts, Status>
