import type { Db } from './db.ts'
import type { Engine } from './executor.ts'
import type { StorageCondition } from './file-guard.ts'

/** What a unit of work keeps others from changing, and whether it may wait. */
export interface WriteOptions<Schema> {
  /**
   * Names what the unit reads and changes, such as a board, or finds it: no other unit with the same name runs meanwhile,
   * and none without a name at all. A unit without a name runs alone. SQLite has one writer and does not ask.
   */
  readonly lock?: string | ((db: Db<Schema>) => Promise<string | undefined>)
  /**
   * One of many units of a large change. It waits while SQLite's log is written back: its commit would wait for the same
   * disk, and keep all callers waiting with it.
   */
  readonly isPiece?: true
}

/** What other nodes announced; `anything` after a time in which this one could not hear them. */
export type Announced = ReadonlySet<string> | 'anything'

/** How busy a database is: counts since it was opened, and what is so now. */
export interface StoreLoad {
  /** Units of work that were committed or refused. */
  readonly units: number
  /** Commits that they shared. */
  readonly commits: number
  /** Units that wait for a commit to begin, for others of the same lock, or for a connection. */
  readonly waiting: number
  /** How long units have waited for others of the same lock, ms; 0 where there is one writer anyway. */
  readonly lockWaitMs: number
  /** The locks for which most units wait in this node, and how many these are. */
  longestWaits(count: number): readonly (readonly [lock: string, units: number])[]
  /** The size of the log that is not written back yet, bytes; 0 where the database has none of its own. */
  readonly walBytes: number
  /** Connections that are open, and those that nobody uses. */
  readonly connections: { readonly open: number; readonly idle: number }
}

/** The open database of a service, whichever it is. All access is through `read` and `write`. */
export interface Store<Schema> {
  readonly engine: Engine
  /** Whether other processes serve calls from it at the same time. */
  readonly isShared: boolean
  /** Where other threads find the database. */
  readonly address: StoreAddress
  /** Runs reads that see a single state of the database. They may run twice. */
  read<Value>(run: (db: Db<Schema>) => Promise<Value>): Promise<Value>
  /**
   * Runs a read once for all who ask for it under one name in the same turn of the event loop. It sees what was committed
   * before any of them asked.
   */
  readTogether<Value>(name: string, run: (db: Db<Schema>) => Promise<Value>): Promise<Value>
  /**
   * Runs a unit of work and resolves when it is durable. The unit may await only its database, may run twice, and must
   * not keep `db`, which is closed when it ends.
   *
   * @example
   * // Await files and services before or after, never inside.
   * const text = await readFile(path, 'utf8')
   * await database.write(db => db.insertInto('notes').values({ id, text }).execute())
   * @throws StorageError
   */
  write<Value>(run: (db: Db<Schema>) => Promise<Value>, options?: WriteOptions<Schema>): Promise<Value>
  /** Changes with every commit, in this process or another; cached reads are valid as long as it stays the same. */
  readonly dataVersion: number
  /**
   * Changes with every commit of another process, and with those of this process that wrote to a watched table. Cached
   * reads of these tables are valid as long as it stays the same.
   */
  readonly watchedVersion: number
  /**
   * The same for use within a read or unit of work, whose state it leaves alone; undefined where nothing cached may be
   * relied on.
   */
  readonly versionWithin: number | undefined
  /** Tells the other nodes on this database, soon, that something happened; there are none on SQLite. */
  announce(name: string): void
  /** How much came by the way of announcements that no node of this database had sent. */
  readonly ignoredAnnouncements: number
  /** Calls the listener with what other nodes announced; returns the function that ends it. */
  onAnnounced(listener: (names: Announced) => void): () => void
  /** What a caller is told of a failure. */
  faultOf(error: unknown): unknown
  /** What is wrong with the storage, and whether it is lost. */
  readonly condition: StorageCondition
  /** The size of the database, bytes. */
  readonly bytes: number
  /** How busy the database is, for metrics. */
  readonly load: StoreLoad
  /** Sets the page cache of the embedded database, MiB. */
  setCache(megabytes: number): void
  /** Finishes accepted writes and closes the connections. */
  close(): Promise<void>
}

/** Where a database is: plain data, for threads that open a reader of their own. */
export type StoreAddress =
  | { readonly engine: 'sqlite'; readonly folder: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly limits?: StatementLimits | undefined }

/** How long a statement of the service may take, and wait for a lock, ms. */
export interface StatementLimits {
  readonly statementMs: number
  readonly lockMs: number
}

/** A read-only connection of its own, for a thread beside the one that serves calls. */
export interface DatabaseReader<Schema> {
  /** Runs reads that see a single state of the database. */
  read<Value>(run: (db: Db<Schema>) => Promise<Value>): Promise<Value>
  close(): void | Promise<void>
}
