/** Planning records and their parts. */
import {
  ApiContract,
  BusinessRule,
  Choice,
  IdeationStatus,
  QuestionType,
  RefinementStatus,
  SpecDecision,
  SpecStatus,
  SpecValidationRecord,
  SprintStatus,
  StoredSpecEvaluation,
  StoredSprintEvaluation,
  TechnicalRequirement,
  TestScenario,
} from '@specboard/contract'
import { z } from 'zod'
import { ideations, refinements, specs, specValidations, sprints } from '../../schema/tables/planning.ts'
import { knowledge as knowledgeTable, questions, snapshots } from '../../schema/tables/planning-parts.ts'
import {
  archiving,
  author,
  authored,
  column,
  labels,
  lateFlag,
  list,
  mockupList,
  object,
  ownerType,
  texts,
  titled,
} from './columns.ts'
import { kind } from './kind.ts'

const { id, nullableId, text, nullableText, whole, nullableWhole, count, ordinal, part, rev, time, nullableTime } =
  column

const planning = (status: z.ZodType) =>
  ({
    id,
    number: ordinal,
    title: titled,
    description: nullableText,
    status,
    version: count,
    rev,
    assignee_id: nullableText,
    labels,
    screen_mockups: mockupList.nullable(),
    archived: z.boolean(),
    pre_archive_status: nullableText,
  }) as const

const thresholds = {
  validation_threshold: nullableWhole,
  require_task_validation: z.boolean().nullable(),
  validation_min_confidence: nullableWhole,
  validation_min_completeness: nullableWhole,
  validation_max_drift: nullableWhole,
} as const

/** Verdicts without their staleness, which follows from other changes. */
const withoutStale = (evaluations: unknown): unknown =>
  (evaluations as object[]).map(evaluation => ({ ...evaluation, stale: null }))

export const ideation = kind(ideations, {
  together: [archiving],
  columns: {
    ...planning(IdeationStatus),
    problem_statement: nullableText,
    proposed_approach: nullableText,
    scope_assessment: object.nullable(),
    complexity: z.enum(['small', 'medium', 'large']).nullable(),
    ...authored,
  },
})

export const refinement = kind(refinements, {
  together: [archiving],
  columns: {
    ...planning(RefinementStatus),
    ideation_id: id,
    in_scope: texts.nullable(),
    out_of_scope: texts.nullable(),
    analysis: nullableText,
    decisions: texts.nullable(),
    ...authored,
  },
})

export const spec = kind(specs, {
  together: [archiving],
  columns: {
    ...planning(SpecStatus),
    ideation_id: nullableId,
    refinement_id: nullableId,
    context: nullableText,
    functional_requirements: texts.nullable(),
    technical_requirements: list(z.union([z.string(), TechnicalRequirement])).nullable(),
    acceptance_criteria: texts.nullable(),
    test_scenarios: list(TestScenario).nullable(),
    business_rules: list(BusinessRule).nullable(),
    api_contracts: list(ApiContract).nullable(),
    decisions: list(SpecDecision).nullable(),
    skip_test_coverage: z.boolean(),
    skip_rules_coverage: z.boolean(),
    skip_trs_coverage: z.boolean(),
    skip_contract_coverage: z.boolean(),
    skip_decisions_coverage: z.boolean(),
    skip_qualitative_validation: z.boolean(),
    ...thresholds,
    evaluations: {
      schema: list(StoredSpecEvaluation),
      form: 'judgements',
      compared: withoutStale,
    },
    changed_since_validated: texts.nullable(),
    removed_item_numbers: z.record(z.string(), z.array(ordinal)).nullable().optional(),
    standing: lateFlag,
    ...authored,
  },
})

export const sprint = kind(sprints, {
  together: [archiving],
  columns: {
    id,
    number: ordinal,
    spec_id: id,
    title: titled,
    description: nullableText,
    objective: nullableText,
    expected_outcome: nullableText,
    status: SprintStatus,
    spec_version: whole,
    start_date: nullableText,
    end_date: nullableText,
    test_scenario_ids: texts.nullable(),
    business_rule_ids: texts.nullable(),
    version: count,
    rev,
    labels,
    evaluations: { schema: list(StoredSprintEvaluation).nullable(), form: 'judgements' },
    skip_test_coverage: z.boolean(),
    skip_rules_coverage: z.boolean(),
    skip_qualitative_validation: z.boolean(),
    ...thresholds,
    archived: z.boolean(),
    pre_archive_status: nullableText,
    ...authored,
  },
})

export const question = kind(questions, {
  together: [['answer', 'selected', 'answered_by', 'answered_at']],
  columns: {
    id,
    number: part,
    owner_type: ownerType,
    owner_id: id,
    question: text,
    question_type: QuestionType,
    choices: list(Choice).nullable(),
    allow_free_text: z.boolean(),
    answer: nullableText,
    selected: texts.nullable(),
    asked_by: author,
    answered_by: nullableText,
    created_at: time,
    answered_at: nullableTime,
  },
})

/**
 * Knowledge of cards is stored in the card; `source` is its own, the other `source_…` are those of planning records.
 */
export const knowledge = kind(knowledgeTable, {
  columns: {
    id,
    number: part,
    owner_type: ownerType,
    owner_id: id,
    title: titled,
    description: nullableText,
    content: text,
    mime_type: text,
    source: nullableText,
    source_type: nullableText,
    source_id: nullableId,
    source_title: nullableText,
    source_version: nullableWhole,
    source_kb_id: nullableId,
    ...authored,
  },
})

export const snapshot = kind(snapshots, {
  columns: {
    id,
    owner_type: ownerType,
    owner_id: id,
    version: count,
    content: object,
    created_by: author,
    created_at: time,
  },
})

export const specValidation = kind(specValidations, {
  columns: {
    id,
    number: part,
    spec_id: id,
    reviewer_id: author,
    reviewer_name: text,
    completeness: whole,
    completeness_justification: text,
    assertiveness: whole,
    assertiveness_justification: text,
    ambiguity: whole,
    ambiguity_justification: text,
    general_justification: text,
    recommendation: SpecValidationRecord.shape.recommendation,
    outcome: SpecValidationRecord.shape.outcome,
    threshold_violations: texts,
    resolved_thresholds: SpecValidationRecord.shape.resolved_thresholds,
    created_at: time,
  },
})
