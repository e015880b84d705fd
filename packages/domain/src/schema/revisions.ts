/** The tables whose rows count how often their own fields have changed (crew 2.1). */
import type { Schema } from './tables.ts'

const planning = ['title', 'description', 'status', 'assignee_id', 'labels', 'screen_mockups'] as const

const thresholds = [
  'skip_test_coverage',
  'skip_rules_coverage',
  'skip_qualitative_validation',
  'validation_threshold',
  'require_task_validation',
  'validation_min_confidence',
  'validation_min_completeness',
  'validation_max_drift',
] as const

/**
 * The columns of a record's own fields: what its update operation can change, and its status. Excluded are fields with
 * a tag of their own, such as the inline knowledge of cards, and a card's position when other cards move (board 6).
 */
export const ownColumns = {
  ideations: [...planning, 'problem_statement', 'proposed_approach', 'scope_assessment', 'complexity'],
  refinements: [...planning, 'in_scope', 'out_of_scope', 'analysis', 'decisions'],
  specs: [
    ...planning,
    'context',
    'functional_requirements',
    'technical_requirements',
    'acceptance_criteria',
    'test_scenarios',
    'business_rules',
    'api_contracts',
    'decisions',
    'ideation_id',
    'refinement_id',
    'skip_trs_coverage',
    'skip_contract_coverage',
    'skip_decisions_coverage',
    ...thresholds,
  ],
  sprints: [
    'title',
    'description',
    'objective',
    'expected_outcome',
    'status',
    'start_date',
    'end_date',
    'test_scenario_ids',
    'business_rule_ids',
    'labels',
    ...thresholds,
  ],
  cards: [
    ...planning,
    'details',
    'priority',
    'position',
    'spec_id',
    'sprint_id',
    'due_date',
    'test_scenario_ids',
    'severity',
    'expected_behavior',
    'observed_behavior',
    'steps_to_reproduce',
    'action_plan',
    'regression_test',
    'paths',
    'linked_test_task_ids',
  ],
  guidelines: ['title', 'content', 'tags'],
  architecture_designs: [
    'title',
    'global_description',
    'entities',
    'interfaces',
    'diagrams',
    'source_ref',
    'source_version',
    'source_design_id',
    'stale',
    'breaking_change_flag',
    'requires_arch_review',
  ],
} as const satisfies { readonly [Table in keyof Schema]?: readonly (keyof Schema[Table])[] }

/** A table whose rows have a `rev`. */
export type RevisedTable = keyof typeof ownColumns

/** The tables of the kinds of record that have a `rev`, as the event log calls them. */
export const revisedTables: Readonly<Record<string, RevisedTable>> = {
  ideation: 'ideations',
  refinement: 'refinements',
  spec: 'specs',
  sprint: 'sprints',
  card: 'cards',
  guideline: 'guidelines',
  architecture_design: 'architecture_designs',
}

/** The columns whose change increments the `rev` of a row; none if `rev` itself is among them. */
export const raising = (table: string, columns: readonly string[]): readonly string[] =>
  Object.hasOwn(ownColumns, table) && !columns.includes('rev')
    ? (ownColumns[table as RevisedTable] as readonly string[]).filter(name => columns.includes(name))
    : []
