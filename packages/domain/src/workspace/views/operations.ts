import { features } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'
import { blocked, notFound } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { SavedViewsTable } from '../../schema/tables.ts'
import { countOwn, countShared, findView, listViews as listOfBoard, type ViewRow, viewOf } from './store.ts'

type Views = typeof features.views

/** Maximum number of shared views of a board, and of views that one agent keeps to itself there (web 3). */
const maxViews = 100

const listViews: Implementation<Views['list_views']> = ({ query }, ctx) =>
  listOfBoard(ctx.db, { board: ctx.boardId, agent: ctx.caller.id }, query)

/** @throws DomainError LIMIT_REACHED if there is no room for another view */
async function checkCount(ctx: Context, agent: string, isShared: boolean): Promise<void> {
  const scope = { board: ctx.boardId, agent }
  const [row] = await (isShared ? countShared(ctx.db, scope) : countOwn(ctx.db, scope))
  if (row!.count < maxViews) return
  const subject = isShared ? 'A board has at most' : 'An agent keeps at most'
  throw blocked('LIMIT_REACHED', `${subject} ${maxViews} views${isShared ? ' for all' : ' of a board'}. Delete one.`, {
    limit: maxViews,
    what: 'views',
  })
}

/** Appends an entry about a shared view; views that somebody keeps to themselves are not reported to others (web 3). */
async function recordShared(ctx: Context, action: string, view: SavedViewsTable): Promise<void> {
  const { id: view_id, name, page } = view
  await ctx.record({
    boardId: ctx.boardId,
    entity: { type: 'board', id: ctx.boardId },
    activity: { action, details: { view_id, name, page } },
  })
}

const createView: Implementation<Views['create_view']> = async ({ body }, ctx) => {
  await checkCount(ctx, ctx.caller.id, body.shared)
  const row: SavedViewsTable = {
    id: ctx.newId(),
    board_id: ctx.boardId,
    owner_id: ctx.caller.id,
    shared: body.shared ? 1 : 0,
    name: body.name,
    page: body.page,
    query: body.query,
    created_at: ctx.now(),
    updated_at: ctx.now(),
  }
  await insertRow(ctx.db, 'saved_views', row)
  if (body.shared) await recordShared(ctx, 'view_created', row)
  return viewOf({ ...row, owner_name: ctx.caller.name })
}

/**
 * A view that the caller may change: its own, or a shared one if it may change the board (web 3).
 * @throws DomainError NOT_FOUND if it does not exist, or is somebody else's personal view; FORBIDDEN
 */
async function ownView(ctx: Context, id: string): Promise<ViewRow> {
  const view = await findView(ctx.db, id)
  if (view === undefined || (view.shared === 0 && view.owner_id !== ctx.caller.id)) throw notFound('view', id)
  if (view.shared === 1) ctx.require('BOARDS_UPDATE')
  return view
}

const updateView: Implementation<Views['update_view']> = async ({ params, body }, ctx) => {
  const view = await ownView(ctx, params.view_id)
  const shared = body.shared === undefined ? view.shared : body.shared ? 1 : 0
  if (shared === 1) ctx.require('BOARDS_UPDATE')
  const updates = {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.page !== undefined && { page: body.page }),
    ...(body.query !== undefined && { query: body.query }),
    shared,
  } as const
  const isSame = Object.entries(updates).every(([name, value]) => view[name as keyof typeof updates] === value)
  if (isSame) return viewOf(view)
  if (shared !== view.shared) await checkCount(ctx, view.owner_id, shared === 1)
  const changed = { ...view, ...updates, updated_at: ctx.now() }
  await updateRow(ctx.db, 'saved_views', view.id, { ...updates, updated_at: changed.updated_at })
  if (view.shared === 1 && shared === 0) await recordShared(ctx, 'view_deleted', view)
  else if (shared === 1) await recordShared(ctx, view.shared === 1 ? 'view_updated' : 'view_created', changed)
  return viewOf(changed)
}

const deleteView: Implementation<Views['delete_view']> = async ({ params }, ctx) => {
  const view = await ownView(ctx, params.view_id)
  await ctx.db.deleteFrom('saved_views').where('id', '=', view.id).execute()
  if (view.shared === 1) await recordShared(ctx, 'view_deleted', view)
}

/** Saved views of boards (web 3). */
export const viewOperations = implement(features.views, {
  list_views: listViews,
  create_view: createView,
  update_view: updateView,
  delete_view: deleteView,
})
