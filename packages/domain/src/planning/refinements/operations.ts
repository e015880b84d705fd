import { features, RefinementStatus, ScreenMockup } from '@specboard/contract'
import { revisedColumns } from '../../kernel/changes.ts'
import { passGates } from '../../kernel/gates.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { readNews } from '../../kernel/news.ts'
import { withLists } from '../../kernel/sent-lists.ts'
import { updateRow } from '../../schema/rows.ts'
import { deleteParts } from '../delete-parts.ts'
import { movedEntry, updatedEntry } from '../history/entries.ts'
import { historyOperations } from '../history/operations.ts'
import { recordOn } from '../history/record-entry.ts'
import { knowledgeOperations } from '../knowledge/operations.ts'
import { filterOf } from '../list-filter.ts'
import { checkMockups } from '../mockups.ts'
import { ideationContext, specContextFromRefinement } from '../propagation/context.ts'
import { answeredQuestions } from '../propagation/propagate.ts'
import { questionOperations } from '../questions/operations.ts'
import { questionOf } from '../questions/store.ts'
import { revise, versionAfterMove } from '../revision.ts'
import { snapshotOperations } from '../snapshots/operations.ts'
import { deriveSpec } from '../specs/derive.ts'
import { parentDeleted, releaseSpecs, specIdsOf } from '../summaries/specs.ts'
import { createRefinement } from './create.ts'
import { moveGates, refinementGates, updateGates } from './refinement-gates.ts'
import { contentFields } from './rules.ts'
import { columnsOf, listRefinements, type RefinementRecord, readRefinement, readWholeRefinement } from './store.ts'

type Refinements = typeof features.refinements

const questions = questionOperations('refinement')
const knowledge = knowledgeOperations('refinement')
const history = historyOperations('refinement')
const snapshots = snapshotOperations<RefinementRecord>()({
  owner: 'refinement',
  keeps: ['title', 'description', 'in_scope', 'out_of_scope', 'analysis', 'decisions', 'labels'],
  shows: ['title'],
})

const listRefinementsOfIdeation: Implementation<Refinements['list_refinements']> = ({ params, query }, ctx) =>
  listRefinements(
    ctx.db,
    { ideation: params.ideation_id, board: ctx.boardId, ...filterOf(query, RefinementStatus.options) },
    query,
  )

const getRefinement: Implementation<Refinements['get_refinement']> = ({ params }, ctx) => {
  readNews(ctx)
  return readWholeRefinement(ctx.db, params.refinement_id, ctx.access)
}

const updateRefinement: Implementation<Refinements['update_refinement']> = async ({ params, body }, ctx) => {
  const before = await readWholeRefinement(ctx.db, params.refinement_id, ctx.access)
  passGates(updateGates(before))
  const fields = withLists(before, body, { screen_mockups: ScreenMockup })
  checkMockups(fields.screen_mockups)
  const revision = revise(before, fields, contentFields, ctx.now())
  if (revision === null) return before
  const { after, changes } = revision
  await updateRow(ctx.db, 'refinements', after.id, revisedColumns(columnsOf(after), changes))
  const changed_fields = changes.map(change => change.field).sort()
  await recordOn(ctx, 'refinement', after, {
    ...updatedEntry('refinement', after, changes),
    domain: [{ name: 'refinement.semantic_changed', refinement_id: after.id, changed_fields }],
  })
  return after
}

const moveRefinement: Implementation<Refinements['move_refinement']> = async ({ params, body }, ctx) => {
  const before = await readRefinement(ctx.db, params.refinement_id)
  const { status } = body
  passGates(moveGates(before, status))
  if (status === 'done') await snapshots.take(ctx, before)
  const after = { ...before, status, version: versionAfterMove(before.version, before.status, status) }
  await updateRow(ctx.db, 'refinements', after.id, { status, version: after.version, updated_at: ctx.now() })
  await recordOn(ctx, 'refinement', after, movedEntry('refinement', after, before.status, status))
  return readWholeRefinement(ctx.db, before.id, ctx.access)
}

const deleteRefinement: Implementation<Refinements['delete_refinement']> = async ({ params }, ctx) => {
  const { id, title, board_id } = await readRefinement(ctx.db, params.refinement_id)
  const specs = await specIdsOf(ctx.db, ctx.boardId, 'refinement', [id])
  await deleteParts(ctx, 'refinement', [id])
  await releaseSpecs(ctx.db, ctx.boardId, 'refinement', specs)
  await ctx.db.deleteFrom('refinements').where('id', '=', id).execute()
  await ctx.record({
    boardId: board_id,
    entity: { type: 'refinement', id },
    activity: { action: 'refinement_deleted', details: { refinement_id: id, title } },
    domain: specs.map(parentDeleted),
  })
}

const deriveFromRefinement: Implementation<Refinements['derive_spec_from_refinement']> = async (
  { params, body },
  ctx,
) => {
  const facts = await refinementGates.read(ctx, params.refinement_id)
  passGates(refinementGates.operations.derive_spec_from_refinement(facts).rulings)
  const { refinement, ideation } = facts
  const answered = await answeredQuestions(ctx, ideation.id)
  return deriveSpec(ctx, { ...refinement, type: 'refinement' }, body, {
    ideation_id: ideation.id,
    refinement_id: refinement.id,
    context: specContextFromRefinement(refinement, ideationContext(ideation, answered.map(questionOf))),
  })
}

export const refinementOperations = implement(features.refinements, {
  create_refinement: createRefinement,
  list_refinements: listRefinementsOfIdeation,
  get_refinement: getRefinement,
  update_refinement: updateRefinement,
  move_refinement: moveRefinement,
  delete_refinement: deleteRefinement,
  derive_spec_from_refinement: deriveFromRefinement,
  list_refinement_history: history.list,
  list_refinement_questions: questions.list,
  ask_refinement_question: questions.ask,
  answer_refinement_question: questions.answer,
  delete_refinement_question: questions.delete,
  list_refinement_snapshots: snapshots.list,
  get_refinement_snapshot: snapshots.get,
  list_refinement_knowledge: knowledge.list,
  get_refinement_knowledge: knowledge.get,
  create_refinement_knowledge: knowledge.create,
  delete_refinement_knowledge: knowledge.delete,
})
