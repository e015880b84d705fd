import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { operationByName, parseInput } from '@specboard/contract'
import { testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'
import { isSignedWith, Receiver, status } from '../../../test/receiver.ts'
import { secretKeyName } from '../../kernel/secret-key.ts'
import type { Address } from './addresses.ts'

const second = 1_000
const hour = 3_600 * second

let world: GraphWorld
let receiver: Receiver
let addresses: readonly Address[]
let lookedUp: string[]

const options = {
  workers: true,
  webhooks: {
    allowedHosts: ['127.0.0.1'],
    random: () => 0,
    resolve: async (host: string) => {
      lookedUp.push(host)
      return addresses
    },
  },
}

beforeEach(async () => {
  addresses = []
  lookedUp = []
  world = await GraphWorld.start(options)
  receiver = await Receiver.start()
})

afterEach(async () => {
  await world.stop()
  await receiver.stop()
})

const eventually = <Value>(check: () => Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { timeout: 45_000, interval: 5 })

const create = (fields: Readonly<Record<string, unknown>> = {}) =>
  world.ok('create_webhook', { board_id: world.boardId, url: receiver.url, ...fields })

const read = (webhook_id: string) => world.ok('get_webhook', { webhook_id })

/** The deliveries of a webhook, the oldest first. */
const deliveries = async (webhook_id: string) =>
  (await world.ok('list_webhook_deliveries', { webhook_id })).toReversed()

/** Waits until the newest delivery is as expected; returns it. */
const newest = (webhook_id: string, expected: Readonly<Record<string, unknown>>) =>
  eventually(async () => {
    const delivery = (await deliveries(webhook_id)).at(-1)
    expect(delivery).toMatchObject(expected)
    return delivery
  })

/** Lets time pass. */
const pass = (ms: number) => {
  world.now += ms
  world.opened.webhooks.wake()
}

/** Makes ideations; each is one event `ideation_created`. */
const ideations = async (count: number, prefix = 'Idea') => {
  for (let number = 1; number <= count; number++)
    await world.ok('create_ideation', { board_id: world.boardId, title: `${prefix} ${number}` })
}

const sequences = () => receiver.received.map(({ body }) => body.data.sequence as number)

describe('what is sent', () => {
  test('is signed as Standard Webhooks say, with the event as a reader gets it', async () => {
    const { secret, id } = await create()
    await ideations(1)
    const [message] = await receiver.came(1)
    expect(message!.body).toMatchObject({
      type: 'ideation_created',
      timestamp: new Date(world.now).toISOString(),
      data: { action: 'ideation_created', board_id: world.boardId, entity_type: 'ideation', actor_name: 'Local Owner' },
    })
    const { events } = await world.ok('list_board_events', { board_id: world.boardId, action: 'ideation_created' })
    expect(message!.body.data).toEqual(events[0])
    expect(message!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Specboard/1',
      'webhook-id': `msg_${events[0].id}`,
      'webhook-timestamp': String(world.now / 1000),
    })
    expect(isSignedWith(secret, message!)).toBe(true)
    expect(isSignedWith(`whsec_${Buffer.alloc(32).toString('base64')}`, message!)).toBe(false)
    expect(await newest(id, { status: 'delivered' })).toMatchObject({
      attempts: 1,
      event_sequence: events[0].sequence,
      next_attempt_at: null,
      response_status: 204,
      response_excerpt: null,
      delivered_at: new Date(world.now).toISOString(),
    })
  })

  test('comes in the order of the sequence, nothing from before the webhook was made', async () => {
    await ideations(3, 'Before')
    await create()
    await ideations(30)
    await receiver.came(30)
    const numbers = sequences()
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => numbers[0]! + index))
    expect(receiver.received.every(({ body }) => body.data.details.title.startsWith('Idea'))).toBe(true)
  })

  test('are the actions that the list takes', async () => {
    await create({ events: ['spec_*', 'ideation_updated'] })
    const { id: ideation_id } = await world.ok('create_ideation', { board_id: world.boardId, title: 'Idea' })
    await world.spec()
    await world.ok('update_ideation', { ideation_id, title: 'Other' })
    const messages = await receiver.came(2)
    expect(messages.map(({ body }) => body.type)).toEqual(['spec_created', 'ideation_updated'])
  })

  test('is a short text for Slack', async () => {
    await create({ format: 'slack' })
    await ideations(1)
    const [message] = await receiver.came(1)
    expect(message!.body).toEqual({ text: expect.stringContaining('Local Owner: ideation created BOA-1 "Idea 1"') })
  })

  test('is not what an import wrote', async () => {
    await create()
    const { service } = world.opened
    const caller = await service.authenticate(`dash_${'0123456789abcdef'.repeat(3)}`)
    await service.write(caller, ctx =>
      ctx.record({
        boardId: world.boardId,
        entity: { type: 'board', id: world.boardId },
        activity: { action: 'imported' },
        imported: true,
      }),
    )
    await ideations(1)
    const messages = await receiver.came(1)
    expect(messages.map(({ body }) => body.type)).toEqual(['ideation_created'])
  })

  test('goes to at most 8 receivers of a board at once, one at a time to each (walls 7)', async () => {
    let [open, most] = [0, 0]
    const busy = new Set<string>()
    const pendingAnswers: (() => void)[] = []
    receiver.answer = (response, { headers }) => {
      const webhook = String(headers['webhook-signature'])
      expect(busy.has(webhook)).toBe(false)
      most = Math.max(most, ++open)
      pendingAnswers.push(() => {
        open--
        response.writeHead(204).end()
      })
    }
    for (let number = 0; number < 12; number++) await create()
    await ideations(1)
    await receiver.came(8)
    await turn()
    expect([open, receiver.received.length]).toEqual([8, 8])
    for (const answer of pendingAnswers.splice(0)) answer()
    await receiver.came(12)
    for (const answer of pendingAnswers.splice(0)) answer()
    expect(most).toBe(8)
  })
})

describe('what fails', () => {
  test('is tried again by the schedule while later events wait, and comes in order then', async () => {
    receiver.answer = response => response.writeHead(503).end('busy')
    const { id } = await create()
    await ideations(3)
    const first = { status: 'pending', attempts: 1, response_status: 503, response_excerpt: 'busy' }
    await eventually(async () => expect((await deliveries(id))[0]).toMatchObject(first))
    const [head, ...waiting] = await deliveries(id)
    expect(Date.parse(head.next_attempt_at) - world.now).toBe(5 * second)
    expect(waiting.every(({ attempts }: { attempts: number }) => attempts === 0)).toBe(true)
    expect(await read(id)).toMatchObject({
      last_failure_at: new Date(world.now).toISOString(),
      failing_since: new Date(world.now).toISOString(),
      last_success_at: null,
    })
    pass(5 * second - 1)
    await turn()
    expect(receiver.received).toHaveLength(1)
    pass(1)
    await receiver.came(2)
    receiver.answer = status(200)
    await eventually(async () => expect((await deliveries(id))[0]).toMatchObject({ attempts: 2 }))
    pass(60 * second)
    await receiver.came(5)
    const numbers = sequences()
    expect(numbers).toEqual([numbers[0], numbers[0], numbers[0], numbers[0]! + 1, numbers[0]! + 2])
    expect(new Set(receiver.received.slice(0, 3).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await newest(id, { status: 'delivered' })
    expect(await read(id)).toMatchObject({ failing_since: null, last_success_at: new Date(world.now).toISOString() })
  })

  test('for good after the last try; the webhook goes on, until it has failed for 5 days', async () => {
    receiver.answer = status(500)
    const { id } = await create()
    await ideations(2)
    const failing = async (index: number, expected: object) =>
      eventually(async () => expect((await deliveries(id))[index]).toMatchObject(expected))
    const waits = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [attempt, wait] of waits.entries()) {
      await failing(0, { status: 'pending', attempts: attempt + 1 })
      pass(wait * second)
    }
    await failing(0, { status: 'failed', attempts: 11, next_attempt_at: null })
    await failing(1, { status: 'pending', attempts: 1 })
    expect(await read(id)).toMatchObject({ active: true })
    pass(48 * hour)
    await eventually(async () => expect(await read(id)).toMatchObject({ active: false }))
    expect((await read(id)).disabled_reason).toMatch(/5 days/)
    expect((await deliveries(id))[1]).toMatchObject({ status: 'pending', next_attempt_at: null })
  })

  test('with 410 switches the webhook off; switched on again it goes on where it stopped', async () => {
    receiver.answer = status(410)
    const { id: webhook_id } = await create()
    await ideations(2)
    await eventually(async () => expect(await read(webhook_id)).toMatchObject({ active: false }))
    expect((await read(webhook_id)).disabled_reason).toMatch(/410/)
    expect((await deliveries(webhook_id))[0]).toMatchObject({ status: 'failed', response_status: 410 })
    receiver.answer = status(200)
    await ideations(1, 'Later')
    const on = await world.ok('update_webhook', { webhook_id, active: true })
    expect(on).toMatchObject({ active: true, disabled_reason: null, failing_since: null })
    const messages = await receiver.came(3)
    expect(messages.map(({ body }) => body.data.details.title)).toEqual(['Idea 1', 'Idea 2', 'Later 1'])
  })

  test('a redirect is not followed', async () => {
    receiver.answer = response => response.writeHead(302, { location: receiver.url }).end()
    const { id } = await create()
    await ideations(1)
    await newest(id, { status: 'pending', attempts: 1, response_status: 302 })
    expect(receiver.received).toHaveLength(1)
  })

  test('of a long answer 64 KiB are read and 500 characters kept, keys masked', async () => {
    const key = `dash_${'0123456789abcdef'.repeat(3)}`
    let isCut = false
    receiver.answer = response => {
      response.on('close', () => {
        isCut = !response.writableFinished
      })
      response.writeHead(200).write(`${key} ${'x'.repeat(1_000_000)}`)
    }
    const { id } = await create()
    await ideations(1)
    const { response_excerpt } = await newest(id, { status: 'delivered' })
    expect(response_excerpt).toHaveLength(500)
    expect(response_excerpt).toMatch(/^dash_01234567… x+$/)
    await eventually(async () => expect(isCut).toBe(true))
  })

  test('an answer that does not come in time', async () => {
    await world.opened.close()
    await world.open({ ...options, webhooks: { ...options.webhooks, timeoutMs: 50 } })
    receiver.answer = () => {}
    const { id } = await create()
    await ideations(1)
    await newest(id, { status: 'pending', attempts: 1, response_status: null, response_excerpt: /No answer within/ })
  })

  test('a receiver that is not there', async () => {
    const { url } = receiver
    await receiver.stop()
    const { id } = await world.ok('create_webhook', { board_id: world.boardId, url })
    await ideations(1)
    await newest(id, { status: 'pending', attempts: 1, response_excerpt: 'No answer: ECONNREFUSED.' })
    receiver = await Receiver.start()
  })
})

describe('addresses', () => {
  test('a name that leads inside fails at once and says so; it is looked up once for each attempt', async () => {
    addresses = [
      { address: '1.1.1.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    const { id } = await create({ url: 'https://hooks.example.com/' })
    await ideations(1)
    await newest(id, { status: 'failed', attempts: 1, response_excerpt: 'Not sent: 10.0.0.1 is an internal address.' })
    expect(lookedUp).toEqual(['hooks.example.com'])
    expect(await read(id)).toMatchObject({ active: true, failing_since: new Date(world.now).toISOString() })
  })

  test('it is connected to as it was resolved', async () => {
    await world.opened.close()
    await world.open({ ...options, webhooks: { ...options.webhooks, allowedHosts: ['hooks.example.com'] } })
    addresses = [{ address: '127.0.0.1', family: 4 }]
    const { id } = await create({ url: `http://hooks.example.com:${receiver.port}/hook` })
    await ideations(1)
    const [message] = await receiver.came(1)
    expect(message!.headers.host).toBe(`hooks.example.com:${receiver.port}`)
    await newest(id, { status: 'delivered' })
    expect(lookedUp).toEqual(['hooks.example.com'])
  })

  test('a host that is no longer allowed is refused', async () => {
    const { id } = await create()
    await world.opened.close()
    await world.open({ ...options, webhooks: { ...options.webhooks, allowedHosts: [] } })
    await ideations(1)
    await newest(id, { status: 'failed', response_excerpt: /^Not sent: the url must be https/ })
    expect(receiver.received).toEqual([])
  })
})

describe('what is asked for', () => {
  test('a ping goes out while events wait', async () => {
    receiver.answer = (response, { body }) => response.writeHead(body.type === 'ping' ? 200 : 500).end()
    const { id: webhook_id } = await create()
    await ideations(1)
    await newest(webhook_id, { attempts: 1 })
    const ping = await world.ok('ping_webhook', { webhook_id })
    expect(ping).toMatchObject({ webhook_id, event_sequence: null, status: 'pending', attempts: 0 })
    const [, message] = await receiver.came(2)
    expect(message!.body).toEqual({ type: 'ping', timestamp: ping.created_at, data: { webhook_id } })
    await newest(webhook_id, { id: ping.id, status: 'delivered' })
    const failing_since = new Date(world.now).toISOString()
    expect(await read(webhook_id)).toMatchObject({ failing_since, last_success_at: null })
  })

  test('a redelivery keeps its webhook-id', async () => {
    const { id: webhook_id } = await create()
    await ideations(1)
    const first = await newest(webhook_id, { status: 'delivered' })
    const again = await world.ok('redeliver_webhook', { webhook_id, delivery_id: first.id })
    expect(again).toMatchObject({ status: 'pending', event_sequence: first.event_sequence })
    expect(again.id).not.toBe(first.id)
    const [one, other] = await receiver.came(2)
    expect(other!.headers['webhook-id']).toBe(one!.headers['webhook-id'])
    expect(other!.body).toEqual(one!.body)
  })

  test('a replay sends every matching event since again, in order, with its webhook-id', async () => {
    const { id: webhook_id } = await create({ events: ['ideation_*'] })
    await ideations(3)
    await world.spec()
    const messages = await receiver.came(3)
    const ids = messages.map(({ headers }) => headers['webhook-id'])
    await newest(webhook_id, { status: 'delivered' })
    expect(await world.ok('replay_webhook', { webhook_id, after: sequences()[0] })).toEqual({ queued: 2 })
    await receiver.came(5)
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([...ids, ids[1], ids[2]])
    expect(await world.ok('replay_webhook', { webhook_id, after: 1_000_000 })).toEqual({ queued: 0 })
  })

  test('a replay goes back while an event is tried again', async () => {
    const { id: webhook_id } = await create()
    await ideations(2)
    await receiver.came(2)
    await newest(webhook_id, { status: 'delivered' })
    receiver.answer = status(500)
    await ideations(1)
    await newest(webhook_id, { status: 'pending', attempts: 1 })
    receiver.answer = status(200)
    expect(await world.ok('replay_webhook', { webhook_id, after: 0 })).toEqual({ queued: expect.any(Number) })
    await eventually(async () => {
      const all = sequences()
      expect(all.slice(-3)).toEqual([all[2]! - 2, all[2]! - 1, all[2]])
    })
  })
})

describe('rights', () => {
  const maker = async () => {
    const { id: agent_id, api_key } = await world.ok('create_agent', { name: 'Maker' })
    await world.ok('grant_board_access', { board_id: world.boardId, agent_id })
    const caller = await world.opened.service.authenticate(api_key)
    const operation = operationByName.get('create_webhook')!
    const parsed = parseInput(operation, {
      params: { board_id: world.boardId },
      query: {},
      body: { url: receiver.url },
    })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.items))
    const { body } = await world.opened.service.perform({ operation, input: parsed.input, caller })
    return { agent_id, webhook_id: (body as { id: string }).id }
  }
  const types = () => receiver.received.map(({ body }) => body.type)

  test('it gets what its maker may read now; a replay brings what it may read by then', async () => {
    const { agent_id, webhook_id } = await maker()
    const override = (permission_overrides: object | null) =>
      world.ok('update_board_access', { board_id: world.boardId, agent_id, permission_overrides })
    await override({ IDEATIONS_READ: false })
    const { seq } = await world.opened.service.database.read(db =>
      db.selectFrom('boards').select('seq').where('id', '=', world.boardId).executeTakeFirstOrThrow(),
    )
    await ideations(2)
    await world.spec()
    await eventually(async () => expect(types().at(-1)).toBe('spec_created'))
    expect(types()).not.toContain('ideation_created')
    await ideations(1)
    await world.spec()
    await eventually(async () => expect(types().filter(type => type === 'spec_created')).toHaveLength(2))
    await override(null)
    expect(await world.ok('replay_webhook', { webhook_id, after: seq + 3 })).toEqual({ queued: 3 })
    await eventually(async () => expect(types().filter(type => type === 'ideation_created')).toHaveLength(1))
  })

  test('contents that its maker may not read are left out', async () => {
    const { agent_id } = await maker()
    const permission_overrides = { IDEATIONS_READ_HISTORY: false }
    await world.ok('update_board_access', { board_id: world.boardId, agent_id, permission_overrides })
    await ideations(1)
    await eventually(async () => expect(types()).toContain('ideation_created'))
    expect(Object.keys(receiver.received.at(-1)!.body.data.details)).toEqual(['ideation_id'])
  })

  test('an inactive maker stops it, an active one has it go on', async () => {
    const { agent_id, webhook_id } = await maker()
    await world.ok('update_agent', { agent_id, is_active: false })
    await ideations(1)
    expect(await read(webhook_id)).toMatchObject({
      active: false,
      disabled_reason: expect.stringContaining('inactive'),
    })
    await expect(world.ok('ping_webhook', { webhook_id })).rejects.toMatchObject({ code: 'INVALID_STATE' })
    await world.ok('update_agent', { agent_id, is_active: true })
    const messages = await receiver.came(1)
    expect(messages.map(({ body }) => body.type)).toEqual(['ideation_created'])
    expect(await read(webhook_id)).toMatchObject({ active: true, disabled_reason: null })
  })

  test('a deleted maker stops it for good', async () => {
    const { agent_id, webhook_id } = await maker()
    await world.ok('delete_agent', { agent_id })
    await ideations(1)
    expect(await read(webhook_id)).toMatchObject({ active: false, disabled_reason: expect.stringContaining('deleted') })
    await world.opened.close()
    expect(receiver.received.filter(({ body }) => body.type === 'ideation_created')).toEqual([])
    await world.open(options)
  })

  test('a maker that no longer sees the board gets nothing of it', async () => {
    const { agent_id, webhook_id } = await maker()
    await world.ok('revoke_board_access', { board_id: world.boardId, agent_id })
    const count = types().length
    await ideations(1)
    expect(await read(webhook_id)).toMatchObject({ active: true })
    await world.opened.close()
    expect(types().slice(count)).not.toContain('ideation_created')
    await world.open(options)
  })
})

describe('a webhook that changes', () => {
  test('sends nothing while it is switched off, and goes on where it stopped', async () => {
    const { id: webhook_id } = await create()
    await world.ok('update_webhook', { webhook_id, active: false })
    await ideations(2)
    await world.ok('update_webhook', { webhook_id, active: true })
    const messages = await receiver.came(2)
    expect(messages.map(({ body }) => body.data.details.title)).toEqual(['Idea 1', 'Idea 2'])
  })

  test('chooses anew from what it has not tried when its list of actions changes', async () => {
    receiver.answer = status(500)
    const { id: webhook_id } = await create({ active: false })
    await ideations(2)
    await world.spec()
    await world.ok('update_webhook', { webhook_id, active: true })
    await eventually(async () => expect(await deliveries(webhook_id)).toHaveLength(3))
    await eventually(async () => expect((await deliveries(webhook_id))[0].attempts).toBe(1))
    receiver.answer = status(200)
    await world.ok('update_webhook', { webhook_id, events: ['spec_created'] })
    pass(5 * second)
    await receiver.came(3)
    expect(receiver.received.map(({ body }) => body.type)).toEqual([
      'ideation_created',
      'ideation_created',
      'spec_created',
    ])
  })

  test('a new address is tried at once', async () => {
    receiver.answer = status(500)
    const { id: webhook_id } = await create()
    await ideations(1)
    await newest(webhook_id, { attempts: 1 })
    receiver.answer = status(200)
    await world.ok('update_webhook', { webhook_id, url: `${receiver.url}/other` })
    await newest(webhook_id, { status: 'delivered', attempts: 2 })
  })

  test('both secrets sign for 24 hours after a rotation', async () => {
    const { id: webhook_id, secret: old } = await create()
    const { secret } = await world.ok('rotate_webhook_secret', { webhook_id })
    expect(secret).not.toBe(old)
    await ideations(1)
    const [during] = await receiver.came(1)
    expect([isSignedWith(secret, during!), isSignedWith(old, during!)]).toEqual([true, true])
    await newest(webhook_id, { status: 'delivered' })
    world.now += 24 * hour
    await ideations(1)
    const [, after] = await receiver.came(2)
    expect([isSignedWith(secret, after!), isSignedWith(old, after!)]).toEqual([true, false])
  })

  test('each secret signs for 24 hours after it was replaced, the newest five of them', async () => {
    const { id: webhook_id, secret } = await create()
    const secrets: string[] = [secret]
    const rotate = async () => secrets.push((await world.ok('rotate_webhook_secret', { webhook_id })).secret)
    const signing = async () => {
      const count = receiver.received.length
      await ideations(1)
      const message = (await receiver.came(count + 1)).at(-1)!
      await newest(webhook_id, { status: 'delivered' })
      return secrets.map(key => isSignedWith(key, message))
    }
    await rotate()
    world.now += 2 * hour
    await rotate()
    expect(await signing()).toEqual([true, true, true])
    world.now += 22 * hour
    expect(await signing()).toEqual([false, true, true])
    for (let more = 0; more < 4; more++) await rotate()
    expect(await signing()).toEqual([false, true, true, true, true, true, true])
    await rotate()
    expect(await signing()).toEqual([false, false, true, true, true, true, true, true])
    world.now += 24 * hour
    expect(await signing()).toEqual([false, false, false, false, false, false, false, true])
  })

  testOnSqlite('is switched off when its secret was lost, and works with another', async () => {
    const { id: webhook_id, secret: old } = await create()
    await world.opened.close()
    rmSync(join(world.folder, secretKeyName))
    await world.open(options)
    await ideations(1)
    await eventually(async () => expect(await read(webhook_id)).toMatchObject({ active: false }))
    expect((await read(webhook_id)).disabled_reason).toMatch(/rotate_webhook_secret/)
    const { secret } = await world.ok('rotate_webhook_secret', { webhook_id })
    await world.ok('update_webhook', { webhook_id, active: true })
    const [message] = await receiver.came(1)
    expect([isSignedWith(secret, message!), isSignedWith(old, message!)]).toEqual([true, false])
  })

  test('nothing of its secret is stored as it is', async () => {
    const { id, secret } = await create()
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const [row] = await world.opened.service.database.read(db =>
      db.selectFrom('webhooks').selectAll().where('id', '=', id).execute(),
    )
    for (const text of [secret.slice(6), bytes.toString('hex'), bytes.toString('base64url')])
      expect(JSON.stringify(row)).not.toContain(text)
  })
})

test('deliveries are kept for 30 days', async () => {
  const { id } = await create()
  await ideations(1)
  await newest(id, { status: 'delivered' })
  world.now += 30 * 24 * hour
  expect(await deliveries(id)).toHaveLength(1)
  world.now += 1
  expect(await deliveries(id)).toEqual([])
  await ideations(1)
  await receiver.came(2)
  const stored = await world.opened.service.database.read(db =>
    db.selectFrom('webhook_deliveries').select('event_sequence').execute(),
  )
  expect(stored).toHaveLength(1)
})

test('what was not sent when the service stopped is sent after the next start', async () => {
  receiver.answer = () => {}
  await create()
  await ideations(3)
  await receiver.came(1)
  await world.opened.close()
  receiver.answer = status(200)
  await world.open(options)
  await receiver.came(4)
  const numbers = sequences()
  expect(numbers).toEqual([numbers[0], numbers[0], numbers[0]! + 1, numbers[0]! + 2])
  expect(world.faults).toEqual([])
})

test('a service without workers sends nothing', async () => {
  await world.opened.close()
  await world.open({ ...options, workers: false })
  await create()
  await ideations(1)
  await world.opened.close()
  expect(receiver.received).toEqual([])
  await world.open(options)
  await receiver.came(1)
})
