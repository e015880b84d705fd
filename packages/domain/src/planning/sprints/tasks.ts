import { dialect } from '@specboard/storage'
import { refuseArchivedCard } from '../../kernel/archived.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { inPieces } from '../../schema/in-pieces.ts'
import { updateRow } from '../../schema/rows.ts'
import { onBoard } from '../../schema/same-board.ts'
import type { CardsTable } from '../../schema/tables.ts'
import { recordOn } from '../history/record-entry.ts'
import type { SprintRecord } from './store.ts'

/** A card to add to a sprint or remove from it. */
type Task = Pick<CardsTable, 'id' | 'title' | 'spec_id' | 'sprint_id' | 'archived'>

const tasksById = hot<{ board: string; ids: string }, Task>((db, param) =>
  db
    .selectFrom('cards')
    .select(['id', 'title', 'spec_id', 'sprint_id', 'archived'])
    .where('board_id', '=', param('board'))
    .where(eb => dialect.inList(eb.ref('id'), param('ids'))),
)

/**
 * The ids of a body, without repeats.
 * @throws DomainError VALIDATION_ERROR when there are none
 */
export function givenIds(ids: readonly string[] | undefined): string[] {
  if (ids === undefined || ids.length === 0) throw invalid('card_ids', 'Name at least one card in card_ids.')
  return [...new Set(ids)]
}

/**
 * The cards with these ids, which a sprint of the spec may contain, in the order of the ids.
 * @throws DomainError VALIDATION_ERROR with `missing`, ids that are not cards of the board, or `details`, cards that
 * are not of the spec
 */
export async function tasksOfSpec(
  db: Db,
  { board_id, spec_id }: Pick<SprintRecord, 'board_id' | 'spec_id'>,
  ids: readonly string[],
): Promise<Task[]> {
  const found = new Map((await tasksById(db, { board: board_id, ids: JSON.stringify(ids) })).map(row => [row.id, row]))
  const missing = ids.filter(id => !found.has(id))
  if (missing.length > 0)
    throw invalid('card_ids', `These are not cards of the board: ${missing.join(', ')}.`, { missing })
  const tasks = ids.map(id => found.get(id)!)
  const details = tasks
    .filter(task => task.spec_id !== spec_id)
    .map(({ id, title, spec_id: other }) => ({ card_id: id, title, spec_id: other }))
  if (details.length === 0) return tasks
  throw invalid('card_ids', 'A sprint accepts only cards of its own spec. Link these to the spec or leave them out.', {
    details,
  })
}

/**
 * Refuses when one of the cards is archived.
 * @throws DomainError ARCHIVED
 */
export function refuseArchivedTasks(tasks: readonly Task[], boardId: string): void {
  for (const task of tasks) refuseArchivedCard({ ...task, board_id: boardId, archived: task.archived === 1 })
}

/** Adds cards to a sprint; cards of another sprint leave that one. Checks no rules. */
export async function addToSprint(ctx: Context, sprint: SprintRecord, tasks: readonly Task[]): Promise<void> {
  const moved = tasks.filter(task => task.sprint_id !== sprint.id)
  if (moved.length === 0) return
  const added = moved.map(task => task.id)
  await setSprint(ctx, added, sprint.id)
  await updateRow(ctx.db, 'sprints', sprint.id, { updated_at: ctx.now() })
  await recordOn(ctx, 'sprint', sprint, {
    activity: {
      action: 'sprint_tasks_assigned',
      details: { sprint_id: sprint.id, card_ids: added, count: added.length },
    },
    history: {
      action: 'tasks_assigned',
      changes: [{ field: 'cards', added, count: added.length }],
      summary: `Put in ${counted(added)}`,
    },
    domain: sprintChanged(added),
    workOn: added,
  })
  const bySprint = Map.groupBy(moved, task => task.sprint_id)
  bySprint.delete(null)
  for (const [id, tasksOfOther] of bySprint) await recordLostCards(ctx, sprint.board_id, id!, tasksOfOther)
}

/** Records in the history of a sprint that it lost cards to another one. */
async function recordLostCards(ctx: Context, board_id: string, id: string, tasks: readonly Task[]): Promise<void> {
  const removed = tasks.map(task => task.id)
  await updateRow(ctx.db, 'sprints', id, { updated_at: ctx.now() })
  const { version } = await ctx.db
    .selectFrom('sprints')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await recordOn(ctx, 'sprint', { id, board_id, version }, { history: unassigned(removed) })
}

/** Removes cards from their sprint. Checks no rules. */
export async function removeFromSprint(ctx: Context, sprint: SprintRecord, removed: readonly string[]): Promise<void> {
  if (removed.length === 0) return
  await setSprint(ctx, removed, null)
  await updateRow(ctx.db, 'sprints', sprint.id, { updated_at: ctx.now() })
  await recordOn(ctx, 'sprint', sprint, {
    activity: {
      action: 'sprint_tasks_unassigned',
      details: { sprint_id: sprint.id, card_ids: removed, count: removed.length },
    },
    history: unassigned(removed),
    domain: sprintChanged(removed),
    workOn: removed,
  })
}

const unassigned = (removed: readonly string[]) => ({
  action: 'tasks_unassigned',
  changes: [{ field: 'cards', removed, count: removed.length }],
  summary: `Took out ${counted(removed)}`,
})

const counted = (ids: readonly string[]) => (ids.length === 1 ? '1 card' : `${ids.length} cards`)

const sprintChanged = (ids: readonly string[]) => ids.map(card_id => ({ name: 'card.sprint_changed', card_id }))

/** Sets the sprint of cards; null for none. */
export async function setSprint(ctx: Context, ids: readonly string[], sprint_id: string | null): Promise<void> {
  await inPieces(ctx.db, ids, piece =>
    ctx.db
      .updateTable('cards')
      .set(eb => ({ sprint_id, rev: eb('rev', '+', 1), updated_at: ctx.now() }))
      .where(eb => dialect.inList(eb.ref('id'), JSON.stringify(piece)))
      .where(onBoard('cards', ctx.boardId))
      .execute(),
  )
}
