import { blocked, type DomainError } from '../../kernel/errors.ts'
import { type Ruling, ruling } from '../../kernel/gates.ts'
import type { Requester } from '../../kernel/record-gates.ts'

/** A way in which an agent took part in reviewed work. */
export type Role = 'claimed' | 'moved' | 'concluded' | 'assigned' | 'created' | 'changed'

/** An agent that took part in work, and one of the ways in which it did. */
export interface Participation {
  agent_id: string
  role: Role
}

/** The order of the roles in a refusal. */
const roleOrder: readonly Role[] = ['claimed', 'moved', 'concluded', 'assigned', 'created', 'changed']

/** The ways in which each agent took part, by its id. */
function rolesOf(work: readonly Participation[]): Record<string, Role[]> {
  const byAgent = Map.groupBy(work, ({ agent_id }) => agent_id)
  return Object.fromEntries(
    [...byAgent]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([agent, parts]) => [agent, roleOrder.filter(role => parts.some(part => part.role === role))]),
  )
}

/** Whether an agent took no part in the work. */
export const isSeparate = (work: readonly Participation[], agent: string): boolean =>
  work.every(({ agent_id }) => agent_id !== agent)

/** REVIEWER_NOT_SEPARATE when an agent took part in the work that it is about to review, otherwise null (work 4). */
export function separationRefusal(
  work: readonly Participation[],
  reviewer: string,
  boardId: string,
): DomainError | null {
  if (isSeparate(work, reviewer)) return null
  const roles = rolesOf(work)
  return blocked(
    'REVIEWER_NOT_SEPARATE',
    `You took part in this work (${roles[reviewer]?.join(', ')}); another agent must review it. list_board_agents lists them.`,
    { agents: Object.keys(roles), roles, board_id: boardId },
  )
}

/** The part of a board's settings that separates review. */
interface ReviewSettings {
  readonly require_separate_reviewer: boolean
}

/** REVIEWER_NOT_SEPARATE for an automation that moves a card: it reviews nothing (git 7). */
export function notReviewed(work: readonly Participation[], boardId: string): DomainError {
  const roles = rolesOf(work)
  return blocked(
    'REVIEWER_NOT_SEPARATE',
    'A merge is not a review: an agent that took no part in this work must finish it. list_board_agents lists them.',
    { agents: Object.keys(roles), roles, board_id: boardId },
  )
}

/** Who took part in work: read if the board separates review, otherwise empty. */
export const participants = async (
  { require_separate_reviewer }: ReviewSettings,
  read: () => Promise<readonly Participation[]>,
): Promise<readonly Participation[]> => (require_separate_reviewer ? read() : [])

/** The ruling of separate review on a caller that is about to review work (work 4). */
export const reviewerGate = (
  { require_separate_reviewer }: ReviewSettings,
  work: readonly Participation[],
  { caller, boardId }: Pick<Requester, 'boardId'> & { readonly caller: Pick<Requester['caller'], 'id'> },
): Ruling =>
  ruling(
    'reviewer',
    separationRefusal(work, caller.id, boardId),
    require_separate_reviewer ? null : 'require_separate_reviewer',
  )
