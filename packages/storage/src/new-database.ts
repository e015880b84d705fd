import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { databaseFile, syncFolder } from './data-folder.ts'

/**
 * Gives a folder without a database the one that it begins with. It is there whole or not at all, and as durable as what is
 * committed to its log later.
 * @param compressed the file of a database without rows, in Brotli's form
 */
export function putNewDatabase(folder: string, compressed: string): void {
  const file = databaseFile(folder)
  const unfinished = `${file}.new`
  writeFileSync(unfinished, brotliDecompressSync(readFileSync(compressed)), { mode: 0o600, flush: true })
  renameSync(unfinished, file)
  syncFolder(folder)
}
