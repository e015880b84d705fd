import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSignedWith, Receiver } from '../../../packages/domain/test/receiver.ts'
import { eventually } from './support/eventually.ts'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let receiver: Receiver
let mcp: McpWire

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  receiver = await Receiver.start()
  mcp = new McpWire(world)
})

afterAll(async () => {
  await world.stop()
  await receiver.stop()
})

const create = (fields: Readonly<Record<string, unknown>> = {}, as: TestAgent = world.owner) =>
  world.call('create_webhook', { board_id: scene.boardId, url: 'https://hooks.example.com/x', ...fields }, { as })

describe('create_webhook', () => {
  test('answers the whole webhook, its secret this once', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      board_id: scene.boardId,
      url: 'https://hooks.example.com/x',
      description: null,
      events: ['*'],
      active: true,
      format: 'standard',
      created_by: world.owner.id,
      created_at: expect.any(String),
      updated_at: body.created_at,
      disabled_reason: null,
      last_success_at: null,
      last_failure_at: null,
      failing_since: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const { secret, ...webhook } = body
    expect(await world.ok('get_webhook', { webhook_id: body.id })).toEqual(webhook)
    expect(await world.ok('list_webhooks', { board_id: scene.boardId })).toContainEqual(webhook)
    expect(await world.ok('update_webhook', { webhook_id: body.id })).toEqual(webhook)
  })

  test('a replayed answer has no secret', async () => {
    const call = () =>
      world.call(
        'create_webhook',
        { board_id: scene.boardId, url: 'https://hooks.example.com/x' },
        { headers: { 'idempotency-key': 'once' } },
      )
    const [first, again] = [await call(), await call()]
    expect(first.body.secret).toMatch(/^whsec_/)
    expect(again.body).toEqual({ ...first.body, secret: null })
  })

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['no url', { url: undefined }],
    ['a url that is none', { url: 'hooks.example.com' }],
    ['another scheme', { url: 'ftp://hooks.example.com/' }],
    ['a url that is too long', { url: `https://hooks.example.com/${'x'.repeat(2_048)}` }],
    ['no actions', { events: [] }],
    ['a * in the middle', { events: ['card_*_x'] }],
    ['an action in capitals', { events: ['CARD_MOVED'] }],
    ['an unknown format', { format: 'teams' }],
    ['a long description', { description: 'x'.repeat(2_001) }],
  ])('%s is 422', async (_, fields) => {
    const { status } = await create(fields)
    expect(status).toBe(422)
  })

  test.each([
    'http://hooks.example.com/',
    'https://localhost/',
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.2]/',
    'https://user:pass@hooks.example.com/',
  ])('%s is 400 naming the field, at create and update', async url => {
    const { id: webhook_id } = (await create()).body
    for (const answer of [await create({ url }), await world.call('update_webhook', { webhook_id, url })]) {
      expect(answer.status).toBe(400)
      expect(answer.body.detail).toMatchObject({ error: 'VALIDATION_ERROR', field: 'url' })
    }
  })

  test('a board has 100 at most', async () => {
    const { boardId: board_id } = await Scene.on(world)
    const url = 'https://hooks.example.com/'
    for (let count = 0; count < 100; count++) await world.ok('create_webhook', { board_id, url, active: false })
    const { status, body } = await world.call('create_webhook', { board_id, url })
    expect(status).toBe(409)
    expect(body.detail).toMatchObject({ error: 'LIMIT_REACHED', limit: 100, what: 'webhooks' })
    expect(await world.ok('list_webhooks', { board_id, limit: 10, offset: 95 })).toHaveLength(5)
  })
})

test.each(['ping_webhook', 'replay_webhook', 'redeliver_webhook'] as const)(
  '%s of one that is switched off is 409',
  async name => {
    const url = receiver.url
    const { id: webhook_id } = (await create({ url })).body
    const { id: delivery_id } = await world.ok('ping_webhook', { webhook_id })
    await world.ok('update_webhook', { webhook_id, active: false })
    const args = { webhook_id, after: 0, delivery_id }
    const { status, body } = await world.call(name, args)
    expect(status).toBe(409)
    expect(body.detail).toMatchObject({ error: 'INVALID_STATE', status: 'inactive' })
    const { value } = await mcp.tool(name, name === 'ping_webhook' ? { webhook_id } : args)
    expect(value.next_actions[0]).toMatchObject({ name: 'update_webhook', arguments: { webhook_id, active: true } })
  },
)

test('a delivery of another webhook is 404', async () => {
  const { id: webhook_id } = (await create({ url: receiver.url })).body
  const { id: other } = (await create({ url: receiver.url })).body
  const { id: delivery_id } = await world.ok('ping_webhook', { webhook_id: other })
  const { status, body } = await world.call('redeliver_webhook', { webhook_id, delivery_id })
  expect(status).toBe(404)
  expect(body.detail).toMatchObject({ error: 'NOT_FOUND', entity_type: 'webhook_delivery' })
})

test('deliveries are listed newest first, by status and in pages', async () => {
  const { id: webhook_id } = (await create({ url: receiver.url })).body
  const ids: string[] = []
  for (let count = 0; count < 3; count++) ids.unshift((await world.ok('ping_webhook', { webhook_id })).id)
  const listed = (query: object) => world.call('list_webhook_deliveries', { webhook_id, ...query })
  await eventually(async () => expect((await listed({ status: 'delivered' })).body).toHaveLength(3))
  expect((await listed({})).body.map(({ id }: { id: string }) => id)).toEqual(ids)
  const page = await listed({ limit: 1, offset: 1 })
  expect([page.body[0].id, page.headers.get('x-total-count')]).toEqual([ids[1], '3'])
  expect((await listed({ status: 'failed' })).body).toEqual([])
  expect((await listed({ status: 'lost' })).status).toBe(422)
})

describe('rights', () => {
  test('an editor of the board may neither read nor manage webhooks', async () => {
    const editor = await world.agent()
    const share = { board_id: scene.boardId, user_id: editor.id, permission: 'editor' }
    await world.ok('create_board_share', share)
    const { status, body } = await create({}, editor)
    expect([status, body.detail.permission, body.detail.denied_by]).toEqual([403, 'WEBHOOKS_MANAGE', 'share'])
    const { status: reading } = await world.call('list_webhooks', { board_id: scene.boardId }, { as: editor })
    expect(reading).toBe(403)
  })

  test('who may not read what the maker may read does not send it elsewhere', async () => {
    const { id: webhook_id } = (await create()).body
    const other = await world.agent({ permission_flags: { COMMENTS_READ: false } })
    await scene.admit(other)
    const update = (fields: object) => world.call('update_webhook', { webhook_id, ...fields }, { as: other })
    const { status, body } = await update({ url: 'https://elsewhere.example.com/' })
    expect([status, body.detail.error, body.detail.missing]).toEqual([403, 'FORBIDDEN', ['COMMENTS_READ']])
    expect((await update({ description: 'Build server' })).status).toBe(200)
    const own = (await create({}, other)).body
    const moved = { webhook_id: own.id, url: 'https://elsewhere.example.com/' }
    expect((await world.call('update_webhook', moved, { as: other })).status).toBe(200)
  })
})

test('the audit says who made, changed and deleted one; of its address it names the host alone', async () => {
  const { id: webhook_id } = (await create({ url: 'https://hooks.example.com/services/T0KEN' })).body
  await world.ok('update_webhook', { webhook_id, active: false, description: null })
  await world.ok('rotate_webhook_secret', { webhook_id })
  await world.ok('delete_webhook', { webhook_id })
  const entries = await world.ok('list_audit', { target_id: webhook_id })
  expect(entries.map(({ action, fields }: { action: string; fields: string[] }) => [action, fields])).toEqual([
    ['webhook_deleted', []],
    ['webhook_secret_rotated', ['secret']],
    ['webhook_updated', ['active']],
    ['webhook_created', ['active', 'description', 'events', 'format', 'url']],
  ])
  expect(entries[0]).toMatchObject({ target_type: 'webhook', target_name: 'hooks.example.com', origin: 'http' })
  expect(JSON.stringify(entries)).not.toMatch(/T0KEN|whsec_/)
})

test('no event of the board tells of webhooks, and nothing that is logged or stored holds a secret', async () => {
  const { body } = await create()
  const { events } = await world.ok('list_board_events', { board_id: scene.boardId })
  expect(JSON.stringify(events)).not.toMatch(/webhook|whsec_/)
  expect(JSON.stringify(await world.ok('list_webhooks', { board_id: scene.boardId }))).not.toContain(body.secret)
})

test('a webhook over MCP: its secret, the event over a socket, and what became of it', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const { value: webhook } = await mcp.tool('create_webhook', {
    board_id,
    url: receiver.url,
    events: ['board_updated'],
  })
  await world.ok('update_board', { board_id, description: 'Told' })
  const message = await eventually(() => {
    const found = receiver.received.find(({ body }) => body.data.board_id === board_id)
    if (found === undefined) throw new Error('Nothing has come.')
    return found
  })
  expect(isSignedWith(webhook.secret, message)).toBe(true)
  await eventually(async () => {
    const { value } = await mcp.tool('list_webhook_deliveries', { webhook_id: webhook.id })
    expect(value.items).toEqual([expect.objectContaining({ status: 'delivered', attempts: 1 })])
  })
})

test('a deleted board takes its webhooks with it', async () => {
  const other = await Scene.on(world)
  const { id: webhook_id } = await world.ok('create_webhook', { board_id: other.boardId, url: receiver.url })
  await world.ok('delete_board', { board_id: other.boardId })
  expect((await world.call('get_webhook', { webhook_id })).status).toBe(404)
})
