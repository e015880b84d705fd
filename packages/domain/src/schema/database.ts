import {
  type Inspection,
  inspectWithoutLock,
  readWithoutLock as readStorageWithoutLock,
  Database as StorageDatabase,
  type Db as StorageDb,
  writeWithoutLock as writeStorageWithoutLock,
} from '@specboard/storage'
import { migrations } from './migrations/all.ts'
import type { Schema } from './tables.ts'

/** The query builder over the tables, bound to one unit of work or to the reader. */
export type Db = StorageDb<Schema>

/** The database with the tables. */
export type Database = StorageDatabase<Schema>

/** Tables that decide who a caller is and what its key allows: what is kept of them follows `watchedVersion`. */
const watched = ['agents', 'presets'] as const

/**
 * Opens the database of a folder, alone: takes the folder's lock and migrates.
 * @throws StorageError FOLDER_LOCKED, DATABASE_NEWER, NOT_DURABLE
 */
export const openDatabase = (options: { readonly folder: string; readonly cacheMb?: number }): Promise<Database> =>
  StorageDatabase.open<Schema>({ ...options, migrations, watched })

/**
 * Runs one durable unit of work on a folder's database without its lock, whether or not a server holds it.
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
 * Looks into a folder's database without its lock.
 * @throws StorageError NO_DATABASE, DATABASE_NEWER
 */
export const inspectDatabase = (folder: string): Promise<Inspection> =>
  inspectWithoutLock({ folder, migrations }, ['agents', 'boards', 'specs', 'cards', 'events'])
