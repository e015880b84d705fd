import type { Settings } from '../../../kernel/board-settings.ts'
import { blocked, type DomainError } from '../../../kernel/errors.ts'
import { rankLeft } from '../../../planning/review/card-ranks.ts'
import type { CardRecord, Severity, Status } from '../../card-record/record.ts'

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
  'card_type' | 'status' | 'severity' | 'spec_id' | 'created_at' | 'linked_test_task_ids'
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

/** The setting by which a bug needs no test tasks; null where it needs them, and of cards that are no bugs. */
export function testTasksSkippedBy(bug: Pick<Bug, 'card_type' | 'severity'>, settings: GateSettings): string | null {
  const { require_test_task_for_bug, bug_test_gate_min_severity } = settings
  if (bug.card_type !== 'bug') return null
  if (!require_test_task_for_bug) return 'require_test_task_for_bug'
  const spared = severities.indexOf(bug.severity ?? 'minor') < severities.indexOf(bug_test_gate_min_severity)
  return spared ? 'bug_test_gate_min_severity' : null
}

/** Whether a bug's move needs test tasks: it starts the work, and the board requires them for its severity. */
export const asksTestTasks = (bug: Bug, from: Status, settings: GateSettings): boolean =>
  bug.card_type === 'bug' && rankLeft[from] <= 1 && testTasksSkippedBy(bug, settings) === null

/** Why the bug test gate is closed: no linked test task, or all problems of all of them; null when it is open. */
export function testTasksMissing(
  bug: Bug,
  tasks: readonly TestTask[],
  scenarioIds: ReadonlySet<string>,
): DomainError | null {
  if (bug.linked_test_task_ids.length === 0) {
    return blocked(
      'TEST_TASK_REQUIRED',
      'A bug needs a test before work on it starts. Create a test card after the bug and link it with link_test_task.',
      { missing: ['linked_test_task_ids'] },
    )
  }
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
