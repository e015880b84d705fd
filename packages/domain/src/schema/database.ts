import {
  type GuardOptions,
  type Inspection,
  inspectWithoutLock,
  makeFolder,
  repairSchema as mendStorageSchema,
  readWithoutLock as readStorageWithoutLock,
  rebuildIndexes as rebuildStorageIndexes,
  type SchemaFault,
  type StatementLimits,
  Database as StorageDatabase,
  type Db as StorageDb,
  type Store,
  schemaFaults as storageSchemaFaults,
  type UnrepairedPart,
  writeWithoutLock as writeStorageWithoutLock,
} from '@specboard/storage'
import type { PostgresInspection, ReplicaInspection } from '@specboard/storage/postgres'
import { sql } from 'kysely'
import { migrationNotes, migrations } from './migrations/all.ts'
import { packedDatabase } from './packed-database.ts'
import type { Schema } from './tables.ts'

/** The query builder for the tables, bound to a unit of work or to the reader. */
export type Db = StorageDb<Schema>

/** The database with the tables. */
export type Database = Store<Schema>

/** The part of a database that most code needs. */
export type ReadWrite = Pick<Database, 'read' | 'write'>

/**
 * Tables that determine callers and their permissions: whatever is cached from them is valid for one `watchedVersion`.
 */
const watched = ['agents', 'presets'] as const

/** The time of the last write to a database. */
const lastWrite = `select max(at) as at from (
  select max(created_at) as at from events union all
  select max(created_at) from audit union all
  select max(updated_at) from boards union all
  select max(coalesce(last_used_at, created_at)) from agents
) writes`

/** Options for opening the database of a folder. */
export interface OpenOptions extends GuardOptions {
  readonly folder: string
  /** The address of a PostgreSQL database; by default the folder holds a SQLite database. */
  readonly url?: string | undefined
  /** The address of a replica for reads that may go to one. */
  readonly readUrl?: string | undefined
  /** How nodes on a PostgreSQL database notify each other, and what their units of work lock. */
  readonly announcements?: 'notify' | 'poll' | undefined
  readonly locks?: 'advisory' | 'rows' | undefined
  /** The number of connections for reading, and the same number for writing. */
  readonly connections?: number | undefined
  /** Limits on how long a statement may run and wait for a lock. */
  readonly limits?: StatementLimits | undefined
  readonly cacheMb?: number
  /** Files that exist only in a folder with a database. */
  readonly companions?: readonly string[]
  /** Returns the key with which the nodes on a PostgreSQL database sign announcements. */
  readonly announcementKey?: () => Buffer
  /** Called when a connection to PostgreSQL is lost; calls that need one get an error of their own. */
  readonly onFault?: (error: unknown) => void
  /** Called for each migration that ran on existing data, with what it decided for that data. */
  readonly onMigration?: (name: string, note: string | undefined) => void
}

/**
 * Opens the database of a folder exclusively, or a PostgreSQL database together with other nodes, and migrates it.
 * @throws StorageError FOLDER_LOCKED, DATABASE_NEWER, NOT_DURABLE, UNREACHABLE
 */
export async function openDatabase({
  onMigration = () => {},
  onFault = () => {},
  url,
  readUrl,
  announcements,
  locks,
  announcementKey,
  connections,
  limits,
  ...options
}: OpenOptions): Promise<Database> {
  const onMigrated = (names: readonly string[]) => {
    for (const name of names) onMigration(name, migrationNotes[name])
  }
  if (url === undefined)
    return StorageDatabase.open<Schema>({
      ...options,
      migrations,
      newDatabase: packedDatabase(),
      watched,
      lastWrite,
      onMigrated,
    })
  makeFolder(options.folder)
  const { PostgresDatabase } = await import('@specboard/storage/postgres')
  const { postgresMigrations } = await import('./postgres/all.ts')
  return PostgresDatabase.open<Schema>({
    url,
    readUrl,
    announcements,
    locks,
    migrations: postgresMigrations,
    onMigrated,
    onFault,
    connections,
    limits,
    ...(announcementKey !== undefined && { announcementKey }),
  })
}

/** The location of a database that another process may be serving. */
export interface DatabasePlace {
  /** The data folder, which holds the database unless an address is given. */
  readonly folder: string
  /** The address of a PostgreSQL database. */
  readonly databaseUrl?: string | undefined
}

/**
 * The time of the last write to a database, read while another process may be serving it; undefined if there is none.
 */
export const lastWriteWithoutLock = (place: string | DatabasePlace): Promise<string | undefined> =>
  readWithoutLock(
    place,
    async db => (await sql<{ at: string | null }>`${sql.raw(lastWrite)}`.execute(db)).rows[0]?.at ?? undefined,
  )

/**
 * Runs a durable unit of work on a database even while others serve it, without the lock of its folder.
 * @param place a data folder with a database in it, or a place
 * @throws StorageError NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER, UNREACHABLE, DATABASE_REFUSED
 */
export const writeWithoutLock = <Value>(
  place: string | DatabasePlace,
  run: (db: Db) => Promise<Value>,
): Promise<Value> => withoutServerLock(place, 'write', run)

/**
 * Runs reads on a database even while others serve it, without the lock of its folder.
 * @param place a data folder with a database in it, or a place
 * @throws StorageError NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER, UNREACHABLE, DATABASE_REFUSED
 */
export const readWithoutLock = <Value>(
  place: string | DatabasePlace,
  run: (db: Db) => Promise<Value>,
): Promise<Value> => withoutServerLock(place, 'read', run)

async function withoutServerLock<Value>(
  place: string | DatabasePlace,
  how: 'read' | 'write',
  run: (db: Db) => Promise<Value>,
): Promise<Value> {
  const { folder, databaseUrl: url } = typeof place === 'string' ? { folder: place, databaseUrl: undefined } : place
  if (url === undefined)
    return (how === 'read' ? readStorageWithoutLock : writeStorageWithoutLock)({ folder, migrations }, run)
  const { readPostgres, writePostgres } = await import('@specboard/storage/postgres')
  const { postgresMigrations } = await import('./postgres/all.ts')
  return (how === 'read' ? readPostgres : writePostgres)({ url, migrations: postgresMigrations }, run)
}

/**
 * Refuses a PostgreSQL database that nodes are serving. A data folder is protected by its lock.
 * @throws StorageError DATABASE_IN_USE, UNREACHABLE, DATABASE_REFUSED
 */
export async function refuseServed({ databaseUrl }: DatabasePlace): Promise<void> {
  if (databaseUrl === undefined) return
  const { refuseServedDatabase } = await import('@specboard/storage/postgres')
  await refuseServedDatabase(databaseUrl)
}

/** Tables whose rows `doctor` counts. */
const countedTables = ['agents', 'boards', 'specs', 'cards', 'events'] as const

/**
 * Inspects a folder's database without its lock.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER
 */
export const inspectDatabase = (folder: string): Promise<Inspection> =>
  inspectWithoutLock({ folder, migrations }, countedTables)

/**
 * Inspects a PostgreSQL database and its server.
 * @param isNotified whether its nodes reach each other by notifications
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED, DATABASE_NEWER
 */
export async function inspectServer(url: string, isNotified = true): Promise<PostgresInspection> {
  const { inspectPostgres } = await import('@specboard/storage/postgres')
  const { postgresMigrations } = await import('./postgres/all.ts')
  return inspectPostgres({ url, migrations: postgresMigrations }, countedTables, isNotified)
}

/**
 * Compares a replica with the PostgreSQL database that it should follow.
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED
 */
export async function inspectReplica(url: string, readUrl: string): Promise<ReplicaInspection> {
  const { inspectReplica } = await import('@specboard/storage/postgres')
  return inspectReplica(url, readUrl)
}

/**
 * The indexes, triggers and functions that a database lacks, or that differ from what the migrations made. The database
 * must be of exactly this version.
 * @returns undefined if the role may not read them
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED
 */
export async function schemaFaults({
  folder,
  databaseUrl: url,
}: DatabasePlace): Promise<readonly SchemaFault[] | undefined> {
  if (url === undefined) return storageSchemaFaults({ folder, migrations })
  const { postgresSchemaFaults } = await import('@specboard/storage/postgres')
  const { postgresMigrations } = await import('./postgres/all.ts')
  return postgresSchemaFaults({ url, migrations: postgresMigrations })
}

/** Recreates parts of the schema of a database that nobody serves; returns those that could not be created. */
export async function repairSchema(
  { folder, databaseUrl: url }: DatabasePlace,
  faults: readonly SchemaFault[],
): Promise<readonly UnrepairedPart[]> {
  if (url === undefined) return mendStorageSchema({ folder, migrations }, faults)
  const { repairPostgresSchema } = await import('@specboard/storage/postgres')
  return repairPostgresSchema({ url }, faults)
}

/** Rebuilds indexes of a folder's database while nobody serves it; returns those that could not be built. */
export const rebuildIndexes = (folder: string, names: readonly string[]): readonly UnrepairedPart[] =>
  rebuildStorageIndexes({ folder, migrations }, names)
