/** Notifications on two nodes, and across the end of one (people 5.2). */
import { createECDH, randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@specboard/client'
import { canStartServer, privateServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { HttpSink } from './support/http-sink.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

const subscription = (url: string) => {
  const receiver = createECDH('prime256v1')
  receiver.generateKeys()
  const keys = { p256dh: receiver.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  return { endpoint: `${url}/push`, keys }
}

test('what was sent and not noted before the end of a process is sent again, as the same', async () => {
  const sink = await HttpSink.start()
  const settings = { contact: 'mailto:ops@example.com' }
  let world = await World.start(settings)
  try {
    const owner = await Person.owner(world)
    const scene = await Scene.on(world)
    const agent = await world.agent()
    await scene.admit(agent)
    await owner.ok('create_notification_channel', { type: 'push', subscription: subscription(sink.url) })
    sink.answer = () => new Promise(() => {})
    const card_id = await scene.workableCard()
    await world.ok('ask_card_question', { card_id, question: 'Which colour?' }, { as: agent })
    const [first] = await sink.taken(1)
    sink.answer = () => ({ status: 201 })
    world = await world.restart(settings)
    const [, again] = await sink.taken(2)
    expect(again!.headers.topic).toBe(first!.headers.topic)
    const after = await Person.owner(world)
    await eventually(async () => {
      expect(await after.ok('list_notification_deliveries')).toMatchObject([{ status: 'delivered', attempts: 1 }])
    })
  } finally {
    await world.stop()
    await sink.stop()
  }
})

describe.skipIf(!canStartServer())('two nodes', () => {
  let one: World
  let two: World
  let sink: HttpSink

  beforeAll(async () => {
    sink = await HttpSink.start()
    const databaseUrl = await (await privateServer()).database()
    one = await World.start({ databaseUrl, leaseMs: 2_000 })
    // Nodes have the same key.
    const settings = { databaseUrl, secretKeyFile: join(one.folder, 'secret.key'), leaseMs: 2_000 }
    two = await World.on(await mkdtemp(join(tmpdir(), 'specboard-two-')), settings, one.owner.key)
  }, 90_000)

  afterAll(async () => {
    await two?.stop()
    await sink?.stop()
  }, 90_000)

  test('tell each item once, also when the one that tells has ended', async () => {
    const owner = await Person.owner(one)
    const scene = await Scene.on(one)
    const { id, api_key } = await one.ok('create_agent', { name: 'Executor 1' })
    const agent = { id, key: api_key, client: createClient({ url: two.running.url, key: api_key }) }
    await scene.admit(agent)
    await owner.ok('create_notification_channel', { type: 'slack', url: `${sink.url}/hook` })
    const card_id = await scene.workableCard()
    const ask = (question: string) => two.ok('ask_card_question', { card_id, question }, { as: agent })
    await ask('First?')
    await sink.taken(1)
    await ask('Second?')
    await sink.taken(2)
    const delivered = (count: number) =>
      eventually(async () =>
        expect(await two.ok('list_notification_deliveries', { status: 'delivered' })).toHaveLength(count),
      )
    await delivered(2)
    await one.running.stop()
    await ask('Third?')
    await sink.taken(3)
    await delivered(3)
    expect(sink.requests).toHaveLength(3)
  }, 60_000)
})
