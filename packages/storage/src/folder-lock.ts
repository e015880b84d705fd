import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { StorageError } from './storage-error.ts'

/** The lock of a data folder. */
export const lockName = 'lock.db'

/** Keeps held locks reachable: a garbage-collected handle would silently release its lock. */
const heldLocks = new Set<SqliteDatabase.Database>()

/**
 * Locks the data folder for this process by an open exclusive transaction on `lock.db`. A killed process leaves no
 * lock behind. Never open `lock.db` elsewhere: closing any descriptor of it releases the lock.
 *
 * @example
 * const unlock = lockFolder(folder)
 * try { await serve(folder) } finally { unlock() }
 * @returns the function that releases the lock
 * @throws StorageError FOLDER_LOCKED when another process holds the lock
 */
export function lockFolder(folder: string): () => void {
  const database = new SqliteDatabase(join(folder, lockName), { timeout: 0 })
  try {
    database.pragma('journal_mode = memory')
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new StorageError(
        'FOLDER_LOCKED',
        `Another specboard uses the data folder ${folder}. Stop it, or choose another folder with --data-dir.`,
      )
    }
    throw error
  }
  heldLocks.add(database)
  return () => {
    heldLocks.delete(database)
    database.close()
  }
}
