import type { Permission } from '@specboard/contract'
import type { Requester } from '../../kernel/record-gates.ts'
import type { MoveFacts } from './gates/facts.ts'
import { isApproved, isSmall, needsValidation } from './gates/gates.ts'

/**
 * The permission that lets somebody who has worked on a card move it to `done`; null if there is none (crew 6.3). Where a
 * validation is still to come, the gate refuses the move and says which one it waits for.
 */
function widening(facts: MoveFacts, { caller }: Requester): Permission | null {
  if (facts.card.card_type === 'test') return 'CARDS_MOVE_DONE_TEST'
  const isHeld = facts.claim?.agent_id === caller.id
  const isValidated = needsValidation(facts) && isApproved(facts)
  return isSmall(facts) && isHeld && !isValidated ? 'CARDS_MOVE_DONE_SMALL' : null
}

/**
 * The permissions that a move to `done` does not need when a worker finishes its own small change, or a test card (crew
 * 6.3).
 */
export function exemptionsForDone(facts: MoveFacts, to: string, requester: Requester): readonly Permission[] {
  const permission = to === 'done' ? widening(facts, requester) : null
  return permission !== null && requester.access.allows(permission) ? ['CARDS_MOVE_DONE'] : []
}

/**
 * The same for a repetition of a move to `done`, which writes nothing: the claim has ended with the first one (crew 3).
 */
export function exemptionsForRepeatedDone({ card, ...facts }: MoveFacts, { access }: Requester): readonly Permission[] {
  const permission = card.card_type === 'test' ? 'CARDS_MOVE_DONE_TEST' : 'CARDS_MOVE_DONE_SMALL'
  const isOpen = card.status === 'done' && (card.card_type === 'test' || isSmall(facts)) && access.allows(permission)
  return isOpen ? ['CARDS_MOVE_DONE'] : []
}
