import { dialect } from '@specboard/storage'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from './database.ts'
import type { Table } from './table.ts'
import { type TableName, tables } from './tables/all.ts'

/** A table with rows of boards. */
export interface Part {
  readonly table: TableName
  /** The columns that identify its rows. */
  readonly key: RawBuilder<unknown>
  /** The condition that selects the rows of a board. */
  readonly rows: (boardId: string) => RawBuilder<unknown>
  /** The condition that names the board of rows that are found by their key, if they have it in a column. */
  readonly found: (boardId: string) => Expression<SqlBool>
}

/** Selects the rows of a board in a table. */
function ofBoard({ columns, ofBoard }: Table): Part['rows'] {
  if (ofBoard === undefined) return boardId => sql`board_id = ${boardId}`
  if ('onlyIf' in ofBoard) return boardId => sql`board_id = ${boardId} and ${sql.raw(ofBoard.onlyIf)}`
  const { table, column } = columns[ofBoard.through]!.references!
  return boardId => sql`${sql.ref(ofBoard.through)} in (
    select o.${sql.ref(column)} from ${sql.table(table)} o where o.board_id = ${boardId})`
}

const partOf = (table: Table<TableName>): Part => ({
  table: table.name,
  key: sql.join(table.key.map(column => sql.ref(column))),
  rows: ofBoard(table),
  found: boardId => ('board_id' in table.columns ? dialect.onBoard(sql.ref('board_id'), boardId) : sql<SqlBool>`1 = 1`),
})

const refersTo = ({ columns }: Table, name: string): boolean =>
  Object.values(columns).some(({ references }) => references?.table === name)

/** Tables in an order in which each comes before those that it references. */
function childrenFirst<Of extends Table>(unordered: readonly Of[]): Of[] {
  const ordered: Of[] = []
  for (let remaining = unordered; remaining.length > 0; ) {
    const free = remaining.filter(({ name }) => !remaining.some(other => other.name !== name && refersTo(other, name)))
    if (free.length === 0)
      throw new Error(`Tables reference each other: ${remaining.map(({ name }) => name).join(', ')}.`)
    ordered.push(...free)
    remaining = remaining.filter(table => !free.includes(table))
  }
  return ordered
}

const inPieces = tables.filter(({ removed }) => removed === 'in pieces')

/**
 * The tables in which a board may have many rows, children first, so that deleting a row does not cascade to many
 * others. The tables of the graph follow those of the records, so that the graph never lacks a record that still
 * exists.
 */
export const partsOfBoards: readonly Part[] = (['first', undefined, 'last'] as const)
  .flatMap(when => childrenFirst(inPieces.filter(({ turn }) => turn === when)))
  .map(partOf)

/** The tables whose rows are removed when their board is deleted, before its other rows. */
export const removedAtOnce = tables.filter(({ removed }) => removed === 'at once').map(({ name }) => name)

/** The number of rows removed in one turn, so that no call waits long. */
const atOnce = 100

/**
 * Removes a board's rows from some tables, in pieces.
 * @param write runs a piece: in a unit of work of its own, or in a turn of one
 */
export async function removeRows(
  write: <Value>(run: (db: Db) => Promise<Value>) => Promise<Value>,
  parts: readonly Part[],
  boardId: string,
): Promise<void> {
  for (const each of parts)
    for (let removed = atOnce; removed === atOnce; ) removed = await write(db => removeSome(db, each, boardId))
}

async function removeSome(db: Db, { table, key, rows, found }: Part, boardId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${found(boardId)} and (${key}) in (
    select ${key} from ${sql.table(table)} where ${rows(boardId)} limit ${atOnce})`.execute(db)
  return Number(numAffectedRows)
}
