/** Rows of the embedded database that refer to missing rows. */
import { Connection } from './connection.ts'
import { databaseFile } from './data-folder.ts'

/** A row that refers to a missing row. */
export interface BrokenReference {
  readonly table: string
  /** Identifies the row in its table: its id, if it has one. */
  readonly row: string
  /** The id of its board; undefined if it belongs to none. */
  readonly board: string | undefined
  readonly column: string
  /** The table in which the other row is missing. */
  readonly parent: string
}

/** The rows that refer to missing rows: how many there are, and the first of them. */
export interface BrokenReferences {
  readonly total: number
  readonly first: readonly BrokenReference[]
  /** The tables with such rows. */
  readonly tables: readonly string[]
}

/** Maximum number of rows with broken references that are listed. */
const named = 20

interface ForeignKeyFault {
  readonly table: string
  /** Null in tables without one. */
  readonly rowid: number | null
  readonly parent: string
  /** The number of the reference in its table. */
  readonly fkid: number
}

/** The broken references of a database. */
export function brokenReferencesOf(connection: Connection): BrokenReferences {
  const faults = connection.rows<ForeignKeyFault>('pragma foreign_key_check')
  return {
    total: faults.length,
    first: faults.slice(0, named).map(fault => brokenReference(connection, fault)),
    tables: [...new Set(faults.map(({ table }) => table))],
  }
}

function brokenReference(connection: Connection, { table, rowid, parent, fkid }: ForeignKeyFault): BrokenReference {
  const keys = connection.rows<{ id: number; from: string }>(`pragma foreign_key_list("${table}")`)
  const [row] =
    rowid === null
      ? []
      : connection.rows<Record<string, unknown>>(`select * from "${table}" where rowid = ${Number(rowid)}`)
  const own = connection.rows<{ name: string; pk: number }>(`pragma table_info("${table}")`).filter(({ pk }) => pk > 0)
  return {
    table,
    row: row === undefined ? 'a row' : own.map(({ name }) => String(row[name])).join(' '),
    board: typeof row?.board_id === 'string' ? row.board_id : undefined,
    column: keys.find(({ id }) => id === fkid)?.from ?? '',
    parent,
  }
}

/** Removes the rows that reference missing rows, from a database that no server uses. */
export function removeBrokenReferences(folder: string, tables: readonly string[]): void {
  const connection = new Connection(databaseFile(folder), { readonly: false, cacheMb: 16 })
  try {
    for (const table of tables)
      connection.exec(`delete from "${table}" where rowid in (select rowid from pragma_foreign_key_check('${table}'))`)
  } finally {
    connection.close()
  }
}
