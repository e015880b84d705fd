/** The same guarantees for each place where the files of attachments can be stored. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { UnsafePath } from '@specboard/storage/safe-path'
import { type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../schema/database.ts'
import { attachmentPath } from './attachment-path.ts'
import { type AttachmentFiles, isAbsent, maxUploadMs, PresentFile } from './files.ts'
import { openFiles } from './open-files.ts'
import { pathsOf } from './paths.testing.ts'
import { s3Server, whyNoS3 } from './s3-server.testing.ts'

const mebibyte = 1 << 20
const plenty = 1 << 30
const clock = { now: Date.now() }

/** A place for a test. */
interface TestStore {
  readonly files: AttachmentFiles
  /** The number of leftovers of unfinished uploads in it. */
  readonly unfinished: () => Promise<number>
  readonly close: () => Promise<void>
}

const folderFor = () => mkdtempSync(join(tmpdir(), 'specboard-places-'))

async function inFolder(): Promise<TestStore> {
  const folder = folderFor()
  const incoming = join(folder, 'attachments', 'incoming')
  return {
    files: await openFiles({ folder }),
    unfinished: async () => readdirSync(incoming).length,
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function inDatabase(): Promise<TestStore> {
  const server: TestServer = await testServer()
  const database = await openDatabase({ folder: folderFor(), url: await server.database() })
  return {
    files: await openFiles({ folder: '', database, clock: () => clock.now }),
    unfinished: () =>
      database.read(async db => {
        const rows = await db.selectFrom('attachment_files').select('path').where('size', 'is', null).execute()
        return rows.length
      }),
    close: async () => {
      await database.close()
      await server.stop()
    },
  }
}

async function inS3(): Promise<TestStore> {
  const server = await s3Server()
  const url = server.newPlace()
  return {
    files: await openFiles({ folder: '', url, clock: () => clock.now }),
    unfinished: () => server.unfinished(url),
    close: () => server.stop(),
  }
}

const places: readonly (readonly [string, string | undefined, () => Promise<TestStore>])[] = [
  ['the data folder', undefined, inFolder],
  ['the database', whyNoServer(), inDatabase],
  ['an S3 store', whyNoS3(), inS3],
]

async function* chunks(bytes: Uint8Array, length = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

/** Some bytes, and then a failure, as of a client that disconnects. */
async function* cut(length: number): AsyncGenerator<Uint8Array> {
  yield* chunks(randomBytes(length))
  throw new Error('cut')
}

/** The board of most files. */
const boardId = randomUUID()

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.each(places)('files in %s', (_, missing, open) => {
  describe.skipIf(missing !== undefined)(missing ?? 'are kept', () => {
    let place: TestStore
    let files: AttachmentFiles
    let names = 0

    beforeAll(async () => {
      place = await open()
      files = place.files
    })

    afterAll(() => place?.close())

    const newPath = (board = boardId) => attachmentPath(board, `file_${names++}`)
    const paths = (board?: string) => pathsOf(files, board)

    test.each([
      ['nothing', 0],
      ['a byte', 1],
      ['a piece', mebibyte],
      ['a piece and a byte', mebibyte + 1],
      ['a part of an upload', 8 * mebibyte],
      ['some parts and a byte', 16 * mebibyte + 1],
    ])('%s comes back as it was stored', async (_, length) => {
      const path = newPath()
      const bytes = randomBytes(length)
      expect(await files.put(path, chunks(bytes), plenty)).toEqual({ size: length, sha256: sha256(bytes) })
      expect(await files.size(path)).toBe(length)
      expect(sha256(await buffer(files.read(path)))).toBe(sha256(bytes))
    })

    test('a range comes back without the rest', async () => {
      const path = newPath()
      const bytes = randomBytes(3 * mebibyte)
      await files.put(path, chunks(bytes, 100_000), plenty)
      for (const [from, to] of [
        [0, 1],
        [mebibyte - 1, mebibyte + 1],
        [mebibyte, 2 * mebibyte],
        [5, 5],
        [bytes.length - 3, bytes.length],
        [bytes.length - 3, undefined],
        [10, bytes.length + 10],
      ] as const)
        expect((await buffer(files.read(path, { from, to }))).equals(bytes.subarray(from, to))).toBe(true)
    })

    test.each([
      ['of one piece', 1_000],
      ['of several parts', 20 * mebibyte],
    ])('an upload %s that is cut leaves nothing', async (_, length) => {
      const before = await paths()
      await expect(files.put(newPath(), cut(length), plenty)).rejects.toThrow('cut')
      expect([await paths(), await place.unfinished()]).toEqual([before, 0])
    })

    test('one byte too many is refused, and nothing is kept', async () => {
      const before = await paths()
      const refused = files.put(newPath(), chunks(randomBytes(10 * mebibyte + 1)), 10 * mebibyte)
      await expect(refused).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', extra: { max_bytes: 10 * mebibyte } })
      expect([await paths(), await place.unfinished()]).toEqual([before, 0])
    })

    test('uploads at the same time do not mix', async () => {
      const bytes = randomBytes(2 * mebibyte + 7)
      const parallel = randomUUID()
      const newPaths = Array.from({ length: 8 }, () => newPath(parallel))
      await Promise.all(newPaths.map(path => files.put(path, chunks(bytes), plenty)))
      for (const path of newPaths) expect(sha256(await buffer(files.read(path)))).toBe(sha256(bytes))
      expect(await paths(parallel)).toEqual(newPaths.toSorted())
    })

    test('what is there is not replaced (walls 1)', async () => {
      const path = newPath()
      const bytes = randomBytes(3 * mebibyte)
      await files.put(path, chunks(bytes), plenty)
      const again = files.put(path, chunks(randomBytes(10)), plenty)
      await expect(again).rejects.toThrow(PresentFile)
      expect((await buffer(files.read(path))).equals(bytes)).toBe(true)
    })

    test.each([
      'secret.key',
      'attachments/x',
      '/etc/passwd',
      `attachments/${boardId}/../../secret.key`,
      `attachments/${boardId}/.hidden`,
      `attachments/${boardId}/a/b`,
      `attachments/${boardId.toUpperCase()}/a`,
      attachmentPath('../../.ssh', 'authorized_keys'),
      attachmentPath('ATT', 'a'),
      attachmentPath(boardId, ''),
    ])('nothing is under %s, and nothing can be put there (walls 1)', async path => {
      await expect(files.put(path, chunks(randomBytes(10)), plenty)).rejects.toThrow(UnsafePath)
      expect(await files.size(path)).toBeUndefined()
      const error = await buffer(files.read(path)).catch((error: unknown) => error)
      expect(isAbsent(error)).toBe(true)
      await files.remove(path)
    })

    test('the files of what is no board are none, and are not removed', async () => {
      const path = newPath()
      await files.put(path, chunks(randomBytes(10)), plenty)
      for (const board of ['', '.', '..', '../../.ssh', 'incoming', `${boardId}/..`]) {
        expect(await paths(board)).toEqual([])
        await files.removeAll(board)
      }
      expect(await files.size(path)).toBe(10)
    })

    test('a file that is not there has no size, cannot be read, and can be removed', async () => {
      const path = newPath()
      expect(await files.size(path)).toBeUndefined()
      const error = await buffer(files.read(path)).catch((error: unknown) => error)
      expect(isAbsent(error)).toBe(true)
      await files.remove(path)
    })

    test('a removed file is gone; those of a board go together, and only those', async () => {
      const [first, second] = [randomUUID(), randomUUID()]
      const [one, other, of] = [newPath(first), newPath(first), newPath(second)]
      for (const path of [one, other, of]) await files.put(path, chunks(randomBytes(10)), plenty)
      await files.remove(one)
      expect([await files.size(one), await paths(first)]).toEqual([undefined, [other]])
      await files.removeAll(first)
      expect([await paths(first), await paths(second)]).toEqual([[], [of]])
    })

    test('what is looked for as unfinished is not what is being uploaded', async () => {
      const path = newPath()
      const bytes = randomBytes(9 * mebibyte)
      const slow = async function* () {
        yield* chunks(bytes)
        await files.removeUnfinished()
      }
      await files.put(path, slow(), plenty)
      expect((await buffer(files.read(path))).equals(bytes)).toBe(true)
    })

    test('100 MiB pass without being gathered', async () => {
      const path = newPath()
      const piece = randomBytes(mebibyte)
      let max = 0
      const watch = () => {
        max = Math.max(max, process.memoryUsage().arrayBuffers)
      }
      const source = async function* () {
        for (let count = 0; count < 100; count++) {
          watch()
          yield piece
        }
      }
      const before = process.memoryUsage().arrayBuffers
      await files.put(path, source(), plenty)
      let length = 0
      for await (const chunk of files.read(path)) {
        length += chunk.length
        watch()
      }
      expect(length).toBe(100 * mebibyte)
      expect((max - before) / mebibyte).toBeLessThan(80)
      await files.remove(path)
    })
  })
})

describe.skipIf(whyNoServer() !== undefined)('an upload that its process did not end', () => {
  test('is not a file, and is removed after a day', async () => {
    const place = await inDatabase()
    try {
      const path = attachmentPath(boardId, 'left')
      const never = async function* () {
        yield randomBytes(2 * mebibyte)
        await new Promise(() => {})
      }
      // An upload fails if its stored parts are removed while it is still sending.
      place.files.put(path, never(), plenty).catch(() => {})
      await expect.poll(() => place.unfinished()).toBe(1)
      expect(await place.files.size(path)).toBeUndefined()
      await place.files.removeUnfinished()
      expect(await place.unfinished()).toBe(1)
      clock.now += maxUploadMs + 1
      await place.files.removeUnfinished()
      expect(await place.unfinished()).toBe(0)
    } finally {
      await place.close()
    }
  })
})
