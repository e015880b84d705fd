/** Saved views: a page of a board with its filters and display, under a name (web 3). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import type { PermissionRule } from '../permission-rules.ts'
import { Id, paging, sent, Timestamp } from '../shared.ts'

const Name = z.string().trim().min(1).max(100)

/** A page of a board, as its address names it. */
const Page = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z-]*$/, { error: 'must be the name of a page, such as board or list' })

/** The part of an address after the `?`. */
const Query = z
  .string()
  .max(2_000)
  .regex(/^[^\s?#]*$/, { error: 'must be the part of an address after the ?, encoded' })

export const View = z
  .object({
    id: Id,
    board_id: Id,
    name: z.string(),
    page: z.string(),
    query: z.string(),
    shared: z.boolean(),
    owner_id: Id,
    owner_name: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'View' })

const ViewCreate = z
  .object({ name: Name, page: Page, query: Query.default(''), shared: z.boolean().default(false) })
  .meta({ id: 'ViewCreate' })

const ViewUpdate = z
  .object(sent({ name: Name, page: Page, query: Query, shared: z.boolean() }))
  .meta({ id: 'ViewUpdate' })

const guards = [{ permission: 'BOARDS_READ' }, { permission: 'BOARDS_UPDATE', part: 'a shared one' }] as const

/**
 * Everybody who reads the board may save personal views; shared ones need the permission to change the board (web 3).
 */
const saving: PermissionRule = {
  permissions: ({ body }) => ['BOARDS_READ', ...(body.shared === true ? (['BOARDS_UPDATE'] as const) : [])],
  guards,
}

/**
 * The implementation checks further permissions once it knows whether the view is shared: somebody else's personal view
 * must be 404 rather than 403.
 */
const ofView: PermissionRule = { permissions: () => ['BOARDS_READ'], guards }

const onBoard = { board_id: Id }
const onView = { view_id: Id }
const keywords = ['saved filter', 'favourite', 'bookmark', 'page']

const list_views = operation({
  name: 'list_views',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/views',
  permission: 'BOARDS_READ',
  extension: true,
  title: 'List views',
  description: 'List your saved views of a board, and the shared ones.',
  params: onBoard,
  query: paging,
  list: View,
  errors: [],
  keywords,
})

const create_view = operation({
  name: 'create_view',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/views',
  permission: 'BOARDS_READ',
  extension: true,
  title: 'Create view',
  description: 'Save a page of the web board with its filters.',
  params: onBoard,
  body: ViewCreate,
  response: View,
  status: 201,
  errors: ['LIMIT_REACHED'],
  asks: saving,
  keywords,
})

const update_view = operation({
  name: 'update_view',
  method: 'PATCH',
  path: '/api/v1/views/{view_id}',
  permission: 'BOARDS_READ',
  extension: true,
  title: 'Update view',
  description: 'Update or share a saved view.',
  params: onView,
  body: ViewUpdate,
  response: View,
  errors: ['LIMIT_REACHED'],
  asks: ofView,
  keywords,
})

const delete_view = operation({
  name: 'delete_view',
  method: 'DELETE',
  path: '/api/v1/views/{view_id}',
  permission: 'BOARDS_READ',
  extension: true,
  title: 'Delete view',
  description: 'Delete a saved view.',
  params: onView,
  errors: [],
  asks: ofView,
  keywords,
})

export const views = { list_views, create_view, update_view, delete_view } as const
