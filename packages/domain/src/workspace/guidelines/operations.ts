import { features } from '@specboard/contract'
import { changedFields } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { withLists } from '../../kernel/sent-lists.ts'
import { toJson } from '../../lib/json.ts'
import type { Change } from '../../schema/contents.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import { readableGuideline } from './reach.ts'
import {
  boardsConcerned,
  findGuideline,
  findLink,
  type GuidelineRecord,
  guidelineOf,
  listCatalogue,
  listInForce,
} from './store.ts'

type Guidelines = typeof features.guidelines

const listGuidelines: Implementation<Guidelines['list_guidelines']> = ({ query }, ctx) => {
  const { tag, ...paging } = query
  return listCatalogue(ctx.db, ctx.caller.id, tag ?? null, paging)
}

const createGuideline: Implementation<Guidelines['create_guideline']> = async ({ body }, ctx) => {
  const { scope, board_id, ...text } = body
  const { access } = board_id === null ? ctx : await ctx.reach('board', board_id)
  access.require(['GUIDELINES_CREATE'])
  if (scope !== 'global' && scope !== 'inline')
    throw invalid('scope', `scope must be global or inline, not "${scope}".`, { allowed: ['global', 'inline'] })
  if (scope === 'inline' && board_id === null)
    throw invalid('board_id', 'An inline guideline belongs to a board. Send its board_id.')
  return guidelineOf(await writeGuideline(ctx, { ...text, scope, board_id, priority: 0 }))
}

/** Stores a new guideline of the caller, and records an inline one in its board's activity. */
async function writeGuideline(
  ctx: Context,
  fields: Pick<GuidelineRecord, 'title' | 'content' | 'tags' | 'scope' | 'board_id' | 'priority'>,
): Promise<GuidelineRecord> {
  const now = ctx.now()
  const guideline = {
    ...fields,
    id: ctx.newId(),
    owner_id: ctx.caller.id,
    version: 1,
    rev: 1,
    created_at: now,
    updated_at: now,
  }
  await insertRow(ctx.db, 'guidelines', { ...guideline, tags: toJson(guideline.tags) })
  const { board_id, scope, priority } = guideline
  if (scope === 'inline' && board_id !== null)
    await recordOnBoards(ctx, [board_id], 'guideline_created', guideline, { priority })
  return guideline
}

/** The guideline of the path. It exists and is visible, because checkGuideline runs first. */
const guidelineAt = async (ctx: Context, id: string): Promise<GuidelineRecord> => (await findGuideline(ctx.db, id))!

const getGuideline: Implementation<Guidelines['get_guideline']> = async ({ params }, ctx) =>
  guidelineOf(await guidelineAt(ctx, params.guideline_id))

const updateGuideline: Implementation<Guidelines['update_guideline']> = async ({ params, body }, ctx) => {
  const before = await guidelineAt(ctx, params.guideline_id)
  const fields = withLists(before, body, {})
  const supplied = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Partial<
    Pick<GuidelineRecord, 'title' | 'content' | 'tags'>
  >
  const changes = changedFields({ ...before }, supplied)
  if (changes.length === 0) return guidelineOf(before)
  const after = {
    ...before,
    ...supplied,
    version: before.version + 1,
    rev: before.rev + 1,
    updated_at: ctx.now(),
  }
  const { id, title, content, tags, version, updated_at } = after
  await updateRow(ctx.db, 'guidelines', id, { title, content, tags: toJson(tags), version, updated_at })
  await recordOnBoards(ctx, await boardsConcerned(ctx.db, id), 'guideline_updated', after, { version }, changes)
  return guidelineOf(after)
}

const deleteGuideline: Implementation<Guidelines['delete_guideline']> = async ({ params }, ctx) => {
  const guideline = await guidelineAt(ctx, params.guideline_id)
  await recordOnBoards(ctx, await boardsConcerned(ctx.db, guideline.id), 'guideline_deleted', guideline)
  await ctx.db.deleteFrom('guidelines').where('id', '=', guideline.id).execute()
}

const listBoardGuidelines: Implementation<Guidelines['list_board_guidelines']> = ({ query }, ctx) => {
  const { tag, ...paging } = query
  return listInForce(ctx.db, ctx.boardId, tag ?? null, paging)
}

const addBoardGuideline: Implementation<Guidelines['add_board_guideline']> = async ({ body }, ctx) => {
  const { guideline_id, title, content, tags, priority } = body
  if (guideline_id !== null) return linkGuideline(ctx, guideline_id, priority)
  ctx.require('GUIDELINES_LINK')
  const { boardId } = ctx
  const { id } = await writeGuideline(ctx, {
    title: title ?? '',
    content: content ?? '',
    tags,
    scope: 'inline',
    board_id: boardId,
    priority,
  })
  return { id, board_id: boardId, guideline_id: id, priority, scope: 'inline' }
}

async function linkGuideline(ctx: Context, guidelineId: string, priority: number) {
  const guideline = await readableGuideline(ctx, guidelineId)
  ctx.require('GUIDELINES_LINK')
  if (guideline.scope === 'inline') {
    throw invalid('guideline_id', 'An inline guideline belongs to its board and cannot be linked. Copy its text.')
  }
  const link = { id: ctx.newId(), board_id: ctx.boardId, guideline_id: guideline.id, priority }
  const row = await ctx.db
    .insertInto('board_guidelines')
    .values({ ...link, created_at: ctx.now() })
    .onConflict(conflict => conflict.columns(['board_id', 'guideline_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) {
    throw blocked('ALREADY_LINKED', 'The guideline is already linked. Change its priority with update_board_guideline.')
  }
  await recordOnBoards(ctx, [ctx.boardId], 'guideline_linked', guideline, { priority })
  return { ...link, scope: 'global' as const }
}

const updateBoardGuideline: Implementation<Guidelines['update_board_guideline']> = async ({ params, body }, ctx) => {
  const guideline = await guidelineAt(ctx, params.guideline_id)
  const { priority } = body
  const link = await findLink(ctx.db, ctx.boardId, guideline.id)
  if ((link ?? guideline).priority !== priority) {
    if (link === undefined) await updateRow(ctx.db, 'guidelines', guideline.id, { priority })
    else await updateRow(ctx.db, 'board_guidelines', link.id, { priority })
    await recordOnBoards(ctx, [ctx.boardId], 'guideline_priority_changed', guideline, { priority })
  }
  return { board_id: ctx.boardId, guideline_id: guideline.id, priority }
}

const removeBoardGuideline: Implementation<Guidelines['remove_board_guideline']> = async ({ params }, ctx) => {
  const guideline = await guidelineAt(ctx, params.guideline_id)
  const link = await findLink(ctx.db, ctx.boardId, guideline.id)
  if (link === undefined) {
    throw blocked('INLINE_GUIDELINE', 'An inline guideline cannot be unlinked. Delete it with delete_guideline.')
  }
  await ctx.db.deleteFrom('board_guidelines').where('id', '=', link.id).execute()
  await recordOnBoards(ctx, [ctx.boardId], 'guideline_unlinked', guideline)
}

/** Appends an entry to the activity of each board where a guideline is inline or linked (planning 2.4). */
async function recordOnBoards(
  ctx: Context,
  boardIds: readonly string[],
  action: string,
  { id, title }: GuidelineRecord,
  further: { readonly priority?: number; readonly version?: number } = {},
  changes?: readonly Change[],
): Promise<void> {
  for (const boardId of boardIds) {
    await ctx.record({
      boardId,
      entity: { type: 'guideline', id },
      activity: { action, details: { guideline_id: id, title, ...further } },
      ...(changes !== undefined && { changes }),
    })
  }
}

export const guidelineOperations = implement(features.guidelines, {
  list_guidelines: listGuidelines,
  create_guideline: createGuideline,
  get_guideline: getGuideline,
  update_guideline: updateGuideline,
  delete_guideline: deleteGuideline,
  list_board_guidelines: listBoardGuidelines,
  add_board_guideline: addBoardGuideline,
  remove_board_guideline: removeBoardGuideline,
  update_board_guideline: updateBoardGuideline,
})
