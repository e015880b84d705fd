/** The responses of analytics (insight B). Percentages are 0-100, times are in hours; null means nothing to measure. */
import { z } from 'zod'
import { countsBy, Id, Imported, PrincipalKind, Ref, Text, Timestamp } from '../shared.ts'
import { Conclusion, TaskValidation } from './card.ts'
import { ApiContract, BusinessRule, Recommendation, ScenarioStatus } from './spec-items.ts'
import { CardStatus, CardType, IdeationStatus, RefinementStatus, SpecStatus, SprintStatus } from './summaries.ts'

const count = z.int()
/** A mean, rate or score with one decimal; null when there is nothing to measure. */
const measure = z.number().nullable()
const share = z.number()
const Day = z.iso.date()
const counts = <const Key extends string>(keys: readonly Key[]) =>
  z.object(Object.fromEntries(keys.map(key => [key, count])) as Record<Key, typeof count>)

const CardBreakdown = counts(CardStatus.options)
const SpecBreakdown = counts(SpecStatus.options)
const SprintBreakdown = counts(SprintStatus.options)
const TypeCounts = z.object({ normal: count, test: count, bug: count })
const SeverityCounts = z.object({ critical: count, major: count, minor: count })

const TaskRejections = z.object({
  confidence_below: count,
  completeness_below: count,
  drift_above: count,
  reject_recommendation: count,
})
const SpecRejections = z.object({
  completeness_below: count,
  assertiveness_below: count,
  ambiguity_above: count,
  reject_recommendation: count,
})

const gateCounts = { total_submitted: count, total_success: count, total_failed: count }

export const TaskGate = z
  .object({
    ...gateCounts,
    success_rate: measure,
    avg_attempts_per_card: measure,
    first_pass_rate: measure,
    avg_scores: z.object({ confidence: measure, completeness: measure, drift: measure }),
    rejection_reasons: TaskRejections,
    cards_with_validation: count,
  })
  .meta({ id: 'TaskGateAnalytics' })

export const SpecGate = z
  .object({
    ...gateCounts,
    success_rate: measure,
    avg_attempts_per_spec: measure,
    avg_scores: z.object({ completeness: measure, assertiveness: measure, ambiguity: measure }),
    rejection_reasons: SpecRejections,
    specs_with_validation: count,
  })
  .meta({ id: 'SpecGateAnalytics' })

const evaluationCounts = { total_submitted: count, total_approve: count, total_reject: count }
const evaluationMeans = {
  approve_rate: measure,
  avg_overall_score: measure,
  avg_dimension_scores: z.record(z.string(), z.number()),
}

export const SprintEvaluations = z
  .object({ ...evaluationCounts, ...evaluationMeans, sprints_with_evaluation: count })
  .meta({ id: 'SprintEvaluationAnalytics' })

export const SpecEvaluations = z
  .object({
    ...evaluationCounts,
    total_request_changes: count,
    ...evaluationMeans,
    specs_with_evaluation: count,
  })
  .meta({ id: 'SpecEvaluationAnalytics' })

const bucketCounts = {
  impl: count,
  test: count,
  bug: count,
  validation_bounce: count,
  spec_done: count,
  sprint_done: count,
}
const WeekBucket = z.object({ week: Day, ...bucketCounts })
const DayBucket = z.object({ day: Day, ...bucketCounts })

export const CoverageSummary = z
  .object({
    ac_total: count,
    ac_covered: count,
    ac_uncovered_indices: z.array(count),
    ac_coverage_pct: share,
    fr_total: count,
    fr_covered: count,
    fr_uncovered_indices: z.array(count),
    fr_coverage_pct: share,
    scenarios_total: count,
    scenarios_linked: count,
    scenario_task_linkage_pct: share,
    brs_total: count,
    brs_linked: count,
    br_task_linkage_pct: share,
    contracts_total: count,
    contracts_linked: count,
    contract_task_linkage_pct: share,
    trs_total: count,
    trs_linked: count,
    tr_task_linkage_pct: share,
    decisions_total: count,
    decisions_linked: count,
    decisions_coverage_pct: share,
    decisions_uncovered_ids: z.array(z.string()),
    skip_test_coverage: z.boolean(),
    skip_rules_coverage: z.boolean(),
    skip_decisions_coverage: z.boolean(),
  })
  .meta({ id: 'CoverageSummary' })

export const VelocityAnalytics = z
  .object({
    board_id: Id,
    from_date: Day,
    to_date: Day,
    sprints: count,
    completed_cards: count,
    average_cycle_time_hours: z.number(),
    trend: z.enum(['up', 'down', 'stable']),
    granularity: z.enum(['week', 'day']),
    buckets: z.array(z.union([WeekBucket, DayBucket])),
  })
  .meta({ id: 'VelocityAnalytics' })

const WeekFlow = z.object({ week: Day, ...CardBreakdown.shape })
const DayFlow = z.object({ day: Day, ...CardBreakdown.shape })

export const FlowAnalytics = z
  .object({
    board_id: Id,
    from_date: Day,
    to_date: Day,
    granularity: z.enum(['week', 'day']),
    buckets: z.array(z.union([WeekFlow, DayFlow])).describe('cards by status at the end of each'),
  })
  .meta({ id: 'FlowAnalytics' })

export const CycleTimeAnalytics = z
  .object({
    board_id: Id,
    from_date: Day,
    to_date: Day,
    completed_cards: count,
    average_hours: measure,
    percentiles: z.object({ p50: measure, p85: measure, p95: measure }),
    cards: z.array(
      z.object({
        card_id: Id,
        ref: Ref,
        title: z.string(),
        card_type: CardType,
        completed_at: Timestamp,
        cycle_hours: z.number(),
      }),
    ),
  })
  .meta({ id: 'CycleTimeAnalytics' })

export const AgentAnalytics = z
  .object({
    actor_id: z.string(),
    actor_name: z.string(),
    kind: PrincipalKind,
    total_cards: count,
    done_cards: count,
    avg_completeness: measure,
    avg_drift: measure,
    task_validations_submitted: count,
    task_validation_success_rate: measure,
    spec_validations_submitted: count,
    spec_validation_success_rate: measure,
    first_pass_acceptance: measure,
    first_pass_acceptance_rate: measure,
    worked_cards: count,
    claimed_cards: count,
    moved_cards: count,
    concluded_cards: count,
    worked_done_cards: count,
    rework_rate: measure,
    cycle_hours: measure,
    commits: count.nullable().describe('null without CHANGES_READ'),
    merged_pull_requests: count.nullable(),
    hours_to_merge: measure,
  })
  .meta({ id: 'AgentAnalytics' })

export const BlockerType = z.enum([
  'dependency_blocked',
  'on_hold',
  'stale',
  'spec_pending_validation',
  'spec_no_cards',
  'uncovered_scenario',
])

const blockedCard = { reason: z.string(), card_id: Id, ref: Ref, card_title: z.string(), card_status: CardStatus }
const blockedSpec = { reason: z.string(), spec_id: Id, ref: Ref, spec_title: z.string() }

export const Blocker = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('dependency_blocked'),
      ...blockedCard,
      evidence: z.object({
        blocking_cards: z.array(z.object({ id: Id, ref: Ref, title: z.string(), status: CardStatus })),
      }),
    }),
    z.object({ type: z.literal('on_hold'), ...blockedCard, evidence: z.object({ updated_at: Timestamp }) }),
    z.object({
      type: z.literal('stale'),
      ...blockedCard,
      evidence: z.object({ last_updated: Timestamp, age_hours: z.number() }),
    }),
    z.object({
      type: z.literal('spec_pending_validation'),
      ...blockedSpec,
      evidence: z.object({ total_evaluations: count }),
    }),
    z.object({ type: z.literal('spec_no_cards'), ...blockedSpec, evidence: z.object({ status: SpecStatus }) }),
    z.object({
      type: z.literal('uncovered_scenario'),
      ...blockedSpec,
      scenario_id: z.string(),
      scenario_title: z.string(),
      evidence: z.object({ scenario_status: ScenarioStatus }),
    }),
  ])
  .meta({ id: 'Blocker' })

export const BlockersAnalytics = z
  .object({
    board_id: Id,
    summary: z.partialRecord(BlockerType, count),
    total: count,
    stale_hours_threshold: count,
    filter_type: BlockerType.nullable(),
    blockers: z.array(Blocker),
  })
  .meta({ id: 'BlockersAnalytics' })

const CycleTimes = z.object({
  ideation: measure,
  refinement: measure,
  spec: measure,
  sprint: measure,
  card: measure,
})

export const FunnelAnalytics = z
  .object({
    ideations: count,
    refinements: count,
    specs: count,
    sprints: count,
    cards: count,
    done: count,
    ideations_done: count,
    refinements_done: count,
    specs_done: count,
    cards_impl: count,
    cards_test: count,
    cards_bug: count,
    rules_count: count,
    contracts_count: count,
    specs_with_rules: count,
    specs_with_contracts: count,
    specs_with_tests: count,
    bugs_total: count,
    bugs_open: count,
    bugs_by_severity: SeverityCounts,
    spec_status_breakdown: SpecBreakdown,
    card_status_breakdown: CardBreakdown,
    sprint_status_breakdown: SprintBreakdown,
    avg_cycle_hours: measure,
    cycle_time_by_phase: CycleTimes,
  })
  .meta({ id: 'FunnelAnalytics' })

const ConclusionQuality = z.object({
  card_id: Id,
  ref: Ref,
  title: z.string(),
  card_type: CardType,
  completeness: measure,
  drift: measure,
})

const ValidationQuality = z.object({
  card_id: Id,
  ref: Ref,
  title: z.string(),
  card_type: CardType,
  confidence: measure,
  completeness: measure,
  drift: measure,
  outcome: z.enum(['success', 'failed']),
})

export const QualityAnalytics = z
  .object({ conclusion_reported: z.array(ConclusionQuality), validation_reported: z.array(ValidationQuality) })
  .meta({ id: 'QualityAnalytics' })

export const CoverageAnalytics = z
  .object({
    spec_id: Id,
    ref: Ref,
    title: z.string(),
    total_ac: count,
    covered_ac: count,
    total_scenarios: count,
    scenario_status_counts: z.partialRecord(ScenarioStatus, count),
    business_rules_count: count,
    api_contracts_count: count,
    fr_with_rules_pct: share,
    fr_with_contracts_pct: share,
    ac_coverage_pct: share,
    fr_coverage_pct: share,
    decisions_coverage_pct: share,
    decisions_total: count,
    tr_task_linkage_pct: share,
    trs_total: count,
  })
  .meta({ id: 'CoverageAnalytics' })

const attempts = {
  attempts: count,
  last_outcome: z.enum(['success', 'failed']),
}

const SpecAttempts = z.object({
  spec_id: Id,
  ref: Ref,
  title: z.string(),
  status: SpecStatus,
  ...attempts,
  last_completeness: measure,
  last_assertiveness: measure,
  last_ambiguity: measure,
  success_count: count,
  failed_count: count,
  rejection_reasons: SpecRejections,
  current_validation_id: Id.nullable(),
})

const CardAttempts = z.object({
  card_id: Id,
  ref: Ref,
  title: z.string(),
  card_type: CardType,
  spec_id: Id.nullable(),
  sprint_id: Id.nullable(),
  status: CardStatus,
  ...attempts,
  last_confidence: measure,
  last_completeness: measure,
  last_drift: measure,
  success_count: count,
  failed_count: count,
  rejection_reasons: TaskRejections,
})

/** How often each kind of principal did something, and how often a person was present (people 1.1). */
const ByKind = z.object({ ...countsBy(PrincipalKind).shape, present: count }).meta({ id: 'ByKind' })

export const ValidationAnalytics = z
  .object({
    spec_validation_gate: z.object({ ...SpecGate.shape, per_spec: z.array(SpecAttempts) }),
    task_validation_gate: z.object({ ...TaskGate.shape, per_card: z.array(CardAttempts) }),
    spec_evaluation: SpecEvaluations,
    sprint_evaluation: SprintEvaluations,
    by_kind: z.object({ spec_validations: ByKind, task_validations: ByKind, moves_to_done: ByKind }),
  })
  .meta({ id: 'ValidationAnalytics' })

const SprintRow = z.object({
  sprint_id: Id,
  ref: Ref,
  title: z.string(),
  status: SprintStatus,
  spec_id: Id,
  total_cards: count,
  done_cards: count,
  completion_rate: share,
  avg_completeness: measure,
  avg_drift: measure,
  card_status_breakdown: CardBreakdown,
  evaluations_count: count,
  last_evaluation: z
    .object({
      overall_score: count,
      recommendation: Recommendation,
      evaluator_name: z.string(),
      created_at: Timestamp,
    })
    .nullable(),
  task_validation_gate: z.object({ ...gateCounts, rejection_reasons: TaskRejections, first_pass_rate: measure }),
})

export const SprintsAnalytics = z
  .object({
    summary: z.object({
      total_sprints: count,
      status_breakdown: SprintBreakdown,
      avg_completion_rate: measure,
      sprint_evaluation: SprintEvaluations,
    }),
    sprints: z.array(SprintRow),
  })
  .meta({ id: 'SprintsAnalytics' })

const SpecValidationEntry = z.object({
  id: Id,
  reviewer_id: z.string(),
  reviewer_name: z.string(),
  completeness: count,
  assertiveness: count,
  ambiguity: count,
  recommendation: z.enum(['approve', 'reject']),
  outcome: z.enum(['success', 'failed']),
  threshold_violations: z.array(z.string()),
  rejection_reasons: z.array(z.string()),
  resolved_thresholds: z.record(z.string(), z.unknown()),
  created_at: Timestamp,
  active: z.boolean(),
  imported: Imported,
})

export const SpecAnalytics = z
  .object({
    spec_id: Id,
    ref: Ref,
    title: z.string(),
    status: SpecStatus,
    version: count,
    gate_status: z.object({ current_validation_id: Id.nullable(), locked: z.boolean(), total_submissions: count }),
    validation_timeline: z.array(SpecValidationEntry),
    task_validation_summary: TaskGate,
    spec_evaluation: SpecEvaluations,
    coverage_summary: CoverageSummary,
    cards_summary: z.object({ total: count, by_status: CardBreakdown, by_type: TypeCounts }),
  })
  .meta({ id: 'SpecAnalytics' })

const EvaluationEntry = z.object({
  id: Id,
  evaluator_id: z.string(),
  evaluator_name: z.string(),
  dimensions: z.record(z.string(), z.unknown()).nullable(),
  overall_score: count,
  recommendation: Recommendation,
  stale: z.boolean(),
  created_at: Timestamp,
  imported: Imported,
})

export const SprintAnalytics = z
  .object({
    sprint_id: Id,
    ref: Ref,
    title: z.string(),
    status: SprintStatus,
    spec_id: Id,
    kanban_distribution: CardBreakdown,
    cards_summary: z.object({ total: count, done: count, completion_rate: share, by_type: TypeCounts }),
    task_validation_gate: TaskGate,
    evaluation_timeline: z.array(EvaluationEntry),
    velocity: z.array(WeekBucket),
  })
  .meta({ id: 'SprintAnalytics' })

/** Why a card of a sprint is at risk (insight B.18). */
export const SprintRisk = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('dependency_blocked'),
    blocking_cards: z.array(z.object({ id: Id, ref: Ref, title: z.string(), status: CardStatus })),
  }),
  z.object({ type: z.literal('on_hold') }),
  z.object({
    type: z.literal('ageing'),
    age_hours: z.number(),
    p85_hours: z.number().describe('what 85 % of the cards did not exceed'),
  }),
  z.object({ type: z.literal('refused'), refusals: count }),
  z.object({ type: z.literal('unclaimed'), hours_left: z.number().describe('negative after the end') }),
])

export const SprintProgress = z
  .object({
    sprint_id: Id,
    ref: Ref,
    title: z.string(),
    status: SprintStatus,
    start_date: Timestamp.nullable(),
    end_date: Timestamp.nullable(),
    days: z.array(z.object({ day: Day, scope: count, done: count })).describe('at the end of each'),
    capacity: z.object({
      planned: count,
      remaining: count,
      average: measure.describe('of the delivered'),
      delivered: z
        .array(z.object({ sprint_id: Id, ref: Ref, title: z.string(), closed_at: Timestamp, done_cards: count }))
        .describe('the last three closed sprints'),
    }),
    at_risk: z.array(
      z.object({ card_id: Id, ref: Ref, title: z.string(), status: CardStatus, reasons: z.array(SprintRisk) }),
    ),
  })
  .meta({ id: 'SprintProgress' })

const listed = { id: Id, ref: Ref, title: z.string(), created_at: Timestamp }
const Complexity = z.enum(['small', 'medium', 'large']).nullable()

/** The kinds of record that analytics cover. */
export const MeasuredType = z.enum(['ideation', 'spec', 'card', 'refinement', 'sprint'])

export const EntityList = z
  .object({
    total: count,
    offset: count,
    limit: count,
    items: z.array(
      z.union([
        z.object({
          ...listed,
          status: IdeationStatus,
          complexity: Complexity,
          refinement_count: count,
          spec_count: count,
        }),
        z.object({ ...listed, status: RefinementStatus, ideation_id: Id, version: count, spec_count: count }),
        z.object({
          ...listed,
          status: SpecStatus,
          ac_count: count,
          scenario_count: count,
          card_count: count,
          rules_count: count,
          contracts_count: count,
        }),
        z.object({ ...listed, status: SprintStatus, spec_id: Id, card_count: count, done_count: count }),
        z.object({
          ...listed,
          status: CardStatus,
          is_test: z.boolean(),
          card_type: CardType,
          completeness: measure,
          drift: measure,
        }),
      ]),
    ),
  })
  .meta({ id: 'EntityListAnalytics' })

const ScenarioState = z.object({ id: z.string(), title: z.string(), status: ScenarioStatus })
const dates = { created_at: Timestamp, updated_at: Timestamp }

export const SpecEntity = z
  .object({
    spec_id: Id,
    ref: Ref,
    title: z.string(),
    status: SpecStatus,
    total_ac: count,
    covered_ac: count,
    ac_details: z.array(z.object({ index: count, text: z.string(), covered: z.boolean() })),
    total_fr: count,
    fr_details: z.array(z.object({ index: count, text: z.string(), has_rule: z.boolean(), has_contract: z.boolean() })),
    scenario_statuses: z.array(ScenarioState),
    cards: z.array(
      z.object({
        id: Id,
        ref: Ref,
        title: z.string(),
        status: CardStatus,
        is_test: z.boolean(),
        card_type: CardType,
        completeness: measure,
        drift: measure,
        ...dates,
      }),
    ),
    avg_cycle_hours: measure,
    derivation: z.object({ ideation_id: Id.nullable(), refinement_id: Id.nullable() }),
    business_rules: z.array(BusinessRule).nullable(),
    api_contracts: z.array(ApiContract).nullable(),
    rules_coverage: share,
    contracts_coverage: share,
    bugs_count: count,
    sprints: z.array(
      z.object({
        sprint_id: Id,
        ref: Ref,
        title: z.string(),
        status: SprintStatus,
        tasks_total: count,
        tasks_done: count,
        progress: share,
        avg_completeness: measure,
        avg_drift: measure,
        avg_cycle_hours: measure,
        evaluations_count: count,
      }),
    ),
  })
  .meta({ id: 'SpecEntityAnalytics' })

export const IdeationEntity = z
  .object({
    ideation_id: Id,
    ref: Ref,
    title: z.string(),
    status: IdeationStatus,
    complexity: Complexity,
    scope_assessment: z.record(z.string(), z.unknown()).nullable(),
    refinement_count: count,
    spec_count: count,
    qa_count: count,
    created_at: Timestamp,
  })
  .meta({ id: 'IdeationEntityAnalytics' })

export const RefinementEntity = z
  .object({
    refinement_id: Id,
    ref: Ref,
    title: z.string(),
    description: Text,
    status: RefinementStatus,
    version: count,
    ideation_id: Id,
    in_scope: z.array(z.string()).nullable(),
    out_of_scope: z.array(z.string()).nullable(),
    analysis: Text,
    decisions: z.array(z.unknown()).nullable(),
    knowledge_base_count: count,
    derived_specs: z.array(z.object({ id: Id, ref: Ref, title: z.string(), status: SpecStatus })),
    ...dates,
  })
  .meta({ id: 'RefinementEntityAnalytics' })

export const CardEntity = z
  .object({
    card_id: Id,
    ref: Ref,
    title: z.string(),
    status: CardStatus,
    is_test: z.boolean(),
    card_type: CardType,
    spec_id: Id.nullable(),
    sprint_id: Id.nullable(),
    completeness: measure,
    drift: measure,
    conclusions: z.array(Conclusion),
    validations: z.array(TaskValidation),
    cycle_hours: measure,
    ...dates,
  })
  .meta({ id: 'CardEntityAnalytics' })

export const SprintEntity = z
  .object({
    sprint_id: Id,
    ref: Ref,
    title: z.string(),
    status: SprintStatus,
    spec_id: Id,
    spec_version: count,
    tasks_total: count,
    tasks_done: count,
    tasks_cancelled: count,
    tasks_in_progress: count,
    progress: share,
    avg_completeness: measure,
    avg_drift: measure,
    avg_cycle_hours: measure,
    cards: z.array(
      z.object({
        id: Id,
        ref: Ref,
        title: z.string(),
        status: CardStatus,
        card_type: CardType,
        completeness: measure,
        drift: measure,
        cycle_hours: measure,
      }),
    ),
    evaluations_total: count,
    evaluations_non_stale: count,
    approvals: count,
    avg_eval_score: measure,
    scoped_scenarios: z.array(ScenarioState),
    scenario_coverage: share,
    comparison: z.array(
      z.object({
        sprint_id: Id,
        ref: Ref,
        title: z.string(),
        status: SprintStatus,
        tasks_total: count,
        tasks_done: count,
        avg_completeness: measure,
        avg_drift: measure,
        is_current: z.boolean(),
      }),
    ),
    ...dates,
  })
  .meta({ id: 'SprintEntityAnalytics' })

export const EntityAnalytics = z.union([SpecEntity, IdeationEntity, RefinementEntity, CardEntity, SprintEntity])

export const AnalyticsOverview = z
  .object({
    total_ideations: count,
    ideations_done: count,
    total_specs: count,
    specs_done: count,
    specs_with_tests: count,
    total_sprints: count,
    spec_status_breakdown: SpecBreakdown,
    sprint_status_breakdown: SprintBreakdown,
    card_status_breakdown: CardBreakdown,
    total_business_rules: count,
    total_api_contracts: count,
    specs_with_rules: count,
    specs_with_contracts: count,
    total_cards_impl: count,
    total_cards_test: count,
    total_cards_bug: count,
    avg_completeness: measure,
    avg_drift: measure,
    avg_cycle_hours: measure,
    cycle_time: CycleTimes,
    spec_validation_gate: SpecGate,
    task_validation_gate: TaskGate,
    spec_evaluation: SpecEvaluations,
    sprint_evaluation: SprintEvaluations,
    funnel: z.object({
      ideations: count,
      refinements: count,
      specs: count,
      sprints: count,
      cards: count,
      tests: count,
      bugs: count,
      done: count,
    }),
    velocity: z.array(WeekBucket),
    boards: z.array(
      z.object({
        board_id: Id,
        board_name: z.string(),
        ideations: count,
        refinements: count,
        specs: count,
        sprints: count,
        cards: count,
        cards_done: count,
        bugs: count,
      }),
    ),
    total_bugs: count,
    bugs_open: count,
    bugs_done: count,
    bugs_by_severity: SeverityCounts,
    bug_rate_per_spec: z.array(
      z.object({ spec_id: Id, ref: Ref, spec_title: z.string(), total_tasks: count, bugs: count, rate: share }),
    ),
    avg_triage_hours: measure,
  })
  .meta({ id: 'AnalyticsOverview' })
