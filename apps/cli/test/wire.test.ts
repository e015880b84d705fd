import { registry } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  board_id = scene.boardId
})

afterAll(() => world.stop())

interface Sent {
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: string
}

/** A request as the owner, unless another key is sent. */
async function send(method: string, path: string, { body, headers = {}, key = world.owner.key }: Sent = {}) {
  const response = await fetch(`${world.running.url}${path}`, {
    method,
    headers: { 'x-api-key': key, ...headers },
    body: (body ?? null) as null,
    duplex: 'half',
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  // biome-ignore lint/suspicious/noExplicitAny: answers of all kinds
  const parsed: any = isJson && text !== '' ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body: parsed }
}

const json = { 'content-type': 'application/json' }
const board = JSON.stringify({ name: 'Board', description: '' })
const boards = '/api/v1/boards'
const boardCount = async () => Number((await send('GET', `${boards}?limit=1`)).headers.get('x-total-count'))

test('of a comma list that is sent several times all words count (general, Wire)', async () => {
  const ids = [await scene.card({ title: 'One' }), await scene.card({ title: 'Two' })]
  const at = `${boards}/${board_id}`
  const { events } = (await send('GET', `${at}/events?action=board_created&action=card_created,none`)).body
  const actions = events.map(({ action }: { action: string }) => action)
  expect(new Set(actions)).toEqual(new Set(['board_created', 'card_created']))
  const body = JSON.stringify({ files: [{ name: 'a.tap', text: '1..1\nok 1 - a\n' }] })
  const query = ['preview=true', ...ids.map(id => `for=${id}`)].join('&')
  const { mapping } = (await send('POST', `${at}/test-reports?${query}`, { body, headers: json })).body
  expect(new Set(mapping.records.map(({ id }: { id: string }) => id))).toEqual(new Set(ids))
})

describe('Idempotency-Key', () => {
  const post = (key: string, body: object, options: { path?: string; as?: string } = {}) =>
    send('POST', options.path ?? boards, {
      body: JSON.stringify(body),
      headers: { ...json, 'idempotency-key': key },
      ...(options.as !== undefined && { key: options.as }),
    })
  const payload = { name: 'Once', description: '' }

  test('a repeated POST is answered like the first and done once', async () => {
    const before = await boardCount()
    const first = await post('once', payload)
    const second = await post('once', payload)
    expect([first.status, second.status]).toStrictEqual([201, 201])
    expect(second.body).toStrictEqual(first.body)
    expect(await boardCount()).toBe(before + 1)
  })

  test('also when both arrive at once', async () => {
    const answers = await Promise.all([post('at once', payload), post('at once', payload)])
    expect(answers[1]?.body).toStrictEqual(answers[0]?.body)
  })

  test('with another body is 409', async () => {
    await post('reused', payload)
    const answer = await post('reused', { ...payload, name: 'Other' })
    expect([answer.status, answer.body.detail.error]).toStrictEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
  })

  test('counts separately for another agent or another path', async () => {
    const agent = await world.agent()
    const mine = (await post('shared', payload)).body
    const theirs = (await post('shared', payload, { as: agent.key })).body
    expect(theirs.id).not.toBe(mine.id)
    const elsewhere = await post('shared', { title: 'Idea' }, { path: `${boards}/${board_id}/ideations` })
    expect(elsewhere.status).toBe(201)
  })

  test('holds for the record however its path is spelt, and for equal JSON in another order', async () => {
    const { key } = await world.ok('get_board', { board_id })
    const spelt = (name: string) => `${boards}/${name}/ideations`
    const first = await post('spelt', { title: 'Idea', labels: ['a'], complexity: 'small' }, { path: spelt(board_id) })
    const again = { complexity: 'small', labels: ['a'], title: 'Idea' }
    for (const name of [board_id, key, key.toLowerCase()])
      expect((await post('spelt', again, { path: spelt(name) })).body).toStrictEqual(first.body)
    const other = await post('spelt', { ...again, labels: ['b'] }, { path: spelt(key) })
    expect([first.status, other.status]).toStrictEqual([201, 409])
  })

  test('a refused request is not stored', async () => {
    const path = `${boards}/${board_id}/shares`
    const { id: user_id } = await world.agent()
    await world.ok('update_agent', { agent_id: user_id, is_active: false })
    expect((await post('again', { user_id }, { path })).status).toBe(400)
    await world.ok('update_agent', { agent_id: user_id, is_active: true })
    expect((await post('again', { user_id }, { path })).status).toBe(201)
  })

  test('an API key is not shown twice', async () => {
    const path = '/api/v1/agents'
    const first = (await post('agent', { name: 'Once' }, { path })).body
    const second = (await post('agent', { name: 'Once' }, { path })).body
    expect(first.api_key).toMatch(/^dash_/)
    expect(second).toStrictEqual({ ...first, api_key: null })
  })

  test.each(['', 'x'.repeat(256)])('of %j is 422', async key => {
    const answer = await post(key, payload)
    expect([answer.status, answer.body.detail]).toMatchObject([422, [{ loc: ['header', 'Idempotency-Key'] }]])
  })

  test('is ignored except on a POST', async () => {
    expect((await send('GET', boards, { headers: { 'idempotency-key': 'x'.repeat(256) } })).status).toBe(200)
  })
})

describe('ETag', () => {
  const read = (headers: Record<string, string> = {}) => send('GET', `${boards}/${board_id}`, { headers })
  const rename = (name: string, headers: Record<string, string> = {}) =>
    send('PATCH', `${boards}/${board_id}`, { body: JSON.stringify({ name }), headers: { ...json, ...headers } })
  const tagOf = (answer: { headers: Headers }) => answer.headers.get('etag') ?? ''

  test('If-None-Match saves the body while nothing has changed', async () => {
    const tag = tagOf(await read())
    for (const etag of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await read({ 'if-none-match': etag })
      expect([etag, answer.status, answer.body]).toStrictEqual([etag, 304, ''])
    }
    await rename('Changed')
    const changed = await read({ 'if-none-match': tag })
    expect([changed.status, tagOf(changed) === tag]).toStrictEqual([200, false])
  })

  test('changes with nested parts of the record', async () => {
    const tag = tagOf(await read())
    await world.ok('grant_board_access', { agent_id: (await world.agent()).id, board_id })
    expect(tagOf(await read())).not.toBe(tag)
  })

  test('of the overview serves If-Match of the board', async () => {
    const overview = await send('GET', `${boards}/${board_id}/overview`)
    const tag = tagOf(overview)
    expect(tag).toMatch(/^"[0-9a-f]+-[0-9a-f]+"$/)
    expect((await rename('By its overview', { 'if-match': tag })).status).toBe(200)
    const stale = await rename('Again', { 'if-match': tag })
    expect([stale.status, stale.body.detail.changed.map(({ field }: { field: string }) => field)]).toEqual([
      412,
      ['name'],
    ])
  })

  test('If-Match is checked only on writes', async () => {
    const headers = { 'if-match': '"other"' }
    for (const path of ['', '/columns', '/analytics/export'])
      expect((await send('GET', `${boards}/${board_id}${path}`, { headers })).status).toBe(200)
  })

  test('If-Match lets one of two writers through', async () => {
    const tag = tagOf(await read())
    const first = await rename('First', { 'if-match': tag })
    expect([first.status, tagOf(first)]).toStrictEqual([200, tagOf(await read())])
    const second = await rename('Second', { 'if-match': tag })
    expect([second.status, second.body.detail.error]).toStrictEqual([412, 'PRECONDITION_FAILED'])
    expect((await world.ok('get_board', { board_id })).name).toBe('First')
    expect((await rename('Third', { 'if-match': `"other", ${tagOf(await read())}` })).status).toBe(200)
    expect((await rename('Fourth', { 'if-match': '*' })).status).toBe(200)
  })

  test('is absent from lists', async () => {
    expect((await send('GET', boards)).headers.has('etag')).toBe(false)
  })
})

describe('methods and paths', () => {
  test('HEAD works where GET does, without a body', async () => {
    const answer = await send('HEAD', `${boards}/${board_id}`)
    expect([answer.status, answer.headers.get('etag'), answer.body]).toMatchObject([200, expect.any(String), ''])
    expect((await send('HEAD', `${boards}/none`)).status).toBe(404)
    expect((await send('HEAD', boards)).headers.get('x-total-count')).toMatch(/^\d+$/)
  })

  test.each([
    ['DELETE', '/api/v1/boards', 'GET, HEAD, POST'],
    ['POST', '/api/v1/boards/x', 'GET, HEAD, PATCH, DELETE'],
    ['GET', '/api/v1/agents/x/regenerate-key', 'POST'],
    ['HEAD', '/api/v1/agents/x/regenerate-key', 'POST'],
    ['PATCH', '/api/v1/settings/runtime', 'GET, HEAD, PUT'],
    ['POST', '/health', 'GET, HEAD'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['OPTIONS', '/api/v1/boards', 'GET, HEAD, POST'],
  ])('%s %s is 405 and says what the path accepts', async (method, path, allow) => {
    const answer = await send(method, path)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')?.split(', ').toSorted()).toStrictEqual(allow.split(', ').toSorted())
    if (method !== 'HEAD') expect(answer.body.detail.error).toBe('METHOD_NOT_ALLOWED')
  })

  test.each(['/api/v1', '/api/v1/', '/api/v1/board', '/api/v1/boards/', '/nothing'])('%s is 404', async path => {
    const answer = await send('GET', path)
    expect([answer.status, answer.body.detail.error]).toStrictEqual([404, 'NOT_FOUND'])
  })

  test.each(['none', 'a b', '%2F', '..%2f..', "'; drop", '%F0%9F%92%A9', '%zz'])(
    'an id may be any string: %s',
    async id => {
      expect((await send('GET', `${boards}/${id}`)).status).toBe(404)
    },
  )
})

describe('bodies', () => {
  test.each<[string, string | undefined, Record<string, string>, object]>([
    ['is not JSON', '{"name":', json, { loc: ['body'], type: 'json_invalid' }],
    ['is absent', undefined, {}, { loc: ['body'], type: 'missing' }],
    ['is an array', '[]', json, { loc: ['body'], type: 'dict_type' }],
    ['is null', 'null', json, { loc: ['body'], type: 'dict_type' }],
    [
      'has a NUL character',
      '{"name":"a\\u0000b","description":""}',
      json,
      { loc: ['body', 'name'], type: 'value_error' },
    ],
    [
      'has half a surrogate pair',
      '{"name":"\\ud800","description":""}',
      json,
      { loc: ['body', 'name'], type: 'value_error' },
    ],
    [
      'has a number that becomes another value',
      '{"name":"A","description":"","settings":{"x":-1e400}}',
      json,
      { loc: ['body', 'settings', 'x'], type: 'value_error' },
    ],
    [
      'has the key __proto__',
      '{"name":"A","description":"","settings":{"\\u005f_proto__":{"a":1}}}',
      json,
      { loc: ['body', 'settings', '__proto__'], type: 'value_error' },
    ],
    [
      'has the field constructor',
      '{"name":"A","description":"","constructor":{"prototype":{"a":1}}}',
      json,
      { loc: ['body', 'constructor'], type: 'value_error' },
    ],
    [
      'has the key prototype in a list',
      '{"name":"A","description":"","settings":{"x":[{"prototype":1}]}}',
      json,
      { loc: ['body', 'settings', 'x', 0, 'prototype'], type: 'value_error' },
    ],
    ['is nested too deep', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`, json, { type: 'value_error' }],
  ])('one that %s is 422', async (_, body, headers, item) => {
    const answer = await send('POST', boards, { ...(body !== undefined && { body }), headers })
    expect([answer.status, answer.body.detail]).toMatchObject([422, [item]])
  })

  test('an unknown field is ignored, whatever its name', async () => {
    const body = '{"name":"A","description":"","toString":{"description":"B"},"hasOwnProperty":1}'
    const answer = await send('POST', boards, { headers: json, body })
    expect(answer).toMatchObject({ status: 201, body: { description: '' } })
  })

  test('an integer that is unsafe and out of range is one fault', async () => {
    const { body } = await send('GET', `${boards}?limit=9007199254740993`)
    expect(body.detail).toMatchObject([{ loc: ['query', 'limit'], ctx: { le: 200 } }])
  })

  test('one that is not UTF-8 is 422, with a declared length or streamed', async () => {
    const bytes = Buffer.from('{"name":"\xff","description":""}', 'latin1')
    const streamed = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes)
        controller.close()
      },
    })
    for (const body of [bytes, streamed]) {
      const answer = await send('POST', boards, { body, headers: json })
      expect([answer.status, answer.body.detail]).toMatchObject([422, [{ loc: ['body'], type: 'json_invalid' }]])
    }
  })

  test('faults in path, query and body are reported together', async () => {
    const answer = await send('POST', boards, { body: '{"name":"","settings":{"max_drift":"x"}}', headers: json })
    const { detail } = answer.body
    expect(detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join('.'), type])).toStrictEqual([
      ['body.name', 'string_too_short'],
      ['body.description', 'missing'],
      ['body.settings.max_drift', 'int_type'],
    ])
  })

  test('a refusal does not quote a key', async () => {
    const answer = await send('POST', boards, { body: `{"name": ${world.owner.key}}`, headers: json })
    expect(answer.body).not.toContain('dash_')
  })

  test('another media type is 415; none and +json are accepted', async () => {
    const statuses = []
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/problem+json',
      'application/json; charset=utf-8',
    ])
      statuses.push((await send('POST', boards, { body: board, headers: { 'content-type': type } })).status)
    expect(statuses).toStrictEqual([415, 415, 201, 201])
    const bare = await send('POST', boards, { body: new TextEncoder().encode(board) })
    expect(bare.status).toBe(201)
  })

  test('more than 8 MiB is 413, with a declared length or streamed', async () => {
    const large = `{"name":"a","description":"${'x'.repeat(8 << 20)}"}`
    const streamed = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(1 << 20).fill(0x20))
      },
    })
    for (const body of [large, streamed]) {
      const answer = await send('POST', boards, { body, headers: json })
      expect([answer.status, answer.body.detail.error]).toStrictEqual([413, 'PAYLOAD_TOO_LARGE'])
    }
    const fitting = `{"name":"a","description":""${' '.repeat((8 << 20) - 100)}}`
    expect((await send('POST', boards, { body: fitting, headers: json })).status).toBe(201)
  })
})

describe('queries', () => {
  test.each<[string, object]>([
    ['limit=0', { loc: ['query', 'limit'], type: 'greater_than_equal', ctx: { ge: 1 }, input: 0 }],
    ['limit=201', { loc: ['query', 'limit'], type: 'less_than_equal', ctx: { le: 200 } }],
    ['limit=ten', { loc: ['query', 'limit'], type: 'int_parsing', input: 'ten' }],
    ['limit=1.5', { loc: ['query', 'limit'], type: 'int_parsing' }],
    ['limit=', { loc: ['query', 'limit'], type: 'int_parsing' }],
    ['offset=-1', { loc: ['query', 'offset'], type: 'greater_than_equal' }],
    ['view=none', { loc: ['query', 'view'], type: 'enum' }],
  ])('%s is 422', async (query, item) => {
    const answer = await send('GET', `${boards}?${query}`)
    expect([answer.status, answer.body.detail]).toMatchObject([422, [item]])
  })

  test('an invalid boolean is 422; unknown parameters are ignored', async () => {
    const answer = await send('GET', `${boards}/${board_id}/columns?include_archived=maybe`)
    expect([answer.status, answer.body.detail]).toMatchObject([422, [{ type: 'bool_parsing' }]])
    for (const flag of ['1', 'false', 'True'])
      expect((await send('GET', `${boards}/${board_id}/columns?include_archived=${flag}&other=x`)).status).toBe(200)
  })
})

test('every answer carries a request id, the caller’s own where it is well-formed', async () => {
  for (const path of ['/health', `${boards}/none`, '/nothing', '/openapi.json'])
    expect((await send('GET', path)).headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
  expect((await send('GET', boards, { headers: { 'x-request-id': 'my.id-1' } })).headers.get('x-request-id')).toBe(
    'my.id-1',
  )
  expect((await send('GET', boards, { headers: { 'x-request-id': 'no id' } })).headers.get('x-request-id')).not.toBe(
    'no id',
  )
})

test('no two operations share a method and path', () => {
  const routes = registry.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(new Set(routes).size).toBe(registry.length)
})
