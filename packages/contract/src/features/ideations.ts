/** Ideations (ideation). */
import { z } from 'zod'
import { list } from '../limits.ts'
import { operation } from '../operation.ts'
import { always, byField, byTarget } from '../permission-rules.ts'
import { listMembers } from '../sent-items.ts'
import {
  ArchitectureDesignSummary,
  Assignee,
  ExpectedRev,
  FreeObject,
  historyEntry,
  Id,
  includeArchived,
  Labels,
  paging,
  paging50,
  Ref,
  Rev,
  ScreenMockup,
  SentMockup,
  Text,
  Through,
  Timestamp,
  Title,
} from '../shared.ts'
import { shownAs } from '../tool-hints.ts'
import { knowledgeSummaryFields } from './knowledge.ts'
import { SpecDerive } from './propagation.ts'
import { asking, QuestionAnswer, QuestionAsk, QuestionSnapshot, questionFields } from './questions.ts'
import { Spec } from './specs.ts'
import { IdeationStatus, openQuestions, RefinementSummary, SpecSummary } from './summaries.ts'

const stored = {
  id: Id,
  ref: Ref,
  board_id: Id,
  title: z.string(),
  description: Text,
  problem_statement: Text,
  proposed_approach: Text,
  scope_assessment: FreeObject.nullable(),
  complexity: z.enum(['small', 'medium', 'large']).nullable(),
  status: IdeationStatus,
  version: z.int(),
  assignee_id: Assignee,
  created_by: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  labels: Labels,
  archived: z.boolean(),
  pre_archive_status: z.string().nullable(),
}

const writable = {
  description: Text.exactOptional(),
  problem_statement: Text.exactOptional(),
  proposed_approach: Text.exactOptional(),
  scope_assessment: FreeObject.nullable().exactOptional().describe('domains, ambiguity, dependencies: 1-5'),
  complexity: z.string().nullable().exactOptional().describe('small, medium or large'),
  assignee_id: Assignee.exactOptional(),
  labels: Labels.exactOptional(),
  screen_mockups: list(ScreenMockup).nullable().exactOptional(),
}

export const IdeationQuestion = z.object({ ...questionFields, ideation_id: Id }).meta({ id: 'IdeationQuestion' })

export const Ideation = z
  .object({
    ...stored,
    rev: Rev,
    screen_mockups: z.array(ScreenMockup).nullable(),
    architecture_designs: z.array(ArchitectureDesignSummary),
    knowledge_bases: z.array(
      z.object({ ...knowledgeSummaryFields, ideation_id: Id }).meta({ id: 'IdeationKnowledgeSummary' }),
    ),
    qa_items: z.array(IdeationQuestion),
    refinements: z.array(RefinementSummary),
    specs: z.array(SpecSummary),
  })
  .meta({ id: 'Ideation' })

export const IdeationListItem = z
  .object({ ...stored, architecture_designs: z.array(ArchitectureDesignSummary), ...openQuestions })
  .meta({ id: 'IdeationListItem' })

export const IdeationCreate = z.object({ title: Title, ...writable }).meta({ id: 'IdeationCreate' })

const SentMockups = shownAs(list(SentMockup).nullable().exactOptional(), 'create_ideation')

export const IdeationUpdate = z
  .object({
    title: Title.nullable().exactOptional(),
    ...writable,
    screen_mockups: SentMockups,
    ...listMembers,
    expected_rev: ExpectedRev,
  })
  .meta({ id: 'IdeationUpdate' })

export const IdeationMove = z
  .object({ status: IdeationStatus, through: Through, expected_rev: ExpectedRev })
  .meta({ id: 'IdeationMove' })

const Score = z
  .union([z.int(), z.string().regex(/^\d+$/)])
  .nullable()
  .default(null)
  .describe('1-5')

const Justification = z.string().nullable().default(null)

export const IdeationEvaluate = z
  .object({
    domains: Score,
    ambiguity: Score,
    dependencies: Score,
    domains_justification: Justification,
    ambiguity_justification: Justification,
    dependencies_justification: Justification,
  })
  .meta({ id: 'IdeationEvaluate' })

const snapshotSummary = {
  id: Id,
  version: z.int(),
  title: z.string(),
  complexity: z.string().nullable(),
  created_by: z.string(),
  created_at: Timestamp,
}

export const IdeationSnapshotSummary = z.object(snapshotSummary).meta({ id: 'IdeationSnapshotSummary' })

export const IdeationSnapshot = z
  .object({
    ...snapshotSummary,
    ideation_id: Id,
    description: Text,
    problem_statement: Text,
    proposed_approach: Text,
    scope_assessment: FreeObject.nullable(),
    labels: Labels,
    qa_snapshot: QuestionSnapshot,
  })
  .meta({ id: 'IdeationSnapshot' })

export const IdeationHistoryEntry = historyEntry('ideation_id', 'IdeationHistoryEntry')

const params = { ideation_id: Id }
const questionParams = { ideation_id: Id, qa_id: Id }
const keywords = ['epic', 'idea', 'feature request']

const create_ideation = operation({
  name: 'create_ideation',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/ideations',
  permission: 'IDEATIONS_CREATE',
  title: 'Create ideation',
  description: 'Create an ideation: an idea that becomes specs.',
  aside: ['scope_assessment', 'complexity', 'screen_mockups'],
  params: { board_id: Id },
  body: IdeationCreate,
  response: Ideation,
  status: 201,
  errors: ['VALIDATION_ERROR'],
  asks: always('IDEATIONS_CREATE', 'IDEATIONS_WRITE_IN_DRAFT'),
  keywords,
})

const list_ideations = operation({
  name: 'list_ideations',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/ideations',
  permission: 'IDEATIONS_READ',
  title: 'List ideations',
  description: 'List the ideations of a board.',
  params: { board_id: Id },
  query: { status: z.string().optional(), ...includeArchived, ...paging },
  list: IdeationListItem,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const get_ideation = operation({
  name: 'get_ideation',
  method: 'GET',
  path: '/api/v1/ideations/{ideation_id}',
  permission: 'IDEATIONS_READ',
  title: 'Get ideation',
  description: 'Get an ideation with everything on it.',
  params,
  response: Ideation,
  parts: {
    architecture_designs: 'ARCHITECTURE_READ',
    qa_items: 'QA_READ',
    refinements: 'REFINEMENTS_READ',
    specs: 'SPECS_READ',
  },
  errors: [],
  keywords,
})

const update_ideation = operation({
  name: 'update_ideation',
  method: 'PATCH',
  path: '/api/v1/ideations/{ideation_id}',
  permission: 'IDEATIONS_UPDATE',
  title: 'Update ideation',
  description: 'Change fields of an ideation in draft.',
  aside: ['scope_assessment', 'complexity', 'screen_mockups', 'lists', 'allow_removal'],
  params,
  body: IdeationUpdate,
  response: Ideation,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'IDEATION_LOCKED'],
  asks: byField('IDEATIONS_UPDATE', {
    assignee_id: 'IDEATIONS_ASSIGN',
    labels: 'IDEATIONS_LABEL',
    screen_mockups: 'IDEATIONS_UPDATE_MOCKUPS',
  }),
  writesIn: 'IDEATIONS',
  keywords,
})

const move_ideation = operation({
  name: 'move_ideation',
  method: 'POST',
  path: '/api/v1/ideations/{ideation_id}/move',
  permission: 'IDEATIONS_MOVE',
  title: 'Move ideation',
  description: 'Move an ideation. A refused move lists the allowed ones.',
  aside: ['expected_rev'],
  params,
  body: IdeationMove,
  aliases: { target_status: 'status' },
  response: Ideation,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'INVALID_TRANSITION'],
  asks: byTarget('IDEATIONS_MOVE'),
  writesIn: 'IDEATIONS',
  keywords: [...keywords, 'approve', 'sign off'],
})

const delete_ideation = operation({
  name: 'delete_ideation',
  method: 'DELETE',
  path: '/api/v1/ideations/{ideation_id}',
  permission: 'IDEATIONS_DELETE',
  title: 'Delete ideation',
  description: 'Delete an ideation with its refinements; specs stay.',
  params,
  confirm: true,
  errors: [],
  writesIn: 'IDEATIONS',
  keywords,
})

const evaluate_ideation = operation({
  name: 'evaluate_ideation',
  method: 'POST',
  path: '/api/v1/ideations/{ideation_id}/evaluate',
  permission: 'IDEATIONS_EVALUATE',
  title: 'Evaluate ideation',
  description: 'Score the scope of an ideation; the highest score gives its complexity: 1 small, 2 medium, 3 large.',
  params,
  body: IdeationEvaluate,
  bodyOptional: true,
  response: Ideation,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'EVALUATION_NOT_OPEN'],
  writesIn: 'IDEATIONS',
  openIn: ['evaluating'],
  keywords: [...keywords, 'complexity', 'estimate'],
})

const derive_spec_from_ideation = operation({
  name: 'derive_spec_from_ideation',
  method: 'POST',
  path: '/api/v1/ideations/{ideation_id}/derive-spec',
  permission: 'SPECS_CREATE',
  title: 'Derive spec from ideation',
  description: 'Create a spec from a small, done ideation.',
  aside: ['mockup_ids', 'kb_ids', 'architecture_design_ids', 'architecture_propagation_mode'],
  params,
  body: SpecDerive,
  bodyOptional: true,
  response: Spec,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'IDEATION_NOT_DONE', 'REFINEMENT_REQUIRED'],
  asks: always('SPECS_CREATE', 'SPECS_WRITE_IN_DRAFT'),
  keywords: [...keywords, 'specification', 'promote'],
})

const list_ideation_snapshots = operation({
  name: 'list_ideation_snapshots',
  method: 'GET',
  path: '/api/v1/ideations/{ideation_id}/snapshots',
  permission: 'IDEATIONS_READ',
  title: 'List ideation snapshots',
  description: 'List the finished versions of an ideation.',
  params,
  query: paging,
  list: IdeationSnapshotSummary,
  errors: [],
  asks: always('IDEATIONS_READ_HISTORY', 'IDEATIONS_READ'),
  keywords: ['versions'],
})

const get_ideation_snapshot = operation({
  name: 'get_ideation_snapshot',
  method: 'GET',
  path: '/api/v1/ideations/{ideation_id}/snapshots/{version}',
  permission: 'IDEATIONS_READ',
  title: 'Get ideation snapshot',
  description: 'Get an ideation as it was in a finished version.',
  params: { ideation_id: Id, version: z.int() },
  response: IdeationSnapshot,
  errors: [],
  asks: always('IDEATIONS_READ_HISTORY', 'IDEATIONS_READ'),
  keywords: ['version'],
})

const list_ideation_history = operation({
  name: 'list_ideation_history',
  method: 'GET',
  path: '/api/v1/ideations/{ideation_id}/history',
  permission: 'IDEATIONS_READ',
  title: 'List ideation history',
  description: 'List the changes of an ideation.',
  params,
  query: paging50,
  list: IdeationHistoryEntry,
  errors: [],
  asks: always('IDEATIONS_READ_HISTORY', 'IDEATIONS_READ'),
  keywords: ['audit trail', 'changelog'],
})

const list_ideation_questions = operation({
  name: 'list_ideation_questions',
  method: 'GET',
  path: '/api/v1/ideations/{ideation_id}/qa',
  permission: 'QA_READ',
  title: 'List ideation questions',
  description: 'List the questions of an ideation.',
  params,
  query: paging,
  list: IdeationQuestion,
  errors: [],
  asks: always('QA_READ', 'IDEATIONS_READ'),
  keywords: ['clarification'],
})

const ask_ideation_question = operation({
  name: 'ask_ideation_question',
  method: 'POST',
  path: '/api/v1/ideations/{ideation_id}/qa',
  permission: 'QA_CREATE',
  title: 'Ask ideation question',
  description: 'Ask a question about an ideation.',
  params,
  body: QuestionAsk,
  response: IdeationQuestion,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  asks: asking('IDEATIONS_READ'),
  keywords: ['clarification'],
})

const answer_ideation_question = operation({
  name: 'answer_ideation_question',
  method: 'POST',
  path: '/api/v1/ideations/{ideation_id}/qa/{qa_id}/answer',
  permission: 'QA_ANSWER',
  title: 'Answer ideation question',
  description: 'Answer a question of an ideation.',
  params: questionParams,
  body: QuestionAnswer,
  response: IdeationQuestion,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  asks: always('QA_ANSWER_IDEATIONS', 'IDEATIONS_READ'),
  keywords: ['clarification', 'reply'],
})

const delete_ideation_question = operation({
  name: 'delete_ideation_question',
  method: 'DELETE',
  path: '/api/v1/ideations/{ideation_id}/qa/{qa_id}',
  permission: 'QA_DELETE',
  title: 'Delete ideation question',
  description: 'Delete a question of an ideation.',
  params: questionParams,
  errors: ['ARCHIVED'],
  asks: always('QA_DELETE', 'IDEATIONS_READ'),
  keywords: ['clarification'],
})

export const ideations = {
  create_ideation,
  list_ideations,
  get_ideation,
  update_ideation,
  move_ideation,
  delete_ideation,
  evaluate_ideation,
  derive_spec_from_ideation,
  list_ideation_snapshots,
  get_ideation_snapshot,
  list_ideation_history,
  list_ideation_questions,
  ask_ideation_question,
  answer_ideation_question,
  delete_ideation_question,
} as const
