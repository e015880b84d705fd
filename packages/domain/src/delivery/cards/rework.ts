import type { Permission } from '@specboard/contract'
import type { Requester } from '../../kernel/record-gates.ts'
import type { MoveFacts } from './gates/facts.ts'
import { scenariosNotRun } from './gates/gates.ts'

/** The statuses to which a card in `validation` returns for rework. */
const reworkedIn = ['in_progress', 'started'] as const

/**
 * Whether a card in `validation` needs rework: its active validation failed, or a scenario of a test card was not run.
 */
export const needsRework = (facts: MoveFacts): boolean =>
  facts.card.status === 'validation' &&
  (facts.card.card_type === 'test' ? scenariosNotRun(facts).length > 0 : facts.activeOutcome === 'failed')

/** Whether a move returns a card for rework. */
export const goesBack = (facts: MoveFacts, to: string): boolean =>
  (reworkedIn as readonly string[]).includes(to) && needsRework(facts)

const backToWork = ['CARDS_MOVE_IN_PROGRESS', 'CARDS_MOVE_STARTED', 'CARDS_WRITE_IN_VALIDATION'] as const

/**
 * The permissions that returning a card for rework does not need: for whoever moved it to `validation`, and whoever may
 * move cards to `in_progress` (crew 4.4, rule 3).
 */
export function exemptionsForRework(
  facts: MoveFacts,
  to: string,
  { caller, access }: Requester,
): readonly Permission[] {
  const may = facts.card.moved_by === caller.id || access.allows('CARDS_MOVE_IN_PROGRESS')
  return goesBack(facts, to) && may ? backToWork : []
}
