import type { Check } from '@specboard/contract'
import type { z } from 'zod'
import type { Settings } from '../../../kernel/board-settings.ts'
import { blocked, type DomainError } from '../../../kernel/errors.ts'
import { rankLeft } from '../../../planning/review/card-ranks.ts'
import type { CardRecord, Severity, Status } from '../../card-record/record.ts'
import { isBlank } from './report.ts'

/** Why a linked test task does not count (cards 7.3). */
export type TestTaskProblem =
  | 'not_found'
  | 'not_a_test'
  | 'no_scenario'
  | 'other_spec'
  | 'older_than_bug'
  | 'unknown_scenario'

/** The fields of a test task that the gate checks. */
export type TestTask = Pick<CardRecord, 'id' | 'card_type' | 'spec_id' | 'created_at' | 'test_scenario_ids'>

/** The fields of a bug that the gate checks. */
export type Bug = Pick<
  CardRecord,
  'card_type' | 'status' | 'severity' | 'spec_id' | 'created_at' | 'linked_test_task_ids' | 'regression_test'
>

/** All problems of a test task of a bug, in the order of the contract. */
export function testTaskProblems(
  bug: Pick<Bug, 'spec_id' | 'created_at'>,
  task: TestTask | undefined,
  scenarioIds: ReadonlySet<string>,
): TestTaskProblem[] {
  if (task === undefined) return ['not_found']
  const checks: readonly (readonly [TestTaskProblem, boolean])[] = [
    ['not_a_test', task.card_type !== 'test'],
    ['no_scenario', task.test_scenario_ids.length === 0],
    ['other_spec', task.spec_id !== bug.spec_id],
    ['older_than_bug', task.created_at < bug.created_at],
    ['unknown_scenario', task.test_scenario_ids.some(id => !scenarioIds.has(id))],
  ]
  return checks.filter(([, applies]) => applies).map(([problem]) => problem)
}

/** The text of each problem in refusals. */
export const problemTexts: Readonly<Record<TestTaskProblem, string>> = {
  not_found: 'does not exist',
  not_a_test: 'is not a test card',
  no_scenario: 'has no test scenario',
  other_spec: 'belongs to a different spec than the bug',
  older_than_bug: 'was created before the bug',
  unknown_scenario: 'has a test scenario that the spec no longer has',
}

const severities: readonly Severity[] = ['minor', 'major', 'critical']

type GateSettings = Pick<Settings, 'require_test_task_for_bug' | 'bug_test_gate_min_severity'>

/** The setting by which a bug needs no test tasks; null if it needs them, and for cards that are not bugs. */
export function testTasksSkippedBy(bug: Pick<Bug, 'card_type' | 'severity'>, settings: GateSettings): string | null {
  const { require_test_task_for_bug, bug_test_gate_min_severity } = settings
  if (bug.card_type !== 'bug') return null
  if (!require_test_task_for_bug) return 'require_test_task_for_bug'
  const spared = severities.indexOf(bug.severity ?? 'minor') < severities.indexOf(bug_test_gate_min_severity)
  return spared ? 'bug_test_gate_min_severity' : null
}

/** Whether a bug's move starts the work, and the board requires a test before that for its severity. */
export const asksTestTasks = (bug: Bug, from: Status, settings: GateSettings): boolean =>
  bug.card_type === 'bug' && rankLeft[from] <= 1 && testTasksSkippedBy(bug, settings) === null

/** The facts about a bug's move that the test requirement depends on. */
export interface BugMove {
  readonly bug: Bug
  readonly to: Status
  /** Whether the bug is a small change. */
  readonly isSmall: boolean
  readonly check: z.output<typeof Check> | null
}

const ends: ReadonlySet<Status> = new Set(['validation', 'done'])

const isTestPassed = ({ check }: BugMove): boolean => !isBlank(check?.test) && check?.result === 'passed'

const isMinor = ({ severity }: Pick<Bug, 'severity'>): boolean => (severity ?? 'minor') === 'minor'

/** Whether a check alone opens the gate: a test that passed, and for a small bug below `major` any check (crew 6.4). */
const isChecked = (move: BugMove): boolean =>
  isTestPassed(move) || (move.isSmall && isMinor(move.bug) && move.check !== null)

/** The ways to provide a bug's test, in words. */
const ways = ({ isSmall, bug }: BugMove): string =>
  [
    'link a test card with link_test_task',
    'or name the test in regression_test with update_card',
    ...(isSmall
      ? [isMinor(bug) ? 'or send any check with the move' : 'or send check {how, test, result: passed} with the move']
      : []),
  ].join(', ')

/**
 * The refusal of a bug without the test that the board requires; null when it exists, or is not required yet (cards
 * 7.3, crew 6.4).
 */
export function bugTestMissing(
  move: BugMove,
  tasks: readonly TestTask[],
  scenarioIds: ReadonlySet<string>,
): DomainError | null {
  const { bug, to, isSmall } = move
  const isEnd = ends.has(to)
  if (isSmall && !isEnd) return null
  const isStart = rankLeft[bug.status] <= 1
  if (bug.linked_test_task_ids.length > 0) return isStart || isSmall ? testTasksMissing(bug, tasks, scenarioIds) : null
  if (!isBlank(bug.regression_test)) {
    if (!isEnd || isTestPassed(move)) return null
    return blocked(
      'TEST_TASK_REQUIRED',
      'The regression test of this bug must have passed: send check {how, test, result: passed} with the move.',
      { missing: ['check'] },
    )
  }
  if (isSmall ? isChecked(move) : !isStart) return null
  return blocked('TEST_TASK_REQUIRED', `A bug needs a test: ${ways(move)}.`, {
    missing: ['linked_test_task_ids', 'regression_test', ...(isSmall ? ['check'] : [])],
  })
}

/** All problems of the linked test tasks of a bug; null when they count. */
export function testTasksMissing(
  bug: Bug,
  tasks: readonly TestTask[],
  scenarioIds: ReadonlySet<string>,
): DomainError | null {
  const byId = new Map(tasks.map(task => [task.id, task]))
  const details = bug.linked_test_task_ids.flatMap(id =>
    testTaskProblems(bug, byId.get(id), scenarioIds).map(problem => ({ test_task_id: id, problem })),
  )
  if (details.length === 0) return null
  const texts = details.map(({ test_task_id, problem }) => `${test_task_id} ${problemTexts[problem]}`)
  return blocked('TEST_TASK_INVALID', `Test tasks of this bug do not count: ${texts.join('; ')}. Unlink or fix them.`, {
    details,
  })
}
