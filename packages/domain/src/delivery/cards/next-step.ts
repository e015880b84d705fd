import { stageOf } from '../claims/rules.ts'
import type { MoveFacts } from './gates/facts.ts'
import { asksOf, needsValidation } from './gates/gates.ts'

/** The next call on a card that is held, and what it asks, in words (crew 5.2): `move_card done: conclusion`. */
export function nextStep(facts: MoveFacts): string {
  const { card } = facts
  if (stageOf(card.status) === 'validation') return 'submit_task_validation: outcome, summary'
  const to = card.status === 'not_started' ? 'started' : needsValidation(facts) ? 'validation' : 'done'
  const asks = asksOf({ facts, to })
  return asks.length === 0 ? `move_card ${to}` : `move_card ${to}: ${asks.join(', ')}`
}
