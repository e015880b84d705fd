import { type Counter, dialect, groupOf, type Param } from '@specboard/storage'
import { type Expression, type SqlBool, sql } from 'kysely'
import { parseReference } from '../lib/reference.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import { refOf } from '../schema/refs.ts'
import { onBoard } from '../schema/same-board.ts'
import { numberedTables } from '../schema/tables/all.ts'

/** The number of a board's last record, counted in the board's row: one count for all kinds. */
const lastNumber: Counter = { table: 'boards', column: 'last_number', id: 'id' }

const keyById = hot<{ id: string }, { key: string }>((db, param) =>
  db.selectFrom('boards').select('key').where('id', '=', param('id')),
)

/** The number of a board's next record. */
export const nextNumber = async (db: Db, boardId: string): Promise<number> => groupOf(db).next(lastNumber, boardId)

/** Advances a board's counter past the number of an incoming record. */
export const raiseNumber = async (db: Db, boardId: string, min: number): Promise<void> =>
  groupOf(db).raise(lastNumber, boardId, min)

/** The reference of a board's next record. Its number is used even when the record is deleted again (work 1). */
export async function nextRef(db: Db, boardId: string): Promise<string> {
  const [[board], number] = await Promise.all([keyById(db, { id: boardId }), nextNumber(db, boardId)])
  return `${board!.key}-${number}`
}

interface Selection {
  ids: string
  board: string
}

interface FoundRef {
  id: string
  ref: string
}

const refsByIds = (isOn: (table: string, param: Param<Selection>) => Expression<SqlBool>) =>
  hot<Selection, FoundRef>((_, param) => {
    const parts = numberedTables.map(
      table => sql`select id, ${refOf(table)} as ref from ${sql.table(table)}
        where ${dialect.inList(sql.ref('id'), param('ids'))} and ${isOn(table, param)}`,
    )
    return sql<FoundRef>`${sql.join(parts, sql` union all `)}`
  })

const refsAnywhere = refsByIds(() => sql<SqlBool>`1 = 1`)
const refsOfBoard = refsByIds((table, param) => onBoard(table, param('board')))

const refsFrom = async (find: typeof refsAnywhere, db: Db, board: string, ids: Iterable<string>) => {
  const distinct = [...new Set(ids)]
  const rows = distinct.length === 0 ? [] : await find(db, { board, ids: JSON.stringify(distinct) })
  return new Map(rows.map(({ id, ref }) => [id, ref]))
}

/**
 * The references of the records with these ids, of any kind and on any board, by id; those that are deleted or have no
 * number are left out.
 */
export const refsOf = (db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> =>
  refsFrom(refsAnywhere, db, '', ids)

/** The same for records that are on one board. */
export const refsOn = (db: Db, board: string, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> =>
  refsFrom(refsOfBoard, db, board, ids)

const deletedRefs = hot<{ ids: string }, { id: string; ref: string }>(
  (_, param) => sql<{ id: string; ref: string }>`
    select d.entity_id as id, b.key || '-' || d.number as ref from deleted_numbers d join boards b on b.id = d.board_id
    where ${dialect.inList(sql.ref('d.entity_id'), param('ids'))}`,
)

/** The references of records, including deleted ones: the log keeps the references of its records (work 5). */
export async function refsInLog(db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const refs = await refsOf(db, ids)
  const others = [...new Set(ids)].filter(id => !refs.has(id))
  if (others.length === 0) return refs
  const rows = await deletedRefs(db, { ids: JSON.stringify(others) })
  return rows.length === 0 ? refs : new Map([...refs, ...rows.map(({ id, ref }) => [id, ref] as const)])
}

const deletedByNumber = hot<{ board: string; number: number }, { id: string }>((db, param) =>
  db
    .selectFrom('deleted_numbers')
    .select('entity_id as id')
    .where('board_id', '=', param('board'))
    .where('number', '=', param('number')),
)

/** The id of the deleted record on a board that had a reference; the text itself if it names none. */
export async function deletedNamed(db: Db, boardId: string, text: string): Promise<string> {
  const reference = parseReference(text)
  if (reference === undefined) return text
  const [[board], [record]] = await Promise.all([
    keyById(db, { id: boardId }),
    deletedByNumber(db, { board: boardId, number: reference.number }),
  ])
  return record !== undefined && board?.key === reference.key ? record.id : text
}
