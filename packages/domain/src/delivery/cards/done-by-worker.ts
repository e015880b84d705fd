import type { Permission } from '@specboard/contract'
import type { Asking } from '../../kernel/outlook.ts'
import type { MoveFacts } from './gates/facts.ts'
import { isSmall, needsValidation } from './gates/gates.ts'

/** The permission that lets somebody who has worked on a card move it to `done`; null if there is none (crew 6.3). */
function widening(facts: MoveFacts, { caller }: Asking): Permission | null {
  if (facts.card.card_type === 'test') return 'CARDS_MOVE_DONE_TEST'
  const isHeld = facts.claim?.agent_id === caller.id
  return isSmall(facts) && isHeld && !needsValidation(facts) ? 'CARDS_MOVE_DONE_SMALL' : null
}

/**
 * The permissions that a move to `done` does not need when a worker finishes its own small change, or a test card (crew
 * 6.3).
 */
export function openedToDone(facts: MoveFacts, to: string, asking: Asking): readonly Permission[] {
  const permission = to === 'done' ? widening(facts, asking) : null
  return permission !== null && asking.access.allows(permission) ? ['CARDS_MOVE_DONE'] : []
}
