/** Unfinished files: uploads, imports and exports in progress, in the data folder of their node. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathPart, pathUnder } from '@specboard/storage/safe-path'
import { attachmentFolder } from './attachment-path.ts'

const parts = [pathPart.name(attachmentFolder), pathPart.name('incoming')]

/** Their folder in a data folder. */
export const incomingFolder = join(...parts)

/** A new path in a data folder for an unfinished file; the next start removes leftovers. */
export async function incomingPath(folder: string, ending: string): Promise<string> {
  await mkdir(pathUnder(folder, ...parts), { recursive: true, mode: 0o700 })
  return pathUnder(folder, ...parts, pathPart.name(`${randomBytes(16).toString('hex')}.${ending}`))
}

/** Removes what an earlier process left unfinished. */
export const removeIncoming = (folder: string): Promise<void> =>
  rm(pathUnder(folder, ...parts), { recursive: true, force: true })

/** Writes all of a chunk. */
export async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let offset = 0
  while (offset < chunk.byteLength) offset += (await handle.write(chunk, offset)).bytesWritten
}
