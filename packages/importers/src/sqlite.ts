/** Reads tables from the bytes of a SQLite database of unknown origin. */
import type { InPieces } from '@specboard/contract'
import Database from 'better-sqlite3'
import { Unreadable } from './neutral.ts'

/** The first bytes of a database. */
const start = Buffer.from('SQLite format 3\0')

/** The header bytes that say whether there is a write-ahead log, and their value without one. */
const versionBytes = [18, 19] as const
const withoutLog = 1

/** Maximum number of rows of all tables together. */
const maxRows = 1_000_000

/** Rows read in one step. */
const rowsOfAPiece = 200

export const isSqlite = (bytes: Uint8Array | undefined): bytes is Uint8Array =>
  bytes !== undefined && start.equals(Buffer.from(bytes.subarray(0, start.length)))

/** A value of a column; an integer is a bigint if a number cannot represent it. */
export type SqliteValue = string | number | bigint | Uint8Array | null

export type SqliteRow = Readonly<Record<string, SqliteValue>>

/**
 * A read-only database in memory without a file. Nothing in it is executed: rows come from tables alone, never from
 * views, virtual tables or computed columns, and triggers never fire.
 */
export class SqliteFile implements Disposable {
  readonly #database: Database.Database
  #rows = 0

  /** @throws Unreadable for an invalid database */
  constructor(bytes: Uint8Array, entry: string | null) {
    const copy = Buffer.from(bytes)
    // The log is a separate file: the database file is read without it.
    for (const at of versionBytes) copy[at] = withoutLog
    try {
      this.#database = new Database(copy, { readonly: true })
      for (const pragma of ['trusted_schema = OFF', 'ignore_check_constraints = ON', 'cell_size_check = ON'])
        this.#database.pragma(pragma)
      this.#database.prepare('select count(*) from sqlite_schema').get()
    } catch (error) {
      throw unreadable(error, entry)
    }
  }

  /**
   * Refuses a damaged table, whose pages could form cycles. Other tables are not checked, as they may be large.
   * @throws Unreadable
   */
  #check(table: string, entry: string | null): void {
    let found: unknown
    try {
      found = this.#database.pragma(`quick_check(${quoted(table)})`, { simple: true })
    } catch (error) {
      throw unreadable(error, entry)
    }
    if (found !== 'ok') throw unreadable(found, entry)
  }

  /** The names of the tables, without those of SQLite itself. */
  tables(): string[] {
    return this.#database
      .prepare<[], { name: string }>(
        "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'",
      )
      .all()
      .map(({ name }) => name)
  }

  /** The stored columns of a table. */
  columns(table: string): string[] {
    return this.#database
      .prepare<[string], { name: string }>('select name from pragma_table_xinfo(?) where hidden = 0')
      .all(table)
      .map(({ name }) => name)
  }

  /** Whether a table has a row; the rows are not counted, because its pages are unchecked. */
  hasRows(table: string, entry: string | null): boolean {
    try {
      return this.#database.prepare(`select 1 from ${quoted(table)} limit 1`).get() !== undefined
    } catch (error) {
      throw unreadable(error, entry)
    }
  }

  /**
   * The rows of a table in insertion order, with those of the named columns that exist, or all.
   * @throws Unreadable for a table that cannot be read, or with more rows than the limit
   */
  *rows(table: string, names: readonly string[] | 'all', entry: string | null): InPieces<SqliteRow[]> {
    const columns = this.columns(table).filter(name => names === 'all' || names.includes(name))
    if (columns.length === 0) return []
    this.#check(table, entry)
    yield
    const read: SqliteRow[] = []
    try {
      const statement = this.#database.prepare<[], SqliteRow>(
        `select ${columns.map(quoted).join(', ')} from ${quoted(table)}`,
      )
      for (const row of statement.iterate()) {
        read.push(row)
        if (++this.#rows > maxRows)
          throw new Unreadable(`The database has more than ${maxRows} rows.`, { entry, line: null })
        if (read.length % rowsOfAPiece === 0) yield
      }
    } catch (error) {
      throw unreadable(error, entry)
    }
    return read
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const unreadable = (error: unknown, entry: string | null): Unreadable =>
  error instanceof Unreadable
    ? error
    : new Unreadable(
        `The SQLite database cannot be read: ${error instanceof Error ? error.message : String(error)}. ` +
          'Close the program that uses it, copy the file and import the copy.',
        { entry, line: null },
      )
