import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backupPhrase } from './backups.ts'
import { databaseFile, databaseName, logFile, rescuedName } from './data-folder.ts'
import { StorageError } from './storage-error.ts'

/**
 * Refuses a folder in which the database is missing: a new one would hide the loss, and SQLite would delete the
 * remaining log of the old one (trust 5).
 * @param companions what exists only in a folder with a database: files, or folders with files in them
 * @throws StorageError DATABASE_MISSING, which says what to do
 */
export function refuseMissingDatabase(folder: string, companions: readonly string[]): void {
  if (sizeOf(databaseFile(folder)) > 0 || !existsSync(folder)) return
  const [rescued] = readdirSync(folder).filter(name => name.startsWith(rescuedName))
  if (rescued !== undefined) {
    throw new StorageError(
      'DATABASE_MISSING',
      `There is no ${databaseName} in ${folder}, but ${rescued}, which was saved when the database was lost. ` +
        `Rename it to ${databaseName} to continue with it, or restore a backup (newest: ${backupPhrase(folder)}); ` +
        'move it elsewhere to start over.',
    )
  }
  const log = logFile(databaseName)
  const leftovers = [...companions, ...(sizeOf(join(folder, log)) > 0 ? [log] : [])].filter(name =>
    holdsFiles(join(folder, name)),
  )
  if (leftovers.length === 0) return
  throw new StorageError(
    'DATABASE_MISSING',
    `There is no ${databaseName} in ${folder}, but ${leftovers.join(' and ')}: the database is missing. ` +
      `Restore it (newest backup: ${backupPhrase(folder)}), or move ${leftovers.join(' and ')} elsewhere to start over.`,
  )
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

function holdsFiles(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return false
  return (
    !stats.isDirectory() || readdirSync(path, { recursive: true, withFileTypes: true }).some(entry => entry.isFile())
  )
}
