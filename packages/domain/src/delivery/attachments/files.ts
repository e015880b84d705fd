import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { DomainError } from '../../kernel/errors.ts'

/** The folder of attachments in the data folder, with one folder per board (cards 11). */
export const attachmentFolder = 'attachments'

/** The folder of uploads that are not complete yet. */
const incomingFolder = join(attachmentFolder, 'incoming')

/** The path of an attachment's file in the data folder. */
export const attachmentPath = (boardId: string, filename: string): string => join(attachmentFolder, boardId, filename)

/** A path in the data folder for what is not complete yet; the next start removes what is left of it. */
export const incomingPath = (name: string): string => join(incomingFolder, name)

/** Whether a system error says that the file does not exist. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** Size and hash of a completely stored file. */
export interface StoredFile {
  readonly size: number
  /** The hash of the bytes, lower-case hex. */
  readonly sha256: string
}

/**
 * Stores and hashes bytes as they arrive, and resolves once they are durable under their path. A failure leaves no file
 * behind.
 * @param path in the data folder
 * @throws DomainError PAYLOAD_TOO_LARGE with `max_bytes` as soon as there are more bytes
 * @throws the errors of the source and of the system
 */
export async function storeFile(
  folder: string,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StoredFile> {
  const target = join(folder, path)
  const part = join(folder, incomingFolder, `${randomBytes(16).toString('hex')}.part`)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await mkdir(dirname(part), { recursive: true, mode: 0o700 })
  try {
    const stored = await writeBytes(part, bytes, maxBytes)
    await rename(part, target)
    // The folders may be new, and a new folder is durable once the one that it lies in is synced.
    for (const path of [dirname(target), join(folder, attachmentFolder), folder]) await syncFolder(path)
    return stored
  } catch (error) {
    for (const left of [part, target]) await rm(left, { force: true })
    throw error
  }
}

async function writeBytes(file: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile> {
  const handle = await open(file, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of bytes) {
      size += chunk.byteLength
      if (size > maxBytes) throw tooLarge(maxBytes)
      hash.update(chunk)
      await writeAll(handle, chunk)
    }
    await handle.sync()
    return { size, sha256: hash.digest('hex') }
  } finally {
    await handle.close()
  }
}

/** Writes all of a chunk. */
export async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0
  while (written < chunk.byteLength) written += (await handle.write(chunk, written)).bytesWritten
}

const tooLarge = (maxBytes: number) =>
  new DomainError('PAYLOAD_TOO_LARGE', `An attachment has at most ${maxBytes} bytes; this one was not stored.`, {
    max_bytes: maxBytes,
  })

/** Syncs a folder: without it, a new file in the folder is not durable. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes a file that no row names, if it still exists. */
export async function removeFile(folder: string, path: string): Promise<void> {
  try {
    await unlink(join(folder, path))
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

/** Removes uploads that an earlier process left unfinished. */
export const removeIncoming = (folder: string): Promise<void> =>
  rm(join(folder, incomingFolder), { recursive: true, force: true })

/** The paths of all attachment files in a data folder, without unfinished uploads. */
export async function storedPaths(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, attachmentFolder), { recursive: true, withFileTypes: true }).catch(
    error => {
      if (isAbsent(error)) return []
      throw error
    },
  )
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return files.map(file => relative(folder, file)).filter(path => !path.startsWith(incomingFolder))
}
