import { features, SprintStatus } from '@specboard/contract'
import { refuseArchived, refuseArchivedSprint } from '../../kernel/archived.ts'
import { changedFields, revisedColumns } from '../../kernel/changes.ts'
import { blocked, invalid, refuse } from '../../kernel/errors.ts'
import { passGates } from '../../kernel/gates.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { withLists } from '../../kernel/sent-lists.ts'
import { toJson } from '../../lib/json.ts'
import { withEvaluationRefs } from '../../schema/refs.ts'
import { updateRow } from '../../schema/rows.ts'
import { allStale } from '../evaluation.ts'
import { historyOperations } from '../history/operations.ts'
import { recordOn } from '../history/record-entry.ts'
import { filterOf } from '../list-filter.ts'
import { forgetDoneTier, noteDoneTier } from '../proof/done-tiers.ts'
import { proofOfSprint } from '../proof/records.ts'
import { refuseStanding } from '../specs/standing.ts'
import { readSpec, type SpecRecord } from '../specs/store.ts'
import { readCandidates } from './candidates.ts'
import { evaluationOf, gatePreview, withEvaluation } from './evaluations.ts'
import { checkGates } from './gates.ts'
import { insertSprint } from './insert.ts'
import { checkDates, checkedScope, contentFields, reopens, sprintStates, takesNoCards } from './rules.ts'
import { sprintGates, transitionGates } from './sprint-gates.ts'
import {
  columnsOf,
  listSprintsOfBoard,
  listSprintsOfSpec,
  readGateCards,
  readSprint,
  readWholeSprint,
  type SprintRecord,
} from './store.ts'
import { suggestSprints } from './suggest.ts'
import { addToSprint, givenIds, refuseArchivedTasks, removeFromSprint, setSprint, tasksOfSpec } from './tasks.ts'

type Sprints = typeof features.sprints

const listBoardSprints: Implementation<Sprints['list_board_sprints']> = ({ query }, ctx) => {
  const filter = { board: ctx.boardId, ...filterOf(query, SprintStatus.options) }
  const { spec_id: spec } = query
  return spec === undefined
    ? listSprintsOfBoard(ctx.db, filter, query)
    : listSprintsOfSpec(ctx.db, 'changed', { ...filter, spec }, query)
}

const listSpecSprints: Implementation<Sprints['list_spec_sprints']> = ({ query }, ctx) => {
  const filter = { board: ctx.boardId, spec: ctx.target.id, ...filterOf(query, SprintStatus.options) }
  return listSprintsOfSpec(ctx.db, 'created', filter, query)
}

const getSprint: Implementation<Sprints['get_sprint']> = ({ params }, ctx) => readWholeSprint(ctx, params.sprint_id)

const createSprint: Implementation<Sprints['create_sprint']> = async ({ params, body }, ctx) => {
  const { spec_id, card_ids = [], ...given } = body
  if (spec_id !== undefined && spec_id !== params.spec_id)
    throw invalid('spec_id', `spec_id ${spec_id} is not the spec in the path. Leave it out.`)
  const spec = await readSpec(ctx.db, params.spec_id)
  const fields = checkedScope(given, spec)
  checkDates(fields.start_date ?? null, fields.end_date ?? null)
  const tasks = await tasksOfSpec(ctx.db, { board_id: spec.board_id, spec_id: spec.id }, [...new Set(card_ids)])
  refuseArchived(ctx.target)
  refuseArchivedTasks(tasks, spec.board_id)
  refuseStanding(spec)
  refuseCancelled(spec)
  const sprint = await insertSprint(ctx, spec, fields)
  await addToSprint(ctx, sprint, tasks)
  return readWholeSprint(ctx, sprint.id)
}

/** Refuses a sprint of a cancelled spec; every other status allows sprints (planning 1.4). */
function refuseCancelled({ id, status }: SpecRecord): void {
  if (status !== 'cancelled') return
  throw blocked('SPEC_NOT_READY', 'The spec is cancelled and takes no sprints. Move it to draft first.', {
    spec_id: id,
    spec_status: status,
    allowed: ['draft', 'review', 'approved', 'validated', 'in_progress', 'done'],
  })
}

const updateSprint: Implementation<Sprints['update_sprint']> = async ({ params, body }, ctx) => {
  const before = await readSprint(ctx.db, params.sprint_id)
  const update = checkedScope(withLists({ ...before }, body, {}), await readSpec(ctx.db, before.spec_id))
  const { start_date, end_date } = { ...before, ...update }
  checkDates(start_date, end_date)
  refuseArchivedSprint(before)
  const changes = changedFields({ ...before }, update)
  if (changes.length > 0) {
    const fields = changes.map(change => change.field)
    const version = fields.some(field => contentFields.has(field)) ? before.version + 1 : before.version
    const after: SprintRecord = { ...before, ...update, version, updated_at: ctx.now() }
    await updateRow(ctx.db, 'sprints', after.id, revisedColumns(columnsOf(after), changes))
    await recordOn(ctx, 'sprint', after, {
      activity: { action: 'sprint_updated', details: { sprint_id: after.id, version, fields } },
      history: { action: 'updated', changes, summary: `Changed ${fields.join(', ')}` },
      domain: [{ name: 'sprint.updated', sprint_id: after.id, fields }],
    })
  }
  return readWholeSprint(ctx, params.sprint_id)
}

const moveSprint: Implementation<Sprints['move_sprint']> = async ({ params, body }, ctx) => {
  const sprint = await readSprint(ctx.db, params.sprint_id)
  const [from, to] = [sprint.status, body.status]
  passGates(transitionGates(sprint, to))
  const bypassed = await checkGates(ctx.db, sprint, sprintStates.gates(from, to))
  const reopened = reopens(from, to) ? sprint.evaluations : null
  await updateRow(ctx.db, 'sprints', sprint.id, {
    status: to,
    updated_at: ctx.now(),
    ...(reopened !== null && { evaluations: toJson(allStale(reopened)) }),
  })
  if (from === 'closed') await forgetDoneTier(ctx.db, sprint.id)
  if (to === 'closed')
    await noteDoneTier(ctx.db, sprint, async settings =>
      proofOfSprint(ctx.db, sprint, await readSpec(ctx.db, sprint.spec_id), settings),
    )
  const moved = { sprint_id: sprint.id, spec_id: sprint.spec_id, from_status: from, to_status: to }
  await recordOn(ctx, 'sprint', sprint, {
    activity: { action: 'sprint_moved', details: { ...moved, ...(bypassed && { evidence_gate_skipped: true }) } },
    history: {
      action: 'status_changed',
      changes: [{ field: 'status', old: from, new: to }],
      summary: `Moved from ${from} to ${to}`,
    },
    domain: [{ name: 'sprint.moved', ...moved }, ...(to === 'closed' ? [{ name: 'sprint.closed', ...moved }] : [])],
  })
  return readWholeSprint(ctx, sprint.id)
}

const deleteSprint: Implementation<Sprints['delete_sprint']> = async ({ params }, ctx) => {
  const sprint = await readSprint(ctx.db, params.sprint_id)
  const { id, board_id, spec_id, title, status } = sprint
  const card_ids = (await readGateCards(ctx.db, sprint)).map(card => card.id)
  await setSprint(ctx, card_ids, null)
  await ctx.db.deleteFrom('sprints').where('id', '=', id).execute()
  await ctx.record({
    boardId: board_id,
    entity: { type: 'sprint', id },
    activity: { action: 'sprint_deleted', details: { sprint_id: id, spec_id, title, status, card_ids } },
    domain: [
      { name: 'sprint.deleted', sprint_id: id, spec_id },
      ...card_ids.map(card_id => ({ name: 'card.sprint_changed', card_id })),
    ],
  })
}

const submitEvaluation: Implementation<Sprints['submit_sprint_evaluation']> = async ({ params, body }, ctx) => {
  const facts = await sprintGates.read(ctx, params.sprint_id)
  passGates(sprintGates.operations.submit_sprint_evaluation(facts, ctx).rulings)
  const { sprint } = facts
  const evaluation = evaluationOf(body, {
    id: ctx.newId(),
    evaluator_id: ctx.caller.id,
    evaluator_name: ctx.caller.name,
    created_at: ctx.now(),
  })
  const evaluations = withEvaluation(sprint.evaluations ?? [], evaluation)
  await updateRow(ctx.db, 'sprints', sprint.id, {
    evaluations: toJson(evaluations),
    updated_at: ctx.now(),
  })
  const { id: evaluation_id, recommendation, overall_score } = evaluation
  await recordOn(ctx, 'sprint', sprint, {
    activity: {
      action: 'sprint_evaluation_submitted',
      details: { sprint_id: sprint.id, evaluation_id, score: overall_score },
    },
    history: {
      action: 'evaluation_submitted',
      changes: [{ field: 'evaluations', evaluation_id, recommendation, overall_score }],
      summary: `Evaluated: ${recommendation}, ${overall_score}`,
    },
  })
  const result = withEvaluationRefs(sprint.ref, evaluations).at(-1)!
  return { success: true, evaluation_id, evaluation: result, gate: gatePreview(evaluations, sprint) }
}

const assignTasks: Implementation<Sprints['assign_sprint_tasks']> = async ({ params, body }, ctx) => {
  const sprint = await readSprint(ctx.db, params.sprint_id)
  const card_ids = givenIds(body.card_ids)
  const tasks = await tasksOfSpec(ctx.db, sprint, card_ids)
  refuseArchivedSprint(sprint)
  refuseArchivedTasks(tasks, sprint.board_id)
  refuse(takesNoCards(sprint.status))
  await addToSprint(ctx, sprint, tasks)
  return { success: true, assigned: card_ids.length, card_ids }
}

const unassignTasks: Implementation<Sprints['unassign_sprint_tasks']> = async ({ params, body }, ctx) => {
  const sprint = await readSprint(ctx.db, params.sprint_id)
  const ids = givenIds(body.card_ids)
  refuseArchivedSprint(sprint)
  const cards = new Set((await readGateCards(ctx.db, sprint)).map(card => card.id))
  const [card_ids, not_in_sprint] = [ids.filter(id => cards.has(id)), ids.filter(id => !cards.has(id))]
  await removeFromSprint(ctx, sprint, card_ids)
  return { success: true, unassigned: card_ids.length, card_ids, not_in_sprint }
}

const suggest: Implementation<Sprints['suggest_sprints']> = async ({ params, query }, ctx) => {
  const spec = await readSpec(ctx.db, params.spec_id)
  const candidates = await readCandidates(ctx.db, spec.id, query.unassigned_only)
  const suggestions = suggestSprints(candidates, spec, query.threshold)
  return { suggestions, count: suggestions.length }
}

export const sprintOperations = implement(features.sprints, {
  list_board_sprints: listBoardSprints,
  create_sprint: createSprint,
  list_spec_sprints: listSpecSprints,
  get_sprint: getSprint,
  update_sprint: updateSprint,
  move_sprint: moveSprint,
  delete_sprint: deleteSprint,
  submit_sprint_evaluation: submitEvaluation,
  assign_sprint_tasks: assignTasks,
  unassign_sprint_tasks: unassignTasks,
  list_sprint_history: historyOperations('sprint').list,
  suggest_sprints: suggest,
})
