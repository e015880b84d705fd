import { features, IdeationStatus } from '@specboard/contract'
import { refuseArchived } from '../archive.ts'
import { changedFields, createdFields } from '../changes.ts'
import type { Context } from '../context.ts'
import { blocked, invalid } from '../errors.ts'
import type { Entry } from '../events.ts'
import { type Implementation, implement } from '../implement.ts'
import { checkMockups } from '../mockups.ts'
import { paged, window } from '../page.ts'
import { insertRow, updateRow } from '../storage/rows.ts'
import { changesContent, checkedComplexity, checkScores, ideationStates } from './rules.ts'
import { columnsOf, type IdeationRecord, listIdeations, readIdeation, readWholeIdeation } from './store.ts'

type Ideations = typeof features.ideations

const createIdeation: Implementation<Ideations['create_ideation']> = async ({ body }, ctx) => {
  checkScores(body.scope_assessment ?? null)
  checkMockups(body.screen_mockups)
  const now = ctx.now()
  const record: IdeationRecord = {
    id: ctx.newId(),
    board_id: ctx.boardId,
    title: body.title,
    description: body.description ?? null,
    problem_statement: body.problem_statement ?? null,
    proposed_approach: body.proposed_approach ?? null,
    scope_assessment: body.scope_assessment ?? null,
    complexity: checkedComplexity(body.complexity ?? null),
    status: 'draft',
    version: 1,
    assignee_id: body.assignee_id ?? null,
    labels: body.labels ?? null,
    screen_mockups: body.screen_mockups ?? null,
    archived: false,
    pre_archive_status: null,
    created_by: ctx.caller.id,
    created_at: now,
    updated_at: now,
  }
  await insertRow(ctx.db, 'ideations', columnsOf(record))
  const { title, status, problem_statement, proposed_approach } = record
  await recordIdeation(ctx, record, {
    activity: { action: 'ideation_created', details: { title, ideation_id: record.id } },
    history: {
      action: 'created',
      changes: createdFields({ title, status, problem_statement, proposed_approach }),
      summary: `Created "${title}"`,
    },
  })
  return readWholeIdeation(ctx.db, record.id, ctx.access)
}

const listIdeationsOfBoard: Implementation<Ideations['list_ideations']> = async ({ query }, ctx) => {
  const { status, include_archived, limit, offset } = query
  if (status !== undefined && !IdeationStatus.safeParse(status).success) {
    throw invalid('status', `status must be one of ${IdeationStatus.options.join(', ')}, not "${status}".`, {
      allowed: IdeationStatus.options,
    })
  }
  const parameters = {
    board: ctx.boardId,
    status: status ?? null,
    archived: include_archived ? 1 : 0,
    ...window({ limit, offset }),
  } as const
  const rows = await listIdeations.rows(ctx.db, parameters)
  return paged(
    rows,
    { limit, offset },
    () => listIdeations.count(ctx.db, parameters),
    row => listIdeations.item(row, ctx.access),
  )
}

const getIdeation: Implementation<Ideations['get_ideation']> = ({ params }, ctx) =>
  readWholeIdeation(ctx.db, params.ideation_id, ctx.access)

const updateIdeation: Implementation<Ideations['update_ideation']> = async ({ params, body }, ctx) => {
  refuseArchived(ctx.target)
  const before = await readIdeation(ctx.db, params.ideation_id)
  if (before.status !== 'draft') {
    const allowed = ideationStates.allowed(before.status)
    throw blocked(
      'IDEATION_LOCKED',
      `An ideation is edited in draft; this one is ${before.status}. Move it to draft first.`,
      { status: before.status, allowed },
    )
  }
  checkScores(body.scope_assessment ?? null)
  checkMockups(body.screen_mockups)
  const { title, complexity, ...fields } = body
  const wanted = {
    ...fields,
    ...(title != null && { title }),
    ...(complexity !== undefined && { complexity: checkedComplexity(complexity) }),
  }
  const changes = changedFields({ ...before }, wanted)
  if (changes.length > 0) {
    const version = changesContent({ ...before }, { ...before, ...wanted }) ? before.version + 1 : before.version
    const after: IdeationRecord = { ...before, ...wanted, version, updated_at: ctx.now() }
    const { id, ...columns } = columnsOf(after)
    await updateRow(ctx.db, 'ideations', id, columns)
    const changed = changes.map(change => change.field)
    await recordIdeation(ctx, after, {
      activity: { action: 'ideation_updated', details: { ideation_id: id, version, fields: changed } },
      history: { action: 'updated', changes, summary: `Changed ${changed.join(', ')}` },
    })
  }
  return readWholeIdeation(ctx.db, params.ideation_id, ctx.access)
}

const moveIdeation: Implementation<Ideations['move_ideation']> = async ({ params, body }, ctx) => {
  refuseArchived(ctx.target)
  const before = await readIdeation(ctx.db, params.ideation_id)
  ideationStates.transition(before.status, body.status)
  const version = before.status === 'done' && body.status === 'draft' ? before.version + 1 : before.version
  await updateRow(ctx.db, 'ideations', before.id, { status: body.status, version, updated_at: ctx.now() })
  await recordIdeation(
    ctx,
    { ...before, version },
    {
      activity: {
        action: 'ideation_moved',
        details: { ideation_id: before.id, from_status: before.status, to_status: body.status, version },
      },
      history: {
        action: 'status_changed',
        changes: [{ field: 'status', old: before.status, new: body.status }],
        summary: `Moved from ${before.status} to ${body.status}`,
      },
    },
  )
  return readWholeIdeation(ctx.db, before.id, ctx.access)
}

/** Appends an entry about an ideation, its history entry with the version it has now. */
const recordIdeation = (
  ctx: Context,
  { id, board_id, version }: IdeationRecord,
  entry: Pick<Entry, 'activity' | 'history' | 'domain'>,
): Promise<void> =>
  ctx.record({
    boardId: board_id,
    entity: { type: 'ideation', id },
    ...entry,
    ...(entry.history !== undefined && { history: { version, ...entry.history } }),
  })

export const ideationOperations = implement(features.ideations, {
  create_ideation: createIdeation,
  list_ideations: listIdeationsOfBoard,
  get_ideation: getIdeation,
  update_ideation: updateIdeation,
  move_ideation: moveIdeation,
})
