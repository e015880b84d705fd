import { existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { backupPhrase } from './backups.ts'
import { backstopPages, Checkpointer } from './checkpointer.ts'
import { Connection } from './connection.ts'
import { databaseFile, databaseName, makeFolder } from './data-folder.ts'
import type { Db } from './db.ts'
import { bind, type Gate } from './executor.ts'
import { FileGuard, type GuardOptions, type StorageCondition } from './file-guard.ts'
import { refuseMissingDatabase } from './first-start.ts'
import { lockFolder } from './folder-lock.ts'
import { GroupCommit } from './group-commit.ts'
import { keepLog, logEndedEarly } from './log-loss.ts'
import { type Migrations, migrate } from './migrate.ts'
import { putNewDatabase } from './new-database.ts'
import { checkPages, isDamage, type PageCheck } from './page-check.ts'
import { StorageError } from './storage-error.ts'
import type { Store, StoreAddress, StoreLoad, WriteOptions } from './store.ts'

/** How long a start waits for the page check, ms; the rest of it runs alongside the service (trust 5). */
const checkMs = 2_000

/**
 * The size in bytes from which a database cannot be checked in that time, so that a start does not wait for its check
 * at all.
 */
const maxCheckedBytes = 256 << 20

/** The delay before a check that the start does not wait for, ms. */
const checkAfterMs = 2_000

/** Where the database is and how it is opened. */
export interface DatabaseOptions extends GuardOptions {
  /** The data folder; created when missing. */
  readonly folder: string
  /** The page cache of each connection, MiB. */
  readonly cacheMb?: number
  /** The migrations that bring an older database up to date. */
  readonly migrations: Migrations
  /** The file that a new database is copied from, compressed; without one, all migrations make it. */
  readonly newDatabase?: string | undefined
  /** The tables whose changes `watchedVersion` reports. */
  readonly watched?: readonly string[]
  /** A query for the time of the last write, as `at`: writes after it may be missing if the log ended early. */
  readonly lastWrite?: string
  /** Called with the migrations that ran on existing data. */
  readonly onMigrated?: (names: readonly string[]) => void
  /**
   * Files that exist only in a folder with a database, by name: a folder with one of them is not at its first start.
   */
  readonly companions?: readonly string[]
}

/**
 * The number of pieces of large changes after which the writer drops its cached pages. Such a change would fill the
 * cache with pages that nobody needs again: an import takes 60 MiB less this way.
 */
const piecesCached = 8

/** How long a measured size is reused, ms. */
const sizeMs = 100

const sizeOf = (connection: Connection): number =>
  Number(connection.pragma('page_count')) * Number(connection.pragma('page_size'))

/** The parts of an open database. */
interface OpenParts {
  readonly writer: Connection
  readonly reader: Connection
  readonly check: PageCheck
  readonly unlock: () => void
}

/**
 * The embedded database: one writer with group commit and one read-only connection, so that a reader never sees an
 * uncommitted group. All access is through `write` and `read`.
 */
export class Database<Schema> implements Store<Schema> {
  readonly engine = 'sqlite'
  readonly isShared = false
  readonly folder: string
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #readGate: Gate = { open: true }
  readonly #readDb: Db<Schema>
  #reading = false
  readonly #groups: GroupCommit<Schema>
  readonly #checkpointer: Checkpointer
  #measured = { at: Number.NEGATIVE_INFINITY, bytes: 0 }
  #dataVersion = 0
  #watchedVersion = 0
  #watchedWrites: number
  #foreignVersion = 0
  #comparedForeign = false
  /** Pieces of large changes since the cached pages were last dropped. */
  #pieces = 0
  readonly #unlock: () => void
  readonly #guard: FileGuard

  private constructor(options: DatabaseOptions, { writer, reader, check, unlock }: OpenParts) {
    const { folder } = options
    this.folder = folder
    this.#writer = writer
    this.#reader = reader
    this.#watchedWrites = writer.watchedWrites
    this.#unlock = unlock
    this.#readDb = bind<Schema>(reader, this.#readGate)
    this.#checkpointer = new Checkpointer(databaseFile(folder), writer)
    this.#groups = new GroupCommit(writer, {
      storageFault: error => this.faultOf(error),
      afterBegin: () => {
        // What is found now holds for the whole group, in which no other process can commit.
        this.#comparedForeign = false
        this.#compareForeign()
      },
      beforeCommit: () => this.#guard.assertPresent(),
      beforeAnswers: () => this.#committed(),
      hold: () => this.#checkpointer.hold,
    })
    const refuseWrites = async (error: StorageError) => {
      await this.#groups.refuse(error)
      await this.#checkpointer.end()
    }
    const closeLost = (writerClosed: () => unknown) => this.#closeLost(writerClosed)
    this.#guard = new FileGuard({ folder, writer, check, refuseWrites, closeLost }, options)
  }

  /**
   * Opens the database of a folder exclusively: takes the folder's lock and migrates.
   * @throws StorageError FOLDER_LOCKED, DATABASE_NEWER, NOT_DURABLE
   */
  static async open<Schema>(options: DatabaseOptions): Promise<Database<Schema>> {
    const { folder, cacheMb = 64, migrations, watched = [], companions = [] } = options
    makeFolder(folder)
    const unlock = lockFolder(folder)
    let writer: Connection | undefined
    let check: PageCheck | undefined
    try {
      const file = databaseFile(folder)
      refuseMissingDatabase(folder, companions)
      if (options.newDatabase !== undefined && !existsSync(file)) putNewDatabase(folder, options.newDatabase)
      const endedEarly = logEndedEarly(file)
      writer = new Connection(file, { readonly: false, cacheMb, watched, checkpointPages: backstopPages })
      if (endedEarly) keepLog(file, lastWriteOf(writer, options.lastWrite))
      // What was recovered is written to the database at once, so that no remains in the log look like a loss later.
      if (endedEarly) writer.pragma('wal_checkpoint(truncate)')
      const isWaitedFor = statSync(file).size <= maxCheckedBytes
      check = checkPages(writer, file, isWaitedFor ? 0 : checkAfterMs)
      const migrated = await migrate(writer, {
        database: file,
        migrations,
        backupFile: firstPending => join(folder, `before-${firstPending}.db`),
        admitted: isWaitedFor ? refuseDamage(folder, check) : Promise.resolve(),
      })
      if (migrated.length > 0) options.onMigrated?.(migrated)
      const reader = new Connection(file, { readonly: true, cacheMb })
      return new Database<Schema>(options, { writer, reader, check, unlock })
    } catch (error) {
      await check?.end()
      writer?.close()
      unlock()
      throw isDamage(error) || isNoDatabase(error) ? damaged(folder, error.message) : storageFault(error, folder)
    }
  }

  announce(): void {}

  readonly ignoredAnnouncements = 0

  onAnnounced(): () => void {
    return () => {}
  }

  /** What is wrong with the files, and whether they are lost. */
  get condition(): StorageCondition {
    return this.#guard
  }

  /**
   * The error that callers get for a failure: STORAGE_LOST or STORAGE_FULL if that is why the database failed,
   * otherwise the error itself.
   */
  faultOf(error: unknown): unknown {
    if (!(error instanceof SqliteDatabase.SqliteError)) return storageFault(error, this.folder)
    const lost = this.#guard.lossBehind()
    if (lost === undefined && isDamage(error)) this.#guard.tellDamage(error.message)
    return lost ?? storageFault(error, this.folder)
  }

  get address(): StoreAddress {
    return { engine: 'sqlite', folder: this.folder }
  }

  /**
   * Runs a unit of work in the next group. It may await only its database, and the turns of the event loop that it asks
   * its group for.
   * @throws StorageError BUSY, CLOSED, UNIT_AWAITED, STORAGE_FULL
   */
  write<Value>(run: (db: Db<Schema>) => Promise<Value>, options: WriteOptions<Schema> = {}): Promise<Value> {
    if (!options.isPiece) return this.#groups.write(run)
    const { passes } = this.#checkpointer
    if (passes !== undefined) return passes.then(() => this.write(run, options))
    this.#pieces++
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

  /** Reads of one turn share a transaction anyway, and are cheap. */
  readTogether<Value>(_: string, run: (db: Db<Schema>) => Promise<Value>): Promise<Value> {
    return this.read(run)
  }

  get dataVersion(): number {
    this.#beginReads()
    return this.#dataVersion
  }

  #beginReads(): void {
    if (this.#reading || !this.#readGate.open) return
    this.#reader.execute('begin')
    this.#reading = true
    setImmediate(() => this.#endReads())
    this.#dataVersion = dataVersionOf(this.#reader)
  }

  /** Ends the shared transaction, so that the next read sees later commits. */
  #endReads(): void {
    if (!this.#reading || !this.#readGate.open) return
    this.#reading = false
    try {
      this.#reader.execute('commit')
    } catch (error) {
      // Nothing was written, and the readers were notified. The next reads start over.
      this.faultOf(error)
      if (this.#reader.inTransaction) this.#reader.execute('rollback')
    }
  }

  get watchedVersion(): number {
    this.#compareForeign()
    return this.#watchedVersion
  }

  /** Changes the watched version if another process has committed; looks once in a turn of the event loop. */
  #compareForeign(): void {
    if (this.#comparedForeign) return
    this.#comparedForeign = true
    setImmediate(() => {
      this.#comparedForeign = false
    })
    // The writer's own commits do not change its data version.
    const foreign = dataVersionOf(this.#writer)
    if (foreign === this.#foreignVersion) return
    this.#foreignVersion = foreign
    this.#watchedVersion++
    // Later reads must be at least as new as the version under which they are cached.
    this.#endReads()
  }

  get replica(): undefined {
    return undefined
  }

  get replicaPlace(): undefined {
    return undefined
  }

  get versionWithin(): number | undefined {
    // What an earlier unit of the running group wrote counts for the later ones.
    if (this.#writer.watchedWrites !== this.#watchedWrites) return undefined
    const isCurrent = this.#comparedForeign || dataVersionOf(this.#writer) === this.#foreignVersion
    return isCurrent ? this.#watchedVersion : undefined
  }

  #committed(): void {
    if (this.#writer.watchedWrites !== this.#watchedWrites) this.#watchedVersion++
    this.#watchedWrites = this.#writer.watchedWrites
    this.#endReads()
    if (this.#pieces >= piecesCached) {
      this.#pieces = 0
      this.#writer.pragma('shrink_memory')
    }
    this.#checkpointer.committed()
  }

  /** The size of the database without its log, measured a moment ago, bytes. Many reads use it. */
  get bytes(): number {
    const now = performance.now()
    if (now - this.#measured.at > sizeMs) this.#measured = { at: now, bytes: sizeOf(this.#reader) }
    return this.#measured.bytes
  }

  get load(): StoreLoad {
    const walBytes = statSync(`${databaseFile(this.folder)}-wal`, { throwIfNoEntry: false })?.size ?? 0
    const { units, commits, waiting } = this.#groups.load
    const connections = { open: 2, idle: 0 }
    return { units, commits, waiting, lockWaitMs: 0, longestWaits: () => [], walBytes, connections }
  }

  /** Sets the page cache of both connections, MiB. */
  setCache(megabytes: number): void {
    this.#writer.setCache(megabytes)
    this.#reader.setCache(megabytes)
  }

  /** Finishes accepted writes, closes the connections and releases the folder's lock. */
  async close(): Promise<void> {
    await this.#groups.close()
    await this.#checkpointer.end()
    if ((await this.#guard.end()) === 'lost') return
    this.#endReads()
    this.#readGate.open = false
    this.#reader.close()
    this.#writer.close()
    this.#guard.release()
    this.#unlock()
  }

  /**
   * Closes the writer before the reader: as the last connection, the writer would write its log back into a file that
   * the log does not belong to; the read-only one cannot.
   */
  #closeLost(writerClosed: () => unknown): void {
    this.#endReads()
    this.#readGate.open = false
    this.#writer.close()
    writerClosed()
    this.#reader.close()
    this.#unlock()
  }
}

/** @throws StorageError DATABASE_DAMAGED when a fault is found while a start may wait for the check */
async function refuseDamage(folder: string, check: PageCheck): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, checkMs, undefined)
  })
  const fault = await Promise.race([check.fault, late]).finally(() => clearTimeout(timer))
  if (fault !== undefined) throw damaged(folder, fault)
}

/** Whether the file was never a database, or its beginning was overwritten. */
const isNoDatabase = (error: unknown): error is InstanceType<typeof SqliteDatabase.SqliteError> =>
  error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_NOTADB'

const damaged = (folder: string, fault: string): StorageError =>
  new StorageError(
    'DATABASE_DAMAGED',
    `${databaseName} in ${folder} is damaged: ${fault}. Restore a backup (newest: ${backupPhrase(folder)}).`,
  )

/** The time of the last write to a database; undefined if there is none, or no table for it yet. */
function lastWriteOf(connection: Connection, query: string | undefined): string | undefined {
  if (query === undefined) return undefined
  try {
    return connection.rows<{ at: string | null }>(query)[0]?.at ?? undefined
  } catch {
    return undefined
  }
}

const dataVersionOf = (connection: Connection): number =>
  connection.execute<{ data_version: number }>('pragma data_version').rows[0]!.data_version

/**
 * The error that callers get for a failed statement, commit or file: STORAGE_FULL if there is no space, otherwise the
 * error itself.
 */
function storageFault(error: unknown, folder: string): unknown {
  if (!isDiskFull(error, folder)) return error
  return new StorageError(
    'STORAGE_FULL',
    'The disk is full: nothing was stored. Make room and send the request again.',
    { cause: error },
  )
}

function isDiskFull(error: unknown, folder: string): boolean {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false
  const { code } = error
  if (error instanceof SqliteDatabase.SqliteError)
    return code === 'SQLITE_FULL' || (code.startsWith('SQLITE_IOERR') && withoutRoom(folder))
  return code === 'ENOSPC' || code === 'EDQUOT'
}

function withoutRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < 1 << 20
  } catch {
    return false
  }
}
