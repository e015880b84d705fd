import { firstRefusal } from '../../kernel/gates.ts'
import type { Asking } from '../../kernel/outlook.ts'
import { stageOf } from '../claims/rules.ts'
import type { MoveFacts } from './gates/facts.ts'
import { asksOf, needsValidation } from './gates/gates.ts'
import { judgeFinish } from './prospects.ts'

/** Whether another one finishes a card: a validation is needed, or its holder may not (people 1.3, crew 6.3). */
const handsOver = (facts: MoveFacts, caller: Asking['caller']): boolean =>
  needsValidation(facts) ||
  firstRefusal(judgeFinish({ facts, to: 'done' }, { caller, boardId: facts.card.board_id })) !== null

/** The next call on a card that is held, and what it asks, in words (crew 5.2): `move_card done: conclusion`. */
export function nextStep(facts: MoveFacts, caller: Asking['caller']): string {
  const { card } = facts
  if (stageOf(card.status) === 'validation') return 'submit_task_validation: outcome, summary'
  const to = card.status === 'not_started' ? 'started' : handsOver(facts, caller) ? 'validation' : 'done'
  const asks = asksOf({ facts, to })
  return asks.length === 0 ? `move_card ${to}` : `move_card ${to}: ${asks.join(', ')}`
}
