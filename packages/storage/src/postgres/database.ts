import { randomBytes } from 'node:crypto'
import { setTimeout as sleep, setImmediate as turnEnd } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { StorageCondition } from '../file-guard.ts'
import type { Migrations } from '../migrate.ts'
import { StorageError } from '../storage-error.ts'
import type {
  Announcement,
  ReadOptions,
  ReplicaPlace,
  ReplicaStatus,
  StatementLimits,
  Store,
  StoreAddress,
  StoreLoad,
  WriteOptions,
} from '../store.ts'
import { NotifyChannel } from './announcement-channel.ts'
import { Announcements } from './announcements.ts'
import { Connections, defaultLimits, limitedBy, type PostgresConnection, refuseStandby } from './connections.ts'
import { faultOf, isBroken, isReadOnly, mayRunAgain } from './faults.ts'
import { refuseMoving, takeLock } from './locks.ts'
import { migratePostgres } from './migrate.ts'
import { PollChannel } from './poll-channel.ts'
import { usualConnections } from './pool-size.ts'
import { PostgresReader } from './reader.ts'
import { Replica } from './replica.ts'
import { confirmKind, type LockKind, settleKind } from './row-locks.ts'
import { settledAddress } from './suitability.ts'
import { beginWrite, transaction } from './transaction.ts'
import { UnitQueues } from './unit-queues.ts'
import { UnitWrites } from './unit-writes.ts'

/** Maximum number of units of work that may wait for others of the same lock. */
const maxWaiting = 4_096

/** How often the size of the database is looked up, ms. */
const sizeMs = 10_000

/** Options for opening a database. */
export interface PostgresOptions {
  /** `postgres://user:password@host/database`, with the parameters of `databaseAddress`. */
  readonly url: string
  /** The address of a replica for reads that may go to one, in the same form. */
  readonly readUrl?: string | undefined
  /** The migrations that bring an older database up to date. */
  readonly migrations: Migrations
  /**
   * Returns the key with which the nodes of this database sign announcements; called once the database is open. Nodes
   * with different keys ignore each other's announcements; without this function, this node ignores those of all
   * others.
   */
  readonly announcementKey?: () => Buffer
  /** How nodes receive each other's announcements: by NOTIFY, or by polling a table if the database has no NOTIFY. */
  readonly announcements?: 'notify' | 'poll' | undefined
  /** What units of work lock; the same on all nodes of a database. */
  readonly locks?: LockKind | undefined
  /** The number of connections for reading, and the same number for writing; default 8. */
  readonly connections?: number | undefined
  /** Limits on how long a statement may run and wait for a lock. */
  readonly limits?: StatementLimits | undefined
  /** Called with the migrations that ran on existing data. */
  readonly onMigrated?: (names: readonly string[]) => void
  /** Called when an idle connection is lost; the next call gets a new one. */
  readonly onFault?: (error: unknown) => void
}

/**
 * The settings of writing connections. A unit of work changes a few records, found by index; a cached plan from when a
 * table was small, such as a queue, would read all of it once it is large.
 */
const byIndexes = 'set enable_seqscan = off'

/** The key of a node that shares it with no other one. */
const ownKey = (): Buffer => randomBytes(32)

/** The warning if the role may not limit the size of temporary files (walls 6). */
const unlimitedFiles =
  'the role of the database may not set temp_file_limit, so that large graph queries are refused by their plan: "grant set on parameter temp_file_limit" to it'

/** The problem reported from the first unit of work that met a standby until the next one that did not. */
const noWrites = 'writes are refused: the database takes no writes, as on a standby'

/** The database may know no advisory locks; then nobody can be moving it. */
function passUnlessMoved(error: unknown): void {
  if (error instanceof StorageError && error.code === 'DATABASE_IN_USE') throw error
}

/** Whether the role of a connection may limit the size of a query's temporary files. */
async function mayLimitFiles(connection: PostgresConnection): Promise<boolean> {
  const { rows } = await connection.run<{ may: boolean }>(
    "select has_parameter_privilege('temp_file_limit', 'set') as may",
  )
  return rows[0]!.may
}

/**
 * A PostgreSQL database that any number of processes share. Units of work run side by side, each in a transaction of
 * its own; those with the same lock run one after the other, so that each sees what the one before it wrote.
 */
export class PostgresDatabase<Schema> implements Store<Schema> {
  readonly engine = 'postgres'
  readonly isShared = true
  readonly address: StoreAddress
  readonly #lasting: string[] = []
  readonly #reader: PostgresReader<Schema>
  readonly #replica: Replica<Schema> | undefined
  readonly #writers: Connections
  readonly #queues = new UnitQueues(maxWaiting)
  /**
   * How often a unit of work runs before its caller gets the error that the database is busy: after a migration by
   * another node, each connection may refuse a statement once.
   */
  readonly #maxRuns: number
  readonly #announcements: Announcements
  readonly #locks: LockKind
  readonly #onFault: (error: unknown) => void
  #version = 0
  #isFresh = false
  /** Whether the last unit of work met a server that accepts no writes. */
  #metStandby = false
  #units = 0
  #bytes = 0
  #bytesAt = 0
  #closing = false
  readonly #running = new Set<Promise<unknown>>()
  /** Reads that wait for the end of this turn, by name. */
  readonly #together = new Map<string, Promise<unknown>>()

  private constructor({
    url,
    readUrl,
    announcements = 'notify',
    locks = 'advisory',
    connections: max = usualConnections,
    limits = defaultLimits,
    onFault = () => {},
  }: PostgresOptions) {
    this.address = { engine: 'postgres', url, limits }
    this.#onFault = onFault
    this.#locks = locks
    this.#maxRuns = max + 1
    this.#reader = new PostgresReader(url, { max, limits, onLoss: onFault })
    if (readUrl !== undefined)
      this.#replica = new Replica<Schema>({ url: readUrl, primary: this.#reader, max, limits, onFault })
    this.#writers = new Connections(url, max, onFault, `${limitedBy(limits)}; ${byIndexes}`, refuseStandby)
    const parts = { url, connections: this.#writers, onFault }
    const channel = announcements === 'poll' ? new PollChannel(parts) : new NotifyChannel(parts)
    this.#announcements = new Announcements(channel, onFault)
  }

  /**
   * Opens a database and migrates it.
   * @throws StorageError UNREACHABLE, DATABASE_REFUSED, DATABASE_NEWER
   */
  static async open<Schema>(options: PostgresOptions): Promise<PostgresDatabase<Schema>> {
    const url = await settledAddress(options.url)
    const database = new PostgresDatabase<Schema>({ ...options, url })
    try {
      const locks = database.#locks
      if (locks === 'rows') await database.#once(refuseMoving).catch(passUnlessMoved)
      const migrated = await database.#once(connection => migratePostgres(connection, options.migrations, locks))
      await database.#once(connection => settleKind(connection, locks))
      if (migrated.length > 0) options.onMigrated?.(migrated)
      await database.#measure()
      const mayLimit = await database.#once(mayLimitFiles)
      if (!mayLimit) database.#lasting.push(unlimitedFiles)
      await database.#announcements.start((options.announcementKey ?? ownKey)())
      await database.#once(connection => confirmKind(connection, locks))
      // A replica that does not answer does not keep a node from starting.
      void database.#replica?.start()
      return database
    } catch (error) {
      await database.close()
      throw faultOf(error)
    }
  }

  get condition(): StorageCondition {
    const problems = [...this.#lasting, this.#metStandby ? noWrites : undefined, this.#replica?.status.problem]
    return { isLost: false, problems: problems.filter(problem => problem !== undefined) }
  }

  async read<Value>(run: (db: Db<Schema>) => Promise<Value>, { onReplica }: ReadOptions = {}): Promise<Value> {
    const replica = onReplica ? this.#replica : undefined
    return this.#finished((replica ?? this.#reader).read(run))
  }

  readTogether<Value>(name: string, run: (db: Db<Schema>) => Promise<Value>): Promise<Value> {
    const shared = this.#together.get(name) as Promise<Value> | undefined
    if (shared !== undefined) return shared
    const reading = turnEnd().then(() => {
      // Later callers may know of a later commit.
      this.#together.delete(name)
      return this.read(run)
    })
    this.#together.set(name, reading)
    return reading
  }

  async write<Value>(run: (db: Db<Schema>) => Promise<Value>, options: WriteOptions<Schema> = {}): Promise<Value> {
    if (this.#closing) throw new StorageError('CLOSED', 'The database is closed.')
    return this.#finished(this.#inTurn(run, options.lock))
  }

  get replica(): ReplicaStatus | undefined {
    return this.#replica?.status
  }

  get replicaPlace(): ReplicaPlace | undefined {
    return this.#replica?.place
  }

  /** Every turn of the event loop may see another state: other nodes write too. */
  get dataVersion(): number {
    if (this.#isFresh) return this.#version
    this.#isFresh = true
    setImmediate(() => {
      this.#isFresh = false
    })
    return ++this.#version
  }

  /** Nothing that is read here may be cached: another node may change it at any time. */
  get watchedVersion(): number {
    return ++this.#version
  }

  get ignoredAnnouncements(): number {
    return this.#announcements.ignored
  }

  get versionWithin(): undefined {
    return undefined
  }

  announce(name: string): void {
    this.#announcements.announce(name)
  }

  onAnnounced(listener: (names: Announcement) => void): () => void {
    return this.#announcements.listen(listener)
  }

  faultOf(error: unknown): unknown {
    return faultOf(error)
  }

  /** The size as of some seconds ago. */
  get bytes(): number {
    if (performance.now() - this.#bytesAt > sizeMs) this.#measure().catch(this.#onFault)
    return this.#bytes
  }

  /** Every unit of work is a commit of its own. */
  get load(): StoreLoad {
    const queues = this.#queues.load
    const pools = [this.#reader.load, this.#writers.load, ...(this.#replica === undefined ? [] : [this.#replica.load])]
    const sumOf = (member: 'waiting' | 'open' | 'idle') => pools.reduce((sum, pool) => sum + pool[member], 0)
    return {
      units: this.#units,
      commits: this.#units,
      waiting: sumOf('waiting') + queues.waiting,
      lockWaitMs: queues.waitedMs,
      longestWaits: queues.longest,
      walBytes: 0,
      connections: { open: sumOf('open'), idle: sumOf('idle') },
    }
  }

  setCache(): void {
    // PostgreSQL has a cache of its own.
  }

  async close(): Promise<void> {
    this.#closing = true
    await Promise.allSettled(this.#running)
    await this.#announcements.close()
    await this.#replica?.close()
    await Promise.all([this.#reader.close(), this.#writers.close()])
  }

  /** Tracks what is running, so that closing waits for it. */
  #finished<Value>(running: Promise<Value>): Promise<Value> {
    this.#running.add(running)
    const end = () => this.#running.delete(running)
    running.then(end, end)
    return running
  }

  /** Runs a part of the start; its connection is not used again after a failure. */
  #once<Value>(run: (connection: PostgresConnection) => Promise<Value>): Promise<Value> {
    return this.#retried(() => this.#writers.with(run, () => true))
  }

  async #retried<Value>(run: () => Promise<Value>): Promise<Value> {
    for (let runs = 1; ; runs++) {
      try {
        return await run()
      } catch (error) {
        if (!mayRunAgain(error) || runs === this.#maxRuns) throw error
        await sleep(Math.random() * 2 ** runs)
      }
    }
  }

  /** A unit's lock is determined before it waits, and before it takes a connection for writing. */
  async #inTurn<Value>(run: (db: Db<Schema>) => Promise<Value>, lock: WriteOptions<Schema>['lock']): Promise<Value> {
    const name = typeof lock === 'function' ? await this.#reader.read(lock) : lock
    return this.#queues.run(name, () => this.#retried(() => this.#unit(run, name)))
  }

  async #unit<Value>(run: (db: Db<Schema>) => Promise<Value>, lock: string | undefined): Promise<Value> {
    try {
      const value = await this.#writers.with(async connection => {
        const writes = new UnitWrites<Schema>(connection, run => this.#reader.beside(run))
        return transaction(
          connection,
          beginWrite,
          async db => {
            // Sent ahead: the unit's reads run once the lock is held.
            this.#counted(takeLock(connection, lock, this.#locks))
            const value = await run(db)
            await writes.finish(db)
            this.#units++
            return value
          },
          writes,
        )
      }, isBroken)
      if (this.#metStandby) this.#metPrimary()
      return value
    } catch (error) {
      if (isReadOnly(error) && !this.#metStandby) {
        this.#metStandby = true
        this.#writers.renew()
      }
      throw error
    }
  }

  /** Reading and listening connections may still lead to the server that has become a standby. */
  #metPrimary(): void {
    this.#metStandby = false
    this.#reader.renew()
    this.#announcements.renew()
  }

  /** Measures how long the unit waits for a lock; the unit itself reports a failure. */
  #counted(taking: Promise<void>): void {
    const from = performance.now()
    taking.then(
      () => this.#queues.waitedFor(performance.now() - from),
      () => {},
    )
  }

  async #measure(): Promise<void> {
    this.#bytesAt = performance.now()
    const { rows } = await this.#reader.read(db =>
      sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db),
    )
    this.#bytes = rows[0]!.bytes
  }
}
