import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { StorageError } from './storage-error.ts'

/** Held locks stay reachable here: a handle that is collected would drop its lock silently. */
const held = new Set<SqliteDatabase.Database>()

/**
 * Takes the data folder for this process: an exclusive transaction held on `lock.db`. A killed process
 * leaves nothing behind. Never open `lock.db` otherwise: closing any descriptor of it drops the lock.
 *
 * @returns the function that gives the folder back
 * @throws StorageError FOLDER_LOCKED when another process has it
 */
export function lockFolder(folder: string): () => void {
  const database = new SqliteDatabase(join(folder, 'lock.db'), { timeout: 0 })
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
  held.add(database)
  return () => {
    held.delete(database)
    database.close()
  }
}
