/**
 * The meaning of every figure of the analytics: its formula in words, and the tables that it is measured from.
 * docs/analytics.md is generated from this file. The compiler rejects a field without a formula.
 */
import type { analyticsShapes as shapes } from '@specboard/contract'
import type { z } from 'zod'

/** One formula for each field of an answer. */
type Formulas<Schema extends z.ZodType> = { readonly [Field in keyof z.output<Schema>]: string }

/** A group of figures: the answer of an operation, or an aggregate that several answers contain. */
export interface Metrics {
  /** The operation, or the name of the aggregate. */
  readonly name: string
  /** One sentence. */
  readonly about: string
  /** The tables that it is measured from. */
  readonly sources: readonly string[]
  readonly formulas: Readonly<Record<string, string>>
}

const metrics = <Schema extends z.ZodType>(
  name: string,
  about: string,
  sources: readonly string[],
  formulas: Formulas<Schema>,
): Metrics => ({ name, about, sources, formulas })

const submissions = {
  total_submitted: 'number of records',
  total_success: 'records with outcome `success`',
  total_failed: 'records with outcome `failed`',
  success_rate: 'total_success / total_submitted, in percent',
} as const

const verdicts = {
  total_submitted: 'number of evaluations, stale ones too',
  total_approve: 'evaluations that recommend `approve`',
  total_reject: 'evaluations that recommend `reject`',
  approve_rate: 'total_approve / total_submitted, in percent',
  avg_overall_score: 'mean of `overall_score`',
  avg_dimension_scores: 'by dimension: mean of its number, or of its `score`',
} as const

const reasons = 'failed records: one for each violation of a threshold, one for a rejection'

/** The aggregates that several answers contain. */
export const aggregates: readonly Metrics[] = [
  metrics<typeof shapes.TaskGate>(
    'Task gate',
    'All task validations of a set of cards, active or not.',
    ['task_validations'],
    {
      ...submissions,
      avg_attempts_per_card: 'mean number of records over the cards that have any, two decimals',
      first_pass_rate: 'cards whose oldest record is a success / cards with a record, in percent',
      avg_scores: 'means of confidence, completeness and drift over the records that score them',
      rejection_reasons: reasons,
      cards_with_validation: 'cards with a record',
    },
  ),
  metrics<typeof shapes.SpecGate>('Spec gate', 'All validations of a set of specs.', ['spec_validations'], {
    ...submissions,
    avg_attempts_per_spec: 'mean number of records over the specs that have any, two decimals',
    avg_scores: 'means of completeness, assertiveness and ambiguity',
    rejection_reasons: reasons,
    specs_with_validation: 'specs with a record',
  }),
  metrics<typeof shapes.SprintEvaluations>('Sprint evaluation', 'The evaluations of a set of sprints.', ['sprints'], {
    ...verdicts,
    sprints_with_evaluation: 'sprints with an evaluation',
  }),
  metrics<typeof shapes.SpecEvaluations>('Spec evaluation', 'The evaluations of a set of specs.', ['specs'], {
    ...verdicts,
    total_request_changes: 'evaluations that recommend `request_changes`',
    specs_with_evaluation: 'specs with an evaluation',
  }),
  metrics<typeof shapes.CoverageSummary>(
    'Coverage summary',
    'How the items of one spec are covered. A link counts when its card is neither archived nor cancelled; a percentage of 0 items is 100.',
    ['specs', 'cards'],
    {
      ac_total: 'acceptance criteria',
      ac_covered: 'criteria in `linked_criteria` of a scenario',
      ac_uncovered_indices: 'indexes of the other criteria',
      ac_coverage_pct: 'ac_covered / ac_total, in percent',
      fr_total: 'functional requirements',
      fr_covered: 'requirements in `linked_requirements` of a business rule',
      fr_uncovered_indices: 'indexes of the other requirements',
      fr_coverage_pct: 'fr_covered / fr_total, in percent',
      scenarios_total: 'test scenarios',
      scenarios_linked: 'scenarios with a linked card',
      scenario_task_linkage_pct: 'scenarios_linked / scenarios_total, in percent',
      brs_total: 'business rules',
      brs_linked: 'rules with a linked card',
      br_task_linkage_pct: 'brs_linked / brs_total, in percent',
      contracts_total: 'API contracts',
      contracts_linked: 'contracts with a linked card',
      contract_task_linkage_pct: 'contracts_linked / contracts_total, in percent',
      trs_total: 'technical requirements in object form',
      trs_linked: 'technical requirements in object form with a linked card',
      tr_task_linkage_pct: 'trs_linked / trs_total, in percent',
      decisions_total: 'decisions with status `active`',
      decisions_linked: 'active decisions with a linked card',
      decisions_coverage_pct: 'decisions_linked / decisions_total, in percent',
      decisions_uncovered_ids: 'ids of the other active decisions',
      skip_test_coverage: 'flag of the spec',
      skip_rules_coverage: 'flag of the spec',
      skip_decisions_coverage: 'flag of the spec',
    },
  ),
]

const bugs = {
  bugs_open: 'bugs neither done nor cancelled',
  bugs_by_severity: 'bugs by severity',
} as const

const breakdowns = {
  spec_status_breakdown: 'specs by status',
  sprint_status_breakdown: 'sprints by status',
  card_status_breakdown: 'cards by status',
} as const

const chain = ['ideations', 'refinements', 'specs', 'sprints', 'cards', 'events'] as const

/** The answers of the operations. */
export const answers: readonly Metrics[] = [
  metrics<typeof shapes.VelocityAnalytics>(
    'get_velocity_analytics',
    'What was completed within a window of weeks (from Monday, UTC) or days.',
    ['cards', 'task_validations', 'sprints', 'events'],
    {
      board_id: 'the board',
      from_date: 'first day of the window: the given start, else the first day of the first bucket',
      to_date: 'last day of the window: the given end, else today',
      sprints:
        'sprints active, in review or closed, created by the end of the window and not closed before its start, nor before an import',
      completed_cards: 'cards done here whose completion is in the window',
      average_cycle_time_hours: 'mean cycle hours of those cards; 0 if there are none',
      trend:
        '`up` when the second half of the window has more than 1.1 times the completions of the first, `down` when less than 0.9 times',
      granularity: '`week` or `day`, as requested',
      buckets:
        'completed cards by type, failed task validations, moves of specs to `done` and of sprints to `closed`, by period',
    },
  ),
  metrics<typeof shapes.AgentAnalytics>(
    'get_agent_analytics',
    'One row for each agent that created a card, reviewed, or brought changes in, the most active first.',
    ['cards', 'task_validations', 'spec_validations', 'events', 'changes', 'agents'],
    {
      actor_id: 'the agent',
      actor_name: 'its name; for a deleted agent the first 20 characters of its id',
      kind: 'what it is: person, agent, ci or service',
      total_cards: 'cards that it created here, by no import',
      done_cards: 'done cards among total_cards',
      avg_completeness: 'mean completeness reported by the last conclusions of done_cards',
      avg_drift: 'mean drift reported by the last conclusions of done_cards',
      task_validations_submitted: 'task validations with this reviewer',
      task_validation_success_rate: 'successes among them, in percent',
      spec_validations_submitted: 'spec validations with this reviewer',
      spec_validation_success_rate: 'successes among them, in percent',
      first_pass_acceptance:
        'cards of total_cards whose oldest validation is a success / those with a validation, in percent',
      first_pass_acceptance_rate: 'the same',
      worked_cards: 'cards that it claimed for work, moved forward, or wrote a conclusion on, whoever created them',
      claimed_cards: 'those that it claimed for work',
      moved_cards: 'those that it moved forward itself',
      concluded_cards: 'those that it wrote a conclusion on',
      worked_done_cards: 'cards done here among worked_cards',
      rework_rate: 'worked_cards with a failed validation / worked_cards with a validation, in percent',
      cycle_hours: 'mean cycle hours of worked_done_cards',
      commits: 'commits whose author it is; null without CHANGES_READ',
      merged_pull_requests: 'pull requests of its own that were merged',
      hours_to_merge: 'mean hours from the first move of a linked card to started to the merge of its pull requests',
    },
  ),
  metrics<typeof shapes.BlockersAnalytics>(
    'get_blockers_analytics',
    'What holds work up, with evidence. A card may have blockers of several types.',
    ['cards', 'card_dependencies', 'specs', 'spec_validations'],
    {
      board_id: 'the board',
      summary: 'blockers by type, before paging',
      total: 'blockers, before paging',
      stale_hours_threshold: 'hours without a change after which started work is stale',
      filter_type: 'the requested type, or null',
      blockers:
        'open dependencies of open cards; cards on hold; started cards unchanged for too long; approved specs without a successful validation; validated or started specs without cards; scenarios that no test card covers',
    },
  ),
  metrics<typeof shapes.FunnelAnalytics>('get_funnel_analytics', 'The board from idea to done.', chain, {
    ideations: 'ideations',
    refinements: 'refinements',
    specs: 'specs',
    sprints: 'sprints',
    cards: 'cards',
    done: 'cards done',
    ideations_done: 'ideations done',
    refinements_done: 'refinements done',
    specs_done: 'specs done',
    cards_impl: 'cards of type `normal`',
    cards_test: 'cards of type `test`',
    cards_bug: 'cards of type `bug`',
    rules_count: 'business rules of the specs',
    contracts_count: 'API contracts of the specs',
    specs_with_rules: 'specs with a business rule',
    specs_with_contracts: 'specs with an API contract',
    specs_with_tests: 'specs with a test scenario',
    bugs_total: 'bugs',
    ...bugs,
    ...breakdowns,
    avg_cycle_hours: 'mean cycle hours of cards done here',
    cycle_time_by_phase: 'mean cycle hours of ended records, by kind',
  }),
  metrics<typeof shapes.QualityAnalytics>(
    'get_quality_analytics',
    'What executors reported on their done cards, and what reviewers found.',
    ['cards', 'task_validations'],
    {
      conclusion_reported: 'completeness and drift of the last conclusion',
      validation_reported: 'scores of the latest successful validation, else of the latest one',
    },
  ),
  metrics<typeof shapes.FlowAnalytics>(
    'get_flow_analytics',
    'How many cards of a board, spec or sprint had each status over time; the last period agrees with the breakdown of today.',
    ['cards', 'events', 'external_ids'],
    {
      board_id: 'the board',
      from_date: 'first day of the window, as for get_velocity_analytics',
      to_date: 'its last day, likewise',
      granularity: '`week` or `day`, as requested',
      buckets:
        'cards by status at the end of each period, or of the window; a card counts from its creation, an imported one from its import, in the status that it came with',
    },
  ),
  metrics<typeof shapes.CycleTimeAnalytics>(
    'get_cycle_time_analytics',
    'How long the cards took that were done here, of a board, spec or sprint.',
    ['cards', 'events', 'external_ids'],
    {
      board_id: 'the board',
      from_date: 'first day of the window: the 12 weeks of get_velocity_analytics, or the range',
      to_date: 'its last day, likewise',
      completed_cards: 'cards done here whose completion is in the window, as for get_velocity_analytics',
      average_hours: 'mean cycle hours of these cards',
      percentiles: 'the cycle hours that 50, 85 and 95 % of these cards did not exceed: always those of one of them',
      cards: 'these cards, the latest completion first, each with its cycle hours',
    },
  ),
  metrics<typeof shapes.CoverageAnalytics>(
    'get_coverage_analytics',
    'One row per spec, oldest first.',
    ['specs', 'cards'],
    {
      spec_id: 'the spec',
      ref: 'its reference',
      title: 'its title',
      total_ac: 'acceptance criteria',
      covered_ac: 'criteria that a scenario refers to',
      total_scenarios: 'test scenarios',
      scenario_status_counts: 'scenarios by status; statuses that do not occur are left out',
      business_rules_count: 'business rules',
      api_contracts_count: 'API contracts',
      fr_with_rules_pct: 'requirements that a rule refers to / requirements, in percent; 0 if there are none',
      fr_with_contracts_pct: 'requirements that a contract refers to / requirements, in percent; 0 if there are none',
      ac_coverage_pct: 'as in the coverage summary',
      fr_coverage_pct: 'as in the coverage summary',
      decisions_coverage_pct: 'as in the coverage summary',
      decisions_total: 'as in the coverage summary',
      tr_task_linkage_pct: 'as in the coverage summary',
      trs_total: 'as in the coverage summary',
    },
  ),
  metrics<typeof shapes.ValidationAnalytics>(
    'get_validation_analytics',
    'How specs and cards pass their gates.',
    ['specs', 'spec_validations', 'cards', 'task_validations', 'sprints'],
    {
      spec_validation_gate:
        'spec gate of the specs; `per_spec`: attempts, last scores and reasons, most failures first',
      task_validation_gate:
        'task gate of the cards; `per_card`: attempts, last scores and reasons, most failures first',
      spec_evaluation: 'spec evaluation of the specs',
      sprint_evaluation: 'sprint evaluation of the sprints',
      by_kind:
        'who submitted the validations of each, and moved the cards to `done`: how many by each kind, and by a present person',
    },
  ),
  metrics<typeof shapes.SprintsAnalytics>(
    'get_sprints_analytics',
    'The sprints of a board, those with most cards first.',
    ['sprints', 'cards', 'task_validations'],
    {
      summary: 'sprints by status, the mean of their completion rates, sprint evaluation',
      sprints:
        'cards, done cards and their percentage; means of the last conclusions, else of the validations; the last evaluation; task gate',
    },
  ),
  metrics<typeof shapes.SpecAnalytics>(
    'get_spec_analytics',
    'One spec.',
    ['specs', 'spec_validations', 'cards', 'task_validations'],
    {
      spec_id: 'the spec',
      ref: 'its reference',
      title: 'its title',
      status: 'its status',
      version: 'its version',
      gate_status: 'its current validation, whether it is locked, and how often it was submitted',
      validation_timeline: 'its validations, oldest first, each with the reasons for its failure',
      task_validation_summary: 'task gate of its cards',
      spec_evaluation: 'spec evaluation of this spec alone',
      coverage_summary: 'its coverage summary',
      cards_summary: 'its cards by status and by type',
    },
  ),
  metrics<typeof shapes.SprintAnalytics>(
    'get_sprint_analytics',
    'One sprint.',
    ['sprints', 'cards', 'task_validations'],
    {
      sprint_id: 'the sprint',
      ref: 'its reference',
      title: 'its title',
      status: 'its status',
      spec_id: 'its spec',
      kanban_distribution: 'its cards by status',
      cards_summary: 'its cards, the done ones and their percentage (0 if there are none), by type',
      task_validation_gate: 'task gate of its cards',
      evaluation_timeline: 'its evaluations in order of submission',
      velocity: 'weeks from its start to its end or now; without a start, the last four',
    },
  ),
  metrics<typeof shapes.SprintProgress>(
    'get_sprint_progress',
    'How a sprint is going: its scope and finished cards by day, its capacity, and what may not get finished.',
    ['sprints', 'cards', 'events', 'external_ids', 'card_dependencies', 'claims', 'task_validations'],
    {
      sprint_id: 'the sprint',
      ref: 'its reference',
      title: 'its title',
      status: 'its status',
      start_date: 'its planned start',
      end_date: 'its planned end',
      days: 'from its start, or else its creation, to its closing or now, at most the latest 180: `scope` its cards that were not cancelled, `done` those of them done by then and still done',
      capacity:
        '`planned` its cards that are not cancelled, `remaining` those not done; `delivered` the last three sprints of the board that were closed here, each with its cards done here; `average` their mean',
      at_risk:
        'its open cards that wait for others, are on hold, are started and older than the cycle time of 85 % of the cards done here within 90 days (if at least 5 were), failed two or more validations, or are neither started nor claimed in its last quarter, at least its last two days; those with most reasons first; none once it is closed or cancelled',
    },
  ),
  metrics<typeof shapes.EntityList>(
    'list_entity_analytics',
    'The records of one type, newest first, each with counts of what belongs to it.',
    ['ideations', 'refinements', 'specs', 'sprints', 'cards'],
    {
      total: 'matching records, before paging',
      offset: 'as requested',
      limit: 'as requested',
      items: 'the records; counts leave out archived records',
    },
  ),
  metrics<typeof shapes.AnalyticsOverview>(
    'get_analytics_overview',
    'All boards that the caller can see.',
    [...chain, 'task_validations', 'spec_validations', 'boards'],
    {
      total_ideations: 'ideations',
      ideations_done: 'ideations done',
      total_specs: 'specs',
      specs_done: 'specs done',
      specs_with_tests: 'specs with a test scenario',
      total_sprints: 'sprints',
      ...breakdowns,
      total_business_rules: 'business rules of the specs',
      total_api_contracts: 'API contracts of the specs',
      specs_with_rules: 'specs with a business rule',
      specs_with_contracts: 'specs with an API contract',
      total_cards_impl: 'cards of type `normal`',
      total_cards_test: 'cards of type `test`',
      total_cards_bug: 'cards of type `bug`',
      avg_completeness: 'mean completeness reported by last conclusions; if none reports it, by validations',
      avg_drift: 'mean drift, likewise',
      avg_cycle_hours: 'mean cycle hours of cards done here',
      cycle_time: 'mean cycle hours of ended records, by kind',
      spec_validation_gate: 'spec gate of the specs',
      task_validation_gate: 'task gate of the normal and bug cards',
      spec_evaluation: 'spec evaluation of the specs',
      sprint_evaluation: 'sprint evaluation of the sprints',
      funnel: 'records of each kind, tests, bugs and cards done',
      velocity: 'the last 12 weeks',
      boards: 'the counts of each board, oldest first',
      total_bugs: 'bugs',
      ...bugs,
      bugs_done: 'bugs done',
      bug_rate_per_spec: 'specs with a bug: bugs / cards, in percent, highest first',
      avg_triage_hours: 'mean hours from a bug to its earliest linked test card that no import brought',
    },
  ),
]

/** Words that the formulas use. */
export const definitions: Readonly<Record<string, string>> = {
  Population:
    'Records of the board that are not archived; with a time range, those created within it, both ends inclusive.',
  Rounding:
    'Percentages (0-100), scores and hours have one decimal, rounded half up; mean attempts have two. A mean or rate of nothing is null unless the formula says otherwise.',
  Completion:
    'The latest move of a record into its final status (`done`; for sprints `closed`); for a record created in that status, its creation. Later edits do not change it.',
  'Imported work':
    'What an import brought counts among the records of the board, in statuses, completion rates and coverage, but in no figure of work: a record that was imported in its final status has no completion, and conclusions, validations, evaluations and moves from the file count nowhere. A card that was imported open and done here counts. The timelines of specs and sprints mark what was imported.',
  'Cycle hours': 'Completion minus creation in hours, for records that are now in their final status.',
  'Last conclusion':
    'The last execution report on a card that no import brought; it gives the self-reported completeness and drift.',
}
