import { blocked, type DomainError } from '../../../kernel/errors.ts'
import type { CardType, Status } from '../../card-record/record.ts'
import { asksTestTasks, testTasksMissing } from './bug-tests.ts'
import type { MoveFacts } from './facts.ts'
import { isSent, missingParts, needsReport, reportRequired, type SentReport } from './report.ts'
import { resolveThresholds, type Thresholds } from './thresholds.ts'
import { type Gate, gatesOf } from './transitions.ts'

/** A requested move: the facts, the target status, and the report that was sent with it. */
export interface Move {
  readonly facts: MoveFacts
  readonly to: Status
  readonly report: SentReport
}

/** Checks a gate: the refusal, or null when the gate is open. */
type Judge = (move: Move) => DomainError | null

const specOrder: readonly string[] = ['draft', 'review', 'approved', 'validated', 'in_progress', 'done']

/** The first status of a spec in which its cards of a type may move forward. */
const specStatusFor = (type: CardType) => (type === 'test' ? 'validated' : 'in_progress')

/** The statuses of a spec in which its cards of a type may move forward. */
export const openSpecStatuses = (type: CardType): readonly string[] =>
  specOrder.slice(specOrder.indexOf(specStatusFor(type)))

const specGate: Judge = ({ facts: { card, spec } }) => {
  if (spec === null) return null
  const required = specStatusFor(card.card_type)
  if (openSpecStatuses(card.card_type).includes(spec.status)) return null
  return blocked(
    'SPEC_NOT_READY',
    `The spec of this card is ${spec.status}; cards like this can move once it is ${required}. Move the spec first.`,
    { spec_id: spec.id, spec_status: spec.status, required_status: required },
  )
}

const sprintGate: Judge = ({ facts: { spec, sprint, usableSprints } }) => {
  if (spec === null || usableSprints.length === 0) return null
  if (sprint === null) {
    return blocked('SPRINT_REQUIRED', 'The spec has sprints. Assign this card to one of them first.', {
      spec_id: spec.id,
      details: usableSprints,
    })
  }
  if (sprint.status === 'active') return null
  return blocked(
    'SPRINT_NOT_ACTIVE',
    `The sprint of this card is ${sprint.status}. Its cards can move while it is active.`,
    {
      sprint_id: sprint.id,
      sprint_status: sprint.status,
    },
  )
}

/** The refusal of `done` without a successful validation. */
export const validationRequired = (thresholds: Thresholds, way: string): DomainError =>
  blocked('VALIDATION_REQUIRED', `This card needs a successful task validation. ${way}`, {
    missing: ['task_validation'],
    required_thresholds: thresholds,
  })

/** Whether the card's active validation succeeded and counts (work 4). */
const isApproved = ({ activeOutcome, reviewedSeparately }: MoveFacts): boolean =>
  activeOutcome === 'success' && reviewedSeparately

/** How to a validation that opens `done`. */
function wayToApproval({ card, activeOutcome, reviewedSeparately, settings }: MoveFacts): string {
  const submit =
    card.status === 'validation'
      ? 'Submit one with submit_task_validation, then move it to done.'
      : 'Move it to validation first, then submit one with submit_task_validation.'
  if (activeOutcome === 'success' && !reviewedSeparately)
    return `The one that it has came from an agent that took part in the work. An agent that did not must validate it. ${submit}`
  return settings.require_separate_reviewer
    ? `This board separates review: an agent that took no part in the work must validate it. ${submit}`
    : submit
}

const validationGate: Judge = ({ facts }) => {
  const { card, settings } = facts
  if (card.card_type === 'test') return null
  const thresholds = thresholdsOf(facts)
  const { required } = thresholds
  const asksApproval = card.status === 'validation' || (settings.require_separate_reviewer && !required)
  const open = asksApproval ? isApproved(facts) : !required
  return open ? null : validationRequired(thresholds, wayToApproval(facts))
}

/** The thresholds in force for a card. */
export const thresholdsOf = ({ sprint, spec, settings }: MoveFacts): Thresholds =>
  resolveThresholds(sprint, spec, settings)

const notRun: ReadonlySet<string> = new Set(['draft', 'ready'])

const scenariosGate: Judge = ({ facts: { card, spec, settings } }) => {
  if (spec === null || spec.skip_test_coverage || settings.skip_test_coverage_global) return null
  const details = spec.test_scenarios
    .filter(scenario => card.test_scenario_ids.includes(scenario.id) && notRun.has(scenario.status))
    .map(({ id, title, status }) => ({ scenario_id: id, title, status }))
  if (details.length === 0) return null
  return blocked(
    'SCENARIOS_NOT_RUN',
    'Test scenarios of this card have not been run yet. Run them and record each with record_scenario_result.',
    { spec_id: spec.id, details },
  )
}

const bugTestGate: Judge = ({ facts: { card, spec, settings, testTasks } }) =>
  asksTestTasks(card, card.status, settings)
    ? testTasksMissing(card, testTasks, spec?.test_scenarios.map(scenario => scenario.id) ?? [])
    : null

const reportGate: Judge = ({ facts, to, report }) => {
  const asked = needsReport(facts, to, isApproved(facts)) || isSent(report)
  return asked && missingParts(report).length > 0 ? reportRequired(report) : null
}

const dependenciesGate: Judge = ({ facts: { openDependencies } }) =>
  openDependencies.length === 0
    ? null
    : blocked('DEPENDENCIES_NOT_MET', 'Cards that this one waits for are neither done nor cancelled.', {
        details: openDependencies,
      })

const gates: Readonly<Record<Gate, Judge>> = {
  spec: specGate,
  sprint: sprintGate,
  validation: validationGate,
  scenarios: scenariosGate,
  bug_test: bugTestGate,
  report: reportGate,
  dependencies: dependenciesGate,
}

/**
 * The refusal of a move by the first closed gate of its row; null when all are open (cards 4.2, 4.3).
 *
 * @example
 * // The facts must be those before the move, read in the same unit of work.
 * const refusal = blockedBy({ facts: await readMoveFacts(ctx, cardId), to: 'done', report })
 * if (refusal !== null) throw refusal
 */
export function blockedBy(move: Move): DomainError | null {
  const { card } = move.facts
  for (const gate of gatesOf(card.card_type, card.status, move.to)) {
    const refusal = gates[gate](move)
    if (refusal !== null) return refusal
  }
  return null
}
