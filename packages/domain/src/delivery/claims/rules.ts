import { blocked, type DomainError } from '../../kernel/errors.ts'
import type { Requester } from '../../kernel/record-gates.ts'
import { quotedName } from '../../lib/quoted-name.ts'
import type { ClaimRecord } from '../../planning/summaries/claims.ts'
import type { Status } from '../card-record/record.ts'
import type { Reservation } from './reservation.ts'

/** The kind of work that an agent claims a card for (work 3). */
export type Stage = ClaimRecord['stage']

/** The stage of a claim on a card in a status. */
export const stageOf = (status: Status): Stage => (status === 'validation' ? 'validation' : 'work')

const unclaimable: ReadonlySet<Status> = new Set(['done', 'cancelled', 'on_hold'])

/** Why nobody can claim a card in a status; null if it can be claimed. */
export const unclaimableIn = (status: Status): DomainError | null =>
  unclaimable.has(status)
    ? blocked(
        'INVALID_STATE',
        `This card is ${status}: there is nothing to work on. Claim another, or move it first.`,
        {
          status,
        },
      )
    : null

const atWork: ReadonlySet<Status> = new Set(['started', 'in_progress'])

/** Whether work on a card in a status has begun and is not over. */
export const isBegun = (status: Status): boolean => atWork.has(status)

/** Whether a claim ends when its card enters another status: the card has left the claim's stage. */
export const endsOnEntering = (stage: Stage, to: Status): boolean => stage === 'validation' || !atWork.has(to)

/** The refusal for a card on which another agent has an active claim. */
export const claimed = (claim: ClaimRecord, board_id: string): DomainError =>
  blocked(
    'CLAIMED',
    `${quotedName(claim.agent_name)} works on this card until ${claim.expires_at}. Take another one: claim_next_card finds it.`,
    { claim, board_id },
  )

/** The refusal, for others, of what only the holder of a card may do; null for the holder (crew 5.4). */
export function notHeld(claim: ClaimRecord | null, { caller, boardId }: Pick<Requester, 'caller' | 'boardId'>) {
  if (claim === null)
    return blocked('NOT_CLAIMED', 'You have no live claim on this card. Claim it first with claim_card.')
  return claim.agent_id === caller.id ? null : claimed(claim, boardId)
}

/** Whether an active claim of another agent keeps a card from a caller (work 3, crew 2.5). */
const isProtectedFrom = (claim: ClaimRecord | null, { caller, access }: Requester): claim is ClaimRecord =>
  claim !== null && claim.agent_id !== caller.id && !access.allows('BOARDS_UPDATE')

/** The refusal of a claim because of another agent's active claim, which nobody can override. */
export const claimRefusal = (claim: ClaimRecord | null, { caller, boardId }: Pick<Requester, 'caller' | 'boardId'>) =>
  claim === null || claim.agent_id === caller.id ? null : claimed(claim, boardId)

/** The refusal of a claim on a card that is reserved for another agent, which nobody can override (crew 4.4). */
export const reservationRefusal = (
  reservation: Reservation | null,
  { caller, boardId }: Pick<Requester, 'caller' | 'boardId'>,
) =>
  reservation === null || reservation.agent_id === caller.id
    ? null
    : blocked(
        'CLAIMED',
        `This card is reserved for ${quotedName(reservation.agent_name)} until ${reservation.expires_at}. Take another one: claim_next_card finds it.`,
        { claim: reservation, board_id: boardId },
      )

/**
 * The claim that protects a card: the active one; a validator's only until its verdict exists, so that the card can
 * proceed (crew 2.5).
 */
export const protectingClaim = (claim: ClaimRecord | null, activeOutcome: unknown): ClaimRecord | null =>
  claim?.stage === 'validation' && activeOutcome !== null ? null : claim

/** The refusal of a move, or of a deletion, because of another agent's active claim (crew 2.5). */
export const moveRefusal = (claim: ClaimRecord | null, requester: Requester): DomainError | null =>
  isProtectedFrom(claim, requester) ? claimed(claim, requester.boardId) : null

/** The fields of a card that an active claim protects from other agents: the basis of its holder's work (crew 2.5). */
export const protectedFields = [
  'title',
  'description',
  'details',
  'action_plan',
  'steps_to_reproduce',
  'expected_behavior',
  'observed_behavior',
  'test_scenario_ids',
  'spec_id',
] as const

/** Whether any of the changed fields may be protected by an active claim. */
export const areProtected = (fields: readonly string[]): boolean =>
  fields.some(field => (protectedFields as readonly string[]).includes(field))

/** The fields of a card that another agent's active claim protects from a caller; empty if there is no such claim. */
export const protectedFieldsFor = (claim: ClaimRecord | null, requester: Requester): readonly string[] =>
  isProtectedFrom(claim, requester) ? protectedFields : []

/** The refusal of a validation because of another agent's active claim. */
export const validationRefusal = (claim: ClaimRecord | null, requester: Requester): DomainError | null =>
  claim?.stage === 'validation' ? moveRefusal(claim, requester) : null

const tellAgainMs = 5 * 60_000

/** Whether the activity records a renewal: once in five minutes, so that it does not fill up. */
export const recordsRenewal = (toldAt: string, now: string): boolean =>
  Date.parse(now) - Date.parse(toldAt) >= tellAgainMs
