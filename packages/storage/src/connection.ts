import SqliteDatabase from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { foldedText } from './folded.ts'
import { StorageError } from './storage-error.ts'

/** Maximum number of statements to cache per connection; 5,000 of them would take 36 MB. */
const keptStatements = 500

/**
 * The number of WAL pages (16 MiB) after which the log is written back: four times SQLite's default, for a quarter of
 * the checkpoints. A checkpoint does not take much longer, because B-trees grow at their ends and most commits write
 * the same pages.
 */
export const checkpointPages = 4_000

interface CachedStatement {
  readonly statement: SqliteDatabase.Statement
  readonly writes: boolean
  /** Whether it writes to one of the watched tables. */
  readonly writesWatched: boolean
}

/** Options of a connection to the embedded database. */
export interface ConnectionOptions {
  readonly readonly: boolean
  /** Page cache, MiB. */
  readonly cacheMb: number
  /** Tables whose writes are counted (`watchedWrites`). */
  readonly watched?: readonly string[]
  /** Whether a missing file is an error; otherwise it is created. */
  readonly mustExist?: boolean
  /** The number of log pages after which a commit writes the log back, if not `checkpointPages`. */
  readonly checkpointPages?: number
}

/**
 * A connection to the SQLite file; nothing else opens it. Sets and asserts what durability depends on: WAL,
 * `synchronous=FULL`, foreign keys. The default of better-sqlite3 is `synchronous=NORMAL`.
 */
export class Connection implements DatabaseConnection {
  readonly #database: SqliteDatabase.Database
  readonly #statements = new Map<string, CachedStatement>()
  #writes = 0
  readonly #watched: RegExp | undefined
  #watchedWrites = 0

  constructor(file: string, options: ConnectionOptions) {
    const { readonly, mustExist = false } = options
    this.#database = new SqliteDatabase(file, { readonly, fileMustExist: mustExist, timeout: 5_000 })
    if (!readonly) this.#database.pragma('journal_mode = wal')
    this.#database.pragma('synchronous = full')
    this.#database.pragma('foreign_keys = on')
    this.#database.pragma('journal_size_limit = 67108864')
    this.#database.pragma(`wal_autocheckpoint = ${options.checkpointPages ?? checkpointPages}`)
    this.#database.pragma('temp_store = memory')
    this.setCache(options.cacheMb)
    if (options.watched !== undefined) this.#watched = new RegExp(`\\b(?:${options.watched.join('|')})\\b`)
    this.#database.function('folded', { deterministic: true }, (text: unknown) =>
      typeof text === 'string' ? foldedText(text) : text,
    )
    this.#assertDurable()
  }

  #assertDurable(): void {
    const mode = this.#database.pragma('journal_mode', { simple: true })
    const synchronous = this.#database.pragma('synchronous', { simple: true })
    const [{ version }] = this.#database.prepare('select sqlite_version() as version').all() as [{ version: string }]
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
    const recent = major > 3 || (major === 3 && (minor > 51 || (minor === 51 && patch >= 3)))
    if (mode !== 'wal' || synchronous !== 2 || !recent) {
      throw new StorageError(
        'NOT_DURABLE',
        `The database must run in WAL mode with synchronous=FULL on SQLite 3.51.3 or newer; found ${mode}, ${synchronous}, ${version}.`,
      )
    }
  }

  /** Sets the page cache of this connection, MiB. */
  setCache(megabytes: number): void {
    this.#database.pragma(`cache_size = ${-1024 * megabytes}`)
  }

  /** Sets how long a statement blocks for a lock that another connection holds, ms. */
  setBusyTimeout(ms: number): void {
    this.#database.pragma(`busy_timeout = ${ms}`)
  }

  /** Runs a statement without parameters or rows, such as BEGIN or SAVEPOINT. */
  exec(sql: string): void {
    this.#database.exec(sql)
  }

  /** Reads or sets a pragma; returns its value. */
  pragma(text: string): unknown {
    return this.#database.pragma(text, { simple: true })
  }

  /** The rows of a statement without parameters. */
  rows<Row>(sql: string): Row[] {
    return this.#database.prepare(sql).all() as Row[]
  }

  /** The rows of a statement without parameters, in pages. The connection runs nothing else during that time. */
  *pages<Row>(sql: string, size: number): Generator<Row[]> {
    let page: Row[] = []
    for (const row of this.#database.prepare(sql).iterate()) {
      page.push(row as Row)
      if (page.length < size) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  /**
   * Copies the whole database to a file while it is in use. Call it in a transaction that only reads, or on a writer
   * connection that is otherwise idle.
   * @param pagesATurn pages copied in one turn of the event loop
   */
  async backup(
    file: string,
    pagesATurn = 100,
    onProgress: (pages: { readonly done: number; readonly total: number }) => void = () => {},
  ): Promise<void> {
    await this.#database.backup(file, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress({ done: totalPages - remainingPages, total: totalPages })
        return pagesATurn
      },
    })
  }

  /** Registers a deterministic SQL function. */
  define(name: string, implementation: (...values: unknown[]) => unknown): void {
    this.#database.function(name, { deterministic: true, varargs: true }, implementation)
  }

  /** The number of statements run so far that may write. */
  get writes(): number {
    return this.#writes
  }

  /** The number of statements run so far that wrote to a watched table. */
  get watchedWrites(): number {
    return this.#watchedWrites
  }

  /** Runs a statement synchronously, and caches the prepared statement. */
  execute<Row>(sql: string, parameters: readonly unknown[] = []): QueryResult<Row> {
    const { statement, writes, writesWatched } = this.#statements.get(sql) ?? this.#prepare(sql)
    if (writes) this.#writes++
    if (writesWatched) this.#watchedWrites++
    if (statement.reader) return { rows: statement.all(parameters) as Row[] }
    const { changes } = statement.run(parameters)
    return { numAffectedRows: BigInt(changes), rows: [] }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.execute(query.sql, query.parameters)
  }

  // biome-ignore lint/correctness/useYield: an open iterator would block every write on the connection
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new StorageError(
      'NO_STREAMS',
      'Streaming is not supported, because an open iterator blocks the connection. Read in pages by key.',
    )
  }

  #prepare(sql: string): CachedStatement {
    const statement = this.#database.prepare(sql)
    const writes = !statement.readonly
    const cached = { statement, writes, writesWatched: writes && this.#watched?.test(sql) === true }
    if (this.#statements.size >= keptStatements) {
      const oldest = this.#statements.keys().next()
      if (!oldest.done) this.#statements.delete(oldest.value)
    }
    this.#statements.set(sql, cached)
    return cached
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }
}
