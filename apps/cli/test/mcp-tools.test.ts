// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are those of run_operations
import { createHash, randomBytes } from 'node:crypto'
import { features } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { McpWire, type RpcOptions } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('find_operations', () => {
  test('finds operations by words, with their arguments', async () => {
    const { value } = await mcp.tool('find_operations', { query: 'mark a task as done', limit: 3, detail: 'schema' })
    expect(value.items.length).toBe(3)
    expect(value.items[0]).toMatchObject({
      name: 'move_card',
      title: 'Move card',
      read_only: false,
      destructive: false,
      input_schema: { type: 'object', required: ['card_id', 'target_status'] },
    })
  })

  test('lists a feature, with only names and titles on request', async () => {
    const { value } = await mcp.tool('find_operations', { query: '', feature: 'comments', detail: 'names' })
    expect(value).toEqual({
      items: expect.arrayContaining([{ name: 'create_comment', title: expect.any(String) }]),
      total: Object.keys(features.comments).length,
    })
  })

  test('shows everything on request: limits, answer, codes, permission', async () => {
    const { value } = await mcp.tool('find_operations', { query: 'move_card', detail: 'full', limit: 1 })
    expect(value.items[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/cards/{card_id}/move',
      permission: 'CARDS_MOVE',
      errors: { DEPENDENCIES_NOT_MET: 409 },
      output_shape: expect.stringContaining('moved_at'),
      input_schema: { properties: { completeness: { description: '0-100' } } },
    })
  })

  test('finds only what the key may use and the view allows', async () => {
    const agent = await world.agent({ permission_flags: { CARDS_CREATE: false } })
    const names = async (options: object) =>
      (await mcp.tool('find_operations', { query: 'create_card', detail: 'names' }, options)).value.items.map(
        (item: { name: string }) => item.name,
      )
    expect(await names({})).toContain('create_card')
    expect(await names({ as: agent })).not.toContain('create_card')
    expect(await names({ query: 'readonly=1' })).not.toContain('create_card')
    expect(await names({ query: 'exclude=create_card' })).not.toContain('create_card')
  })

  test('checks its arguments like any tool', async () => {
    const { value } = await mcp.tool('find_operations', { query: 'x', feature: 'nope', limit: 21 })
    expect(value).toMatchObject({
      status: 422,
      detail: [
        { loc: ['feature'], type: 'enum', expected: expect.arrayContaining(['cards']) },
        { loc: ['limit'], type: 'less_than_equal' },
      ],
    })
  })
})

describe('read_operation and call_operation', () => {
  test('answer like the operation itself', async () => {
    const ideation_id = await scene.ideation()
    const direct = await mcp.tool('get_ideation', { ideation_id, fields: 'title' })
    const read = await mcp.tool('read_operation', { name: 'get_ideation', arguments: { ideation_id }, fields: 'title' })
    expect(read.value).toEqual(direct.value)
    const called = await mcp.tool('call_operation', {
      name: 'move_ideation',
      arguments: `{"ideation_id":"${ideation_id}","status":"review"}`,
    })
    expect(called.value).toMatchObject({ id: ideation_id, status: 'review' })
  })

  test('read_operation refuses operations that write, and names the tool that runs them', async () => {
    const { value } = await mcp.tool('read_operation', {
      name: 'create_board',
      arguments: { name: 'B', description: '' },
    })
    expect(value).toMatchObject({
      status: 403,
      detail: { error: 'READ_ONLY' },
      next_actions: [
        { name: 'call_operation', arguments: { name: 'create_board', arguments: { name: 'B', description: '' } } },
      ],
    })
  })

  test('an unknown operation is a faulty argument', async () => {
    const { value } = await mcp.tool('call_operation', { name: 'mov_card' })
    expect(value).toMatchObject({
      status: 422,
      detail: [{ loc: ['name'], type: 'enum', expected: expect.arrayContaining(['move_card']) }],
    })
  })

  test('readonly and exclude apply to them too', async () => {
    const call = { name: 'create_board', arguments: { name: 'B', description: '' } }
    expect((await mcp.tool('call_operation', call, { query: 'readonly=1' })).value.detail.error).toBe('READ_ONLY')
    expect(
      (await mcp.tool('call_operation', call, { query: 'toolsets=core&exclude=create_board' })).value.detail.error,
    ).toBe('EXCLUDED')
  })
})

describe('meta tools take their arguments as other tools do', () => {
  test('wrong forms are repaired, unknown names reported', async () => {
    const { value } = await mcp.tool('find_operations', { query: 'card', limit: '2', detial: 'names' })
    expect(value.items).toHaveLength(2)
    expect(value._warnings).toEqual(["unknown argument 'detial' ignored; did you mean 'detail'?"])
    const calls = JSON.stringify([{ name: 'list_boards', arguments: '{"limit":"1"}' }])
    const run = await mcp.tool('run_operations', { calls, continue_on_error: 'true' })
    expect(run.value).toMatchObject({ failed: 0, results: [{ ok: true }] })
  })

  test('in a view of one board, schemas have no board_id', async () => {
    const query = `board_id=${scene.boardId}`
    for (const detail of ['schema', 'full']) {
      const { value } = await mcp.tool('find_operations', { query: 'create_spec', limit: 1, detail }, { query })
      expect(Object.keys(value.items[0].input_schema.properties)).not.toContain('board_id')
      expect(value.items[0].input_schema.required).toEqual(['title'])
    }
  })
})

/** The progress in an event stream; empty for a JSON answer. */
const progressIn = (body: unknown): number[] =>
  typeof body === 'string' ? [...body.matchAll(/"progress":(\d+)/g)].map(([, done]) => Number(done)) : []

describe('run_operations', () => {
  test('chains calls, each a transaction of its own', async () => {
    const { value } = await mcp.tool('run_operations', {
      calls: [
        { as: 'idea', name: 'create_ideation', arguments: { board_id: scene.boardId, title: 'Chained' } },
        { name: 'move_ideation', arguments: { ideation_id: '${idea.id}', status: 'review' } },
        { name: 'get_ideation', arguments: { ideation_id: '${idea.id}' }, fields: 'status' },
      ],
    })
    expect(value).toMatchObject({
      failed: 0,
      results: [{ as: 'idea', ok: true }, { ok: true }, { ok: true, value: { status: 'review' } }],
    })
  })

  test('selects fields from what a write answers', async () => {
    const call = { name: 'create_ideation', arguments: { board_id: scene.boardId, title: 'T' }, fields: 'status' }
    const { value } = await mcp.tool('run_operations', { calls: [call] })
    expect(value.results[0].value).toEqual({ id: expect.any(String), status: 'draft' })
  })

  test('stops at the first error and keeps what was done before', async () => {
    const { isError, value } = await mcp.tool('run_operations', {
      calls: [
        { as: 'idea', name: 'create_ideation', arguments: { board_id: scene.boardId, title: 'Kept' } },
        { name: 'move_ideation', arguments: { ideation_id: '${idea.id}', status: 'done' } },
        { name: 'delete_ideation', arguments: { ideation_id: '${idea.id}' } },
      ],
    })
    expect(isError).toBe(true)
    expect(value).toMatchObject({
      failed: 1,
      results: [{ ok: true }, { ok: false, error: { status: 409, next_actions: expect.any(Array) } }],
    })
    expect((await world.call('get_ideation', { ideation_id: value.results[0].value.id })).status).toBe(200)
  })

  test('reports progress on request', async () => {
    const calls = Array.from({ length: 3 }, () => ({ name: 'get_health' }))
    const params = { name: 'run_operations', arguments: { calls }, _meta: { progressToken: 'p' } }
    for (const answer of [await mcp.legacy('tools/call', params), await mcp.modern('tools/call', params)]) {
      expect(answer.headers.get('content-type')).toContain('text/event-stream')
      expect(progressIn(answer.body)).toEqual([1, 2, 3])
      expect(answer.body).toContain('"failed\\":0')
    }
  })

  test('exports report progress too; within a run only the run does, other operations do not', async () => {
    const exported = { name: 'export_board_analytics', arguments: { board_id: scene.boardId } }
    const ask = async (params: object) =>
      progressIn((await mcp.modern('tools/call', { ...params, _meta: { progressToken: 'p' } })).body)
    const bytes = await ask(exported)
    expect(bytes.length).toBeGreaterThan(0)
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b))
    expect(await ask({ name: 'run_operations', arguments: { calls: [exported, exported] } })).toEqual([1, 2])
    expect(await ask({ name: 'get_board', arguments: { board_id: scene.boardId } })).toEqual([])
  })

  test('accepts 1 to 25 calls', async () => {
    for (const calls of [[], Array.from({ length: 26 }, () => ({ name: 'get_health' }))])
      expect((await mcp.tool('run_operations', { calls })).value).toMatchObject({
        status: 422,
        detail: [{ loc: ['calls'] }],
      })
  })
})

describe('read_context', () => {
  test('answers a resource as markdown', async () => {
    const uri = `specboard://boards/${scene.boardId}`
    expect((await mcp.tool('read_context', { uri })).value).toMatchObject({
      uri,
      mime_type: 'text/markdown',
      text: expect.stringMatching(/^# Board "Scene"/),
    })
  })

  test('finds no invisible resource', async () => {
    const stranger = await world.agent()
    const uri = `specboard://boards/${scene.boardId}`
    expect((await mcp.tool('read_context', { uri }, { as: stranger })).value).toMatchObject({
      status: 404,
      detail: { error: 'NOT_FOUND' },
    })
  })
})

describe('files', () => {
  const upload = async (args: object) =>
    mcp.tool('upload_attachment', { board_id: scene.boardId, card_id: await scene.card(), ...args })
  const download = (uploaded: { card_id: string; id: string }, args: object = {}) =>
    mcp.tool('download_attachment', {
      board_id: scene.boardId,
      card_id: uploaded.card_id,
      attachment_id: uploaded.id,
      ...args,
    })

  test('a text is uploaded, and downloaded in slices', async () => {
    const text = 'héllo wörld'
    const { value: uploaded } = await upload({ filename: 'a.txt', mime_type: 'text/plain', text })
    expect(uploaded).toMatchObject({
      original_filename: 'a.txt',
      mime_type: 'text/plain',
      size: 13,
      sha256: sha256(Buffer.from(text)),
    })
    const { value, content } = await download(uploaded)
    expect(value).toEqual({
      id: uploaded.id,
      filename: 'a.txt',
      mime_type: 'text/plain',
      size: 13,
      sha256: uploaded.sha256,
      url: `/api/v1/attachments/${scene.boardId}/${uploaded.card_id}/${uploaded.id}`,
      text,
    })
    expect(content.length).toBe(1)
    expect((await download(uploaded, { max_chars: 5 })).value).toMatchObject({ text: 'héllo', next_offset: 5 })
    expect((await download(uploaded, { max_chars: 6, offset: 5 })).value).toMatchObject({ text: ' wörld' })
  })

  test('bytes are uploaded as base64, and downloaded as a link with the same hash', async () => {
    const bytes = randomBytes(5000)
    const { value: uploaded } = await upload({ filename: 'a.bin', content_base64: bytes.toString('base64') })
    expect(uploaded).toMatchObject({ size: 5000, sha256: sha256(bytes) })
    const { value, content } = await download(uploaded)
    expect(value).toMatchObject({ size: 5000, sha256: sha256(bytes) })
    expect(JSON.stringify(content)).not.toContain(bytes.toString('base64').slice(0, 100))
    const uri = `specboard://attachments/${scene.boardId}/${uploaded.card_id}/${uploaded.id}`
    expect(content[1]).toMatchObject({ type: 'resource_link', uri })
    const { body } = await mcp.legacy('resources/read', { uri })
    expect(sha256(Buffer.from(body.result.contents[0].blob, 'base64'))).toBe(sha256(bytes))
  })

  describe('a ticket', () => {
    const send = (url: string, name = 'file') => {
      const form = new FormData()
      form.set(name, new File(['héllo'], 'other.bin', { type: 'application/octet-stream' }))
      return fetch(url, { method: 'POST', body: form })
    }

    test('is for https behind a proxy that ends TLS', async () => {
      const args = { board_id: scene.boardId, card_id: await scene.card(), filename: 'a.txt', ticket: true }
      const { value } = await mcp.tool('upload_attachment', args, { headers: { 'x-forwarded-proto': 'https' } })
      expect(value.upload_url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/mcp\/uploads\?ticket=/)
    })

    test('accepts one file without a key, under the name that it was requested for', async () => {
      const requestedAt = Date.now()
      const { value } = await upload({ filename: 'a.txt', mime_type: 'text/plain', ticket: true })
      const url = value.upload_url
      expect(value).toEqual({
        upload_url: expect.stringMatching(/\/mcp\/uploads\?ticket=[\w-]+\.[\w-]{43}$/),
        method: 'POST',
        field: 'file',
        expires_at: expect.any(String),
        curl: `curl -F file=@<path> '${url}'`,
      })
      expect(Date.parse(value.expires_at)).toBeGreaterThanOrEqual(requestedAt + 600_000)
      expect((await send(url, 'wrong')).status).toBe(422)
      const answer = await send(url)
      expect(answer.status).toBe(201)
      expect(await answer.json()).toMatchObject({
        original_filename: 'a.txt',
        mime_type: 'text/plain',
        sha256: sha256(Buffer.from('héllo')),
        uploaded_by: world.owner.id,
      })
      const again = await send(url)
      expect(again.status).toBe(404)
      expect(await again.json()).toMatchObject({ detail: { error: 'NOT_FOUND' } })
    })

    test('is issued only to an agent that may upload, for an existing card, and without content', async () => {
      expect((await upload({ filename: 'a', ticket: true, text: 'a' })).value).toMatchObject({
        status: 422,
        detail: [{ loc: ['ticket'] }],
      })
      expect((await upload({ filename: 'a', ticket: true, card_id: 'card_none' })).value).toMatchObject({ status: 404 })
      const limited = await world.agent({ permission_flags: { ATTACHMENTS_CREATE: false } })
      await scene.admit(limited)
      const args = { board_id: scene.boardId, card_id: await scene.card(), filename: 'a', ticket: true }
      expect((await mcp.tool('upload_attachment', args, { as: limited })).value).toMatchObject({
        status: 403,
        detail: { permission: 'ATTACHMENTS_CREATE' },
      })
    })

    test('works once, even for concurrent uploads and however it is spelt', async () => {
      const { value } = await upload({ filename: 'a', ticket: true })
      const answers = await Promise.all([send(value.upload_url), send(value.upload_url), send(value.upload_url)])
      expect(answers.map(answer => answer.status).toSorted()).toEqual([201, 404, 404])
      const last = value.upload_url.at(-1)
      for (const other of ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'Q', 'g', 'w', '4'].filter(end => end !== last))
        expect((await send(value.upload_url.slice(0, -1) + other)).status).toBe(404)
    })

    test('that differs from what was signed is invalid', async () => {
      const { value } = await upload({ filename: 'a', ticket: true })
      const [head, token] = value.upload_url.split('ticket=')
      const [claim, signature] = token.split('.')
      const parts = JSON.parse(Buffer.from(claim, 'base64url').toString())
      const forged = (part: number, other: unknown) =>
        Buffer.from(JSON.stringify(parts.with(part, other))).toString('base64url')
      for (const other of [forged(2, await scene.card()), forged(3, 'b'), forged(5, 9e15), 'x', ''])
        expect((await send(`${head}ticket=${other}.${signature}`)).status).toBe(404)
      for (const other of ['', 'x', `${token}.x`, token.slice(0, -2)])
        expect((await send(`${head}ticket=${other}`)).status).toBe(404)
      expect((await send(value.upload_url)).status).toBe(201)
    })

    test('survives a restart, used or not, but not a new key', async () => {
      const own = await World.start()
      const ownScene = await Scene.on(own)
      const helper = await own.agent()
      await ownScene.admit(helper)
      const ask = async (options: RpcOptions = {}) => {
        const args = { board_id: ownScene.boardId, card_id: await ownScene.card(), filename: 'a', ticket: true }
        return new URL((await new McpWire(own).tool('upload_attachment', args, options)).value.upload_url)
      }
      const [used, unused, void_] = [await ask(), await ask(), await ask({ as: helper })]
      expect((await send(used.href)).status).toBe(201)
      await own.ok('regenerate_agent_key', { agent_id: helper.id })
      const again = await own.restart()
      try {
        const statusOf = async ({ pathname, search }: URL) =>
          (await send(`${again.running.url}${pathname}${search}`)).status
        expect([await statusOf(used), await statusOf(unused), await statusOf(void_)]).toEqual([404, 201, 404])
      } finally {
        await again.stop()
      }
    })

    test('has the permissions of its key at the time of the upload, and survives a refusal', async () => {
      const helper = await world.agent()
      await scene.admit(helper)
      const args = { board_id: scene.boardId, card_id: await scene.card(), filename: 'a', ticket: true }
      const { value } = await mcp.tool('upload_attachment', args, { as: helper })
      await world.ok('update_agent', { agent_id: helper.id, permission_flags: { ATTACHMENTS_CREATE: false } })
      expect((await send(value.upload_url)).status).toBe(403)
      await world.ok('update_agent', { agent_id: helper.id, permission_flags: null })
      const answer = await send(value.upload_url)
      expect(answer.status).toBe(201)
      expect(await answer.json()).toMatchObject({ uploaded_by: helper.id })
    })
  })

  test('a small image is shown', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
      'base64',
    )
    const { value: uploaded } = await upload({
      filename: 'a.png',
      mime_type: 'image/png',
      content_base64: png.toString('base64'),
    })
    const { content } = await download(uploaded)
    expect(content[1]).toEqual({ type: 'image', data: png.toString('base64'), mimeType: 'image/png' })
  })

  test('an upload needs exactly one source, valid base64 and a filename', async () => {
    for (const sources of [{}, { text: 'a', content_base64: 'YQ==' }])
      expect((await upload({ filename: 'a.txt', ...sources })).value).toMatchObject({
        status: 422,
        detail: [{ loc: ['text'] }],
      })
    expect((await upload({ filename: 'a.txt', content_base64: 'abc$' })).value).toMatchObject({
      status: 422,
      detail: [{ loc: ['content_base64'], ctx: { offset: 3 } }],
    })
    expect((await upload({ text: 'a' })).value).toMatchObject({
      status: 422,
      detail: [{ loc: ['filename'], type: 'missing' }],
    })
  })

  test('a file may have at most 4 MiB, in whichever form it is sent', async () => {
    const upTo = Buffer.alloc(4 << 20)
    expect((await upload({ filename: 'a', content_base64: upTo.toString('base64') })).value).toMatchObject({
      size: 4 << 20,
    })
    const beyond = Buffer.alloc((4 << 20) + 1, 'a')
    for (const source of [{ content_base64: beyond.toString('base64') }, { text: beyond.toString() }]) {
      const { value } = await upload({ filename: 'a', ...source })
      expect(value).toMatchObject({ status: 413, detail: { error: 'PAYLOAD_TOO_LARGE' } })
      expect(value.detail.message).toContain('POST /api/v1/attachments/')
    }
  })

  test('knowledge and exports are answered as text, with a link to the whole', async () => {
    const card_id = await scene.card()
    const { id: kb_id } = await world.ok('create_card_knowledge', { card_id, title: 'Notes', content: 'Learned a lot' })
    const { value, content } = await mcp.tool('download_card_knowledge', { card_id, kb_id })
    expect(value).toMatchObject({
      filename: 'Notes.md',
      mime_type: 'text/markdown',
      text: '# Notes\n\nLearned a lot\n',
    })
    const url = `/api/v1/cards/${card_id}/knowledge/${kb_id}/download`
    expect(content[1]).toMatchObject({ type: 'resource_link', uri: `${world.running.url}${url}` })
    const exported = await mcp.tool('export_board_analytics', { board_id: scene.boardId, max_chars: 40 })
    expect(exported.value).toMatchObject({ filename: expect.stringContaining('.csv'), next_offset: 40 })
    expect(exported.value.text.length).toBe(40)
  })

  test('the url of a file answers the same file: it keeps the query', async () => {
    const board_id = scene.boardId
    const path = `/api/v1/boards/${board_id}/export`
    const { value, content } = await mcp.tool('export_board', { board_id, events: false })
    expect(value.url).toBe(`${path}?events=false`)
    expect(content[1]).toMatchObject({ type: 'resource_link', uri: `${world.running.url}${path}?events=false` })
    expect((await mcp.tool('export_board', { board_id, events: true })).value.url).toBe(path)
  })
})

describe('results', () => {
  test('a refused value names the argument', async () => {
    const { value } = await mcp.tool('create_ideation', { board_id: scene.boardId, title: '' })
    expect(value).toMatchObject({ status: 422, detail: [{ loc: ['title'], type: 'string_too_short' }] })
  })

  test('a deletion says what it did', async () => {
    const ideation_id = await scene.ideation()
    expect((await mcp.tool('delete_ideation', { ideation_id })).value).toEqual({
      ok: true,
      operation: 'delete_ideation',
      id: ideation_id,
    })
  })

  test('lists are paged', async () => {
    const own = await Scene.on(world)
    for (const title of ['a', 'b', 'c']) await world.ok('create_ideation', { board_id: own.boardId, title })
    const page = (args: object) => mcp.tool('list_ideations', { board_id: own.boardId, limit: 2, ...args })
    const first = (await page({})).value
    expect(first).toMatchObject({ total: 3, offset: 0, next_offset: 2 })
    expect((await page({ offset: first.next_offset })).value).toMatchObject({
      total: 3,
      offset: 2,
      items: [{ title: 'a' }],
    })
    expect((await page({ offset: 2 })).value.next_offset).toBeUndefined()
  })

  test('an empty list of boards says how to come to one', async () => {
    const agent = await world.agent({ permission_flags: { BOARDS_CREATE: false } })
    const { value } = await mcp.tool('list_boards', {}, { as: agent })
    expect(value).toMatchObject({ items: [], total: 0, _hint: expect.stringContaining('create_board') })
    expect((await mcp.tool('list_boards')).value._hint).toBeUndefined()
  })

  test('permissions are a digest unless all are asked for', async () => {
    const agent = await world.agent({ permission_flags: { CARDS_DELETE: false } })
    const own = await Scene.on(world)
    await world.ok('create_board_share', { board_id: own.boardId, user_id: agent.id, permission: 'viewer' })
    const { value } = await mcp.tool('get_my_permissions', {}, { as: agent })
    expect(JSON.stringify(value).length).toBeLessThanOrEqual(1_200)
    expect(value).toMatchObject({ agent_id: agent.id, boards_seen: 1 })
    expect(value.boards).toMatchObject([{ key: (await world.ok('get_board', { board_id: own.boardId })).key }])
    expect(value.permissions.CARDS).toBe('all but DELETE')
    const full = await mcp.tool('get_my_permissions', { full: true }, { as: agent })
    expect(full.value.flags.CARDS_DELETE).toBe(false)
  })

  test('get_my_permissions of one board is as short, and counts no other boards', async () => {
    const agent = await world.agent()
    await world.ok('create_board_share', { board_id: scene.boardId, user_id: agent.id, permission: 'viewer' })
    const { value } = await mcp.tool('get_my_permissions', { board_id: scene.boardId }, { as: agent })
    expect(JSON.stringify(value).length).toBeLessThanOrEqual(1_200)
    expect(value).toMatchObject({
      board_id: scene.boardId,
      access: 'share',
      permissions: { CHANGES: expect.any(String) },
    })
    expect(value).not.toHaveProperty('boards_seen')
  })

  test('an unknown id leads to the list of its kind on the board of the call', async () => {
    await Scene.on(world)
    const args = { board_id: scene.boardId, guideline_id: 'x', priority: 1 }
    const { value } = await mcp.tool('update_board_guideline', args)
    expect(value.next_actions).toMatchObject([
      { name: 'list_board_guidelines', arguments: { board_id: scene.boardId } },
    ])
  })

  test('an agent is not made with all rights by leaving something out (walls 9)', async () => {
    const { value, isError } = await mcp.tool('create_agent', { name: 'Fresh' })
    expect([isError, value]).toMatchObject([
      true,
      {
        status: 400,
        detail: { error: 'VALIDATION_ERROR', field: 'preset_id', available: expect.arrayContaining(['Executor']) },
      },
    ])
    expect(await world.ok('create_agent', { name: 'As before' })).toMatchObject({ preset_name: 'Full Control' })
  })

  test('keys appear once, in the value', async () => {
    const { value } = await mcp.tool('create_agent', { name: 'Fresh', preset_id: 'executor' })
    expect(value.preset_name).toBe('Executor')
    expect(value.api_key).toMatch(/^dash_[0-9a-f]{48}$/)
    expect(JSON.stringify((await mcp.tool('get_agent', { agent_id: value.id })).value)).not.toContain(value.api_key)
  })

  test('a stream is answered as one value', async () => {
    const { value } = await mcp.tool('stream_kg_events', { board_id: scene.boardId })
    expect(value).toMatchObject({ progress: expect.any(Object) })
  })
})
