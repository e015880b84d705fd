import { firstRefusal } from '../../kernel/gates.ts'
import type { Requester } from '../../kernel/record-gates.ts'
import type { Status } from '../card-record/record.ts'
import { stageOf } from '../claims/rules.ts'
import { finishGates } from './card-gates.ts'
import { exemptionsForDone } from './done-by-worker.ts'
import type { MoveFacts } from './gates/facts.ts'
import { asksOf, gatesOfMove, needsValidation, reportToCome, scenariosNotRun } from './gates/gates.ts'

/** Whether somebody else finishes a card: a validation is needed, or its holder may not (people 1.3, crew 6.3). */
const handsOver = (facts: MoveFacts, requester: Requester): boolean =>
  needsValidation(facts) ||
  firstRefusal(finishGates({ facts, to: 'done' }, requester)) !== null ||
  !(requester.access.allows('CARDS_MOVE_DONE') || exemptionsForDone(facts, 'done', requester).length > 0)

function nextStatus(facts: MoveFacts, requester: Requester): Status {
  if (facts.card.status === 'not_started') return 'started'
  return handsOver(facts, requester) ? 'validation' : 'done'
}

/** What a card waits for besides other cards, by closed gate: its spec, or a sprint. */
function awaitedBy({ spec }: MoveFacts, closed: readonly string[]): string | null {
  if (closed.includes('spec')) return spec!.ref
  return closed.includes('sprint') ? 'an active sprint' : null
}

/**
 * The next call on a claimed card, and what it requires, in words (crew 5.2): `move_card done: conclusion`.
 * Prerequisites of that move come first: a scenario of a test card to run, a test of a bug to link.
 */
export function nextStep(facts: MoveFacts, requester: Requester): string {
  if (stageOf(facts.card.status) === 'validation') return 'submit_task_validation: outcome, summary'
  const to = nextStatus(facts, requester)
  const closed = gatesOfMove({ facts, to, report: reportToCome({ facts, to }) })
    .filter(({ refusal }) => refusal !== null)
    .map(({ gate }) => gate)
  const awaited = awaitedBy(facts, closed)
  if (awaited !== null) return `wait for ${awaited}`
  if (closed.includes('bug_test')) return 'update_card: regression_test'
  // A test card in validation whose scenarios were not run would only be sent back.
  const runs = closed.includes('scenarios') || (facts.card.card_type === 'test' && to === 'validation')
  const [scenario] = runs ? scenariosNotRun(facts) : []
  if (scenario !== undefined) return `record_scenario_result ${facts.spec?.ref}/${scenario.id}: status, evidence`
  const [unproven] = closed.includes('proof') ? (facts.proof?.missing ?? []) : []
  if (unproven !== undefined) return `get_proof: prove ${unproven.ref}`
  const asks = asksOf({ facts, to })
  return asks.length === 0 ? `move_card ${to}` : `move_card ${to}: ${asks.join(', ')}`
}
