import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The name of the database in its data folder. */
export const databaseName = 'specboard.db'

/** The database file of a data folder. */
export const databaseFile = (folder: string): string => join(folder, databaseName)

/** The write-ahead log of a database file: what was committed and is not written back yet. */
export const logFile = (database: string): string => `${database}-wal`

/** The index of the log, which all connections share; it exists as long as one of them is open. */
export const indexFile = (database: string): string => `${database}-shm`

/** The copy of a database that was lost under a running service (trust 5). */
export const rescuedName = `${databaseName}.rescued`

/** Syncs a folder: only then is a file that was created in it or renamed into it durable. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Creates a folder that only this user can access, with the folders above it. Node's recursive mkdir never returns if
 * the system finds a folder but can create nothing in it: below `/proc`, or where an automounter misses its server.
 * @throws the system's error, EEXIST for a file
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const above = dirname(resolve(folder))
  if (!existsSync(above)) makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process was quicker.
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
