import { features, IdeationStatus, ScreenMockup } from '@specboard/contract'
import { changedFields, createdFields, revisedColumns } from '../../kernel/changes.ts'
import { pageAt, placeIn } from '../../kernel/counted-list.ts'
import { passGates } from '../../kernel/gates.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { readNews } from '../../kernel/news.ts'
import { nextRef } from '../../kernel/references.ts'
import { withLists } from '../../kernel/sent-lists.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import { deleteParts, deleteRefinements } from '../delete-parts.ts'
import { movedEntry, updatedEntry } from '../history/entries.ts'
import { historyOperations } from '../history/operations.ts'
import { recordOn } from '../history/record-entry.ts'
import { filterOf } from '../list-filter.ts'
import { checkMockups } from '../mockups.ts'
import { specContextFromIdeation } from '../propagation/context.ts'
import { questionOperations } from '../questions/operations.ts'
import { revise, versionAfterMove } from '../revision.ts'
import { snapshotOperations } from '../snapshots/operations.ts'
import { deriveSpec } from '../specs/derive.ts'
import { refinementIdsOf } from '../summaries/refinements.ts'
import { parentDeleted, releaseSpecs, specIdsOf } from '../summaries/specs.ts'
import { ideationGates } from './ideation-gates.ts'
import { checkedComplexity, checkScores, contentFields, evaluated } from './rules.ts'
import {
  columnsOf,
  type IdeationRecord,
  listedIdeation,
  listIdeations,
  newIdeation,
  readIdeation,
  readWholeIdeation,
} from './store.ts'

type Ideations = typeof features.ideations

const { operations } = ideationGates
const questions = questionOperations('ideation')
const history = historyOperations('ideation')

const snapshots = snapshotOperations<IdeationRecord>()({
  owner: 'ideation',
  keeps: ['title', 'description', 'problem_statement', 'proposed_approach', 'scope_assessment', 'complexity', 'labels'],
  shows: ['title', 'complexity'],
})

const createIdeation: Implementation<Ideations['create_ideation']> = async ({ body }, ctx) => {
  checkScores(body.scope_assessment)
  checkMockups(body.screen_mockups)
  const now = ctx.now()
  const record: IdeationRecord = {
    id: ctx.newId(),
    ref: await nextRef(ctx.db, ctx.boardId),
    board_id: ctx.boardId,
    title: body.title,
    description: body.description ?? null,
    problem_statement: body.problem_statement ?? null,
    proposed_approach: body.proposed_approach ?? null,
    scope_assessment: body.scope_assessment ?? null,
    complexity: checkedComplexity(body.complexity ?? null),
    status: 'draft',
    version: 1,
    rev: 1,
    assignee_id: body.assignee_id ?? null,
    labels: body.labels ?? null,
    screen_mockups: body.screen_mockups ?? null,
    archived: false,
    pre_archive_status: null,
    created_by: ctx.caller.id,
    created_at: now,
    updated_at: now,
  }
  const columns = columnsOf(record)
  await insertRow(ctx.db, 'ideations', columns)
  const { title, status, problem_statement, proposed_approach } = record
  await recordOn(ctx, 'ideation', record, {
    activity: { action: 'ideation_created', details: { title, ideation_id: record.id } },
    history: {
      action: 'created',
      changes: createdFields({ title, status, problem_statement, proposed_approach }),
      summary: `Created "${title}"`,
    },
  })
  return newIdeation({ ...columns, ref: record.ref }, ctx.access)
}

const listIdeationsOfBoard: Implementation<Ideations['list_ideations']> = async ({ query }, ctx) => {
  const filter = { board: ctx.boardId, ...filterOf(query, IdeationStatus.options) }
  const place = await placeIn(ctx.db, 'ideation', filter, query)
  const rows = await listIdeations(ctx.db, { ...filter, ...place })
  return pageAt(place, rows, row => listedIdeation(row, ctx.access))
}

const getIdeation: Implementation<Ideations['get_ideation']> = ({ params }, ctx) => {
  readNews(ctx)
  return readWholeIdeation(ctx.db, params.ideation_id, ctx.access)
}

const updateIdeation: Implementation<Ideations['update_ideation']> = async ({ params, body }, ctx) => {
  const before = await readWholeIdeation(ctx.db, params.ideation_id, ctx.access)
  passGates(operations.update_ideation(before).rulings)
  checkScores(body.scope_assessment)
  const { complexity, ...fields } = withLists(before, body, { screen_mockups: ScreenMockup })
  checkMockups(fields.screen_mockups)
  const update = { ...fields, ...(complexity !== undefined && { complexity: checkedComplexity(complexity) }) }
  const revision = revise(before, update, contentFields, ctx.now())
  if (revision === null) return before
  const { after, changes } = revision
  await updateRow(ctx.db, 'ideations', after.id, revisedColumns(columnsOf(after), changes))
  await recordOn(ctx, 'ideation', after, updatedEntry('ideation', after, changes))
  return after
}

const moveIdeation: Implementation<Ideations['move_ideation']> = async ({ params, body }, ctx) => {
  const before = await readIdeation(ctx.db, params.ideation_id)
  const { status } = body
  passGates(ideationGates.move(before, status).rulings)
  if (status === 'done') await snapshots.take(ctx, before)
  const after = { ...before, status, version: versionAfterMove(before.version, before.status, status) }
  await updateRow(ctx.db, 'ideations', after.id, { status, version: after.version, updated_at: ctx.now() })
  await recordOn(ctx, 'ideation', after, movedEntry('ideation', after, before.status, status))
  return readWholeIdeation(ctx.db, before.id, ctx.access)
}

const deleteIdeation: Implementation<Ideations['delete_ideation']> = async ({ params }, ctx) => {
  const { id, title, board_id } = await readIdeation(ctx.db, params.ideation_id)
  const refinements = await refinementIdsOf(ctx.db, ctx.target)
  const ownSpecs = await specIdsOf(ctx.db, ctx.boardId, 'ideation', [id])
  const specs = new Set([...ownSpecs, ...(await specIdsOf(ctx.db, ctx.boardId, 'refinement', refinements))])
  await releaseSpecs(ctx.db, ctx.boardId, 'ideation', ownSpecs)
  await deleteRefinements(ctx, refinements)
  await deleteParts(ctx, 'ideation', [id])
  await ctx.db.deleteFrom('ideations').where('id', '=', id).execute()
  await ctx.record({
    boardId: board_id,
    entity: { type: 'ideation', id },
    activity: { action: 'ideation_deleted', details: { ideation_id: id, title } },
    domain: [
      ...refinements.map(refinement_id => ({ name: 'refinement.deleted', refinement_id })),
      ...[...specs].map(parentDeleted),
    ],
  })
}

const evaluateIdeation: Implementation<Ideations['evaluate_ideation']> = async ({ params, body }, ctx) => {
  const before = await readIdeation(ctx.db, params.ideation_id)
  passGates(operations.evaluate_ideation(before).rulings)
  const after = { ...before, ...evaluated(before.scope_assessment, body), updated_at: ctx.now() }
  const { id, complexity, scope_assessment } = after
  const { scope_assessment: assessment, updated_at } = columnsOf(after)
  await updateRow(ctx.db, 'ideations', id, { complexity, scope_assessment: assessment, updated_at })
  await recordOn(ctx, 'ideation', after, {
    activity: { action: 'ideation_complexity_evaluated', details: { ideation_id: id, complexity } },
    history: {
      action: 'complexity_evaluated',
      changes: [
        { field: 'complexity', old: before.complexity, new: complexity },
        ...changedFields({ ...before }, { scope_assessment }),
      ],
      summary: `Evaluated as ${complexity}`,
    },
  })
  return readWholeIdeation(ctx.db, id, ctx.access)
}

const deriveFromIdeation: Implementation<Ideations['derive_spec_from_ideation']> = async ({ params, body }, ctx) => {
  const ideation = await readIdeation(ctx.db, params.ideation_id)
  passGates(operations.derive_spec_from_ideation(ideation).rulings)
  return deriveSpec(ctx, { ...ideation, type: 'ideation' }, body, {
    ideation_id: ideation.id,
    refinement_id: null,
    context: specContextFromIdeation(ideation),
  })
}

export const ideationOperations = implement(features.ideations, {
  create_ideation: createIdeation,
  list_ideations: listIdeationsOfBoard,
  get_ideation: getIdeation,
  update_ideation: updateIdeation,
  move_ideation: moveIdeation,
  delete_ideation: deleteIdeation,
  evaluate_ideation: evaluateIdeation,
  derive_spec_from_ideation: deriveFromIdeation,
  list_ideation_snapshots: snapshots.list,
  get_ideation_snapshot: snapshots.get,
  list_ideation_history: history.list,
  list_ideation_questions: questions.list,
  ask_ideation_question: questions.ask,
  answer_ideation_question: questions.answer,
  delete_ideation_question: questions.delete,
})
