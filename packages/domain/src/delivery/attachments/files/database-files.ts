import { sql } from 'kysely'
import type { ReadWrite } from '../../../schema/database.ts'
import { attachmentKey, keyPrefix } from './attachment-path.ts'
import {
  AbsentFile,
  type AttachmentFiles,
  type ByteRange,
  maxUploadMs,
  orAbsent,
  PresentFile,
  type StoredFile,
} from './files.ts'
import { Meter, piecesOf } from './meter.ts'

/** The length of all parts of a file but the last, bytes: as much of a file as is in memory at a time. */
const partBytes = 1 << 20

/** Paths listed at a time. */
const pageSize = 1_000

/**
 * Attachment files in the database that nodes share, stored in parts. Each part is stored and read in a short
 * transaction of its own, so that a slow client does not keep one open; a file exists once its row has a size.
 */
export class DatabaseFiles implements AttachmentFiles {
  readonly name = 'the database'
  readonly #database: ReadWrite
  readonly #clock: () => number

  constructor(database: ReadWrite, clock: () => number) {
    this.#database = database
    this.#clock = clock
  }

  async put(path: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile> {
    const key = attachmentKey(path)
    await this.#write(key, sql`delete from attachment_files where path = ${key} and size is null`)
    const inserted = await this.#write(
      key,
      sql`insert into attachment_files (path, size, started_at) values (${key}, null, ${this.#at(0)})
        on conflict do nothing`,
    )
    if (inserted === 0) throw new PresentFile(path)
    try {
      const measured = new Meter(maxBytes)
      let part = 0
      for await (const piece of piecesOf(measured.of(bytes), partBytes))
        await this.#write(
          key,
          sql`insert into attachment_parts (path, part, bytes) values (${key}, ${part++}, ${piece})`,
        )
      const stored = measured.end()
      const updated = await this.#write(key, sql`update attachment_files set size = ${stored.size} where path = ${key}`)
      if (updated === 0) throw new AbsentFile(path)
      return stored
    } catch (error) {
      // If the database is gone too, the remainder is removed as unfinished later.
      await this.remove(path).catch(() => {})
      throw error
    }
  }

  async size(path: string): Promise<number | undefined> {
    const found = await orAbsent(async () => {
      const key = attachmentKey(path)
      return this.#database.read(db =>
        sql<{ size: number | null }>`select size from attachment_files where path = ${key}`.execute(db),
      )
    })
    return found?.rows[0]?.size ?? undefined
  }

  async *read(path: string, { from = 0, to = Number.POSITIVE_INFINITY }: ByteRange = {}): AsyncGenerator<Uint8Array> {
    const size = await this.size(path)
    if (size === undefined) throw new AbsentFile(path)
    const end = Math.min(to, size)
    for (let at = from; at < end; ) {
      const part = Math.floor(at / partBytes)
      const begin = part * partBytes
      const bytes = (await this.#part(path, part)).subarray(at - begin, end - begin)
      if (bytes.length === 0) throw new AbsentFile(path)
      yield bytes
      at += bytes.length
    }
  }

  async #part(path: string, part: number): Promise<Buffer> {
    const { rows } = await this.#database.read(db =>
      sql<{ bytes: Buffer }>`select bytes from attachment_parts where path = ${path} and part = ${part}`.execute(db),
    )
    if (rows[0] === undefined) throw new AbsentFile(path)
    return rows[0].bytes
  }

  async remove(path: string): Promise<void> {
    await orAbsent(async () => {
      const key = attachmentKey(path)
      return this.#write(key, sql`delete from attachment_files where path = ${key}`)
    })
  }

  async removeAll(boardId: string): Promise<void> {
    for await (const path of this.paths(boardId)) await this.remove(path)
  }

  async *paths(boardId?: string): AsyncGenerator<string> {
    const prefix = keyPrefix(boardId)
    if (prefix === undefined) return
    // Bounds on both sides: a search for the prefix alone would scan the files of all later boards.
    const end = `${prefix}\u{10ffff}`
    for (let after = prefix; ; ) {
      const { rows } = await this.#database.read(db =>
        sql<{ path: string }>`select path from attachment_files
          where path > ${after} and path < ${end} and size is not null
          order by path limit ${pageSize}`.execute(db),
      )
      for (const { path } of rows) yield path
      if (rows.length < pageSize) return
      after = rows.at(-1)!.path
    }
  }

  async removeUnfinished(): Promise<void> {
    const { rows } = await this.#database.read(db =>
      sql<{ path: string }>`select path from attachment_files
        where size is null and started_at < ${this.#at(-maxUploadMs)}`.execute(db),
    )
    for (const { path } of rows) await this.remove(path)
  }

  #at(ms: number): string {
    return new Date(this.#clock() + ms).toISOString()
  }

  /** Writes independently of all other units of work; returns the number of changed rows. */
  #write(path: string, statement: ReturnType<typeof sql>): Promise<number> {
    return this.#database.write(async db => Number((await statement.execute(db)).numAffectedRows ?? 0), {
      lock: path,
    })
  }
}
