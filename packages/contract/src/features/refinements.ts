/** Refinements (ideation). */
import { z } from 'zod'
import { inForm } from '../forms.ts'
import { list } from '../limits.ts'
import { operation } from '../operation.ts'
import { always, byField, byTarget } from '../permission-rules.ts'
import { listMembers } from '../sent-items.ts'
import {
  ArchitectureDesignSummary,
  Assignee,
  ExpectedRev,
  historyEntry,
  Id,
  includeArchived,
  Labels,
  paging,
  paging50,
  Rev,
  ScreenMockup,
  SentMockup,
  Text,
  Through,
  Timestamp,
  Title,
} from '../shared.ts'
import { shownAs } from '../tool-hints.ts'
import { KnowledgeCreate, knowledgeFields, knowledgeSummaryFields } from './knowledge.ts'
import { propagationFilters, SpecDerive } from './propagation.ts'
import { asking, QuestionAnswer, QuestionAsk, QuestionSnapshot, questionFields } from './questions.ts'
import { Spec } from './specs.ts'
import { RefinementStatus, RefinementSummary, SpecSummary } from './summaries.ts'

const Lines = list(z.string()).nullable()

/** What a refinement covers; at least one entry must not be blank. */
const Scope = list(z.string())
  .min(1)
  .refine(entries => entries.length === 0 || entries.some(entry => entry.trim() !== ''), {
    ...inForm('not_blank'),
    error: 'must hold an entry that is not blank',
  })
  .nullable()

const writable = {
  description: Text.exactOptional(),
  in_scope: Scope.exactOptional().describe('needed for review'),
  out_of_scope: Lines.exactOptional(),
  analysis: Text.exactOptional(),
  decisions: Lines.exactOptional(),
  assignee_id: Assignee.exactOptional(),
  labels: Labels.exactOptional(),
  screen_mockups: list(ScreenMockup).nullable().exactOptional(),
}

export const RefinementQuestion = z.object({ ...questionFields, refinement_id: Id }).meta({ id: 'RefinementQuestion' })

export const RefinementKnowledge = z
  .object({ ...knowledgeFields, refinement_id: Id })
  .meta({ id: 'RefinementKnowledge' })

export const RefinementKnowledgeSummary = z
  .object({ ...knowledgeSummaryFields, refinement_id: Id })
  .meta({ id: 'RefinementKnowledgeSummary' })

export const Refinement = z
  .object({
    ...RefinementSummary.shape,
    rev: Rev,
    in_scope: Lines,
    out_of_scope: Lines,
    analysis: Text,
    decisions: Lines,
    screen_mockups: z.array(ScreenMockup).nullable(),
    architecture_designs: z.array(ArchitectureDesignSummary),
    knowledge_bases: z.array(RefinementKnowledgeSummary),
    qa_items: z.array(RefinementQuestion),
    specs: z.array(SpecSummary),
  })
  .meta({ id: 'Refinement' })

export const RefinementCreate = z
  .object({
    title: Title,
    ...writable,
    ideation_id: Id.nullable().exactOptional().describe('same as in the path'),
    ...propagationFilters,
  })
  .meta({ id: 'RefinementCreate' })

const SentMockups = shownAs(list(SentMockup).nullable().exactOptional(), 'create_ideation')

export const RefinementUpdate = z
  .object({
    title: Title.nullable().exactOptional(),
    ...writable,
    screen_mockups: SentMockups,
    ...listMembers,
    expected_rev: ExpectedRev,
  })
  .meta({ id: 'RefinementUpdate' })

export const RefinementMove = z
  .object({ status: RefinementStatus, through: Through, expected_rev: ExpectedRev })
  .meta({ id: 'RefinementMove' })

const snapshotSummary = {
  id: Id,
  version: z.int(),
  title: z.string(),
  created_by: z.string(),
  created_at: Timestamp,
}

export const RefinementSnapshotSummary = z.object(snapshotSummary).meta({ id: 'RefinementSnapshotSummary' })

export const RefinementSnapshot = z
  .object({
    ...snapshotSummary,
    refinement_id: Id,
    description: Text,
    in_scope: Lines,
    out_of_scope: Lines,
    analysis: Text,
    decisions: Lines,
    labels: Labels,
    qa_snapshot: QuestionSnapshot,
  })
  .meta({ id: 'RefinementSnapshot' })

export const RefinementHistoryEntry = historyEntry('refinement_id', 'RefinementHistoryEntry')

const params = { refinement_id: Id }
const questionParams = { refinement_id: Id, qa_id: Id }
const keywords = ['story', 'scope', 'analysis']

const create_refinement = operation({
  name: 'create_refinement',
  method: 'POST',
  path: '/api/v1/ideations/{ideation_id}/refinements',
  permission: 'REFINEMENTS_CREATE',
  title: 'Create refinement',
  description: 'Refine a done ideation.',
  aside: ['screen_mockups'],
  params: { ideation_id: Id },
  body: RefinementCreate,
  response: Refinement,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'IDEATION_NOT_DONE'],
  asks: always('REFINEMENTS_CREATE', 'REFINEMENTS_WRITE_IN_DRAFT'),
  keywords,
})

const list_refinements = operation({
  name: 'list_refinements',
  method: 'GET',
  path: '/api/v1/ideations/{ideation_id}/refinements',
  permission: 'REFINEMENTS_READ',
  title: 'List refinements',
  description: 'List the refinements of an ideation.',
  params: { ideation_id: Id },
  query: { status: z.string().optional(), ...includeArchived, ...paging },
  list: RefinementSummary,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const get_refinement = operation({
  name: 'get_refinement',
  method: 'GET',
  path: '/api/v1/refinements/{refinement_id}',
  permission: 'REFINEMENTS_READ',
  title: 'Get refinement',
  description: 'Get a refinement with everything on it.',
  params,
  response: Refinement,
  parts: {
    architecture_designs: 'ARCHITECTURE_READ',
    knowledge_bases: 'KNOWLEDGE_READ',
    qa_items: 'QA_READ',
    specs: 'SPECS_READ',
  },
  errors: [],
  keywords,
})

const update_refinement = operation({
  name: 'update_refinement',
  method: 'PATCH',
  path: '/api/v1/refinements/{refinement_id}',
  permission: 'REFINEMENTS_UPDATE',
  title: 'Update refinement',
  description: 'Change fields of a refinement in draft.',
  aside: ['screen_mockups', 'lists', 'allow_removal'],
  params,
  body: RefinementUpdate,
  response: Refinement,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'REFINEMENT_LOCKED'],
  asks: byField('REFINEMENTS_UPDATE', {
    assignee_id: 'REFINEMENTS_ASSIGN',
    labels: 'REFINEMENTS_LABEL',
    screen_mockups: 'REFINEMENTS_UPDATE_MOCKUPS',
  }),
  writesIn: 'REFINEMENTS',
  keywords,
})

const move_refinement = operation({
  name: 'move_refinement',
  method: 'POST',
  path: '/api/v1/refinements/{refinement_id}/move',
  permission: 'REFINEMENTS_MOVE',
  title: 'Move refinement',
  description: 'Move a refinement. A refused move lists the allowed ones.',
  params,
  body: RefinementMove,
  aliases: { target_status: 'status' },
  response: Refinement,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'INVALID_TRANSITION', 'SCOPE_REQUIRED'],
  asks: byTarget('REFINEMENTS_MOVE'),
  writesIn: 'REFINEMENTS',
  keywords: [...keywords, 'approve', 'sign off'],
})

const delete_refinement = operation({
  name: 'delete_refinement',
  method: 'DELETE',
  path: '/api/v1/refinements/{refinement_id}',
  permission: 'REFINEMENTS_DELETE',
  title: 'Delete refinement',
  description: 'Delete a refinement with its parts. Its specs stay.',
  params,
  confirm: true,
  errors: [],
  writesIn: 'REFINEMENTS',
  keywords,
})

const derive_spec_from_refinement = operation({
  name: 'derive_spec_from_refinement',
  method: 'POST',
  path: '/api/v1/refinements/{refinement_id}/derive-spec',
  permission: 'SPECS_CREATE',
  title: 'Derive spec from refinement',
  description: 'Create a spec from a done refinement.',
  aside: ['mockup_ids', 'kb_ids', 'architecture_design_ids', 'architecture_propagation_mode'],
  params,
  body: SpecDerive,
  bodyOptional: true,
  response: Spec,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'REFINEMENT_NOT_DONE'],
  asks: always('SPECS_CREATE', 'SPECS_WRITE_IN_DRAFT'),
  keywords: [...keywords, 'specification', 'promote'],
})

const list_refinement_history = operation({
  name: 'list_refinement_history',
  method: 'GET',
  path: '/api/v1/refinements/{refinement_id}/history',
  permission: 'REFINEMENTS_READ',
  title: 'List refinement history',
  description: 'List the changes of a refinement.',
  params,
  query: paging50,
  list: RefinementHistoryEntry,
  errors: [],
  asks: always('REFINEMENTS_READ_HISTORY', 'REFINEMENTS_READ'),
  keywords: ['audit trail', 'changelog'],
})

const list_refinement_questions = operation({
  name: 'list_refinement_questions',
  method: 'GET',
  path: '/api/v1/refinements/{refinement_id}/qa',
  permission: 'QA_READ',
  title: 'List refinement questions',
  description: 'List the questions of a refinement.',
  params,
  query: paging,
  list: RefinementQuestion,
  errors: [],
  asks: always('QA_READ', 'REFINEMENTS_READ'),
  keywords: ['clarification'],
})

const ask_refinement_question = operation({
  name: 'ask_refinement_question',
  method: 'POST',
  path: '/api/v1/refinements/{refinement_id}/qa',
  permission: 'QA_CREATE',
  title: 'Ask refinement question',
  description: 'Ask a question about a refinement.',
  params,
  body: QuestionAsk,
  response: RefinementQuestion,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  asks: asking('REFINEMENTS_READ'),
  keywords: ['clarification'],
})

const answer_refinement_question = operation({
  name: 'answer_refinement_question',
  method: 'POST',
  path: '/api/v1/refinements/{refinement_id}/qa/{qa_id}/answer',
  permission: 'QA_ANSWER',
  title: 'Answer refinement question',
  description: 'Answer a question of a refinement.',
  params: questionParams,
  body: QuestionAnswer,
  response: RefinementQuestion,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  asks: always('QA_ANSWER_REFINEMENTS', 'REFINEMENTS_READ'),
  keywords: ['clarification', 'reply'],
})

const delete_refinement_question = operation({
  name: 'delete_refinement_question',
  method: 'DELETE',
  path: '/api/v1/refinements/{refinement_id}/qa/{qa_id}',
  permission: 'QA_DELETE',
  title: 'Delete refinement question',
  description: 'Delete a question of a refinement.',
  params: questionParams,
  errors: ['ARCHIVED'],
  asks: always('QA_DELETE', 'REFINEMENTS_READ'),
  keywords: ['clarification'],
})

const list_refinement_snapshots = operation({
  name: 'list_refinement_snapshots',
  method: 'GET',
  path: '/api/v1/refinements/{refinement_id}/snapshots',
  permission: 'REFINEMENTS_READ',
  title: 'List refinement snapshots',
  description: 'List the finished versions of a refinement.',
  params,
  query: paging,
  list: RefinementSnapshotSummary,
  errors: [],
  asks: always('REFINEMENTS_READ_HISTORY', 'REFINEMENTS_READ'),
  keywords: ['versions'],
})

const get_refinement_snapshot = operation({
  name: 'get_refinement_snapshot',
  method: 'GET',
  path: '/api/v1/refinements/{refinement_id}/snapshots/{version}',
  permission: 'REFINEMENTS_READ',
  title: 'Get refinement snapshot',
  description: 'Get a refinement as it was in a finished version.',
  params: { refinement_id: Id, version: z.int() },
  response: RefinementSnapshot,
  errors: [],
  asks: always('REFINEMENTS_READ_HISTORY', 'REFINEMENTS_READ'),
  keywords: ['version'],
})

const list_refinement_knowledge = operation({
  name: 'list_refinement_knowledge',
  method: 'GET',
  path: '/api/v1/refinements/{refinement_id}/knowledge',
  permission: 'KNOWLEDGE_READ',
  title: 'List refinement knowledge',
  description: 'List the knowledge of a refinement.',
  params,
  query: paging,
  list: RefinementKnowledgeSummary,
  errors: [],
  asks: always('KNOWLEDGE_READ', 'REFINEMENTS_READ'),
  keywords: ['documents', 'context'],
})

const get_refinement_knowledge = operation({
  name: 'get_refinement_knowledge',
  method: 'GET',
  path: '/api/v1/refinements/{refinement_id}/knowledge/{knowledge_id}',
  permission: 'KNOWLEDGE_READ',
  title: 'Get refinement knowledge',
  description: 'Get a knowledge item of a refinement.',
  params: { refinement_id: Id, knowledge_id: Id },
  response: RefinementKnowledge,
  errors: [],
  asks: always('KNOWLEDGE_READ', 'REFINEMENTS_READ'),
  keywords: ['document', 'context'],
})

const create_refinement_knowledge = operation({
  name: 'create_refinement_knowledge',
  method: 'POST',
  path: '/api/v1/refinements/{refinement_id}/knowledge',
  permission: 'KNOWLEDGE_CREATE',
  title: 'Create refinement knowledge',
  description: 'Add a knowledge item to a refinement.',
  params,
  body: KnowledgeCreate,
  response: RefinementKnowledge,
  status: 201,
  errors: ['ARCHIVED'],
  asks: always('KNOWLEDGE_CREATE', 'REFINEMENTS_READ'),
  writesIn: 'REFINEMENTS',
  keywords: ['document', 'context'],
})

const delete_refinement_knowledge = operation({
  name: 'delete_refinement_knowledge',
  method: 'DELETE',
  path: '/api/v1/refinements/{refinement_id}/knowledge/{knowledge_id}',
  permission: 'KNOWLEDGE_DELETE',
  title: 'Delete refinement knowledge',
  description: 'Delete a knowledge item of a refinement.',
  params: { refinement_id: Id, knowledge_id: Id },
  errors: ['ARCHIVED'],
  asks: always('KNOWLEDGE_DELETE', 'REFINEMENTS_READ'),
  writesIn: 'REFINEMENTS',
  keywords: ['document', 'context'],
})

export const refinements = {
  create_refinement,
  list_refinements,
  get_refinement,
  update_refinement,
  move_refinement,
  delete_refinement,
  derive_spec_from_refinement,
  list_refinement_history,
  list_refinement_questions,
  ask_refinement_question,
  answer_refinement_question,
  delete_refinement_question,
  list_refinement_snapshots,
  get_refinement_snapshot,
  list_refinement_knowledge,
  get_refinement_knowledge,
  create_refinement_knowledge,
  delete_refinement_knowledge,
} as const
