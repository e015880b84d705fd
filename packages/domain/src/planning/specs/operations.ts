import { features, SpecStatus } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { fromStart, pageAt, placeIn } from '../../kernel/counted-list.ts'
import { passGates } from '../../kernel/gates.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { readNews } from '../../kernel/news.ts'
import { toJson } from '../../lib/json.ts'
import { inPieces } from '../../schema/in-pieces.ts'
import { onBoard } from '../../schema/same-board.ts'
import { deleteParts } from '../delete-parts.ts'
import { historyOperations } from '../history/operations.ts'
import { knowledgeOperations } from '../knowledge/operations.ts'
import { filterOf } from '../list-filter.ts'
import { shownProofsOfSpecs } from '../proof/proofs.ts'
import { questionOperations } from '../questions/operations.ts'
import { countStanding, listAllSpecs, listedSpec, listSpecs } from '../summaries/specs.ts'
import { changeStatus } from './change-status.ts'
import { storedForm } from './content.ts'
import { submitSpecEvaluation } from './evaluations.ts'
import { gatesOfSpec } from './gates.ts'
import { insertSpec, type NewSpec, noLists } from './insert.ts'
import {
  linkCardToSpec,
  linkTaskToItem,
  linkTaskToScenario,
  unlinkCardFromSpec,
  unlinkTaskFromItem,
  unlinkTaskFromScenario,
} from './link-operations.ts'
import { listSpecItems } from './list-items.ts'
import { checkOrigin } from './origin.ts'
import { putSpecItems } from './put-items.ts'
import { checkReferences } from './references.ts'
import { checkEvidence } from './scenario-evidence.ts'
import { recordScenarioResult } from './scenario-results.ts'
import { approvalGates, creationGates, readSpecFacts, transitionGates } from './spec-gates.ts'
import { refuseStanding } from './standing.ts'
import { specStates } from './states.ts'
import { readSpec, readWholeSpec } from './store.ts'
import { updateSpec } from './update.ts'
import { listSpecValidations, submitSpecValidation } from './validations.ts'

type Specs = typeof features.specs

const questions = questionOperations('spec')
const knowledge = knowledgeOperations('spec')
const history = historyOperations('spec')

const createSpec: Implementation<Specs['create_spec']> = async ({ body }, ctx) => {
  const { ideation_id = null, refinement_id = null } = body
  await checkOrigin(ctx.db, { board_id: ctx.boardId, ideation_id, refinement_id }, { below: true })
  const fields: NewSpec = { ...storedForm(body), title: body.title, board_id: ctx.boardId }
  checkReferences({ ...noLists, ...fields }, () => false)
  const settings = await boardSettings(ctx.db, ctx.boardId)
  checkEvidence(fields.test_scenarios ?? [], settings)
  passGates(creationGates(fields.status ?? 'draft', settings, ctx))
  const { id } = await insertSpec(ctx, fields)
  return readWholeSpec(ctx, id)
}

const listSpecsOfBoard: Implementation<Specs['list_specs']> = async ({ query }, ctx) => {
  const filter = { board: ctx.boardId, ...filterOf(query, SpecStatus.options) }
  const place = await placeIn(ctx.db, 'spec', filter, query)
  // This includes the standing spec, which the counts leave out, so the page is read from the beginning of the list.
  const all = query.include_standing
    ? { ...fromStart(query), total: place.total && place.total + (await countStanding(ctx.db, filter)) }
    : place
  const list = query.include_standing ? listAllSpecs : listSpecs
  const rows = await list(ctx.db, { ...filter, ...all })
  const proofs = await shownProofsOfSpecs(ctx.db, ctx.boardId, rows)
  return pageAt(all, rows, row => listedSpec(row, ctx.access, proofs))
}

const getSpec: Implementation<Specs['get_spec']> = ({ params }, ctx) => {
  readNews(ctx)
  return readWholeSpec(ctx, params.spec_id)
}

/** What else happens when a spec is cancelled. */
export type OnCancelled = (ctx: Context, specId: string) => Promise<void>

const moveSpec =
  (onCancelled: OnCancelled): Implementation<Specs['move_spec']> =>
  async ({ params, body }, ctx) => {
    const before = await readSpec(ctx.db, params.spec_id)
    passGates(transitionGates(before, body.status))
    const facts = await readSpecFacts(ctx.db, before)
    passGates(approvalGates(facts, body.status, ctx))
    passGates(gatesOfSpec(facts, specStates.gates(before.status, body.status)))
    await changeStatus(ctx, before, body.status)
    if (body.status === 'cancelled') await onCancelled(ctx, before.id)
    return readWholeSpec(ctx, before.id)
  }

const deleteSpec: Implementation<Specs['delete_spec']> = async ({ params }, ctx) => {
  const spec = await readSpec(ctx.db, params.spec_id)
  refuseStanding(spec)
  const { id, title, board_id } = spec
  const idsIn = (table: 'sprints' | 'cards') =>
    ctx.db.selectFrom(table).select('id').where('spec_id', '=', id).where(onBoard(table, board_id)).execute()
  const [sprints, cards] = [await idsIn('sprints'), await idsIn('cards')]
  await inPieces(ctx.db, cards, piece =>
    ctx.db
      .updateTable('cards')
      .set(eb => ({
        spec_id: null,
        sprint_id: null,
        test_scenario_ids: toJson([]),
        rev: eb('rev', '+', 1),
        updated_at: ctx.now(),
      }))
      .where(eb => dialect.inList(eb.ref('id'), toJson(piece.map(card => card.id))))
      .where(onBoard('cards', board_id))
      .execute(),
  )
  await deleteParts(ctx, 'spec', [id])
  await ctx.db.deleteFrom('specs').where('id', '=', id).execute()
  await ctx.record({
    boardId: board_id,
    entity: { type: 'spec', id },
    activity: { action: 'spec_deleted', details: { spec_id: id, title } },
    domain: [
      { name: 'spec.deleted', spec_id: id },
      ...sprints.map(sprint => ({ name: 'sprint.deleted', sprint_id: sprint.id, spec_id: id })),
      ...cards.map(card => ({ name: 'card.spec_deleted', card_id: card.id })),
    ],
  })
}

export const specOperations = (onCancelled: OnCancelled) =>
  implement(features.specs, {
    create_spec: createSpec,
    list_specs: listSpecsOfBoard,
    get_spec: getSpec,
    update_spec: updateSpec,
    move_spec: moveSpec(onCancelled),
    delete_spec: deleteSpec,
    list_spec_history: history.list,
    link_card_to_spec: linkCardToSpec,
    unlink_card_from_spec: unlinkCardFromSpec,
    link_task_to_scenario: linkTaskToScenario,
    unlink_task_from_scenario: unlinkTaskFromScenario,
    list_spec_knowledge: knowledge.list,
    get_spec_knowledge: knowledge.get,
    create_spec_knowledge: knowledge.create,
    delete_spec_knowledge: knowledge.delete,
    list_spec_questions: questions.list,
    ask_spec_question: questions.ask,
    answer_spec_question: questions.answer,
    delete_spec_question: questions.delete,
    submit_spec_validation: submitSpecValidation,
    list_spec_validations: listSpecValidations,
    record_scenario_result: recordScenarioResult,
    submit_spec_evaluation: submitSpecEvaluation,
    link_task_to_item: linkTaskToItem,
    unlink_task_from_item: unlinkTaskFromItem,
    put_spec_items: putSpecItems,
    list_spec_items: listSpecItems,
  })
