/** Ideations (contract: ideation). */
import { z } from 'zod'
import { knowledgeSummaryFields } from './knowledge.ts'
import { byField, byTarget, operation } from './operation.ts'
import { questionFields } from './questions.ts'
import {
  ArchitectureDesignSummary,
  Assignee,
  FreeObject,
  Id,
  includeArchived,
  Labels,
  paging,
  ScreenMockup,
  Text,
  Timestamp,
  Title,
} from './shared.ts'
import { IdeationStatus, RefinementSummary, SpecSummary } from './summaries.ts'

const stored = {
  id: Id,
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
  screen_mockups: z.array(ScreenMockup).nullable().exactOptional(),
}

export const IdeationQuestion = z.object({ ...questionFields, ideation_id: Id }).meta({ id: 'IdeationQuestion' })

export const Ideation = z
  .object({
    ...stored,
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
  .object({ ...stored, architecture_designs: z.array(ArchitectureDesignSummary) })
  .meta({ id: 'IdeationListItem' })

export const IdeationCreate = z.object({ title: Title, ...writable }).meta({ id: 'IdeationCreate' })

export const IdeationUpdate = z
  .object({ title: Title.nullable().exactOptional(), ...writable })
  .meta({ id: 'IdeationUpdate' })

export const IdeationMove = z.object({ status: IdeationStatus }).meta({ id: 'IdeationMove' })

const params = { ideation_id: Id }
const keywords = ['epic', 'idea', 'feature request']

const create_ideation = operation({
  name: 'create_ideation',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/ideations',
  permission: 'IDEATIONS_CREATE',
  title: 'Create ideation',
  description: 'Create an ideation in draft: an idea that becomes specs.',
  params: { board_id: Id },
  body: IdeationCreate,
  response: Ideation,
  status: 201,
  errors: ['VALIDATION_ERROR'],
  asks: () => ['IDEATIONS_CREATE', 'IDEATIONS_WRITE_IN_DRAFT'],
  keywords,
})

const list_ideations = operation({
  name: 'list_ideations',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/ideations',
  permission: 'IDEATIONS_READ',
  title: 'List ideations',
  description: 'List the ideations of a board, last changed first.',
  params: { board_id: Id },
  query: { status: z.string().optional().describe('one status; all when absent'), ...includeArchived, ...paging },
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
  description: 'Get an ideation with its questions, refinements, specs and designs.',
  params,
  response: Ideation,
  errors: [],
  keywords,
})

const update_ideation = operation({
  name: 'update_ideation',
  method: 'PATCH',
  path: '/api/v1/ideations/{ideation_id}',
  permission: 'IDEATIONS_UPDATE',
  title: 'Update ideation',
  description: 'Change fields of an ideation in draft. In another status it is locked.',
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
  description: 'Move an ideation to a status. A refused move lists the allowed ones.',
  params,
  body: IdeationMove,
  aliases: { target_status: 'status' },
  response: Ideation,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'INVALID_TRANSITION'],
  asks: byTarget('IDEATIONS_MOVE'),
  writesIn: 'IDEATIONS',
  keywords: [...keywords, 'approve', 'sign off'],
})

export const ideations = { create_ideation, list_ideations, get_ideation, update_ideation, move_ideation } as const
