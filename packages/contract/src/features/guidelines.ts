/** Guidelines (planning 2). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import { listMembers } from '../sent-items.ts'
import { ExpectedRev, Id, Labels, paging, Rev, Timestamp, Title } from '../shared.ts'

const GuidelineScope = z.enum(['global', 'inline'])
const Content = z.string().min(1)
const Priority = z.int().min(-1_000_000).max(1_000_000)

export const Guideline = z
  .object({
    id: Id,
    title: z.string(),
    content: z.string(),
    tags: Labels,
    scope: GuidelineScope,
    board_id: Id.nullable(),
    owner_id: Id,
    version: z.int(),
    rev: Rev,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Guideline' })

/** A guideline in force on a board, with its priority there. */
export const BoardGuideline = z
  .object({ id: Id, guideline: Guideline, priority: z.int(), scope: GuidelineScope })
  .meta({ id: 'BoardGuideline' })

export const GuidelineCreate = z
  .object({
    title: Title,
    content: Content,
    tags: Labels.default(null),
    scope: z.string().default('global').describe('global or inline'),
    board_id: Id.nullable().default(null).describe('needed for inline'),
  })
  .meta({ id: 'GuidelineCreate' })

/** Null means "not supplied"; `[]` clears the tags. */
export const GuidelineUpdate = z
  .object({
    title: Title.nullable().exactOptional(),
    content: Content.nullable().exactOptional(),
    tags: Labels.exactOptional(),
    lists: listMembers.lists,
    expected_rev: ExpectedRev,
  })
  .meta({ id: 'GuidelineUpdate' })

export const BoardGuidelineAdd = z
  .object({
    guideline_id: Id.nullable().default(null).describe('links it; else send title and content'),
    title: Title.nullable().default(null),
    content: Content.nullable().default(null),
    tags: Labels.default(null),
    priority: Priority.default(0).describe('ascending; -1000000-1000000'),
  })
  .refine(({ guideline_id, title, content }) => guideline_id !== null || (title !== null && content !== null), {
    error: 'Send guideline_id to link a guideline, or title and content to write one for this board.',
  })
  .meta({ id: 'BoardGuidelineAdd' })

export const BoardGuidelineAdded = z
  .object({ id: Id, board_id: Id, guideline_id: Id, priority: z.int(), scope: GuidelineScope })
  .meta({ id: 'BoardGuidelineAdded' })

export const BoardGuidelineUpdate = z
  .object({ priority: Priority.describe('ascending; -1000000-1000000') })
  .meta({ id: 'BoardGuidelineUpdate' })

const tag = z.string().optional()
const keywords = ['rules', 'conventions', 'standards', 'instructions']

const list_guidelines = operation({
  name: 'list_guidelines',
  method: 'GET',
  path: '/api/v1/guidelines',
  permission: 'GUIDELINES_READ',
  title: 'List guidelines',
  description: 'List your own global guidelines.',
  query: { tag, ...paging },
  list: Guideline,
  errors: [],
  keywords,
})

/** The implementation checks the permission: the board is in the body, and an unknown one is 404 before any 403. */
const create_guideline = operation({
  name: 'create_guideline',
  method: 'POST',
  path: '/api/v1/guidelines',
  permission: 'GUIDELINES_CREATE',
  title: 'Create guideline',
  description: 'Create a guideline of your own, or inline on a board.',
  body: GuidelineCreate,
  response: Guideline,
  status: 201,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  asks: checkedByImplementation({ permission: 'GUIDELINES_CREATE' }),
  keywords,
})

const get_guideline = operation({
  name: 'get_guideline',
  method: 'GET',
  path: '/api/v1/guidelines/{guideline_id}',
  permission: 'GUIDELINES_READ',
  title: 'Get guideline',
  description: 'Get a guideline.',
  params: { guideline_id: Id },
  response: Guideline,
  errors: [],
  keywords,
})

const update_guideline = operation({
  name: 'update_guideline',
  method: 'PATCH',
  path: '/api/v1/guidelines/{guideline_id}',
  permission: 'GUIDELINES_UPDATE',
  title: 'Update guideline',
  description: 'Change the title, content or tags of a guideline.',
  params: { guideline_id: Id },
  body: GuidelineUpdate,
  response: Guideline,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const delete_guideline = operation({
  name: 'delete_guideline',
  method: 'DELETE',
  path: '/api/v1/guidelines/{guideline_id}',
  permission: 'GUIDELINES_DELETE',
  title: 'Delete guideline',
  description: 'Delete a guideline with its links.',
  params: { guideline_id: Id },
  errors: [],
  keywords,
})

const list_board_guidelines = operation({
  name: 'list_board_guidelines',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/guidelines',
  permission: 'GUIDELINES_READ',
  title: 'List board guidelines',
  description: 'List the guidelines in force. Read them before you work.',
  aside: ['tag'],
  params: { board_id: Id },
  query: { tag, ...paging },
  list: BoardGuideline,
  errors: [],
  keywords,
})

/** The implementation checks the permission: an unknown guideline in the body is 404 before any 403. */
const add_board_guideline = operation({
  name: 'add_board_guideline',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/guidelines',
  permission: 'GUIDELINES_LINK',
  title: 'Add board guideline',
  description: 'Link a guideline to a board, or write an inline one.',
  params: { board_id: Id },
  body: BoardGuidelineAdd,
  response: BoardGuidelineAdded,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ALREADY_LINKED'],
  asks: checkedByImplementation({ permission: 'GUIDELINES_LINK' }),
  effect: 'repeatable',
  keywords,
})

const update_board_guideline = operation({
  name: 'update_board_guideline',
  method: 'PATCH',
  path: '/api/v1/boards/{board_id}/guidelines/{guideline_id}',
  permission: 'GUIDELINES_LINK',
  title: 'Set guideline priority',
  description: 'Change the priority of a guideline on a board.',
  params: { board_id: Id, guideline_id: Id },
  body: BoardGuidelineUpdate,
  response: z.object({ board_id: Id, guideline_id: Id, priority: z.int() }),
  errors: [],
  keywords,
})

const remove_board_guideline = operation({
  name: 'remove_board_guideline',
  method: 'DELETE',
  path: '/api/v1/boards/{board_id}/guidelines/{guideline_id}',
  permission: 'GUIDELINES_LINK',
  title: 'Unlink guideline',
  description: 'Unlink a global guideline from a board.',
  params: { board_id: Id, guideline_id: Id },
  errors: ['INLINE_GUIDELINE'],
  keywords,
})

export const guidelines = {
  list_guidelines,
  create_guideline,
  get_guideline,
  update_guideline,
  delete_guideline,
  list_board_guidelines,
  add_board_guideline,
  remove_board_guideline,
  update_board_guideline,
} as const
