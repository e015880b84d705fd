/** Ideations, refinements, specs and sprints. */
import type {
  ApiContract,
  BusinessRule,
  ItemList,
  ScreenMockup,
  SpecDecision,
  SpecValidationRecord,
  StoredSpecEvaluation,
  StoredSprintEvaluation,
  TechnicalRequirement,
  TestScenario,
} from '@specboard/contract'
import type { z } from 'zod'
import {
  author,
  flag,
  id,
  json,
  jsonObject,
  listOf,
  namedAuthor,
  nullable,
  ofBoard,
  own,
  text,
  whole,
} from '../columns.ts'
import { type RowOf, type Table, table } from '../table.ts'
import { submitted } from './shared.ts'

/** The columns that ideations, refinements and specs share. */
const planningRecord = {
  id: text,
  board_id: ofBoard,
  /** Counted in the board's row, one count for all kinds of record. */
  number: whole,
  title: own(text),
  description: own(nullable(text)),
  status: own(text),
  version: whole,
  /** How often its own fields have changed, including its creation (crew 2.1). */
  rev: whole,
  assignee_id: own(nullable(text)),
  labels: own(nullable(json<string[]>())),
  screen_mockups: own(nullable(listOf<typeof ScreenMockup>({ authorsIn: ['author_id'] }))),
  archived: flag,
  pre_archive_status: nullable(text),
  created_by: author,
  created_at: text,
  updated_at: text,
}

type PlanningRecord = RowOf<Table<string, typeof planningRecord>>

/** The shared columns that summaries show. */
export type PlanningRecordRow = Omit<PlanningRecord, 'number' | 'rev' | 'screen_mockups'>

/** The gates of a spec or sprint: what is skipped, and the thresholds of validations. */
const gates = {
  skip_test_coverage: own(flag),
  skip_rules_coverage: own(flag),
  skip_qualitative_validation: own(flag),
  validation_threshold: own(nullable(whole)),
  require_task_validation: own(nullable(flag)),
  validation_min_confidence: own(nullable(whole)),
  validation_min_completeness: own(nullable(whole)),
  validation_max_drift: own(nullable(whole)),
}

export const ideations = table({
  name: 'ideations',
  type: 'ideation',
  title: 'title',
  isNumbered: true,
  counted: { kind: 'ideation', key: 'updated_at' },
  searched: 'ideation',
  archived: 'ideation',
  removed: 'in pieces',
  columns: {
    ...planningRecord,
    problem_statement: own(nullable(text)),
    proposed_approach: own(nullable(text)),
    scope_assessment: own(nullable(jsonObject())),
    complexity: own(nullable(text)),
  },
})
export type IdeationsTable = RowOf<typeof ideations>

export const refinements = table({
  name: 'refinements',
  type: 'refinement',
  title: 'title',
  isNumbered: true,
  searched: 'refinement',
  archived: 'refinement',
  removed: 'in pieces',
  columns: {
    ...planningRecord,
    ideation_id: id('ideations'),
    in_scope: own(nullable(json<string[]>())),
    out_of_scope: own(nullable(json<string[]>())),
    analysis: own(nullable(text)),
    decisions: own(nullable(json<string[]>())),
  },
})
export type RefinementsTable = RowOf<typeof refinements>

export const specs = table({
  name: 'specs',
  type: 'spec',
  title: 'title',
  isNumbered: true,
  counted: { kind: 'spec', key: 'updated_at', where: row => `${row}.standing = 0` },
  searched: 'spec',
  archived: 'spec',
  removed: 'in pieces',
  columns: {
    ...planningRecord,
    ideation_id: own(nullable(id('ideations', 'set null'))),
    refinement_id: own(nullable(id('refinements', 'set null'))),
    context: own(nullable(text)),
    functional_requirements: own(nullable(json<string[]>())),
    technical_requirements: own(
      nullable(
        json<(string | z.output<typeof TechnicalRequirement>)[]>({ idsIn: ['linked_task_ids'], namesInside: true }),
      ),
    ),
    acceptance_criteria: own(nullable(json<string[]>())),
    test_scenarios: own(nullable(listOf<typeof TestScenario>({ idsIn: ['linked_task_ids'], namesInside: true }))),
    business_rules: own(nullable(listOf<typeof BusinessRule>({ idsIn: ['linked_task_ids'], namesInside: true }))),
    api_contracts: own(nullable(listOf<typeof ApiContract>({ idsIn: ['linked_task_ids'], namesInside: true }))),
    decisions: own(nullable(listOf<typeof SpecDecision>({ idsIn: ['linked_task_ids'], namesInside: true }))),
    ...gates,
    skip_trs_coverage: own(flag),
    skip_contract_coverage: own(flag),
    skip_decisions_coverage: own(flag),
    /** Oldest first. */
    evaluations: listOf<typeof StoredSpecEvaluation>({
      authorsIn: ['evaluator_id'],
      idsIn: ['id', 'spec_id'],
      namesInside: true,
    }),
    current_validation_id: nullable(text),
    /** Null for a spec that was never validated. */
    changed_since_validated: nullable(json<string[]>()),
    /** Numbers of removed items, by list: they are never given to other items (crew 1.1). */
    removed_item_numbers: nullable(json<Partial<Record<ItemList, readonly number[]>>>()),
    /** Whether it collects the small changes of its board, which has at most one such spec (crew 6.1). */
    standing: flag,
  },
})
export type SpecsTable = RowOf<typeof specs>

export const specValidations = table({
  name: 'spec_validations',
  part: { letter: 'v', of: ['specs'], by: 'spec_id' },
  archived: 'spec_validation',
  removed: 'in pieces',
  columns: {
    ...submitted,
    id: text,
    /** Counted on its spec (crew 8.2). */
    number: whole,
    board_id: ofBoard,
    spec_id: id('specs'),
    reviewer_id: namedAuthor,
    reviewer_name: text,
    completeness: whole,
    completeness_justification: text,
    assertiveness: whole,
    assertiveness_justification: text,
    ambiguity: whole,
    ambiguity_justification: text,
    general_justification: text,
    recommendation: text,
    outcome: text,
    threshold_violations: json<string[]>(),
    resolved_thresholds: json<z.output<typeof SpecValidationRecord>['resolved_thresholds']>(),
    created_at: text,
  },
})
export type SpecValidationsTable = RowOf<typeof specValidations>

export const sprints = table({
  name: 'sprints',
  type: 'sprint',
  title: 'title',
  isNumbered: true,
  counted: { kind: 'sprint', key: 'updated_at' },
  searched: 'sprint',
  archived: 'sprint',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    number: whole,
    spec_id: id('specs'),
    title: own(text),
    description: own(nullable(text)),
    objective: own(nullable(text)),
    expected_outcome: own(nullable(text)),
    status: own(text),
    spec_version: whole,
    start_date: own(nullable(text)),
    end_date: own(nullable(text)),
    test_scenario_ids: own(nullable(json<string[]>())),
    business_rule_ids: own(nullable(json<string[]>())),
    version: whole,
    rev: whole,
    labels: own(nullable(json<string[]>())),
    /** In order of submission. */
    evaluations: nullable(
      listOf<typeof StoredSprintEvaluation>({
        authorsIn: ['evaluator_id'],
        idsIn: ['id', 'superseded_by'],
        namesInside: true,
      }),
    ),
    ...gates,
    archived: flag,
    pre_archive_status: nullable(text),
    created_by: author,
    created_at: text,
    updated_at: text,
  },
})
export type SprintsTable = RowOf<typeof sprints>
