import type { features } from '@specboard/contract'
import { refuseArchivedCard } from '../../kernel/archived.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { sameJson } from '../../lib/json.ts'
import type { CardRecord } from '../card-record/record.ts'
import { findCard, readCard } from '../card-record/store.ts'
import { recordOnCard, writeCard } from '../card-record/write.ts'
import { asksTestTasks, problemTexts, testTaskProblems, testTasksMissing } from './gates/bug-tests.ts'
import { findCardSpec, readMoveFacts, type SpecFacts } from './gates/facts.ts'

type Cards = typeof features.cards

const scenariosOf = (spec: SpecFacts | null): ReadonlySet<string> =>
  new Set(spec?.test_scenarios.map(scenario => scenario.id))

/**
 * Refuses a task that cannot test the bug (cards 7.2).
 * @param field the field of the body that references the task
 * @throws DomainError VALIDATION_ERROR with the problem
 */
function checkTestTask(
  field: string,
  bug: Pick<CardRecord, 'spec_id' | 'created_at'>,
  taskId: string,
  task: CardRecord | undefined,
  scenarioIds: ReadonlySet<string>,
): void {
  const [problem] = testTaskProblems(bug, task, scenarioIds)
  if (problem === undefined) return
  throw invalid(field, `The card ${taskId} ${problemTexts[problem]}; it cannot test this bug.`, {
    details: [{ test_task_id: taskId, problem }],
  })
}

/**
 * The list of test tasks that replaces a bug's list in an update, without repeats. A list equal to the stored one is
 * not checked again.
 * @param spec the bug's spec after the update
 * @throws DomainError VALIDATION_ERROR for a list on a card that is not a bug, and for a task that cannot test the bug
 */
export async function checkedTestTasks(
  ctx: Context,
  card: CardRecord,
  spec: SpecFacts | null,
  ids: readonly string[],
): Promise<string[]> {
  const taskIds = [...new Set(ids)]
  if (sameJson(taskIds, card.linked_test_task_ids)) return taskIds
  if (card.card_type !== 'bug' && taskIds.length > 0)
    throw invalid('linked_test_task_ids', `Test tasks are linked to bugs; this card is ${card.card_type}.`)
  const scenarios = scenariosOf(spec)
  for (const id of taskIds) {
    const bug = { spec_id: spec?.id ?? null, created_at: card.created_at }
    checkTestTask('linked_test_task_ids', bug, id, await taskOfBoard(ctx, card, id), scenarios)
  }
  return taskIds
}

async function taskOfBoard(ctx: Context, { board_id }: CardRecord, id: string): Promise<CardRecord | undefined> {
  const task = await findCard(ctx.db, id)
  return task?.board_id === board_id ? task : undefined
}

export const linkTestTask: Implementation<Cards['link_test_task']> = async ({ params, body }, ctx) => {
  const bug = await readCard(ctx.db, params.card_id)
  const { record } = await ctx.reach('card', body.test_task_id)
  if (bug.card_type !== 'bug')
    throw invalid('card_id', `Test tasks are linked to bugs; the card ${bug.id} is ${bug.card_type}.`)
  const spec = bug.spec_id === null ? null : ((await findCardSpec(ctx.db, bug.spec_id)) ?? null)
  checkTestTask('test_task_id', bug, record.id, await findCard(ctx.db, record.id), scenariosOf(spec))
  refuseArchivedCard(bug)
  const linked_test_task_ids = [...new Set([...bug.linked_test_task_ids, record.id])]
  if (linked_test_task_ids.length > bug.linked_test_task_ids.length) {
    await writeCard(ctx, bug.id, { linked_test_task_ids })
    await recordOnCard(ctx, bug, 'test_task_linked', { test_task_id: record.id })
  }
  return {
    success: true,
    bug_card_id: bug.id,
    test_task_id: record.id,
    linked_test_task_ids,
    is_unblocked: await isUnblocked(ctx, bug.id),
  }
}

/** Whether the bug test gate is now open for the bug (cards 7.3). */
async function isUnblocked(ctx: Context, bugId: string): Promise<boolean> {
  const { card, settings, testTasks, spec } = await readMoveFacts(ctx, bugId)
  if (!asksTestTasks(card, card.status, settings)) return true
  return testTasksMissing(card, testTasks, scenariosOf(spec)) === null
}

export const unlinkTestTask: Implementation<Cards['unlink_test_task']> = async ({ params }, ctx) => {
  const bug = await readCard(ctx.db, params.card_id)
  refuseArchivedCard(bug)
  if (!bug.linked_test_task_ids.includes(params.test_task_id)) return
  const linked_test_task_ids = bug.linked_test_task_ids.filter(id => id !== params.test_task_id)
  await writeCard(ctx, bug.id, { linked_test_task_ids })
  await recordOnCard(ctx, bug, 'test_task_unlinked', { test_task_id: params.test_task_id })
}
