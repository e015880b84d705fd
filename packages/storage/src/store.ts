import type { Db } from './db.ts'
import type { Engine } from './executor.ts'
import type { StorageCondition } from './file-guard.ts'

/** What a unit of work locks, and whether it may wait. */
export interface WriteOptions<Schema> {
  /**
   * The name of what the unit reads and changes, such as a board, or a function that finds it: while the unit runs, no
   * other unit with the same name and no unit without a name runs. A unit without a name runs alone. SQLite has one
   * writer and ignores it.
   */
  readonly lock?: string | ((db: Db<Schema>) => Promise<string | undefined>)
  /**
   * One of many units of a large change. It waits while SQLite's log is written back: its commit would wait for the
   * same disk, and keep all callers waiting with it.
   */
  readonly isPiece?: true
}

/** How a read may be answered. */
export interface ReadOptions {
  /** Whether a replica may answer, if it has what was committed when the read began; the read may run twice. */
  readonly onReplica?: true
}

/** A replica that answers reads, and how far behind it is. */
export interface ReplicaStatus {
  /** Whether reads go to it now. */
  readonly isUsed: boolean
  /** What is wrong with it, as a sentence. */
  readonly problem: string | undefined
  /** How far it is behind the primary; undefined while that is unknown. */
  readonly lagBytes: number | undefined
  readonly lagSeconds: number | undefined
  /** How many reads it has answered, and how many the primary has answered in its place. */
  readonly replicaReads: number
  readonly primaryReads: number
}

/** Where a replica is, as plain data for threads, and what it has in common with the primary. */
export interface ReplicaPlace {
  readonly url: string
  readonly identity: string
}

/** What other nodes announced; `anything` after a time in which this one could not hear them. */
export type Announcement = ReadonlySet<string> | 'anything'

/** The load of a database: counts since it was opened, and current values. */
export interface StoreLoad {
  /** Units of work that were committed or refused. */
  readonly units: number
  /** The commits that they shared. */
  readonly commits: number
  /** Units that wait for a commit to begin, for others of the same lock, or for a connection. */
  readonly waiting: number
  /** How long units have waited for others of the same lock, ms; 0 with a single writer. */
  readonly lockWaitMs: number
  /** The locks with the most waiting units in this node, each with the number of these units. */
  longestWaits(count: number): readonly (readonly [lock: string, units: number])[]
  /** The size of the log that is not written back yet, bytes; 0 for a database without one. */
  readonly walBytes: number
  /** Connections that are open, and those that are idle. */
  readonly connections: { readonly open: number; readonly idle: number }
}

/** The open database of a service, on either engine. All access is through `read` and `write`. */
export interface Store<Schema> {
  readonly engine: Engine
  /** Whether other processes serve calls from it at the same time. */
  readonly isShared: boolean
  /** Where other threads find the database. */
  readonly address: StoreAddress
  /** Runs reads that see a single state of the database. They may run twice. */
  read<Value>(run: (db: Db<Schema>) => Promise<Value>, options?: ReadOptions): Promise<Value>
  /**
   * Runs a read once for all who request it under one name in the same turn of the event loop. It sees what was
   * committed before any of them asked.
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
   * Like `watchedVersion`, for use within a read or unit of work, whose state it does not affect; undefined if nothing
   * cached may be relied on.
   */
  readonly versionWithin: number | undefined
  /** Notifies the other nodes on this database, soon, that something happened; SQLite has no other nodes. */
  announce(name: string): void
  /** How many announcements were not sent by a node of this database. */
  readonly ignoredAnnouncements: number
  /** Calls the listener with what other nodes announced; returns the function that removes it. */
  onAnnounced(listener: (names: Announcement) => void): () => void
  /** The error that callers get for a failure. */
  faultOf(error: unknown): unknown
  /** What is wrong with the storage, and whether it is lost. */
  readonly condition: StorageCondition
  /** The replica that answers reads; undefined if none is set up. */
  readonly replica: ReplicaStatus | undefined
  /** Where threads find the replica; undefined while reads do not go to it. */
  readonly replicaPlace: ReplicaPlace | undefined
  /** The size of the database, bytes. */
  readonly bytes: number
  /** How busy the database is. */
  readonly load: StoreLoad
  /** Sets the page cache of the embedded database, MiB. */
  setCache(megabytes: number): void
  /** Finishes accepted writes and closes the connections. */
  close(): Promise<void>
}

/** The address of a database: plain data, for threads that open a reader of their own. */
export type StoreAddress =
  | { readonly engine: 'sqlite'; readonly folder: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly limits?: StatementLimits | undefined }

/** Limits on how long a statement of the service may run and wait for a lock, ms. */
export interface StatementLimits {
  readonly statementMs: number
  readonly lockMs: number
}

/** A separate read-only connection, for a thread other than the one that serves calls. */
export interface DatabaseReader<Schema> {
  /**
   * Runs reads that see a single state of the database.
   * @param replica a replica that answers if it has what was committed when the read began
   */
  read<Value>(run: (db: Db<Schema>) => Promise<Value>, replica?: ReplicaPlace): Promise<Value>
  close(): void | Promise<void>
}
