import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { databaseFile, syncFolder } from './data-folder.ts'

/**
 * Creates the initial database in a folder without one. It appears complete or not at all, and is as durable as later
 * commits.
 * @param compressed the file of a database without rows, compressed with Brotli
 */
export function putNewDatabase(folder: string, compressed: string): void {
  const file = databaseFile(folder)
  const unfinished = `${file}.new`
  writeFileSync(unfinished, brotliDecompressSync(readFileSync(compressed)), { mode: 0o600, flush: true })
  renameSync(unfinished, file)
  syncFolder(folder)
}
