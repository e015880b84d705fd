import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { hasFiles, loseFile, storedBytes, storedFiles, unfinishedFiles } from './support/stored-files.ts'
import { type TestAnswer, World } from './support/world.ts'

const maxBytes = 1 << 20

let world: World
let scene: Scene
let card_id: string

beforeAll(async () => {
  world = await World.start({ attachmentMaxBytes: maxBytes })
  scene = await Scene.on(world)
  card_id = await scene.card()
})

afterAll(() => world.stop())

const upload = (file: File, on: object = {}) =>
  world.call('upload_attachment', { board_id: scene.boardId, card_id, file, ...on })
const stored = (boardId = scene.boardId) => storedFiles(world, boardId)
const incoming = () => unfinishedFiles(world)

/** Uploads a raw body to the card and returns the answer. */
async function send(body: string, type: string): Promise<Pick<TestAnswer, 'status' | 'body'>> {
  const response = await fetch(`${world.running.url}/api/v1/attachments/${scene.boardId}/${card_id}`, {
    method: 'POST',
    headers: { 'x-api-key': world.owner.key, 'content-type': type },
    body,
  })
  return { status: response.status, body: await response.json() }
}

const fileHeaders = 'Content-Disposition: form-data; name="file"; filename="a"'
const multipart = (headers: string, content = 'bytes') => `--edge\r\n${headers}\r\n\r\n${content}\r\n--edge--\r\n`

describe('upload (cards 11)', () => {
  test('stores the bytes unchanged and describes them', async () => {
    const bytes = randomBytes(maxBytes)
    const { status, body } = await upload(new File([bytes], 'größe 1.bin', { type: 'application/x-thing;v=1' }))
    expect([status, body]).toEqual([
      201,
      {
        id: body.id,
        ref: expect.stringMatching(/\.a1$/),
        card_id,
        filename: expect.stringMatching(/^[0-9a-f]{16}_gr__e_1\.bin$/),
        original_filename: 'größe 1.bin',
        mime_type: 'application/x-thing',
        size: maxBytes,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        uploaded_by: world.owner.id,
        created_at: expect.any(String),
      },
    ])
    expect(storedBytes(world, scene.boardId, body.filename).equals(bytes)).toBe(true)
    expect((await world.ok('get_card', { card_id })).attachments).toEqual([body])
    expect((await world.ok('list_card_activity', { card_id, limit: 1 }))[0]).toMatchObject({
      action: 'attachment_uploaded',
      details: { attachment_id: body.id, filename: 'größe 1.bin', size: maxBytes },
    })
  })

  test('an empty file is a file', async () => {
    expect((await upload(new File([], 'empty'))).body).toMatchObject({ size: 0, mime_type: 'application/octet-stream' })
  })

  test.each([
    ['name="file"; filename="..\\\\..\\\\a.png"', '', 'a.png', 'image/png'],
    ['name="file"; filename="/etc/passwd"', '\r\nContent-Type: nonsense', 'passwd', 'application/octet-stream'],
    ['name="file"; filename=".."', '\r\nContent-Type: text/plain; charset=latin1', 'unnamed', 'text/plain'],
    ['name="file"; filename=""', '', 'unnamed', 'application/octet-stream'],
    [`name="file"; filename="a"; filename*=UTF-8''%C3%A9.txt`, '', 'é.txt', 'text/plain'],
  ])('the part %s%s', async (parameters, type, original_filename, mime_type) => {
    const body = multipart(`Content-Disposition: form-data; ${parameters}${type}`)
    const answer = await send(body, 'multipart/form-data; boundary=edge')
    expect(answer).toMatchObject({ status: 201, body: { original_filename, mime_type, size: 5 } })
  })

  test('a part before the file is refused: an upload has one (trust 1)', async () => {
    const form = new FormData()
    form.set('note', 'x'.repeat(1000))
    form.set('file', new File(['bytes'], 'a.txt'))
    const response = await fetch(`${world.running.url}/api/v1/attachments/${scene.boardId}/${card_id}`, {
      method: 'POST',
      headers: { 'x-api-key': world.owner.key },
      body: form,
    })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['body', 'file'], type: 'missing' }] })
  })

  test.each([
    ['no body', '', 'multipart/form-data; boundary=edge', 'value_error'],
    ['a body that is not multipart', '{}', 'application/json', 'missing'],
    [
      'no part named file',
      multipart('Content-Disposition: form-data; name="other"; filename="a"'),
      'multipart/form-data; boundary=edge',
      'missing',
    ],
    [
      'a field that is not a file',
      multipart('Content-Disposition: form-data; name="file"'),
      'multipart/form-data; boundary=edge',
      'missing',
    ],
    ['no boundary', multipart('A: b'), 'multipart/form-data', 'value_error'],
    [
      'a body that ends inside the file',
      '--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbytes',
      'multipart/form-data; boundary=edge',
      'value_error',
    ],
    [
      'a second file',
      `--edge\r\n${fileHeaders}\r\n\r\none\r\n--edge\r\n${fileHeaders}\r\n\r\ntwo\r\n--edge--\r\n`,
      'multipart/form-data; boundary=edge',
      'value_error',
    ],
    [
      'a field behind the file',
      `--edge\r\n${fileHeaders}\r\n\r\none\r\n--edge\r\nContent-Disposition: form-data; name="note"\r\n\r\ntwo\r\n--edge--\r\n`,
      'multipart/form-data; boundary=edge',
      'value_error',
    ],
  ])('%s is 422', async (_, body, contentType, type) => {
    const before = stored().length
    const answer = await send(body, contentType)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type }] } })
    expect(answer.body.detail[0].loc).toEqual(type === 'missing' ? ['body', 'file'] : ['body'])
    expect([stored().length, incoming()]).toEqual([before, []])
  })

  test('one byte too many is 413, and nothing is kept', async () => {
    const before = stored().length
    const { status, body } = await upload(new File([randomBytes(maxBytes + 1)], 'big'))
    expect([status, body.detail]).toMatchObject([413, { error: 'PAYLOAD_TOO_LARGE', max_bytes: maxBytes }])
    expect([stored().length, incoming()]).toEqual([before, []])
  })

  test.each([
    ['too much', () => card_id, 413],
    ['an unknown card', () => 'unknown', 404],
  ])('the answer to %s does not wait for the rest of the body', async (_, on, status) => {
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const call = request(
        `${world.running.url}/api/v1/attachments/${scene.boardId}/${on()}`,
        {
          method: 'POST',
          headers: { 'x-api-key': world.owner.key, 'content-type': 'multipart/form-data; boundary=edge' },
        },
        response => {
          resolve(response.statusCode)
          call.destroy()
        },
      )
      call.on('error', reject)
      // The body never ends; its last bytes could start a boundary and are not counted yet.
      call.write('--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')
      call.write(randomBytes(maxBytes + 100))
    })
    expect(answered).toBe(status)
  })

  test('a file repeated under one Idempotency-Key is stored once; another file under it is 409', async () => {
    const once = (file: File) =>
      world.call(
        'upload_attachment',
        { board_id: scene.boardId, card_id, file },
        { headers: { 'idempotency-key': 'a' } },
      )
    const before = stored().length
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => once(new File(['bytes'], 'a.txt'))))
    for (const answer of [...others, await once(new File(['bytes'], 'a.txt'))])
      expect([answer.status, answer.body]).toEqual([201, first?.body])
    for (const other of [new File(['other'], 'a.txt'), new File(['bytes'], 'b.txt')])
      expect((await once(other)).body.detail.error).toBe('IDEMPOTENCY_KEY_REUSED')
    expect((await once(new File([randomBytes(maxBytes + 1)], 'a.txt'))).status).toBe(409)
    expect([stored().length, incoming()]).toEqual([before + 1, []])
  })

  test('a card of another board is 404', async () => {
    const other = await Scene.on(world)
    expect((await upload(new File(['x'], 'x'), { board_id: other.boardId })).status).toBe(404)
    expect((await upload(new File(['x'], 'x'), { card_id: 'unknown' })).status).toBe(404)
  })

  test('a card that is deleted during an upload takes the file with it', async () => {
    const cardId = await scene.card()
    const before = stored().length
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const call = request(
        `${world.running.url}/api/v1/attachments/${scene.boardId}/${cardId}`,
        {
          method: 'POST',
          headers: { 'x-api-key': world.owner.key, 'content-type': 'multipart/form-data; boundary=edge' },
        },
        response => resolve(response.resume().statusCode),
      )
      call.on('error', reject)
      call.write('--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbytes')
      const until = async () => {
        while (incoming().length === 0) await new Promise(resolve => setImmediate(resolve))
        await world.ok('delete_card', { card_id: cardId })
        call.end('\r\n--edge--')
      }
      until().catch(reject)
    })
    expect([status, stored().length, incoming()]).toEqual([404, before, []])
  })
})

describe('download and delete (cards 11)', () => {
  test('offers the file under its own name, and in no form that a browser would run', async () => {
    const on = await scene.attachment(card_id, new File(['<script>'], 'a "b" é.html', { type: 'text/html' }))
    const { status, body, headers } = await world.call('download_attachment', on)
    expect([status, body]).toEqual([200, '<script>'])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '8',
      'content-disposition': `attachment; filename="a _b_ _.html"; filename*=UTF-8''a%20%22b%22%20%C3%A9.html`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const other = await scene.card()
    expect((await world.call('download_attachment', { ...on, card_id: other })).status).toBe(404)
  })

  test('a large file comes back unchanged', async () => {
    const bytes = randomBytes(maxBytes)
    const on = await scene.attachment(card_id, new File([bytes], 'a.bin'))
    const answer = await world.owner.client.downloadAttachment(on)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('a row without its file is 410, and can be deleted (trust 5)', async () => {
    const on = await scene.attachment(card_id)
    const [{ filename }] = (await world.ok('get_card', { card_id })).attachments.filter(
      (one: { id: string }) => one.id === on.attachment_id,
    )
    await loseFile(world, scene.boardId, filename)
    expect((await world.call('download_attachment', on)).body.detail).toMatchObject({
      error: 'FILE_MISSING',
      attachment_id: on.attachment_id,
    })
    expect((await world.call('download_attachment', on)).status).toBe(410)
    expect((await world.call('delete_attachment', on)).status).toBe(204)
  })

  test('delete removes row and file', async () => {
    const before = stored().length
    const on = await scene.attachment(card_id)
    expect((await world.call('delete_attachment', on)).status).toBe(204)
    expect(stored()).toHaveLength(before)
    expect((await world.call('download_attachment', on)).status).toBe(404)
    expect((await world.call('delete_attachment', on)).status).toBe(404)
    expect((await world.ok('list_card_activity', { card_id, limit: 1 }))[0]).toMatchObject({
      action: 'attachment_deleted',
      details: { attachment_id: on.attachment_id, filename: 'notes.txt' },
    })
  })

  test('deleting a card or a board deletes its files', async () => {
    const other = await Scene.on(world)
    const card = await other.card()
    await other.attachment(card)
    await other.attachment(card)
    await other.attachment()
    expect(stored(other.boardId)).toHaveLength(3)
    await world.ok('delete_card', { card_id: card })
    expect(stored(other.boardId)).toHaveLength(1)
    await world.ok('delete_board', { board_id: other.boardId })
    await expect.poll(() => hasFiles(world, other.boardId)).toBe(false)
  })
})
