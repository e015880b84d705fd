import { blocked, type DomainError } from '../../../kernel/errors.ts'
import { type Gate, type Ruling, rulingsOf } from '../../../kernel/gates.ts'
import { proofRequired } from '../../../planning/proof/gate.ts'
import { asksProof } from '../../../planning/proof/rules.ts'
import type { Waivable } from '../../../planning/proof/waivers.ts'
import { testsSkippedBy } from '../../../planning/specs/done-gates.ts'
import type { CardRecord, CardType, Status } from '../../card-record/record.ts'
import { changeNotMerged, checksNotGreen } from '../../git/change-gates.ts'
import { type BugMove, bugTestMissing, testTasksSkippedBy } from './bug-tests.ts'
import type { MoveFacts } from './facts.ts'
import { checkFailed, checkOf, isSent, missingParts, needsReport, reportRequired, type SentReport } from './report.ts'
import { resolveThresholds, type Thresholds } from './thresholds.ts'
import { type GateName, gatesOf } from './transitions.ts'

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

/** Whether the card's active validation succeeded and counts (work 4, people 1.3). */
export const isApproved = ({ activeOutcome, reviewedSeparately, reviewedPresent }: MoveFacts): boolean =>
  activeOutcome === 'success' && reviewedSeparately && reviewedPresent

/** The way to a validation that opens `done`. */
function wayToApproval({ card, activeOutcome, reviewedSeparately, reviewedPresent, settings }: MoveFacts): string {
  const submit =
    card.status === 'validation'
      ? 'Submit one with submit_task_validation, then move it to done.'
      : 'Move it to validation first, then submit one with submit_task_validation.'
  if (activeOutcome === 'success' && !reviewedSeparately)
    return `Its current one is from an agent that took part in the work. An agent that did not must validate it. ${submit}`
  if (activeOutcome === 'success' && !reviewedPresent)
    return `Its current one is not from a present person, which this board requires (approval_card_validation). A person must validate it. ${submit}`
  return settings.require_separate_reviewer
    ? `This board requires separate review: an agent that took no part in the work must validate it. ${submit}`
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

/** Whether work on a card ends with a validation; a test card needs none. */
export const needsValidation = (facts: MoveFacts): boolean =>
  facts.card.card_type !== 'test' && (thresholdsOf(facts).required || facts.settings.require_separate_reviewer)

/** The setting by which a card may be done without a validation; null if one is required, and for test cards. */
const validationSkippedBy = ({ facts }: Move): string | null =>
  facts.card.card_type !== 'test' && facts.card.status !== 'validation' && !thresholdsOf(facts).required
    ? 'require_task_validation'
    : null

const notRun: ReadonlySet<string> = new Set(['draft', 'ready'])

const scenariosSkippedBy = ({ facts: { spec, settings } }: Move): string | null =>
  spec === null ? null : testsSkippedBy(spec, settings)

/** The scenarios of a card that have not been run. */
export function scenariosNotRun({ card, spec }: Pick<MoveFacts, 'card' | 'spec'>) {
  const own = new Set(card.test_scenario_ids)
  return (spec?.test_scenarios ?? []).filter(scenario => own.has(scenario.id) && notRun.has(scenario.status))
}

const scenariosGate: Judge = move => {
  const { spec } = move.facts
  if (spec === null || scenariosSkippedBy(move) !== null) return null
  const details = scenariosNotRun(move.facts).map(({ id, title, status }) => ({ scenario_id: id, title, status }))
  if (details.length === 0) return null
  return blocked(
    'SCENARIOS_NOT_RUN',
    'Test scenarios of this card have not been run yet. Run them and record each with record_scenario_result.',
    { spec_id: spec.id, details },
  )
}

const bugTestSkippedBy = ({ facts: { card, settings } }: Move): string | null => testTasksSkippedBy(card, settings)

/** Whether a card is a small change: one on the standing spec (crew 6). */
export const isSmall = ({ spec }: Pick<MoveFacts, 'spec'>): boolean => spec?.standing ?? false

const bugMoveOf = ({ facts, to, report }: Move): BugMove => ({
  bug: facts.card,
  to,
  isSmall: isSmall(facts),
  check: checkOf(report.check),
})

const bugTestGate: Judge = move => {
  const { card, spec, settings, testTasks } = move.facts
  if (card.card_type !== 'bug' || testTasksSkippedBy(card, settings) !== null) return null
  return bugTestMissing(bugMoveOf(move), testTasks, new Set(spec?.test_scenarios.map(scenario => scenario.id)))
}

/** A check that opens every gate that a check can open. */
const bestCheck = { how: 'as it says', test: 'a test', result: 'passed' } as const

/** Whether a check sent with the move opens a gate that is closed without one. */
const asksCheck = ({ facts, to }: Pick<Move, 'facts' | 'to'>): boolean =>
  bugTestGate({ facts, to, report: {} }) !== null &&
  bugTestGate({ facts, to, report: { check: bestCheck } }) === null &&
  gatesOf(facts.card.card_type, facts.card.status, to).includes('bug_test')

/** The report assumed for a move that nobody has made yet: its required parts do not count as missing. */
export const reportToCome = (move: Pick<Move, 'facts' | 'to'>): SentReport =>
  asksCheck(move) ? { check: bestCheck } : {}

/** The parts of a report that a move requires (cards 4.4). */
export const asksOf = ({ facts, to }: Pick<Move, 'facts' | 'to'>): readonly string[] => {
  const parts = needsReport(facts, to, isApproved(facts)) ? missingParts({}, isSmall(facts)) : []
  return asksCheck({ facts, to }) && !parts.includes('check') ? [...parts, 'check'] : parts
}

/** A report that was sent must be complete; without one, the gate closes on a move that requires it. */
const reportGate: Judge = move => {
  const { report, facts, to } = move
  if (to === 'done' && checkOf(report.check)?.result === 'failed') return checkFailed()
  const isAsked = isSent(report) || needsReport(facts, to, isApproved(facts))
  const missing = isAsked ? missingParts(report, isSmall(facts)) : []
  return missing.length > 0 ? reportRequired(missing) : null
}

const dependenciesGate: Judge = ({ facts: { openDependencies } }) =>
  openDependencies.length === 0
    ? null
    : blocked('DEPENDENCIES_NOT_MET', 'This card waits for cards that are neither done nor cancelled.', {
        details: openDependencies,
      })

/** What keeps a gate of evidence from closing: a setting that is off, or the card's waiver (evidence 8). */
const skippedEvidence = ({ waived }: MoveFacts, gate: Waivable, setting: string | null): string | null =>
  setting ?? (waived.includes(gate) ? 'waiver' : null)

const gates: Readonly<Record<GateName, Gate<Move>>> = {
  spec: { refusal: specGate },
  sprint: { refusal: sprintGate },
  validation: { refusal: validationGate, skippedBy: validationSkippedBy },
  scenarios: { refusal: scenariosGate, skippedBy: scenariosSkippedBy },
  bug_test: { refusal: bugTestGate, skippedBy: bugTestSkippedBy },
  report: { refusal: reportGate },
  dependencies: { refusal: dependenciesGate },
  proof: {
    refusal: ({ facts }) => proofRequired(facts.proof),
    skippedBy: ({ facts }) => skippedEvidence(facts, 'proof', asksProof(facts.settings) ? null : 'min_evidence_tier'),
  },
  change: {
    refusal: ({ facts }) => changeNotMerged(facts.changes, facts.card.id),
    skippedBy: ({ facts }) =>
      skippedEvidence(facts, 'change', facts.settings.require_merged_change ? null : 'require_merged_change'),
  },
  checks: {
    refusal: ({ facts }) => checksNotGreen(facts.changes, facts.card.id),
    skippedBy: ({ facts }) =>
      skippedEvidence(facts, 'checks', facts.settings.require_green_checks ? null : 'require_green_checks'),
  },
}

/**
 * The rulings of the gates of a move's row, in order (cards 4.2, 4.3). The facts must be those before the move, read in
 * the same unit of work.
 */
export const gatesOfMove = (move: Move): Ruling[] =>
  rulingsOf(gates, gatesOf(move.facts.card.card_type, move.facts.card.status, move.to), move)

/** Why a card cannot be validated now, or ever; null in `validation` (cards 5.2). */
export function notInValidation({ status, card_type }: Pick<CardRecord, 'status' | 'card_type'>): DomainError | null {
  if (status !== 'validation') {
    return blocked(
      'CARD_NOT_IN_VALIDATION',
      `Only a card in validation can be validated; this one is ${status}. Move it to validation first.`,
      { status },
    )
  }
  return card_type === 'test'
    ? blocked(
        'VALIDATION_NOT_APPLICABLE',
        'A test card takes no validation. Record its scenarios with record_scenario_result, then move it to done with move_card.',
      )
    : null
}
