/** Files of archived entries: lines of JSON, compressed (work 5.1). */
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { makeFolder, syncFolder } from '@specboard/storage'
import { parseNullable } from '../../../lib/json.ts'
import type { LogRow } from './store.ts'

const compressed = promisify(gzip)

/** An entry as a line of a file: the columns of the log, with their JSON, without those that are null. */
export function lineOf({ seq, imported, details, changes, domain, ...row }: LogRow): string {
  const entry = {
    sequence: seq,
    ...row,
    details: parseNullable(details),
    changes: parseNullable(changes),
    domain: parseNullable(domain),
    imported: imported === 1 ? true : null,
  }
  return `${JSON.stringify(entry, (_, value) => value ?? undefined)}\n`
}

/** The name of the file of some entries of one month: the month, and the first and last of their sequence numbers. */
export const fileNameOf = (month: string, first: number, last: number): string => `${month}.${first}-${last}.jsonl.gz`

/** Writes a file whole: it has its name only once its contents are durable. */
export async function writeArchive(folder: string, board: string, name: string, text: string): Promise<void> {
  const place = join(folder, board)
  makeFolder(folder)
  makeFolder(place)
  const path = join(place, name)
  const part = `${path}.part`
  try {
    const handle = await open(part, 'w', 0o600)
    try {
      await handle.writeFile(await compressed(text))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
  syncFolder(place)
  syncFolder(dirname(place))
}
