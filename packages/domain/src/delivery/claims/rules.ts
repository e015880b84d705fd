import { blocked, type DomainError } from '../../kernel/errors.ts'
import type { Asking } from '../../kernel/outlook.ts'
import type { ClaimRecord } from '../../planning/summaries/claims.ts'
import type { Status } from '../card-record/record.ts'

/** What an agent claims a card for (work 3). */
export type Stage = ClaimRecord['stage']

/** The stage of a claim on a card in a status. */
export const stageOf = (status: Status): Stage => (status === 'validation' ? 'validation' : 'work')

const unclaimable: ReadonlySet<Status> = new Set(['done', 'cancelled', 'on_hold'])

/** Why nobody can claim a card in a status; null where it can be claimed. */
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

/** Whether a claim ends when its card enters another status: the card has left the claim's stage. */
export const endsOnEntering = (stage: Stage, to: Status): boolean => stage === 'validation' || !atWork.has(to)

/** The moves that anybody may make with a card that another agent works on: to park it, or to give it up. */
const openToAll: ReadonlySet<Status> = new Set(['on_hold', 'cancelled'])

/** The refusal of a card that another agent has a live claim on. */
export const claimed = (claim: ClaimRecord, board_id: string): DomainError =>
  blocked(
    'CLAIMED',
    `${claim.agent_name} works on this card until ${claim.expires_at}. Take another one: claim_next_card finds it.`,
    { claim, board_id },
  )

/** The refusal of a call that a live claim of another agent keeps for that agent; null where there is none (work 3). */
function keptFor(claim: ClaimRecord | null, stage: Stage, { caller, boardId, access }: Asking): DomainError | null {
  if (claim === null || claim.stage !== stage || claim.agent_id === caller.id) return null
  return access.allows('BOARDS_UPDATE') ? null : claimed(claim, boardId)
}

/** The refusal of a claim by a live claim of another agent, which nobody overrides. */
export const claimKept = (claim: ClaimRecord | null, { caller, boardId }: Pick<Asking, 'caller' | 'boardId'>) =>
  claim === null || claim.agent_id === caller.id ? null : claimed(claim, boardId)

/** The refusal of a move by a live claim of another agent. */
export const moveKept = (claim: ClaimRecord | null, to: Status, asking: Asking): DomainError | null =>
  openToAll.has(to) ? null : keptFor(claim, 'work', asking)

/** The refusal of a validation by a live claim of another agent. */
export const validationKept = (claim: ClaimRecord | null, asking: Asking): DomainError | null =>
  keptFor(claim, 'validation', asking)

const tellAgainMs = 5 * 60_000

/** Whether the activity tells of a renewal: once in five minutes, so that it is not filled with them. */
export const tellsRenewal = (toldAt: string, now: string): boolean =>
  Date.parse(now) - Date.parse(toldAt) >= tellAgainMs
