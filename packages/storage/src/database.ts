import { existsSync, mkdirSync, statfsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { Connection } from './connection.ts'
import type { Db } from './db.ts'
import { bind, type Gate } from './executor.ts'
import { lockFolder } from './folder-lock.ts'
import { GroupCommit } from './group-commit.ts'
import { type Migrations, migrate } from './migrate.ts'
import { StorageError } from './storage-error.ts'

/** Where the database is and how it is opened. */
export interface DatabaseOptions {
  /** The data folder; created if it does not exist. */
  readonly folder: string
  /** The page cache of each connection, MiB. */
  readonly cacheMb?: number
  /** The migrations that bring an older database up to date. */
  readonly migrations: Migrations
  /** The tables whose changes `watchedVersion` reports. */
  readonly watched?: readonly string[]
}

/**
 * The embedded database: one writer with group commit and one read-only connection, so that a reader never sees an
 * uncommitted group. All access is through `write` and `read`.
 */
export class Database<Schema> {
  readonly folder: string
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #readGate: Gate = { open: true }
  readonly #readDb: Db<Schema>
  #reading = false
  readonly #groups: GroupCommit<Schema>
  #dataVersion = 0
  #watchedVersion = 0
  #watchedWrites: number
  #foreignVersion = 0
  #comparedForeign = false
  readonly #unlock: () => void

  private constructor(folder: string, writer: Connection, reader: Connection, unlock: () => void) {
    this.folder = folder
    this.#writer = writer
    this.#reader = reader
    this.#watchedWrites = writer.watchedWrites
    this.#unlock = unlock
    this.#readDb = bind<Schema>(reader, this.#readGate)
    this.#groups = new GroupCommit(
      writer,
      error => storageFault(error, folder),
      () => this.#committed(),
    )
  }

  /**
   * Opens the database of a folder exclusively: takes the folder's lock and migrates.
   * @throws StorageError FOLDER_LOCKED, DATABASE_NEWER, NOT_DURABLE
   */
  static async open<Schema>(options: DatabaseOptions): Promise<Database<Schema>> {
    const { folder, cacheMb = 64, migrations, watched = [] } = options
    makeFolder(folder)
    const unlock = lockFolder(folder)
    try {
      const file = databaseFile(folder)
      const writer = new Connection(file, { readonly: false, cacheMb, watched })
      await migrate(writer, migrations, firstPending => join(folder, `before-${firstPending}.db`))
      const reader = new Connection(file, { readonly: true, cacheMb })
      return new Database<Schema>(folder, writer, reader, unlock)
    } catch (error) {
      unlock()
      throw storageFault(error, folder)
    }
  }

  /**
   * Runs a unit of work in the next group and resolves when it is durable. The unit may await only its database, may
   * run twice, and must not keep `db`, which is closed when it ends. On a database that does not serialise writers, the
   * row of `lock` (a board) is locked first; SQLite has one writer and needs no lock.
   *
   * @example
   * // Await files and services before or after, never inside: the unit would be rolled back with UNIT_AWAITED.
   * const text = await readFile(path, 'utf8')
   * await database.write(db => db.insertInto('notes').values({ id, text }).execute())
   * @throws StorageError BUSY, CLOSED, UNIT_AWAITED, STORAGE_FULL
   */
  write<Value>(run: (db: Db<Schema>) => Promise<Value>, _options: { readonly lock?: string } = {}): Promise<Value> {
    return this.#groups.write(run)
  }

  /**
   * Runs reads on the read-only connection. All reads of one turn of the event loop share a transaction, which saves
   * a lock for each of them. Reads that await only queries therefore see a single state.
   */
  read<Value>(run: (db: Db<Schema>) => Promise<Value>): Promise<Value> {
    this.#beginReads()
    return run(this.#readDb)
  }

  /** Changes with every commit, in this process or another; cached reads are valid as long as it stays the same. */
  get dataVersion(): number {
    this.#beginReads()
    return this.#dataVersion
  }

  #beginReads(): void {
    if (this.#reading || !this.#readGate.open) return
    this.#reader.execute('begin')
    this.#reading = true
    this.#dataVersion = dataVersionOf(this.#reader)
    setImmediate(() => this.#endReads())
  }

  /** Ends the shared transaction, so that the next read sees later commits. */
  #endReads(): void {
    if (!this.#reading || !this.#readGate.open) return
    this.#reading = false
    this.#reader.execute('commit')
  }

  /**
   * Changes with every commit of another process, and with those of this process that wrote to a watched table. Cached
   * reads of these tables are valid as long as it stays the same.
   */
  get watchedVersion(): number {
    if (this.#comparedForeign) return this.#watchedVersion
    this.#comparedForeign = true
    setImmediate(() => {
      this.#comparedForeign = false
    })
    // The writer's own commits do not change its data version.
    const foreign = dataVersionOf(this.#writer)
    if (foreign === this.#foreignVersion) return this.#watchedVersion
    this.#foreignVersion = foreign
    this.#watchedVersion++
    // Later reads must be at least as new as the version that they are cached under.
    this.#endReads()
    return this.#watchedVersion
  }

  #committed(): void {
    if (this.#writer.watchedWrites !== this.#watchedWrites) this.#watchedVersion++
    this.#watchedWrites = this.#writer.watchedWrites
    this.#endReads()
  }

  /** Sets the page cache of both connections, MiB. */
  setCache(megabytes: number): void {
    this.#writer.setCache(megabytes)
    this.#reader.setCache(megabytes)
  }

  /** Copies the database to a file while it is in use. */
  backup(file: string): Promise<void> {
    return this.#writer.backup(file)
  }

  /** Finishes accepted writes, closes the connections and releases the folder's lock. */
  async close(): Promise<void> {
    await this.#groups.close()
    this.#endReads()
    this.#readGate.open = false
    this.#reader.close()
    this.#writer.close()
    this.#unlock()
  }
}

const dataVersionOf = (connection: Connection): number =>
  connection.execute<{ data_version: number }>('pragma data_version').rows[0]!.data_version

/**
 * Creates a folder that only this user can access. The last step is not recursive, because Node's recursive mkdir
 * never returns where nothing can be created.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  mkdirSync(dirname(resolve(folder)), { recursive: true })
  mkdirSync(folder, { mode: 0o700 })
}

/** The database file of a data folder. */
export const databaseFile = (folder: string): string => join(folder, 'specboard.db')

/** The error that a caller gets for a failed statement or commit: STORAGE_FULL for a full disk, otherwise the same. */
function storageFault(error: unknown, folder: string): unknown {
  if (!(error instanceof SqliteDatabase.SqliteError)) return error
  const full = error.code === 'SQLITE_FULL' || (error.code.startsWith('SQLITE_IOERR') && withoutRoom(folder))
  if (!full) return error
  return new StorageError(
    'STORAGE_FULL',
    'The disk is full: nothing was stored. Make room and send the request again.',
    { cause: error },
  )
}

function withoutRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < 1 << 20
  } catch {
    return false
  }
}
