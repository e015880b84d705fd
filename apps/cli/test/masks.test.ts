// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of run_operations
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logOptions } from '../src/log-options.ts'
import { McpWire } from './support/mcp.ts'
import { World } from './support/world.ts'

/** What looks like a key, and the start of it that may be shown. */
const key = `dash_${'0123456789ab'.repeat(4)}`
const masked = 'dash_01234567'

let world: World
let mcp: McpWire

beforeAll(async () => {
  world = await World.start()
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

/** All of an answer that a caller or a proxy sees: status line, headers, body. */
const rawResponse = (headers: Headers, text: string) => `${[...headers].map(String).join('\n')}\n${text}`

describe('a key anywhere in a request is masked in its answer (trust 3): over HTTP in', () => {
  const get = (path: string, headers: object = {}): [string, RequestInit] => [path, { headers: { ...headers } }]
  const send = (method: string, path: string, body: string, type = 'application/json'): [string, RequestInit] => [
    path,
    { method, body, headers: { 'content-type': type } },
  ]
  test.each([
    ['an unknown path', get(`/api/v1/${key}`)],
    ['an unknown path outside of the API', get(`/${key}`)],
    ['an id', get(`/api/v1/boards/${key}`)],
    ['an id after a longer text', get(`/api/v1/cards/${'x'.repeat(100)}${key}`)],
    ['a query', get(`/api/v1/boards?limit=${key}`)],
    ['the name of a query', get(`/api/v1/boards?${key}=1`)],
    ['X-Request-Id', get('/api/v1/boards', { 'x-request-id': key })],
    ['Idempotency-Key', get('/api/v1/boards', { 'idempotency-key': key.repeat(10) })],
    ['If-Match', get('/api/v1/boards', { 'if-match': key })],
    ['Origin', get('/api/v1/boards', { origin: `http://${key}` })],
    ['the content type', send('POST', '/api/v1/boards', '{}', key)],
    ['a method', send(key, '/api/v1/boards', '{}')],
    ['a body that is not JSON', send('POST', '/api/v1/boards', `{"${key}"`)],
    ['a value of the wrong type', send('POST', '/api/v1/boards', JSON.stringify({ name: [key] }))],
    ['a key of free JSON', send('POST', '/api/v1/boards', JSON.stringify({ name: 'x', settings: { [key]: '\0' } }))],
    ['an id in a body', send('POST', '/api/v1/boards/x/specs', JSON.stringify({ title: 'x', ideation_id: key }))],
  ])('%s', async (_, [path, init]) => {
    const headers = { 'x-api-key': world.owner.key, ...(init.headers as object) }
    const response = await fetch(world.running.url + path, { ...init, headers })
    expect(rawResponse(response.headers, await response.text())).not.toContain(key)
  })

  test('an id, which is named by its start', async () => {
    const { body } = await world.call('get_board', { board_id: key })
    expect(body.detail).toMatchObject({ entity_id: `${masked}…`, message: expect.stringContaining(`${masked}…`) })
  })
})

describe('a key anywhere in a request is masked in its answer (trust 3): over MCP in', () => {
  const tool = (name: string, args: object) => ['tools/call', { name, arguments: args }] as const
  test.each([
    ['a method', [key, {}]],
    ['the name of a tool', tool(key, {})],
    ['the name of a tool, where it is cut', tool(`${'x'.repeat(100)}${key}`, {})],
    ['an id', tool('get_board', { board_id: key })],
    ['a move that is advised against', tool('move_card', { card_id: key, status: key })],
    ['the name of an argument', tool('list_boards', { [key]: 1 })],
    ['a value of the wrong type', tool('create_board', { name: [key] })],
    ['fields', tool('list_boards', { fields: key })],
    ['the name of an operation', tool('call_operation', { name: key, arguments: {} })],
    ['the query of find_operations', tool('find_operations', { query: key, feature: key })],
    ['an operation that only reads', tool('read_operation', { name: 'create_board', arguments: { name: key } })],
    ['a run', tool('run_operations', { calls: [{ as: key, name: key, arguments: { [key]: `\${${key}}` } }] })],
    ['a context', tool('read_context', { uri: `specboard://boards/${key}` })],
    ['a resource', ['resources/read', { uri: `specboard://boards/${key}` }]],
    ['a resource of another scheme', ['resources/read', { uri: key }]],
    ['a subscription', ['resources/subscribe', { uri: `specboard://boards/${key}` }]],
    ['a prompt', ['prompts/get', { name: key }]],
    ['an argument of a prompt', ['prompts/get', { name: 'work_on_card', arguments: { card_id: key } }]],
    [
      'a completion',
      ['completion/complete', { ref: { type: 'ref/prompt', name: key }, argument: { name: key, value: key } }],
    ],
    [
      'a template',
      ['completion/complete', { ref: { type: 'ref/resource', uri: key }, argument: { name: 'a', value: key } }],
    ],
    ['a cursor', ['tools/list', { cursor: key }]],
    ['parameters of the wrong type', ['tools/call', { name: [key], arguments: key }]],
  ] as const)('%s', async (_, [method, params]) => {
    const { headers, body } = await mcp.legacy(method, { ...params })
    expect(rawResponse(headers, JSON.stringify(body))).not.toContain(key)
    const modern = await mcp.modern(method, { ...params })
    expect(rawResponse(modern.headers, JSON.stringify(modern.body))).not.toContain(key)
  })

  test.each(['toolsets', 'tools', 'exclude', 'board_id', 'schemas'])('the view: %s', async parameter => {
    const { headers, body } = await mcp.legacy('tools/list', {}, { query: `${parameter}=${key}` })
    expect(rawResponse(headers, JSON.stringify(body))).not.toContain(key)
  })

  test.each(['mcp-protocol-version', 'mcp-session-id', 'x-request-id'])('the header %s', async header => {
    const { headers, body } = await mcp.legacy('tools/list', {}, { headers: { [header]: key } })
    expect(rawResponse(headers, JSON.stringify(body))).not.toContain(key)
  })
})

test('the log masks keys in whatever a line holds (trust 3)', () => {
  const lines: string[] = []
  const sink = new Writable({
    write(line, _encoding, written) {
      lines.push(String(line))
      written()
    },
  })
  const log = pino(logOptions({ logLevel: 'info' }), sink)
  log.info({ path: `/${key}`, deep: { request_id: key } }, `said ${key}`)
  log.error({ err: new Error(`failed at ${key}`) })
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    expect(line).toContain(`${masked}…`)
    expect(line).not.toContain(key)
  }
})
