import {
  ApiContract,
  ArchitectureDiagram,
  ArchitectureEntity,
  ArchitectureInterface,
  BoardSettings,
  BugSeverity,
  BusinessRule,
  CardPriority,
  CardStatus,
  CardType,
  Check,
  Choice,
  Comment,
  CommentChoice,
  CommentType,
  Conclusion,
  DiagramPayload,
  EventEntity,
  IdeationStatus,
  PathPatterns,
  QuestionType,
  RefinementStatus,
  ResolvedThresholds,
  SpecDecision,
  SpecStatus,
  SpecValidationRecord,
  SprintStatus,
  StoredCheckpoint,
  StoredSpecEvaluation,
  StoredSprintEvaluation,
  TechnicalRequirement,
  TestScenario,
  ValidationEvidence,
  ValidationOutcome,
  ValidationRecommendation,
} from '@specboard/contract'
import { z } from 'zod'
import {
  author,
  column,
  flag,
  json,
  judgements,
  labels,
  lateFlag,
  lateText,
  mockupList,
  mockups,
  namedAuthor,
  naming,
  namingBy,
  namingOrNull,
  nullableAuthor,
  nullableFlag,
  oneOf,
  texts,
  titled,
} from './columns.ts'
import { doneTier, proofRun, scenarioResult, testReport, waiver } from './evidence.ts'
import { change, changeAuthor, changeLink, repository } from './git.ts'
import type { Kind } from './kind.ts'

export { type Kind, type RecordType, recordTypes } from './kind.ts'

const {
  id,
  nullableId,
  text,
  nullableText,
  whole,
  nullableWhole,
  count,
  ordinal,
  part,
  rev,
  attempts,
  attemptLimit,
  nullableRev,
  time,
  nullableTime,
} = column

const object = z.record(z.string(), z.unknown())
const ownerType = oneOf(z.enum(['ideation', 'refinement', 'spec', 'card']))
const list = <Item extends z.ZodType>(item: Item) => z.array(item)

const planning = (status: z.ZodType) =>
  ({
    id,
    number: ordinal,
    title: titled,
    description: nullableText,
    status: oneOf(status),
    version: count,
    rev,
    assignee_id: nullableText,
    labels,
    screen_mockups: json(mockupList.nullable(), mockups),
    archived: flag,
    pre_archive_status: nullableText,
  }) as const

const archiving = ['archived', 'pre_archive_status'] as const

const authored = { created_by: author, created_at: time, updated_at: time } as const

const thresholds = {
  validation_threshold: nullableWhole,
  require_task_validation: nullableFlag,
  validation_min_confidence: nullableWhole,
  validation_min_completeness: nullableWhole,
  validation_max_drift: nullableWhole,
} as const

const evaluators = { authorsIn: ['evaluator_id'], namesInside: true } as const
const links = { namesInside: true } as const
const linkedCards = { idsIn: ['linked_task_ids'], namesInside: true } as const

/** Verdicts without their staleness, which follows from other changes. */
const withoutStale = (evaluations: unknown): unknown =>
  (evaluations as object[]).map(evaluation => ({ ...evaluation, stale: null }))

/** Diagrams without payload references, which differ from board to board. */
const withoutPayloadRefs = (diagrams: unknown): unknown =>
  (diagrams as object[]).map(diagram => ({ ...diagram, adapter_payload_ref: null }))

/** A diagram without its payload, as stored. */
const Diagram = ArchitectureDiagram.omit({ adapter_payload: true })

export const board: Kind = {
  type: 'board',
  table: 'boards',
  columns: {
    id,
    key: oneOf(z.string().regex(/^[A-Z][A-Z0-9]{1,9}$/)),
    name: oneOf(z.string().min(1).max(255)),
    description: text,
    settings: json(BoardSettings.partial()),
    last_number: count,
    created_at: time,
    updated_at: time,
  },
}

export const guideline: Kind = {
  type: 'guideline',
  table: 'guidelines',
  columns: {
    id,
    title: titled,
    content: text,
    tags: json(texts.nullable()),
    scope: oneOf(z.enum(['global', 'inline'])),
    owner_id: author,
    version: count,
    rev,
    priority: whole,
    created_at: time,
    updated_at: time,
  },
}

const ideation: Kind = {
  type: 'ideation',
  table: 'ideations',
  together: [archiving],
  columns: {
    ...planning(IdeationStatus),
    problem_statement: nullableText,
    proposed_approach: nullableText,
    scope_assessment: json(object.nullable()),
    complexity: oneOf(z.enum(['small', 'medium', 'large']).nullable()),
    ...authored,
  },
}

const refinement: Kind = {
  type: 'refinement',
  table: 'refinements',
  together: [archiving],
  columns: {
    ...planning(RefinementStatus),
    ideation_id: naming('ideation'),
    in_scope: json(texts.nullable()),
    out_of_scope: json(texts.nullable()),
    analysis: nullableText,
    decisions: json(texts.nullable()),
    ...authored,
  },
}

const spec: Kind = {
  type: 'spec',
  table: 'specs',
  together: [archiving],
  columns: {
    ...planning(SpecStatus),
    ideation_id: namingOrNull('ideation'),
    refinement_id: namingOrNull('refinement'),
    context: nullableText,
    functional_requirements: json(texts.nullable()),
    technical_requirements: json(list(z.union([z.string(), TechnicalRequirement])).nullable(), linkedCards),
    acceptance_criteria: json(texts.nullable()),
    test_scenarios: json(list(TestScenario).nullable(), linkedCards),
    business_rules: json(list(BusinessRule).nullable(), linkedCards),
    api_contracts: json(list(ApiContract).nullable(), linkedCards),
    decisions: json(list(SpecDecision).nullable(), linkedCards),
    skip_test_coverage: flag,
    skip_rules_coverage: flag,
    skip_trs_coverage: flag,
    skip_contract_coverage: flag,
    skip_decisions_coverage: flag,
    skip_qualitative_validation: flag,
    ...thresholds,
    evaluations: {
      ...judgements(list(StoredSpecEvaluation), { ...evaluators, idsIn: ['id', 'spec_id'] }),
      compared: withoutStale,
    },
    changed_since_validated: json(texts.nullable()),
    removed_item_numbers: json(z.record(z.string(), z.array(ordinal.schema)).nullable().optional()),
    standing: lateFlag,
    ...authored,
  },
}

const sprint: Kind = {
  type: 'sprint',
  table: 'sprints',
  together: [archiving],
  columns: {
    id,
    number: ordinal,
    spec_id: naming('spec'),
    title: titled,
    description: nullableText,
    objective: nullableText,
    expected_outcome: nullableText,
    status: oneOf(SprintStatus),
    spec_version: whole,
    start_date: nullableText,
    end_date: nullableText,
    test_scenario_ids: json(texts.nullable()),
    business_rule_ids: json(texts.nullable()),
    version: count,
    rev,
    labels,
    evaluations: judgements(list(StoredSprintEvaluation).nullable(), { ...evaluators, idsIn: ['id', 'superseded_by'] }),
    skip_test_coverage: flag,
    skip_rules_coverage: flag,
    skip_qualitative_validation: flag,
    ...thresholds,
    archived: flag,
    pre_archive_status: nullableText,
    ...authored,
  },
}

const card: Kind = {
  type: 'card',
  table: 'cards',
  together: [archiving, ['spec_id', 'sprint_id', 'test_scenario_ids']],
  columns: {
    id,
    number: ordinal,
    spec_id: namingOrNull('spec'),
    sprint_id: namingOrNull('sprint'),
    title: titled,
    description: nullableText,
    details: nullableText,
    card_type: oneOf(CardType),
    status: oneOf(CardStatus),
    priority: oneOf(CardPriority),
    position: count,
    assignee_id: nullableText,
    due_date: nullableTime,
    labels,
    test_scenario_ids: json(texts),
    screen_mockups: json(mockupList, mockups),
    origin_task_id: { ...nullableId, namesInside: true },
    severity: oneOf(BugSeverity.nullable()),
    expected_behavior: nullableText,
    observed_behavior: nullableText,
    steps_to_reproduce: nullableText,
    action_plan: nullableText,
    regression_test: lateText,
    planned_check: { ...json(Check.nullable().optional()), absent: null },
    paths: { ...json(PathPatterns.optional()), absent: [] },
    linked_test_task_ids: json(texts, { idsIn: 'whole', namesInside: true }),
    rev,
    conclusions: judgements(list(Conclusion), {
      authorsIn: ['author_id'],
      idsIn: ['validation_id'],
      namesInside: true,
    }),
    imported: lateFlag,
    failed_attempts: attempts,
    lost_attempts: attempts,
    attempt_limit: attemptLimit,
    checkpoint: { ...json(StoredCheckpoint.nullable().optional(), { authorsIn: ['agent_id'] }), absent: null },
    moved_at: time,
    moved_by: author,
    archived: flag,
    pre_archive_status: nullableText,
    ...authored,
  },
}

const question: Kind = {
  type: 'question',
  table: 'questions',
  together: [['answer', 'selected', 'answered_by', 'answered_at']],
  columns: {
    id,
    number: part,
    owner_type: ownerType,
    owner_id: namingBy('owner_type'),
    question: text,
    question_type: oneOf(QuestionType),
    choices: json(list(Choice).nullable()),
    allow_free_text: flag,
    answer: nullableText,
    selected: json(texts.nullable()),
    asked_by: author,
    answered_by: nullableAuthor,
    created_at: time,
    answered_at: nullableTime,
  },
}

/**
 * Knowledge of cards is stored in the card; `source` is its own, the other `source_…` are those of planning records.
 */
export const knowledge: Kind = {
  type: 'knowledge',
  table: 'knowledge',
  columns: {
    id,
    number: part,
    owner_type: ownerType,
    owner_id: namingBy('owner_type'),
    title: titled,
    description: nullableText,
    content: text,
    mime_type: text,
    source: nullableText,
    source_type: nullableText,
    source_id: { ...nullableId, namesInside: true },
    source_title: nullableText,
    source_version: nullableWhole,
    source_kb_id: { ...nullableId, namesInside: true },
    ...authored,
  },
}

const comment: Kind = {
  type: 'comment',
  table: 'comments',
  columns: {
    id,
    number: part,
    card_id: naming('card'),
    content: text,
    author_id: author,
    comment_type: oneOf(CommentType),
    choices: json(list(CommentChoice).nullable()),
    responses: json(Comment.shape.responses, { authorsIn: ['responder_id'] }),
    allow_free_text: flag,
    created_at: time,
    updated_at: time,
  },
}

/** The name of a stored file: no folder, no hidden file. */
const storedName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/)

const attachment: Kind = {
  type: 'attachment',
  table: 'attachments',
  columns: {
    id,
    number: part,
    card_id: naming('card'),
    filename: oneOf(storedName),
    original_filename: oneOf(z.string().min(1).max(255)),
    mime_type: oneOf(z.string().max(100)),
    size: oneOf(z.int().min(0)),
    sha256: oneOf(z.string().regex(/^[0-9a-f]{64}$/)),
    uploaded_by: author,
    created_at: time,
  },
}

/** The parts of a design are contained in its line, in `versions`, `payloads` and `former_payloads`. */
export const architecture: Kind = {
  type: 'architecture',
  table: 'architecture_designs',
  // Interfaces reference entities, and diagrams reference both.
  together: [['entities', 'interfaces', 'diagrams']],
  columns: {
    id,
    number: part,
    parent_type: ownerType,
    parent_id: namingBy('parent_type'),
    title: titled,
    global_description: text,
    entities: json(list(ArchitectureEntity)),
    interfaces: json(list(ArchitectureInterface)),
    diagrams: { ...json(list(Diagram), { idsIn: ['adapter_payload_ref'] }), compared: withoutPayloadRefs },
    version: count,
    rev,
    source_ref: { ...nullableText, namesInside: true },
    source_version: nullableWhole,
    source_design_id: { ...nullableText, namesInside: true },
    stale: flag,
    breaking_change_flag: flag,
    requires_arch_review: flag,
    ...authored,
  },
}

export const architectureVersion: Kind['columns'] = {
  id,
  version: count,
  content: json(object, links),
  change_summary: text,
  created_by: author,
  created_at: time,
}

export const architecturePayload: Kind['columns'] = { id, diagram_id: text, content: json(DiagramPayload) }

/** The content of a diagram in a former version, which references it by its hash. */
export const architectureFormerPayload: Kind['columns'] = {
  diagram_id: text,
  content_hash: text,
  content: json(DiagramPayload),
}

const snapshot: Kind = {
  type: 'snapshot',
  table: 'snapshots',
  columns: {
    id,
    owner_type: ownerType,
    owner_id: namingBy('owner_type'),
    version: count,
    content: json(object, { authorsIn: ['author_id', 'asked_by', 'answered_by'] }),
    created_by: author,
    created_at: time,
  },
}

const scored = (name: string) => ({ [name]: nullableWhole, [`${name}_justification`]: nullableText })

const specValidation: Kind = {
  type: 'spec_validation',
  table: 'spec_validations',
  columns: {
    id,
    number: part,
    spec_id: naming('spec'),
    reviewer_id: namedAuthor,
    reviewer_name: text,
    completeness: whole,
    completeness_justification: text,
    assertiveness: whole,
    assertiveness_justification: text,
    ambiguity: whole,
    ambiguity_justification: text,
    general_justification: text,
    recommendation: oneOf(SpecValidationRecord.shape.recommendation),
    outcome: oneOf(SpecValidationRecord.shape.outcome),
    threshold_violations: json(texts),
    resolved_thresholds: json(SpecValidationRecord.shape.resolved_thresholds),
    created_at: time,
  },
}

const taskValidation: Kind = {
  type: 'task_validation',
  table: 'task_validations',
  columns: {
    id,
    number: part,
    card_id: naming('card'),
    outcome: oneOf(ValidationOutcome),
    recommendation: oneOf(ValidationRecommendation),
    reviewer_id: namedAuthor,
    reviewer_name: text,
    submitted_by: author,
    summary: text,
    evidence: json(list(ValidationEvidence)),
    ...scored('confidence'),
    ...scored('completeness'),
    ...scored('drift'),
    threshold_violations: json(texts),
    resolved_thresholds: json(ResolvedThresholds.nullable()),
    created_at: time,
  },
}

const dependency: Kind = {
  type: 'dependency',
  table: 'card_dependencies',
  columns: { id, card_id: naming('card'), depends_on_id: naming('card'), created_at: time },
}

const savedSearch: Kind = {
  type: 'saved_search',
  table: 'saved_searches',
  together: [['query', 'intent_id', 'filters_json']],
  columns: {
    id,
    name: oneOf(z.string().min(1).max(200)),
    query: nullableText,
    intent_id: nullableText,
    filters_json: json(object.nullable(), links),
    created_by: author,
    created_at: time,
  },
}

/**
 * What agents did to the derived graph: a node is identified by its kind and the record and item that it stands for.
 */
export const graphAction: Kind = {
  type: 'graph_action',
  table: 'graph_actions',
  columns: {
    id,
    action: oneOf(z.enum(['boost', 'undo'])),
    node_type: nullableText,
    record_ref: { ...text, idsIn: 'reference' },
    actor_id: author,
    created_at: time,
  },
}

/** The part of an entry of the event log that is in the history of its record. */
export const history: Kind = {
  type: 'history',
  table: 'events',
  columns: {
    id,
    sequence: ordinal,
    entity_type: oneOf(z.enum(['ideation', 'refinement', 'spec', 'sprint'])),
    entity_id: { ...column.id, namesInside: true },
    action: text,
    changes: json(z.array(z.looseObject({ field: z.string() })).nullable(), links),
    summary: nullableText,
    version: nullableWhole,
    rev: nullableRev,
    actor_id: author,
    actor_name: text,
    created_at: time,
  },
}

/** An event log entry, without the part in the history of its record. */
export const event: Kind['columns'] = {
  id,
  sequence: ordinal,
  entity_type: oneOf(EventEntity),
  entity_id: { ...column.id, namesInside: true },
  action: nullableText,
  card_id: { ...nullableId, namesInside: true },
  actor_id: author,
  actor_name: text,
  details: json(object.nullable(), links),
  changes: json(z.array(z.looseObject({ field: z.string() })).nullable(), links),
  domain: json(z.array(z.looseObject({ name: z.string() })).nullable(), links),
  rev: nullableRev,
  created_at: time,
}

/** The name of a board's record in the file of another tool that it came from. */
export const externalId: Kind = {
  type: 'external_id',
  table: 'external_ids',
  columns: {
    source: oneOf(z.string().refine(source => source !== 'specboard', 'ids of this source are not in archives')),
    external_id: text,
    entity_type: oneOf(z.enum(['guideline', 'ideation', 'spec', 'card', 'knowledge', 'comment', 'dependency'])),
    entity_id: { ...column.id, namesInside: true },
    imported: json(z.record(z.string(), z.string())),
    created_at: time,
  },
}

/** The kinds whose records are rows of one table each, in the order of an archive. */
const kinds: readonly Kind[] = [
  board,
  guideline,
  ideation,
  refinement,
  spec,
  sprint,
  card,
  question,
  knowledge,
  comment,
  attachment,
  architecture,
  snapshot,
  specValidation,
  taskValidation,
  dependency,
  savedSearch,
  graphAction,
  history,
  externalId,
  repository,
  change,
  changeLink,
  changeAuthor,
  testReport,
  proofRun,
  scenarioResult,
  waiver,
  doneTier,
]

export const kindOf: ReadonlyMap<string, Kind> = new Map(kinds.map(kind => [kind.type, kind]))
