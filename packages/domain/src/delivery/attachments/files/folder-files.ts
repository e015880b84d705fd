import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import {
  type AttachmentFiles,
  attachmentFolder,
  type ByteRange,
  isAbsent,
  pathPrefix,
  type StoredFile,
} from './files.ts'
import { incomingFolder, incomingPath, writeAll } from './incoming.ts'
import { Measured } from './measured.ts'

/** Files of attachments in the data folder, with one folder per board. */
export class FolderFiles implements AttachmentFiles {
  readonly name = 'the data folder'
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(path: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile> {
    const target = join(this.#folder, path)
    const part = await incomingPath(this.#folder, 'part')
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    try {
      const stored = await writeBytes(part, bytes, maxBytes)
      await rename(part, target)
      // The folders may be new, and a new folder is durable once the one that it lies in is synced.
      for (const path of [dirname(target), join(this.#folder, attachmentFolder), this.#folder]) await syncFolder(path)
      return stored
    } catch (error) {
      for (const left of [part, target]) await rm(left, { force: true })
      throw error
    }
  }

  async size(path: string): Promise<number | undefined> {
    const found = await stat(join(this.#folder, path)).catch(error => {
      if (!isAbsent(error)) throw error
    })
    return found?.size
  }

  async *read(path: string, { from = 0, to = Number.POSITIVE_INFINITY }: ByteRange = {}): AsyncGenerator<Uint8Array> {
    if (from >= to) return
    yield* createReadStream(join(this.#folder, path), { start: from, end: to - 1 }) as AsyncIterable<Uint8Array>
  }

  async remove(path: string): Promise<void> {
    try {
      await unlink(join(this.#folder, path))
    } catch (error) {
      if (!isAbsent(error)) throw error
    }
  }

  async removeAll(boardId: string): Promise<void> {
    await rm(join(this.#folder, pathPrefix(boardId)), { recursive: true, force: true })
  }

  async *paths(boardId?: string): AsyncGenerator<string> {
    const within = join(this.#folder, pathPrefix(boardId))
    const entries = await readdir(within, { recursive: true, withFileTypes: true }).catch(error => {
      if (isAbsent(error)) return []
      throw error
    })
    for (const entry of entries) {
      const path = relative(this.#folder, join(entry.parentPath, entry.name))
      if (entry.isFile() && !path.startsWith(incomingFolder)) yield path
    }
  }

  async removeUnfinished(): Promise<void> {
    // Uploads that an earlier process left lie among what is incoming, which a start removes.
  }
}

async function writeBytes(file: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile> {
  const handle = await open(file, 'wx', 0o600)
  try {
    const measured = new Measured(maxBytes)
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
