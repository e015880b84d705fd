import { CardStatus } from '@specboard/contract'
import { archivedCard } from '../../kernel/archived.ts'
import { firstRefusal, type Ruling, ruling } from '../../kernel/gates.ts'
import type { Asking, Effect, Prospects } from '../../kernel/outlook.ts'
import { type Approval, judgeApproval } from '../../planning/review/approvals.ts'
import { workersOnCard } from '../../planning/review/participants.ts'
import { judgeReviewer, nobodyReviewed, type Participation } from '../../planning/review/rules.ts'
import type { CardRecord, Status } from '../card-record/record.ts'
import { attemptsUsedUp } from '../claims/attempts.ts'
import {
  cardKept,
  claimKept,
  endsOnEntering,
  fieldsKept,
  keepingClaim,
  notHeld,
  reservationKept,
  unclaimableIn,
  validationKept,
} from '../claims/rules.ts'
import { openedToDone } from './done-by-worker.ts'
import { columnFull, limitOf } from './gates/column-limit.ts'
import { type MoveFacts, readMoveFacts } from './gates/facts.ts'
import { asksOf, judgeGates, type Move, notInValidation, reportToCome } from './gates/gates.ts'
import { goesBack, openedByRework } from './rework.ts'

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
  firstRefusal(withoutReport(judgeGates({ facts, to: 'done', report: reportToCome({ facts, to: 'done' }) }))) === null

/** The ruling of the board's settings on who may move a card to `done` (people 1.3); none for another move. */
export function judgeFinish(
  { facts, to }: Pick<Move, 'facts' | 'to'>,
  asking: Pick<Asking, 'caller' | 'boardId'>,
): Ruling[] {
  const { card, settings, finishers } = facts
  if (to !== 'done' || card.status === 'done') return []
  const approval: Approval = {
    setting: 'approval_done',
    what: 'the move of this card to done',
    permissions: ['CARDS_MOVE_DONE', writeIn(card.status)],
    isAsked: settings.approval_done === 'person' && !asking.caller.present && waitsForApproval(facts),
  }
  return [judgeApproval(approval, settings, finishers, asking)]
}

/** The permission to write on a card in a status. */
const writeIn = (status: Status) => `CARDS_WRITE_IN_${status.toUpperCase() as Uppercase<Status>}` as const

/** The ruling of the board's settings on who may approve a card (people 1.3). */
export const judgeVerdict = ({ card, settings, workers, activeOutcome }: CardFacts, asking: Asking): Ruling =>
  judgeApproval(
    {
      setting: 'approval_card_validation',
      what: 'the approval of this card',
      permissions: ['CARDS_VALIDATE', 'CARDS_WRITE_IN_VALIDATION'],
      isAsked: card.status === 'validation' && activeOutcome === null,
    },
    settings,
    workers,
    asking,
  )

/**
 * The ruling of the limit of the column that a move enters (access 4); none where nothing is refused. Rework goes back to
 * a full column too: two that hold each other's next card could not end.
 */
function judgeRoom({ facts, to }: Pick<Move, 'facts' | 'to'>): Ruling[] {
  const { card, settings, fullColumns } = facts
  if (card.status === to || limitOf(settings, to) === undefined) return []
  return [ruling('column', goesBack(facts, to) ? null : columnFull(fullColumns, to, card.board_id))]
}

/**
 * The rulings on a move, in order: the archive, another agent's claim, who may finish, the gates of its row (cards
 * 4.2), the limit of the column.
 */
export const judgeMove = (move: Move, asking: Asking): Ruling[] => [
  archived(move.facts.card),
  ruling('claim', cardKept(keepingClaim(move.facts.claim, move.facts.activeOutcome), asking)),
  ...judgeFinish(move, asking),
  ...judgeGates(move),
  ...judgeRoom(move),
]

/**
 * The rulings on a move caused by a change (git 7): the same, except that a change by the claim's holder passes the
 * claim, that a merge is not a review, and that a full column takes in what has happened already.
 * @param agent whose change it is; null if unknown
 */
export function judgeAutomaticMove(move: Move, asking: Asking, agent: string | null): Ruling[] {
  const { card, claim, activeOutcome, settings, finishers } = move.facts
  const isOwn = claim !== null && claim.agent_id === agent
  const isUnreviewed = move.to === 'done' && card.status !== 'done' && settings.approval_done === 'separate'
  return [
    archived(card),
    ruling('claim', isOwn ? null : cardKept(keepingClaim(claim, activeOutcome), asking)),
    ...(isUnreviewed ? [ruling('person', nobodyReviewed(finishers, asking.boardId))] : judgeFinish(move, asking)),
    ...judgeGates(move),
  ]
}

/**
 * The rulings of the gates of a validation (cards 5.2).
 * @param approves whether it would succeed: everybody who may submit may also reject (people 1.3)
 */
export const judgeValidation = (facts: CardFacts, asking: Asking, approves: boolean): Ruling[] => [
  archived(facts.card),
  ruling('claim', validationKept(facts.claim, asking)),
  ruling('status', notInValidation(facts.card)),
  ...(approves ? [judgeVerdict(facts, asking)] : []),
  judgeReviewer(facts.settings, facts.workers, asking),
]

/** The rulings of the gates of a claim (work 3). */
export const judgeClaim = (
  { card, claim, reservation, attempts }: Pick<MoveFacts, 'card' | 'claim' | 'reservation' | 'attempts'>,
  asking: Asking,
): Ruling[] => [
  archived(card),
  ruling('status', unclaimableIn(card.status)),
  ruling('claim', claimKept(claim, asking) ?? reservationKept(reservation, asking)),
  ruling('attempts', isOwn(claim, asking) || card.status === 'validation' ? null : attemptsUsedUp(attempts, asking)),
]

/** The rulings of the gates of a checkpoint (crew 5.4). */
export const judgeCheckpoint = ({ card, claim }: Pick<MoveFacts, 'card' | 'claim'>, asking: Asking): Ruling[] => [
  archived(card),
  ruling('claim', notHeld(claim, asking)),
]

const isOwn = (claim: MoveFacts['claim'], { caller }: Asking): boolean => claim?.agent_id === caller.id

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

/** A report that has not been sent yet is asked for: it closes no gate (board 3). */
const withoutReport = (rulings: readonly Ruling[]): Ruling[] =>
  rulings.map(one => (one.gate === 'report' ? ruling('report', null) : one))

/** The facts of a card, with those who worked on it if that matters. */
export const readCardFacts: Prospects<CardFacts>['read'] = async (ctx, id) => {
  const facts = await readMoveFacts(ctx, id)
  const { require_separate_reviewer, approval_card_validation } = facts.settings
  const separates = require_separate_reviewer || approval_card_validation === 'separate'
  return { ...facts, workers: separates ? await workersOnCard(ctx.db, id) : [] }
}

/** What can be done with a card (board 3). */
export const cardProspects = {
  read: readCardFacts,
  recordOf: ({ card }) => card,
  statuses: CardStatus.options,
  targets: status => CardStatus.options.filter(other => other !== status),
  move: (facts, to, asking) => ({
    opens: [...openedByRework(facts, to, asking), ...openedToDone(facts, to, asking)],
    rulings: withoutReport(judgeMove({ facts, to, report: reportToCome({ facts, to }) }, asking)),
    asks: asksOf({ facts, to }),
    effects: effectsOf(facts, to),
  }),
  operations: {
    update_card: ({ card, claim, activeOutcome }, asking) => ({
      rulings: [archived(card)],
      lockedFields: [...fieldsKept(keepingClaim(claim, activeOutcome), asking)].sort(),
    }),
    submit_task_validation: (facts, asking) => ({
      rulings: judgeValidation(facts, asking, true),
      asks: ['outcome', 'summary'],
    }),
    claim_card: (facts, asking) => ({ rulings: judgeClaim(facts, asking) }),
  },
} satisfies Prospects<CardFacts, Status>
