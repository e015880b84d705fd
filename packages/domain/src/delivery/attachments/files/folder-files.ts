import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { pathUnder } from '@specboard/storage/safe-path'
import { partsOfFolder, partsOfPath } from './attachment-path.ts'
import { type AttachmentFiles, type ByteRange, orAbsent, PresentFile, type StoredFile } from './files.ts'
import { incomingFolder, incomingPath, writeAll } from './incoming.ts'
import { Meter } from './meter.ts'

/** Files of attachments in the data folder, with one folder per board. */
export class FolderFiles implements AttachmentFiles {
  readonly name = 'the data folder'
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(path: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile> {
    const target = this.#path(path)
    if ((await this.size(path)) !== undefined) throw new PresentFile(path)
    const part = await incomingPath(this.#folder, 'part')
    const folder = dirname(target)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      const stored = await writeBytes(part, bytes, maxBytes)
      await giveName(part, target, path)
      try {
        // The folders may be new, and a new folder is durable only once its parent is synced.
        for (const each of [folder, dirname(folder), this.#folder]) await syncFolder(each)
        return stored
      } catch (error) {
        await rm(target, { force: true })
        throw error
      }
    } finally {
      await rm(part, { force: true })
    }
  }

  /** @throws UnsafePath for a path that is not an attachment's, or if a link leads out of the folder */
  #path(path: string): string {
    return pathUnder(this.#folder, ...partsOfPath(path))
  }

  async size(path: string): Promise<number | undefined> {
    return orAbsent(async () => (await stat(this.#path(path))).size)
  }

  async *read(path: string, { from = 0, to = Number.POSITIVE_INFINITY }: ByteRange = {}): AsyncGenerator<Uint8Array> {
    if (from >= to) return
    yield* createReadStream(this.#path(path), { start: from, end: to - 1 }) as AsyncIterable<Uint8Array>
  }

  async remove(path: string): Promise<void> {
    await orAbsent(() => unlink(this.#path(path)))
  }

  async removeAll(boardId: string): Promise<void> {
    const parts = partsOfFolder(boardId)
    if (parts === undefined) return
    await orAbsent(async () => rm(pathUnder(this.#folder, ...parts), { recursive: true, force: true }))
  }

  async *paths(boardId?: string): AsyncGenerator<string> {
    const parts = partsOfFolder(boardId)
    if (parts === undefined) return
    const entries = await orAbsent(async () =>
      readdir(pathUnder(this.#folder, ...parts), { recursive: true, withFileTypes: true }),
    )
    for (const entry of entries ?? []) {
      const path = relative(this.#folder, join(entry.parentPath, entry.name))
      if (entry.isFile() && !path.startsWith(incomingFolder)) yield path.replaceAll(sep, '/')
    }
  }

  async removeUnfinished(): Promise<void> {
    // Uploads abandoned by an earlier process are in the incoming folder, which is emptied at start.
  }
}

/** Gives a complete file its name, unless another file has it. */
async function giveName(part: string, target: string, path: string): Promise<void> {
  try {
    await link(part, target)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new PresentFile(path)
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EXDEV'].some(code => hasCode(error, code))) throw error
    // A file system without hard links: the name was free when the file was started.
    await rename(part, target)
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

async function writeBytes(file: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile> {
  const handle = await open(file, 'wx', 0o600)
  try {
    const measured = new Meter(maxBytes)
    for await (const chunk of measured.of(bytes)) await writeAll(handle, chunk)
    await handle.sync()
    return measured.end()
  } finally {
    await handle.close()
  }
}

/** Syncs a folder: without it, a new file in the folder is not durable. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
