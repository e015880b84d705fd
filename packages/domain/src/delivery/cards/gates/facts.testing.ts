import { defaultBoardSettings } from '@specboard/contract'
import { type CardRecord, untried } from '../../card-record/record.ts'
import { noChangeFacts } from '../../git/change-gates.ts'
import type { TestTask } from './bug-tests.ts'
import type { MoveFacts, ScenarioFacts, SpecFacts, SprintFacts } from './facts.ts'

export const defaultSettings = defaultBoardSettings

const createdAt = '2026-02-01T00:00:00.000Z'

const card: CardRecord = {
  id: 'card',
  ref: 'B-1',
  board_id: 'board',
  title: 'Card',
  description: null,
  details: null,
  card_type: 'normal',
  status: 'not_started',
  priority: 'none',
  position: 0,
  rev: 1,
  checkpoint: null,
  regression_test: null,
  check: null,
  spec_id: 'spec',
  sprint_id: null,
  assignee_id: null,
  due_date: null,
  labels: null,
  paths: [],
  test_scenario_ids: [],
  screen_mockups: [],
  knowledge_bases: [],
  origin_task_id: null,
  severity: null,
  expected_behavior: null,
  observed_behavior: null,
  steps_to_reproduce: null,
  action_plan: null,
  linked_test_task_ids: [],
  conclusions: [],
  validation_stay: 0,
  created_by: 'agent',
  created_at: createdAt,
  updated_at: createdAt,
  moved_at: createdAt,
  moved_by: 'agent',
  archived: false,
  pre_archive_status: null,
  ...untried,
}

const inherited = {
  require_task_validation: null,
  validation_min_confidence: null,
  validation_min_completeness: null,
  validation_max_drift: null,
}

const spec: SpecFacts = {
  id: 'spec',
  ref: 'SPE-1',
  status: 'in_progress',
  skip_test_coverage: false,
  standing: false,
  test_scenarios: [],
  ...inherited,
}

/** The differences from a new normal card on a spec in progress, for which all gates are open. */
export interface FactChanges extends Partial<Omit<MoveFacts, 'card' | 'spec' | 'sprint' | 'settings'>> {
  readonly card?: Partial<{
    readonly [K in keyof CardRecord]: CardRecord[K] extends (infer I)[] ? readonly I[] : CardRecord[K]
  }>
  readonly spec?: Partial<SpecFacts> | null
  readonly sprint?: Partial<SprintFacts>
  readonly settings?: Partial<MoveFacts['settings']>
}

/** The facts of a card's move; all gates are open by default. */
export const facts = (overrides: FactChanges = {}): MoveFacts => ({
  card: { ...card, ...(overrides.card as Partial<CardRecord>) },
  settings: { ...defaultSettings, ...overrides.settings },
  spec: overrides.spec === null ? null : { ...spec, ...overrides.spec },
  sprint: overrides.sprint === undefined ? null : { id: 'sprint', status: 'active', ...inherited, ...overrides.sprint },
  usableSprints: overrides.usableSprints ?? [],
  activeOutcome: overrides.activeOutcome ?? null,
  reviewedSeparately: overrides.reviewedSeparately ?? true,
  reviewedPresent: overrides.reviewedPresent ?? true,
  finishers: overrides.finishers ?? [],
  workedSince: overrides.workedSince ?? null,
  openDependencies: overrides.openDependencies ?? [],
  testTasks: overrides.testTasks ?? [],
  changes: overrides.changes ?? noChangeFacts,
  proof: overrides.proof ?? null,
  waived: overrides.waived ?? [],
  fullColumns: overrides.fullColumns ?? [],
  claim: overrides.claim ?? null,
  reservation: overrides.reservation ?? null,
  attempts: overrides.attempts ?? { used: 0, limit: 3, failed: 0, lost: 0 },
})

/** A complete report. */
export const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All of it.',
  drift: 0,
  drift_justification: 'As planned.',
}

export const inSpec = (id: string, status: string): ScenarioFacts => ({ id, title: 'Works', status })

/** A test task that counts for a bug with these facts. */
export const task = (id: string, fields: Partial<TestTask> = {}): TestTask => ({
  id,
  card_type: 'test',
  spec_id: 'spec',
  created_at: createdAt,
  test_scenario_ids: ['s1'],
  ...fields,
})
