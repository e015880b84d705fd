import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { blocked } from '../../kernel/errors.ts'
import { type Page, type Paging, paged, pageOf, window } from '../../kernel/page.ts'
import { parseNullable, toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { SavedSearchesTable, SearchHistoryTable } from '../../schema/tables.ts'
import type { Params } from './intents.ts'

/** How many history entries are kept for each agent and board. */
const maxHistory = 50

/** How many saved searches a board can have. */
const maxSaved = 200

/** A question as stored in the history and in saved searches. */
export interface StoredQuestion {
  readonly intent_id: string
  /** The value of the question's first declared parameter. */
  readonly query: string | null
  readonly params: Params
}

/** A saved search in the form of an answer. */
export type SavedSearch = ReturnType<typeof savedOf>

const savedOf = (row: SavedSearchesTable) => ({
  ...row,
  filters_json: parseNullable(row.filters_json),
})

const savedRows = hot<{ board: string; limit: number; offset: number }, SavedSearchesTable>((db, param) =>
  db
    .selectFrom('saved_searches')
    .selectAll()
    .where('board_id', '=', param('board'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit'))
    .offset(param('offset')),
)

const savedCount = hot<{ board: string }, { count: number }>((db, param) =>
  db
    .selectFrom('saved_searches')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board')),
)

const countSaved = async (db: Db, board: string) => (await savedCount(db, { board }))[0]!.count

/** The saved searches of a board, newest first. */
export async function listSaved(db: Db, board: string, paging: Paging): Promise<Page<SavedSearch>> {
  const rows = await savedRows(db, { board, ...window(paging) })
  return paged(rows, paging, () => countSaved(db, board), savedOf)
}

const historyRows = hot<{ board: string; agent: string }, SearchHistoryTable>((db, param) =>
  db
    .selectFrom('search_history')
    .selectAll()
    .where('board_id', '=', param('board'))
    .where('user_id', '=', param('agent'))
    .orderBy('searched_at', 'desc')
    .orderBy('id', 'desc'),
)

/** An agent's own searches on a board, newest first. */
export const listHistory = async (
  db: Db,
  board: string,
  agent: string,
  paging: Paging,
): Promise<Page<SearchHistoryTable>> => pageOf(await historyRows(db, { board, agent }), paging)

const forgetOlder = hot<{ board: string; agent: string }, never>(
  (_, param) =>
    sql<never>`delete from search_history where board_id = ${param('board')} and user_id = ${param('agent')}
      and id not in (select id from search_history where board_id = ${param('board')} and user_id = ${param('agent')}
        order by searched_at desc, id desc limit ${sql.lit(maxHistory)})`,
)

/** Adds an execution to the caller's history on a board, and removes the oldest beyond the limit. */
export async function remember(
  ctx: Context,
  board_id: string,
  question: StoredQuestion,
  result_count: number,
): Promise<void> {
  await insertRow(ctx.db, 'search_history', {
    id: ctx.newId(),
    board_id,
    user_id: ctx.caller.id,
    query: question.query,
    intent_id: question.intent_id,
    result_count,
    searched_at: ctx.now(),
  })
  await forgetOlder(ctx.db, { board: board_id, agent: ctx.caller.id })
}

const savedByName = hot<{ board: string; name: string }, SavedSearchesTable>((db, param) =>
  db.selectFrom('saved_searches').selectAll().where('board_id', '=', param('board')).where('name', '=', param('name')),
)

/**
 * The caller's saved search with this name, which saving would overwrite; undefined when the name is free.
 * @throws DomainError NAME_TAKEN by another agent, LIMIT_REACHED when the board has no room for another
 */
export async function savedUnder(ctx: Context, board: string, name: string): Promise<SavedSearch | undefined> {
  const [row] = await savedByName(ctx.db, { board, name })
  if (row?.created_by === ctx.caller.id) return savedOf(row)
  if (row !== undefined)
    throw blocked('NAME_TAKEN', `Another agent saved a search as "${name}" on this board. Choose another name.`)
  if ((await countSaved(ctx.db, board)) < maxSaved) return undefined
  throw blocked(
    'LIMIT_REACHED',
    `A board has at most ${maxSaved} saved searches. Overwrite one of your own by its name.`,
    {
      limit: maxSaved,
      what: 'saved_searches',
    },
  )
}

/**
 * Saves a search under a name; overwrites the caller's own search with that name.
 * @throws DomainError NAME_TAKEN, LIMIT_REACHED
 */
export async function save(
  ctx: Context,
  board_id: string,
  name: string,
  question: StoredQuestion,
): Promise<SavedSearch> {
  const before = await savedUnder(ctx, board_id, name)
  const values = {
    query: question.query,
    intent_id: question.intent_id,
    filters_json: Object.keys(question.params).length === 0 ? null : { params: question.params },
    created_at: ctx.now(),
  }
  const columns = { ...values, filters_json: toJson(values.filters_json) }
  if (before !== undefined) {
    await updateRow(ctx.db, 'saved_searches', before.id, columns)
    return { ...before, ...values }
  }
  const row = { id: ctx.newId(), board_id, name, created_by: ctx.caller.id }
  await insertRow(ctx.db, 'saved_searches', { ...row, ...columns })
  return { ...row, ...values }
}
