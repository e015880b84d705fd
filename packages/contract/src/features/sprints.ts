/** Sprints (planning 1). */
import { z } from 'zod'
import { list, manyIds } from '../limits.ts'
import { operation } from '../operation.ts'
import { always, byField, byTarget } from '../permission-rules.ts'
import { listMembers } from '../sent-items.ts'
import {
  ExpectedRev,
  historyEntry,
  Id,
  includeArchived,
  Labels,
  Moment,
  paging,
  paging50,
  Ref,
  Rev,
  Success,
  sent,
  Text,
  Through,
  Timestamp,
  Title,
} from '../shared.ts'
import { RecordProof } from './record-proof.ts'
import { ChangeCounts } from './repositories.ts'
import { SprintEvaluation, SprintEvaluationSubmit, SprintEvaluationSubmitted } from './sprint-evaluations.ts'
import { CardBrief, SprintStatus } from './summaries.ts'

const Ids = z.array(z.string())
const Scope = list(z.string()).nullable()
const Percent = z.int().min(0).max(100).nullable()

const texts = { description: Text, objective: Text, expected_outcome: Text }
const scope = { test_scenario_ids: Scope, business_rule_ids: Scope }
const dates = { start_date: Moment.nullable(), end_date: Moment.nullable() }

const gates = {
  skip_test_coverage: z.boolean(),
  skip_rules_coverage: z.boolean(),
  skip_qualitative_validation: z.boolean(),
  validation_threshold: Percent.describe('0-100'),
  require_task_validation: z.boolean().nullable(),
  validation_min_confidence: Percent,
  validation_min_completeness: Percent,
  validation_max_drift: Percent,
}

const summaryFields = {
  id: Id,
  ref: Ref,
  spec_id: Id,
  board_id: Id,
  title: z.string(),
  ...texts,
  status: SprintStatus,
  spec_version: z.int(),
  start_date: Timestamp.nullable(),
  end_date: Timestamp.nullable(),
  ...scope,
  version: z.int(),
  labels: Labels,
  cards_total: z.int(),
  cards_done: z.int(),
  created_by: Id,
  created_at: Timestamp,
  updated_at: Timestamp,
  archived: z.boolean(),
}

/** A sprint in a list (planning 1.2). */
export const SprintSummary = z.object(summaryFields).meta({ id: 'SprintSummary' })

/** A delivery slice of one spec (planning 1.3). */
export const Sprint = z
  .object({
    ...summaryFields,
    rev: Rev,
    evaluations: z.array(SprintEvaluation).nullable(),
    ...gates,
    pre_archive_status: z.string().nullable(),
    cards: z.array(CardBrief),
    qa_items: z.array(z.unknown()).length(0),
    changes: ChangeCounts.nullable().describe('its cards by change_state; null without changes'),
    proof: RecordProof.nullable().describe('null where nothing but claims exists'),
  })
  .meta({ id: 'Sprint' })

export const SprintCreate = z
  .object({
    title: Title,
    spec_id: Id.exactOptional(),
    ...sent(texts),
    ...sent(scope),
    ...sent(dates),
    labels: Labels.exactOptional(),
    card_ids: manyIds().exactOptional(),
  })
  .meta({ id: 'SprintCreate' })

export const SprintUpdate = z
  .object({
    ...sent({ title: Title, ...texts, ...scope, ...dates, labels: Labels, ...gates }),
    lists: listMembers.lists,
    expected_rev: ExpectedRev,
  })
  .meta({ id: 'SprintUpdate' })

export const SprintMove = z
  .object({ status: SprintStatus, through: Through, expected_rev: ExpectedRev })
  .meta({ id: 'SprintMove' })

/** Cards to assign or unassign; an empty list is 400, not 422. */
export const SprintTasks = z.object({ card_ids: manyIds().exactOptional() }).meta({ id: 'SprintTasks' })

export const SprintHistoryEntry = historyEntry('sprint_id', 'SprintHistoryEntry')

/** A suggested slice, ready to be the body of create_sprint. */
export const SprintSuggestion = z
  .object({
    title: z.string(),
    description: z.string(),
    card_ids: Ids,
    card_titles: z.array(z.string()),
    ...scope,
  })
  .meta({ id: 'SprintSuggestion' })

const params = { sprint_id: Id }
const specParams = { board_id: Id, spec_id: Id }
const status = z.string().optional()
const keywords = ['iteration', 'milestone', 'delivery slice']

const list_board_sprints = operation({
  name: 'list_board_sprints',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/sprints',
  permission: 'SPRINTS_READ',
  title: 'List board sprints',
  description: 'List the sprints of a board.',
  params: { board_id: Id },
  query: { status, spec_id: Id.optional(), ...includeArchived, ...paging },
  list: SprintSummary,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const create_sprint = operation({
  name: 'create_sprint',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/specs/{spec_id}/sprints',
  permission: 'SPRINTS_CREATE',
  title: 'Create sprint',
  description: 'Create a sprint of a spec, with its cards.',
  params: specParams,
  body: SprintCreate,
  response: Sprint,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'SPEC_NOT_READY'],
  asks: always('SPRINTS_CREATE', 'SPRINTS_WRITE_IN_DRAFT'),
  keywords,
})

const list_spec_sprints = operation({
  name: 'list_spec_sprints',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/specs/{spec_id}/sprints',
  permission: 'SPRINTS_READ',
  title: 'List spec sprints',
  description: 'List the sprints of a spec.',
  params: specParams,
  query: { status, ...includeArchived, ...paging },
  list: SprintSummary,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const get_sprint = operation({
  name: 'get_sprint',
  method: 'GET',
  path: '/api/v1/sprints/{sprint_id}',
  permission: 'SPRINTS_READ',
  title: 'Get sprint',
  description: 'Get a sprint with its cards and evaluations.',
  params,
  response: Sprint,
  parts: { cards: 'CARDS_READ', evaluations: 'SPRINTS_READ_EVALUATIONS' },
  errors: [],
  keywords,
})

const update_sprint = operation({
  name: 'update_sprint',
  method: 'PATCH',
  path: '/api/v1/sprints/{sprint_id}',
  permission: 'SPRINTS_UPDATE',
  title: 'Update sprint',
  description: 'Change fields of a sprint in any status.',
  params,
  body: SprintUpdate,
  response: Sprint,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  asks: byField('SPRINTS_UPDATE', {
    labels: 'SPRINTS_LABEL',
    ...(Object.fromEntries(Object.keys(gates).map(field => [field, 'SPRINTS_UPDATE_COVERAGE_FLAGS'])) as {
      [Field in keyof typeof gates]: 'SPRINTS_UPDATE_COVERAGE_FLAGS'
    }),
  }),
  writesIn: 'SPRINTS',
  keywords,
})

const move_sprint = operation({
  name: 'move_sprint',
  method: 'POST',
  path: '/api/v1/sprints/{sprint_id}/move',
  permission: 'SPRINTS_MOVE',
  title: 'Move sprint',
  description: 'Move a sprint. A blocked move lists what is missing.',
  params,
  body: SprintMove,
  aliases: { target_status: 'status' },
  response: Sprint,
  errors: [
    'VALIDATION_ERROR',
    'ARCHIVED',
    'INVALID_TRANSITION',
    'SPRINT_EMPTY',
    'COVERAGE_REQUIRED',
    'TEST_EVIDENCE_REQUIRED',
    'PROOF_REQUIRED',
    'EVALUATION_REJECTED',
    'EVALUATION_REQUIRED',
    'EVALUATION_BELOW_THRESHOLD',
  ],
  asks: byTarget('SPRINTS_MOVE'),
  writesIn: 'SPRINTS',
  keywords: [...keywords, 'start', 'close', 'finish'],
})

const delete_sprint = operation({
  name: 'delete_sprint',
  method: 'DELETE',
  path: '/api/v1/sprints/{sprint_id}',
  permission: 'SPRINTS_DELETE',
  title: 'Delete sprint',
  description: 'Delete a sprint; its cards stay.',
  params,
  confirm: true,
  errors: [],
  writesIn: 'SPRINTS',
  keywords,
})

const submit_sprint_evaluation = operation({
  name: 'submit_sprint_evaluation',
  method: 'POST',
  path: '/api/v1/sprints/{sprint_id}/evaluations',
  permission: 'SPRINTS_EVALUATE',
  title: 'Evaluate sprint',
  description: 'Submit your verdict on a sprint in review.',
  params,
  body: SprintEvaluationSubmit,
  response: SprintEvaluationSubmitted,
  status: 201,
  errors: ['ARCHIVED', 'INVALID_STATE', 'REVIEWER_NOT_SEPARATE'],
  writesIn: 'SPRINTS',
  openIn: ['review'],
  keywords: [...keywords, 'approve', 'sign off', 'review'],
})

const assign_sprint_tasks = operation({
  name: 'assign_sprint_tasks',
  method: 'POST',
  path: '/api/v1/sprints/{sprint_id}/assign-tasks',
  permission: 'SPRINTS_ASSIGN',
  title: 'Assign sprint tasks',
  description: 'Put cards of the spec into a sprint, all or none.',
  params,
  body: SprintTasks,
  bodyOptional: true,
  response: z.object({ success: Success, assigned: z.int(), card_ids: Ids }),
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'INVALID_STATE'],
  writesIn: 'SPRINTS',
  effect: 'repeatable',
  keywords,
})

const unassign_sprint_tasks = operation({
  name: 'unassign_sprint_tasks',
  method: 'POST',
  path: '/api/v1/sprints/{sprint_id}/unassign-tasks',
  permission: 'SPRINTS_ASSIGN',
  title: 'Unassign sprint tasks',
  description: 'Take cards out of a sprint.',
  params,
  body: SprintTasks,
  bodyOptional: true,
  response: z.object({ success: Success, unassigned: z.int(), card_ids: Ids, not_in_sprint: Ids }),
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  writesIn: 'SPRINTS',
  effect: 'repeatable',
  keywords,
})

const list_sprint_history = operation({
  name: 'list_sprint_history',
  method: 'GET',
  path: '/api/v1/sprints/{sprint_id}/history',
  permission: 'SPRINTS_READ',
  title: 'List sprint history',
  description: 'List what happened to a sprint.',
  params,
  query: paging50,
  list: SprintHistoryEntry,
  errors: [],
  asks: always('SPRINTS_READ_HISTORY', 'SPRINTS_READ'),
  keywords,
})

const suggest_sprints = operation({
  name: 'suggest_sprints',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/specs/{spec_id}/sprints/suggest',
  permission: 'SPRINTS_READ',
  reads: 'board',
  title: 'Suggest sprints',
  description: 'Propose sprints for the open cards of a spec.',
  params: specParams,
  query: {
    threshold: z.int().min(1).max(100).default(8).describe('most cards per sprint, 1-100'),
    unassigned_only: z.boolean().default(false),
  },
  response: z.object({ suggestions: z.array(SprintSuggestion), count: z.int() }),
  errors: [],
  keywords: [...keywords, 'plan', 'slice'],
})

export const sprints = {
  list_board_sprints,
  create_sprint,
  list_spec_sprints,
  get_sprint,
  update_sprint,
  move_sprint,
  delete_sprint,
  submit_sprint_evaluation,
  assign_sprint_tasks,
  unassign_sprint_tasks,
  list_sprint_history,
  suggest_sprints,
} as const
