import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Connection } from './connection.ts'
import { indexFile, logFile, rescuedName } from './data-folder.ts'
import type { FileLoss, FileWatch } from './file-watch.ts'

/** Pages that a copy takes in a turn of the event loop: it should be done before the process ends. */
const pagesATurn = 5_000

/**
 * Saves what is still open of a database whose file was lost, into its folder, or if that is gone into the system's
 * temporary folder (trust 5).
 * @returns the file
 * @throws the system's error when neither can be written to
 */
export async function rescue(database: string, writer: Connection, watch: FileWatch): Promise<string> {
  const file = newFile(folderFor(database))
  try {
    await writer.backup(file, pagesATurn)
  } catch {
    // Too little is left for SQLite to read; the bytes may still help somebody.
    copyBytes(watch.open.database, file)
    copyBytes(watch.open.log, logFile(file))
  }
  return file
}

/**
 * Whether the next start finds the files in order, or reports what is missing, if they are left unchanged: the log is
 * recovered without its index, and a changed log is reported as a loss.
 */
export const mayStay = ({ file, isGone }: FileLoss): boolean => file === 'index' || (file === 'log' && !isGone)

/**
 * Writes back a log that no name leads to any more, so that the database file, which is still in place, contains
 * everything that was acknowledged.
 */
export function writeBackLostLog({ file, isGone }: FileLoss, writer: Connection): void {
  if (file === 'log' && isGone) writer.pragma('wal_checkpoint(truncate)')
}

/**
 * Moves the log aside, so that the next start does not apply it to another file than the one it belongs to. Call it
 * once the writer is closed.
 */
export function putLogAside(database: string): void {
  const log = logFile(database)
  if (existsSync(log)) renameSync(log, `${log}.rescued`)
  rmSync(indexFile(database), { force: true })
}

function folderFor(database: string): string {
  const folder = dirname(database)
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : tmpdir()
}

/** Creates an empty file under a name that nothing else has, not even a link. */
function newFile(folder: string): string {
  for (let number = 1; ; number++) {
    const file = join(folder, number === 1 ? rescuedName : `${rescuedName}-${number}`)
    try {
      closeSync(openSync(file, 'wx', 0o600))
      return file
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

function copyBytes(descriptor: number, file: string): void {
  const target = openSync(file, 'w', 0o600)
  try {
    const chunk = Buffer.alloc(1 << 20)
    for (let at = 0; ; ) {
      const bytes = readSync(descriptor, chunk, 0, chunk.length, at)
      if (bytes === 0) return
      writeSync(target, chunk, 0, bytes)
      at += bytes
    }
  } finally {
    closeSync(target)
  }
}
