import { blocked, type DomainError } from '../../kernel/errors.ts'
import { placesIn } from './references.ts'
import type { SpecRecord } from './store.ts'

/** The fields of a sprint or card that the gates of `done` read. */
export interface DoneGateFields {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly status: string
}

/** The fields of a card of the spec that its gates read. */
export interface GateCard extends DoneGateFields {
  readonly card_type: string
  readonly archived: boolean
}

/** The settings that skip the gates of criteria and scenarios. */
interface TestSettings {
  readonly skip_test_coverage_global: boolean
}

/** The flag of a spec or its board that skips the gates of its tests; null if there is none. */
export const testsSkippedBy = (
  spec: Pick<SpecRecord, 'skip_test_coverage'>,
  settings: TestSettings,
): 'skip_test_coverage' | 'skip_test_coverage_global' | null => {
  if (spec.skip_test_coverage) return 'skip_test_coverage'
  return settings.skip_test_coverage_global ? 'skip_test_coverage_global' : null
}

/** The acceptance criteria that no scenario covers; none if a flag skips their gate. */
export function uncoveredCriteria(
  spec: Pick<SpecRecord, 'acceptance_criteria' | 'test_scenarios' | 'skip_test_coverage'>,
  settings: TestSettings,
): { readonly index: number; readonly text: string }[] {
  if (testsSkippedBy(spec, settings) !== null) return []
  const criteria = spec.acceptance_criteria ?? []
  const named = (spec.test_scenarios ?? []).flatMap(scenario => scenario.linked_criteria ?? [])
  const places = new Set(named.flatMap(placesIn(criteria)))
  return criteria.map((text, index) => ({ index, text })).filter(({ index }) => !places.has(index))
}

/**
 * CRITERIA_UNCOVERED with `missing` when an acceptance criterion is linked to no scenario, whatever the scenario's
 * status (specs 6.3); null when the gate is open.
 */
export function criteriaRefusal(
  spec: Pick<SpecRecord, 'acceptance_criteria' | 'test_scenarios' | 'skip_test_coverage'>,
  settings: TestSettings,
): DomainError | null {
  const missing = uncoveredCriteria(spec, settings)
  if (missing.length === 0) return null
  return blocked(
    'CRITERIA_UNCOVERED',
    `No test scenario names these acceptance criteria: ${missing.map(({ index }) => index).join(', ')}. Add them to linked_criteria of a scenario.`,
    { missing },
  )
}

const over: ReadonlySet<string> = new Set(['closed', 'cancelled'])
const finished: ReadonlySet<string> = new Set(['done', 'cancelled'])
const run: ReadonlySet<string> = new Set(['automated', 'passed'])

/** Records by reference, items by id: texts of records appear only in `missing` (crew 9.8). */
const listed = <Item extends { readonly status: string }>(items: readonly Item[], nameOf: (item: Item) => string) =>
  items.map(item => `${nameOf(item)} (${item.status})`).join(', ')

/**
 * SPRINTS_OPEN with `missing` when a sprint of the spec is open, NO_CLOSED_SPRINT when there are sprints and none of
 * them is closed (specs 6.3); null when the gate is open.
 * @param sprints the sprints that are not archived
 */
export function sprintsRefusal(sprints: readonly DoneGateFields[]): DomainError | null {
  const missing = sprints
    .filter(({ status }) => !over.has(status))
    .map(({ id, ref, title, status }) => ({ id, ref, title, status }))
  if (missing.length > 0)
    return blocked('SPRINTS_OPEN', `Sprints are open: ${listed(missing, ({ ref }) => ref)}. Close or cancel them.`, {
      missing,
    })
  return sprints.length === 0 || sprints.some(({ status }) => status === 'closed')
    ? null
    : blocked('NO_CLOSED_SPRINT', 'Every sprint of the spec was cancelled. Close at least one.')
}

/**
 * TASKS_OPEN with `missing` when a card of the spec, of any type, is neither done nor cancelled; archived cards do not
 * count (specs 6.3). Null when the gate is open.
 */
export function tasksRefusal(cards: readonly GateCard[]): DomainError | null {
  const missing = cards
    .filter(({ archived, status }) => !archived && !finished.has(status))
    .map(({ id, ref, title, status, card_type }) => ({ id, ref, title, status, card_type }))
  if (missing.length === 0) return null
  return blocked('TASKS_OPEN', `Cards are open: ${listed(missing, ({ ref }) => ref)}. Finish or cancel them.`, {
    missing,
  })
}

/** The test scenarios that are neither automated nor passed; none if a flag skips their gate. */
export const scenariosLeft = (
  spec: Pick<SpecRecord, 'test_scenarios' | 'skip_test_coverage'>,
  settings: TestSettings,
) =>
  testsSkippedBy(spec, settings) === null ? (spec.test_scenarios ?? []).filter(({ status }) => !run.has(status)) : []

/**
 * SCENARIOS_OPEN with `missing` when a test scenario is neither automated nor passed (specs 6.3); null when the gate
 * is open.
 */
export function scenariosRefusal(
  spec: Pick<SpecRecord, 'test_scenarios' | 'skip_test_coverage'>,
  settings: TestSettings,
): DomainError | null {
  const missing = scenariosLeft(spec, settings).map(({ id, title, status, linked_task_ids }) => ({
    scenario_id: id,
    title,
    status,
    linked_task_ids: linked_task_ids ?? [],
  }))
  if (missing.length === 0) return null
  return blocked(
    'SCENARIOS_OPEN',
    `Test scenarios have not been run, or failed: ${listed(missing, ({ scenario_id }) => scenario_id)}. Run them and record each with record_scenario_result.`,
    { missing },
  )
}
