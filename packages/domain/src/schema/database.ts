import {
  type GuardOptions,
  type Inspection,
  inspectWithoutLock,
  readWithoutLock as readStorageWithoutLock,
  Database as StorageDatabase,
  type Db as StorageDb,
  type Store,
  writeWithoutLock as writeStorageWithoutLock,
} from '@specboard/storage'
import { sql } from 'kysely'
import { migrationNotes, migrations } from './migrations/all.ts'
import type { Schema } from './tables.ts'

/** The query builder for the tables, bound to a unit of work or to the reader. */
export type Db = StorageDb<Schema>

/** The database with the tables. */
export type Database = Store<Schema>

/** What most code needs of a database. */
export type ReadWrite = Pick<Database, 'read' | 'write'>

/** Tables that determine callers and their permissions: what is cached of them is valid for one `watchedVersion`. */
const watched = ['agents', 'presets'] as const

/** The time of the last write that a database has. */
const lastWrite = `select max(at) as at from (
  select max(created_at) as at from events union all
  select max(created_at) from audit union all
  select max(updated_at) from boards union all
  select max(coalesce(last_used_at, created_at)) from agents
)`

/** How the database of a folder is opened. */
export interface OpenOptions extends GuardOptions {
  readonly folder: string
  /** The address of a PostgreSQL database; unless said, the folder holds one of SQLite. */
  readonly url?: string | undefined
  readonly cacheMb?: number
  /** What only a folder with a database holds. */
  readonly companions?: readonly string[]
  /** Told when a connection to PostgreSQL is lost; calls that need one are told themselves. */
  readonly onFault?: (error: unknown) => void
  /** Told of each migration that ran on existing data, with what it decided for that data. */
  readonly onMigration?: (name: string, note: string | undefined) => void
}

/**
 * Opens the database of a folder exclusively, or one of PostgreSQL together with other nodes, and migrates it.
 * @throws StorageError FOLDER_LOCKED, DATABASE_NEWER, NOT_DURABLE, UNREACHABLE
 */
export async function openDatabase({
  onMigration = () => {},
  onFault = () => {},
  url,
  ...options
}: OpenOptions): Promise<Database> {
  const onMigrated = (names: readonly string[]) => {
    for (const name of names) onMigration(name, migrationNotes[name])
  }
  if (url === undefined) return StorageDatabase.open<Schema>({ ...options, migrations, watched, lastWrite, onMigrated })
  const { PostgresDatabase } = await import('@specboard/storage/postgres')
  const { postgresMigrations } = await import('./postgres/all.ts')
  return PostgresDatabase.open<Schema>({ url, migrations: postgresMigrations, onMigrated, onFault })
}

/** The time of the last write that a folder's database has, without its lock; undefined where there is none. */
export const lastWriteWithoutLock = (folder: string): Promise<string | undefined> =>
  readWithoutLock(
    folder,
    async db => (await sql<{ at: string | null }>`${sql.raw(lastWrite)}`.execute(db)).rows[0]?.at ?? undefined,
  )

/**
 * Runs a durable unit of work on a folder's database without its lock, even while a server holds it.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER
 */
export const writeWithoutLock = <Value>(folder: string, run: (db: Db) => Promise<Value>): Promise<Value> =>
  writeStorageWithoutLock({ folder, migrations }, run)

/**
 * Runs reads on a folder's database without its lock.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER, DATABASE_OLDER
 */
export const readWithoutLock = <Value>(folder: string, run: (db: Db) => Promise<Value>): Promise<Value> =>
  readStorageWithoutLock({ folder, migrations }, run)

/**
 * Inspects a folder's database without its lock.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER
 */
export const inspectDatabase = (folder: string): Promise<Inspection> =>
  inspectWithoutLock({ folder, migrations }, ['agents', 'boards', 'specs', 'cards', 'events'])
