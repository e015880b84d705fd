import { builtinPresets, childrenOf, type Permission, registry } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { initializeParams, McpWire, modernVersion, type RpcMessage } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

/** The operations that views list: what only a person may do is not available over MCP (people). */
const listed = registry.filter(({ caller }) => caller === undefined)

let world: World
let scene: Scene
let mcp: McpWire

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

const post = (body: unknown): RpcMessage => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const call = (name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: args },
})

describe('keys', () => {
  test.each([
    'initialize',
    'server/discover',
    'ping',
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/read',
    'prompts/list',
    'completion/complete',
  ])('%s without a key answers 401', async method => {
    const answer = await mcp.legacy(method, {}, { as: null })
    expect(answer.status).toBe(401)
    const metadata = 'https://board.example.com/.well-known/oauth-protected-resource/mcp'
    const challenge = `Bearer realm="mcp", resource_metadata="${metadata}", scope="read write"`
    expect(answer.headers.get('www-authenticate')).toBe(challenge)
    expect(answer.body.detail.error).toBe('UNAUTHORIZED')
  })

  test.each(['GET', 'DELETE', 'PUT'])('%s without a key answers 401', async method => {
    expect((await mcp.send({ method }, { as: null })).status).toBe(401)
  })

  test('can be sent in the three forms of the API', async () => {
    const { key } = world.owner
    const ping = post({ jsonrpc: '2.0', id: 1, method: 'ping' })
    for (const options of [
      { headers: { authorization: `Bearer ${key}` } },
      { headers: { 'x-api-key': key } },
      { query: `api_key=${key}` },
    ])
      expect((await mcp.send(ping, { as: null, ...options })).status).toBe(200)
    const wrongFirst = { headers: { authorization: 'Bearer dash_wrong', 'x-api-key': key } }
    expect((await mcp.send(ping, { as: null, ...wrongFirst })).status).toBe(401)
  })

  test('that were replaced are refused at once', async () => {
    const agent = await world.agent()
    expect((await mcp.legacy('ping', undefined, { as: agent })).status).toBe(200)
    await world.ok('regenerate_agent_key', { agent_id: agent.id })
    expect((await mcp.legacy('ping', undefined, { as: agent })).status).toBe(401)
  })
})

describe('methods', () => {
  test('GET and DELETE are refused without a session', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await mcp.send({ method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  test('others are not allowed', async () => {
    expect((await mcp.send({ method: 'PUT', body: '{}' })).status).toBe(405)
  })

  test('a trailing slash is accepted', async () => {
    const response = await fetch(`${world.running.url}/mcp/`, {
      ...post({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      headers: { authorization: `Bearer ${world.owner.key}`, 'content-type': 'application/json' },
    })
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  test('OPTIONS answers CORS to an allowed origin, without a key', async () => {
    const origin = 'http://localhost:5173'
    const answer = await mcp.send({ method: 'OPTIONS' }, { as: null, headers: { origin } })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-allow-headers')).toContain('mcp-session-id')
  })
})

describe('hosts', () => {
  test.each([
    ['Origin of another host', { origin: 'http://evil.example' }, 403],
    ['Origin null', { origin: 'null' }, 403],
    ['Origin on this host', { origin: 'http://127.0.0.1:3000' }, 200],
  ])('%s', async (_, headers, status) => {
    const answer = await mcp.legacy('ping', undefined, { headers })
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body).toEqual({ detail: { error: 'FORBIDDEN', message: expect.any(String) } })
  })

  test('foreign ones are refused before the key is checked', async () => {
    expect((await mcp.send({ method: 'GET' }, { as: null, headers: { origin: 'http://evil.example' } })).status).toBe(
      403,
    )
  })
})

describe('bodies', () => {
  test.each<[string, RpcMessage, number, number | undefined]>([
    ['not JSON', post('{'), 400, -32700],
    ['an array', post([{ jsonrpc: '2.0', id: 1, method: 'ping' }]), 400, -32600],
    ['not JSON-RPC', post({ hello: 1 }), 400, -32600],
    [
      'nested too deep',
      post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(70)}${']'.repeat(70)}}}`),
      400,
      -32600,
    ],
  ])('%s', async (_, init, status, code) => {
    const answer = await mcp.send(init)
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  })

  test('of another type are refused', async () => {
    const answer = await mcp.send(post('{}'), { headers: { 'content-type': 'text/plain' } })
    expect([answer.status, answer.body.detail.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('above 8 MiB are refused before the key is checked', async () => {
    const answer = await mcp.send(post(JSON.stringify({ x: 'x'.repeat(9 << 20) })), { as: null })
    expect([answer.status, answer.body.detail.error]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('notifications and responses are accepted without an answer', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
      expect(await mcp.send(post(message))).toMatchObject({ status: 202, body: '' })
  })

  test.each(['*/*', 'application/json', ''])('Accept "%s" is tolerated', async accept => {
    const answer = await mcp.legacy('ping', undefined, { headers: { accept } })
    expect(answer.body.result).toEqual({})
  })

  test('an Accept of event streams alone gets an event stream', async () => {
    for (const answer of [
      await mcp.legacy('ping', undefined, { headers: { accept: 'text/event-stream' } }),
      await mcp.modern('tools/list', {}, { headers: { accept: 'text/event-stream' } }),
    ]) {
      expect(answer.headers.get('content-type')).toContain('text/event-stream')
      expect(answer.body).toContain('data: {')
    }
  })
})

describe('revisions', () => {
  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('initialize with %s answers %s', async (requested, negotiated) => {
    const { status, body } = await mcp.legacy('initialize', initializeParams(requested))
    expect(status).toBe(200)
    expect(body.result.protocolVersion).toBe(negotiated)
    expect(body.result.capabilities).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: {},
      completions: {},
      logging: {},
    })
    expect(body.result.serverInfo).toMatchObject({ name: 'specboard', version: expect.any(String) })
    expect(body.result.instructions.length).toBeLessThanOrEqual(2000)
  })

  test('server/discover names the modern one', async () => {
    const { body } = await mcp.modern('server/discover')
    expect(body.result.supportedVersions).toEqual([modernVersion])
    expect(body.result.capabilities.logging).toBeUndefined()
  })

  test('legacy: an unsupported header is 400, an unknown method a JSON-RPC error', async () => {
    expect((await mcp.legacy('ping', undefined, { headers: { 'mcp-protocol-version': '2020-01-01' } })).status).toBe(
      400,
    )
    expect(await mcp.legacy('no/such')).toMatchObject({ status: 200, body: { error: { code: -32601 } } })
    expect(await mcp.legacy('logging/setLevel', { level: 'info' })).toMatchObject({ status: 200, body: { result: {} } })
  })

  test.each(['resources/read', 'prompts/get', 'tools/call', 'completion/complete'])(
    '%s without its parameters',
    async method => {
      expect((await mcp.legacy(method, {})).body.error.code).toBe(-32602)
    },
  )

  test('modern: unknown versions and methods, headers that do not fit, a missing envelope', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    expect(
      await mcp.modern('tools/list', { _meta: meta }, { headers: { 'mcp-protocol-version': '2099-01-01' } }),
    ).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32022 } },
    })
    expect(await mcp.modern('no/such')).toMatchObject({ status: 404, body: { id: 1, error: { code: -32601 } } })
    expect(await mcp.modern('tools/list', {}, { headers: { 'mcp-method': 'tools/call' } })).toMatchObject({
      status: 400,
      body: { error: { code: -32020 } },
    })
    const withoutEnvelope = post({ jsonrpc: '2.0', id: 3, method: 'tools/list', params: {} })
    expect(
      await mcp.send(withoutEnvelope, {
        headers: { 'mcp-protocol-version': modernVersion, 'mcp-method': 'tools/list' },
      }),
    ).toMatchObject({ status: 400, body: { id: 3, error: { code: -32602 } } })
  })

  test('lists may be cached for five minutes, by this key only', async () => {
    const { body } = await mcp.modern('tools/list')
    expect(body.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' })
  })
})

describe('sessions', () => {
  const ping = (session: string, options = {}) =>
    mcp.legacy('ping', undefined, { ...options, headers: { 'mcp-session-id': session } })

  test('are tokens of visible ASCII', async () => {
    expect(await mcp.session()).toMatch(/^[\x21-\x7e]{1,160}$/)
  })

  test('are not needed, but an invalid one answers 404', async () => {
    expect((await mcp.legacy('tools/list')).status).toBe(200)
    const session = await mcp.session()
    expect((await ping(session)).status).toBe(200)
    for (const wrong of ['nothing', `${session.slice(0, -2)}xx`])
      expect(await ping(wrong)).toMatchObject({
        status: 404,
        body: { error: { code: -32600, message: 'session not found; initialize again' } },
      })
  })

  test('belong to their agent', async () => {
    const other = await world.agent()
    expect((await ping(await mcp.session({ as: other }))).status).toBe(404)
  })

  test('end with DELETE', async () => {
    const session = await mcp.session()
    const headers = { 'mcp-session-id': session }
    expect((await mcp.send({ method: 'DELETE' }, { headers })).status).toBe(204)
    expect((await ping(session)).status).toBe(404)
    expect((await mcp.send({ method: 'DELETE' }, { headers })).status).toBe(404)
  })

  test('are ignored by modern requests', async () => {
    expect((await mcp.modern('tools/list', {}, { headers: { 'mcp-session-id': 'nothing' } })).status).toBe(200)
  })
})

describe('tools', () => {
  test('plain lists are the operations and read_context, the same bytes each time', async () => {
    const [one, two] = [await mcp.legacy('tools/list'), await mcp.legacy('tools/list')]
    expect(one.body.result.tools.length).toBe(listed.length + 1)
    expect(JSON.stringify(one.body)).toBe(JSON.stringify(two.body))
    expect((await mcp.modern('tools/list')).body.result.tools).toEqual(one.body.result.tools)
  })

  test('with unknown names are a protocol error that lists the nearest names', async () => {
    expect((await mcp.legacy('tools/call', { name: 'get_crd', arguments: {} })).body.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('get_card'),
    })
  })

  test('answer the same value as text and as structured content', async () => {
    const { value, structured, isError } = await mcp.tool('list_boards')
    expect(isError).toBe(false)
    expect(structured).toEqual(value)
    expect(value).toMatchObject({ items: [{ id: scene.boardId, name: 'Scene' }], total: 1, offset: 0 })
  })

  test('show no character that nobody sees, in neither form (walls 9)', async () => {
    const title = 'Tag \u{E0041}, bidi \u202e, zero \u200b'
    const { id: ideation_id } = await world.ok('create_ideation', { board_id: scene.boardId, title })
    const { content, value, structured } = await mcp.tool('get_ideation', { ideation_id })
    expect(value.title).toBe(title)
    expect(structured).toMatchObject({ title: 'Tag \\udb40\\udc41, bidi \\u202e, zero \\u200b' })
    expect(content[0].text).toContain('Tag \\udb40\\udc41, bidi \\u202e, zero \\u200b')
  })

  test('answer refusals as results without structured content', async () => {
    const { isError, value, structured } = await mcp.tool('get_card', { card_id: 'x' })
    expect(isError).toBe(true)
    expect(structured).toBeUndefined()
    expect(value).toEqual({
      status: 404,
      detail: { error: 'NOT_FOUND', message: expect.any(String), entity_type: 'card', entity_id: 'x' },
      next_actions: [{ name: 'list_cards', arguments: { board_id: scene.boardId }, reason: expect.any(String) }],
    })
  })

  test('name a missing permission, and where to look', async () => {
    const agent = await world.agent({ permission_flags: { IDEATIONS_CREATE: false } })
    await scene.admit(agent)
    const { value } = await mcp.tool('create_ideation', { board_id: scene.boardId, title: 'T' }, { as: agent })
    expect(value).toMatchObject({
      status: 403,
      detail: { error: 'FORBIDDEN', permission: 'IDEATIONS_CREATE' },
      next_actions: [{ name: 'get_my_permissions', arguments: {} }],
    })
  })

  test('say what an id names when it is another type of record', async () => {
    const ideation_id = await scene.ideation()
    expect((await mcp.tool('get_spec', { spec_id: ideation_id })).value.next_actions).toEqual([
      { name: 'get_ideation', arguments: { ideation_id }, reason: expect.any(String) },
    ])
  })

  test('name a way out of a refused move, and it works', async () => {
    const ideation_id = await scene.ideation()
    const { value } = await mcp.tool('move_ideation', { ideation_id, status: 'done' })
    expect(value).toMatchObject({
      status: 409,
      detail: { error: 'INVALID_TRANSITION', allowed: ['review', 'cancelled'] },
    })
    const [{ name, arguments: args }] = value.next_actions
    expect((await mcp.tool(name, args)).value).toMatchObject({ id: ideation_id, status: 'review' })
  })
})

describe('views', () => {
  test('by query, by header, the query first', async () => {
    const core = await mcp.toolNames({ query: 'toolsets=core' })
    const meta = await mcp.toolNames({ query: 'toolsets=meta' })
    expect(core).toEqual(expect.arrayContaining([...meta, 'get_card']))
    expect(meta).not.toContain('get_card')
    const headers = { 'x-mcp-toolsets': 'core' }
    expect(await mcp.toolNames({ headers })).toEqual(core)
    expect(await mcp.toolNames({ query: 'toolsets=meta', headers })).toEqual(meta)
  })

  test('with unknown names are refused, in both generations', async () => {
    for (const answer of [
      await mcp.legacy('tools/list', undefined, { query: 'toolsets=cor', id: 9 }),
      await mcp.modern('tools/list', {}, { query: 'tools=get_crd', id: 9 }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { id: 9, error: { code: -32602, message: expect.stringContaining('did you mean') } },
      })
  })

  test('do not limit what can be called', async () => {
    expect((await mcp.tool('list_presets', {}, { query: 'toolsets=meta' })).isError).toBe(false)
  })

  test('exclude: a call answers 403', async () => {
    const { value } = await mcp.tool('list_presets', {}, { query: 'exclude=list_presets' })
    expect(value).toMatchObject({
      status: 403,
      detail: { error: 'EXCLUDED' },
      next_actions: [{ name: 'get_my_permissions' }],
    })
  })

  test('readonly: lists only tools that read, a write answers 403', async () => {
    const names = new Set(await mcp.toolNames({ query: 'readonly=1' }))
    expect([...names].toSorted()).toEqual(
      [
        'read_context',
        ...listed.filter(({ effect }) => effect === 'read' || effect === 'live').map(({ name }) => name),
      ].toSorted(),
    )
    const { value } = await mcp.tool(
      'create_board',
      { name: 'B', description: '' },
      { headers: { 'x-mcp-readonly': 'true' } },
    )
    expect(value).toMatchObject({ status: 403, detail: { error: 'READ_ONLY' } })
  })

  test('board: fills the board in, and knows no other', async () => {
    const query = `board_id=${scene.boardId}`
    const created = await mcp.tool('create_ideation', { title: 'Bound' }, { query })
    expect(created.value).toMatchObject({ board_id: scene.boardId, title: 'Bound' })
    const elsewhere = await Scene.on(world)
    const foreign = await elsewhere.ideation()
    expect((await mcp.tool('get_ideation', { ideation_id: foreign }, { query })).value).toMatchObject({ status: 404 })
    expect((await mcp.tool('list_ideations', { board_id: elsewhere.boardId }, { query })).value).toMatchObject({
      status: 404,
    })
    expect((await mcp.tool('list_boards', {}, { query })).value).toMatchObject({
      status: 403,
      detail: { error: 'EXCLUDED' },
    })
  })

  test.each(builtinPresets.map(preset => [preset.name, preset] as const))(
    '%s lists what it may use',
    async (_, preset) => {
      const agent = await world.agent({ preset_id: preset.id })
      const { flags } = await world.ok('get_my_permissions', {}, { as: agent })
      const usable = (permission: Permission | '-' | 'public') =>
        permission === '-' ||
        permission === 'public' ||
        [permission, ...childrenOf(permission)].some(name => flags[name])
      const names = new Set(await mcp.toolNames({ as: agent }))
      const expected = listed.filter(({ permission }) => usable(permission)).map(({ name }) => name)
      expected.push('read_context')
      expect([...names].toSorted()).toEqual(expected.toSorted())
    },
  )
})

describe('rate limit', () => {
  test('answers a call with an error result, anything else with 429', async () => {
    const limited = await World.start({ mcpRateLimit: 1 })
    // The clock stands still, or a slow machine would let another call through.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    try {
      const wire = new McpWire(limited)
      for (let index = 0; index < 4; index++) expect((await wire.legacy('ping')).status).toBe(200)
      const { value } = await wire.tool('get_my_permissions')
      expect(value).toMatchObject({
        status: 429,
        detail: { error: 'RATE_LIMITED', retry_after_ms: expect.any(Number) },
      })
      const ping = await wire.legacy('ping')
      expect([ping.status, ping.headers.get('retry-after')]).toEqual([429, '1'])
    } finally {
      clock.mockRestore()
      await limited.stop()
    }
  })
})

test('arguments above 4 MiB are refused', async () => {
  const answer = await mcp.send(post(call('create_board', { name: 'x'.repeat(5 << 20), description: '' })))
  expect(answer.status).toBe(200)
  expect(JSON.parse(answer.body.result.content[0].text)).toMatchObject({
    status: 413,
    detail: { error: 'PAYLOAD_TOO_LARGE' },
  })
})
