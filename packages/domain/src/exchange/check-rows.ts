/** Checks whether stored records contain only what their kinds may hold. */
import { sql } from 'kysely'
import type { Db } from '../schema/database.ts'
import type { Schema } from '../schema/tables.ts'
import type { Column } from './kinds/columns.ts'
import { toRecord } from './kinds/forms.ts'
import { event, kindOf } from './kinds/kinds.ts'

/** A record that cannot be read, or holds what its kind may not. */
export interface BadRow {
  /** The kind of record, as archives call it. */
  readonly type: string
  readonly id: string
  /** Null if it belongs to no board. */
  readonly board_id: string | null
  /** The columns at fault. */
  readonly columns: readonly string[]
}

/** Invalid records: their number, and the first of them. */
export interface BadRows {
  readonly total: number
  readonly first: readonly BadRow[]
}

/** How many rows are read at once. */
const pageSize = 500

interface CheckedTable {
  readonly type: string
  readonly table: keyof Schema
  readonly columns: Readonly<Record<string, Column>>
}

/** Tables whose rows have an id; the entries of the log are checked as a whole. */
const checked: readonly CheckedTable[] = [
  ...[...kindOf.values()].filter(({ type, columns }) => Object.hasOwn(columns, 'id') && type !== 'history'),
  { type: 'event', table: 'events', columns: event },
]

/**
 * Finds records that could not be returned by a call or written to an archive: a column with invalid JSON, an unknown
 * status.
 * @param max how many of them are reported
 */
export async function badRows(db: Db, max: number): Promise<BadRows> {
  const first: BadRow[] = []
  let total = 0
  for (const kind of checked)
    for await (const bad of badRowsOf(db, kind)) {
      total++
      if (first.length < max) first.push(bad)
    }
  return { total, first }
}

async function* badRowsOf(db: Db, { type, table, columns }: CheckedTable): AsyncGenerator<BadRow> {
  for (let after = ''; ; ) {
    const { rows } = await sql<Record<string, unknown> & { id: string }>`select * from ${sql.table(table)}
      where id > ${after} order by id limit ${pageSize}`.execute(db)
    for (const row of rows) {
      // Columns that only archives have, for data of other services, are not columns of this row.
      const own = Object.entries(columns).filter(([name]) => Object.hasOwn(row, name))
      const wrong = own.flatMap(([name, column]) => (holds(column, row[name]) ? [] : [name]))
      if (wrong.length > 0) yield { type, id: row.id, board_id: boardOf(type, row), columns: wrong }
    }
    if (rows.length < pageSize) return
    after = rows.at(-1)!.id
  }
}

/** Whether a stored value is valid for its column. */
function holds(column: Column, stored: unknown): boolean {
  try {
    return column.schema.safeParse(toRecord(column, stored)).success
  } catch {
    // It is not valid JSON.
    return false
  }
}

const boardOf = (type: string, { id, board_id }: Readonly<Record<string, unknown>>): string | null =>
  type === 'board' ? String(id) : typeof board_id === 'string' ? board_id : null
