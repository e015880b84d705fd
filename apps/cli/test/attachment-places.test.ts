/** Services whose attachments are stored in the data folder, in PostgreSQL, or in an S3 store. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type AttachmentFiles, openFiles, readWithoutLock } from '@specboard/domain'
import { openDatabase, pathsOf, s3Server, whyNoS3 } from '@specboard/domain/testing'
import { freePort, testServer, whyNoServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandIn } from './support/command.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

const mebibyte = 1 << 20

/** A service, and access to its files that bypasses it. */
interface ServiceWithFiles {
  readonly world: World
  readonly files: AttachmentFiles
  /** The address of the S3 store, if it has one. */
  readonly url?: string
  readonly close: () => Promise<void>
}

async function inFolder(): Promise<ServiceWithFiles> {
  const world = await World.start({ databaseUrl: undefined })
  return { world, files: await openFiles({ folder: world.folder }), close: () => world.stop() }
}

async function inDatabase(): Promise<ServiceWithFiles> {
  const server = await testServer()
  const databaseUrl = await server.database()
  const world = await World.start({ databaseUrl })
  const database = await openDatabase({ folder: world.folder, url: databaseUrl })
  return {
    world,
    files: await openFiles({ folder: world.folder, database }),
    close: async () => {
      await world.stop()
      await database.close()
      await server.stop()
    },
  }
}

async function inS3(): Promise<ServiceWithFiles> {
  const server = await s3Server()
  const url = server.newPlace()
  const world = await World.start({ databaseUrl: undefined, attachmentsUrl: url })
  return {
    world,
    files: await openFiles({ folder: world.folder, url }),
    url,
    close: async () => {
      await world.stop()
      await server.stop()
    },
  }
}

const places: readonly (readonly [string, string | undefined, () => Promise<ServiceWithFiles>])[] = [
  ['the data folder', undefined, inFolder],
  ['PostgreSQL', whyNoServer(), inDatabase],
  ['an S3 store', whyNoS3(), inS3],
]

describe.each(places)('attachments in %s (cards 11)', (_, missing, open) => {
  describe.skipIf(missing !== undefined)(missing ?? 'are kept', () => {
    let place: ServiceWithFiles
    let world: World
    let scene: Scene
    let card_id: string

    beforeAll(async () => {
      place = await open()
      world = place.world
      scene = await Scene.on(world)
      card_id = await scene.card()
    })

    afterAll(() => place?.close())

    const stored = (boardId = scene.boardId) => pathsOf(place.files, boardId)
    const upload = async (bytes: Buffer<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) =>
      world.call(
        'upload_attachment',
        { board_id: scene.boardId, card_id, file: new File([bytes], 'a.bin') },
        { headers },
      )
    const download = async (attachment_id: string) => {
      const answer = await world.owner.client.downloadAttachment({ board_id: scene.boardId, card_id, attachment_id })
      return Buffer.from(await answer.arrayBuffer())
    }
    const pathOf = ({ filename }: { filename: string }) => `attachments/${scene.boardId}/${filename}`

    test.each([
      ['nothing', 0],
      ['a byte', 1],
      ['several parts', 9 * mebibyte + 1],
    ])('%s comes back, and its file goes with its record', async (_, length) => {
      const before = await stored()
      const bytes = randomBytes(length)
      const { status, body } = await upload(bytes)
      expect([status, body.size, body.sha256]).toEqual([201, length, createHash('sha256').update(bytes).digest('hex')])
      expect((await download(body.id)).equals(bytes)).toBe(true)
      expect(await stored()).toEqual([...before, pathOf(body)].toSorted())
      const on = { board_id: scene.boardId, card_id, attachment_id: body.id }
      expect((await world.call('delete_attachment', on)).status).toBe(204)
      expect(await stored()).toEqual(before)
    })

    test('the same uploaded at once is kept once for each, and once for one Idempotency-Key', async () => {
      const before = (await stored()).length
      const bytes = randomBytes(2 * mebibyte)
      const answers = await Promise.all([
        // As many as one agent may send at once (walls 4).
        ...Array.from({ length: 2 }, () => upload(bytes)),
        ...Array.from({ length: 2 }, () => upload(bytes, { 'idempotency-key': 'once' })),
      ])
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      const ids = new Set(answers.map(({ body }) => body.id))
      expect([ids.size, (await stored()).length]).toEqual([3, before + 3])
      for (const id of ids) expect((await download(id)).equals(bytes)).toBe(true)
    })

    test('an upload whose client disconnects leaves nothing', async () => {
      const before = await stored()
      const url = `${world.running.url}/api/v1/attachments/${scene.boardId}/${card_id}`
      await new Promise<void>(resolve => {
        const call = request(url, {
          method: 'POST',
          headers: { 'x-api-key': world.owner.key, 'content-type': 'multipart/form-data; boundary=edge' },
        })
        call.once('error', () => resolve())
        call.write('--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')
        call.write(randomBytes(3 * mebibyte), () => call.destroy(new Error('gone')))
      })
      expect((await upload(randomBytes(10))).status).toBe(201)
      await expect.poll(async () => (await stored()).length).toBe(before.length + 1)
    })

    test('a record without its file is 410, also in an archive, and can be deleted (trust 5)', async () => {
      const { body } = await upload(randomBytes(10))
      await place.files.remove(pathOf(body))
      const on = { board_id: scene.boardId, card_id, attachment_id: body.id }
      for (const answer of [
        await world.call('download_attachment', on),
        await world.call('export_board', { board_id: scene.boardId }),
      ]) {
        expect(answer.status).toBe(410)
        expect(answer.body.detail).toMatchObject({ error: 'FILE_MISSING', attachment_id: body.id })
      }
      expect((await world.call('delete_attachment', on)).status).toBe(204)
    })

    test('an archive takes the bytes along, and a deleted board takes its own', async () => {
      const other = await Scene.on(world)
      const bytes = randomBytes(3 * mebibyte)
      await other.attachment(await other.card(), new File([bytes], 'a.bin'))
      const archive = await world.archive(other.boardId)
      const { board_id } = await world.ok('import_board', { file: archive, keep_ids: false })
      const [path] = await stored(board_id)
      expect((await buffer(place.files.read(path!))).equals(bytes)).toBe(true)
      await world.ok('delete_board', { board_id: other.boardId })
      await expect.poll(() => stored(other.boardId)).toEqual([])
      expect(await stored(board_id)).toEqual([path])
    })
  })
})

describe.skipIf(whyNoS3() !== undefined)(
  `a service with an S3 store${whyNoS3() === undefined ? '' : `: ${whyNoS3()}`}`,
  () => {
    let place: ServiceWithFiles
    let root: string

    beforeAll(async () => {
      place = await inS3()
      root = mkdtempSync(join(tmpdir(), 'specboard-s3-backup-'))
    })

    afterAll(async () => {
      await place?.close()
      rmSync(root, { recursive: true, force: true })
    })

    const run = (url: string, ...args: readonly string[]) =>
      runCommandIn({ variables: { SPECBOARD_ATTACHMENTS_URL: url } }, ...args)

    test('doctor names what is missing, without a record, and altered', async () => {
      const { world, files, url } = place
      const scene = await Scene.on(world)
      const uploads = [await scene.attachment(), await scene.attachment()].map(
        each => each as { attachment_id: string },
      )
      const rows = await readWithoutLock(world.folder, db =>
        db.selectFrom('attachments').select(['id', 'filename']).where('board_id', '=', scene.boardId).execute(),
      )
      const pathOf = ({ attachment_id }: { attachment_id: string }) =>
        `attachments/${scene.boardId}/${rows.find(({ id }) => id === attachment_id)!.filename}`
      const other = async function* () {
        yield randomBytes(5)
      }
      const diagnosis = async () =>
        JSON.parse((await run(url!, 'doctor', '--json', '--data-dir', world.folder)).output).findings.filter(
          ({ name }: { name: string }) => name.startsWith('attachment'),
        )
      expect(await diagnosis()).toMatchObject([{ says: `in ${files.name}` }, { ok: true }, { ok: true }])
      const surplus = `attachments/${scene.boardId}/surplus`
      await files.remove(pathOf(uploads[0]!))
      await files.put(pathOf(uploads[1]!), other(), 5)
      await files.put(surplus, other(), 5)
      const found = await diagnosis()
      expect(found[1]).toMatchObject({ ok: false, says: expect.stringContaining(`1 without row: ${surplus}`) })
      expect(found[1].says).toContain(`1 missing, for attachments ${uploads[0]!.attachment_id}`)
      expect(found[2]).toMatchObject({ ok: false, says: expect.stringContaining(uploads[1]!.attachment_id) })
      await world.ok('delete_board', { board_id: scene.boardId })
      await expect.poll(() => pathsOf(files, scene.boardId)).toEqual([])
    })

    test('a backup holds the bytes, and brings them back into another part of the store', async () => {
      const { world, url } = place
      const scene = await Scene.on(world)
      const bytes = randomBytes(mebibyte)
      await scene.attachment(await scene.card(), new File([bytes], 'a.bin'))
      const file = join(root, 'saved.zip')
      const backup = await run(url!, 'backup', '--json', '--data-dir', world.folder, '-o', file)
      expect(JSON.parse(backup.output)).toMatchObject({ files: 3, missing: [] })
      const elsewhere = url!.replace('/test-', '/restored-')
      const folder = join(root, 'restored')
      const restored = await run(elsewhere, 'restore', file, '--json', '--data-dir', folder)
      expect(JSON.parse(restored.output)).toMatchObject({ files: 3, missing: [] })
      expect(existsSync(join(folder, 'attachments'))).toBe(false)
      expect((await run(elsewhere, 'doctor', '--data-dir', folder)).code).toBe(0)
      const files = await openFiles({ folder, url: elsewhere })
      const [path] = await pathsOf(files, scene.boardId)
      expect((await buffer(files.read(path!))).equals(bytes)).toBe(true)
      await files.removeAll(scene.boardId)
    })
  },
)

test('a store that cannot be reached is 503, and says when to try again', async () => {
  process.env.AWS_ACCESS_KEY_ID ??= 'key'
  process.env.AWS_SECRET_ACCESS_KEY ??= 'secret'
  const attachmentsUrl = `s3://bucket?endpoint=http://127.0.0.1:${await freePort()}`
  const world = await World.start({ databaseUrl: undefined, attachmentsUrl })
  try {
    const scene = await Scene.on(world)
    const card_id = await scene.card()
    const { status, headers, body } = await world.call('upload_attachment', {
      board_id: scene.boardId,
      card_id,
      file: new File(['bytes'], 'a.txt'),
    })
    expect([status, headers.get('retry-after'), body.detail.error]).toEqual([503, '5', 'BUSY'])
    expect((await world.ok('get_card', { card_id })).attachments).toEqual([])
    expect((await world.call('get_health')).status).toBe(200)
  } finally {
    await world.stop()
  }
})

test('a setting that is no store is refused, without its password', async () => {
  const variables = { SPECBOARD_ATTACHMENTS_URL: 's3://key:secret@bucket' }
  const { code, errors } = await runCommandIn({ variables }, 'doctor', '--data-dir', join(tmpdir(), 'specboard-none'))
  expect(code).not.toBe(0)
  expect(errors).toContain('SPECBOARD_ATTACHMENTS_URL must be')
  expect(errors).not.toContain('secret')
})
