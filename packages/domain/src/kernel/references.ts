import { type Counter, dialect, groupOf } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import { type NumberedTable, refOf } from '../schema/refs.ts'

/** The number of a board's last record, counted in the board's row: one count for all kinds. */
const lastNumber: Counter = { table: 'boards', column: 'last_number', id: 'id' }

const keyById = hot<{ id: string }, { key: string }>((db, param) =>
  db.selectFrom('boards').select('key').where('id', '=', param('id')),
)

/** The number of a board's next record. */
export const nextNumber = async (db: Db, boardId: string): Promise<number> => groupOf(db).next(lastNumber, boardId)

/** Lets the numbers of a board go on behind one that a record came with. */
export const raiseNumber = async (db: Db, boardId: string, least: number): Promise<void> =>
  groupOf(db).raise(lastNumber, boardId, least)

/** The reference of a board's next record. Its number is used even when the record is deleted again (work 1). */
export async function nextRef(db: Db, boardId: string): Promise<string> {
  const [[board], number] = await Promise.all([keyById(db, { id: boardId }), nextNumber(db, boardId)])
  return `${board!.key}-${number}`
}

const numbered: readonly NumberedTable[] = ['ideations', 'refinements', 'specs', 'sprints', 'cards']

const refsByIds = hot<{ ids: string }, { id: string; ref: string }>((_, param) => {
  const parts = numbered.map(
    table =>
      sql`select id, ${refOf(table)} as ref from ${sql.table(table)} where ${dialect.inList(sql.ref('id'), param('ids'))}`,
  )
  return sql<{ id: string; ref: string }>`${sql.join(parts, sql` union all `)}`
})

/** The references of the records with these ids, of any kind, by id; those that are gone or have no number are missing. */
export async function refsOf(db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const rows = await refsByIds(db, { ids: JSON.stringify([...new Set(ids)]) })
  return new Map(rows.map(({ id, ref }) => [id, ref]))
}
