import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { KgBoardsTable } from '../../schema/tables.ts'

/** The version of the graph's schema. */
export const schemaVersion = '1.0'

/** The row of a board's graph, or its defaults before anything is stored. */
export type GraphBoard = Omit<KgBoardsTable, 'ordinal'> & { readonly ordinal: number | null }

const untouched = (board_id: string): GraphBoard => ({
  ordinal: null,
  board_id,
  consolidation_enabled: 1,
  contradiction_detection: 1,
  audit_retention_days: null,
  schema_version: schemaVersion,
  revision: 0,
  removals: 0,
  run_id: null,
  run_total: 0,
  run_removed: 0,
  run_cancelled: 0,
  run_started_at: null,
  run_finished_at: null,
})

const boardById = hot<{ board: string }, GraphBoard>((db, param) =>
  db.selectFrom('kg_boards').selectAll().where('board_id', '=', param('board')),
)

/** Reads the row of a board's graph. */
export async function readGraphBoard(db: Db, board: string): Promise<GraphBoard> {
  const [row] = await boardById(db, { board })
  return row ?? untouched(board)
}

/** Sets columns of a board's graph; creates its row if it does not exist yet. */
export async function writeGraphBoard(
  db: Db,
  board: string,
  columns: Partial<Omit<KgBoardsTable, 'ordinal' | 'board_id'>>,
): Promise<void> {
  const { ordinal, ...fresh } = untouched(board)
  const insert = db.insertInto('kg_boards').values({ ...fresh, ...columns })
  await (Object.keys(columns).length === 0
    ? insert.onConflict(conflict => conflict.column('board_id').doNothing())
    : insert.onConflict(conflict => conflict.column('board_id').doUpdateSet(columns))
  ).execute()
}

const raise = hot<{ board: string; removed: number }, { ordinal: number; revision: number }>((db, param) =>
  db
    .updateTable('kg_boards')
    .set(eb => ({ revision: eb('revision', '+', 1), removals: eb('removals', '+', param('removed')) }))
    .where('board_id', '=', param('board'))
    .returning(['ordinal', 'revision']),
)

/** Starts a change of a board's nodes: returns the revision for them and the board's ordinal in the term index. */
export async function raiseRevision(db: Db, board: string): Promise<{ ordinal: number; revision: number }> {
  const [raised] = await raise(db, { board, removed: 0 })
  if (raised !== undefined) return raised
  await writeGraphBoard(db, board, {})
  return (await raise(db, { board, removed: 0 }))[0]!
}

/** Counts removed nodes. */
export async function countRemovals(db: Db, board: string, removed: number): Promise<void> {
  if (removed > 0) await raise(db, { board, removed })
}
