import { writeWithoutLock } from '@specboard/domain'
import { openTransaction } from '@specboard/storage/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EventStream, type Message } from './support/event-stream.ts'
import { eventually } from './support/eventually.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let one: Scene
let two: Scene
let reader: TestAgent
let streams: EventStream[]

beforeAll(async () => {
  world = await World.alone()
})

afterAll(() => world.stop())

beforeEach(async () => {
  streams = []
  one = await Scene.on(world)
  two = await Scene.on(world)
  reader = await world.agent()
  for (const scene of [one, two]) await scene.admit(reader)
})

afterEach(() => {
  for (const stream of streams) stream.close()
})

const path = '/api/v1/me/events/stream'

async function open(query = '', headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
  const stream = await EventStream.open(world, `${path}${query}`, { as: reader, headers })
  streams.push(stream)
  return stream
}

const poll = (query: Readonly<Record<string, unknown>> = {}, as = reader) =>
  world.call('stream_my_events', query, { as })

const summaryOf = ({ data }: Message) => [data.board_id, data.action, data.sequence]
const share = (scene: Scene, agent: TestAgent) =>
  world.ok('create_board_share', { board_id: scene.boardId, user_id: agent.id, permission: 'admin' })

describe('an open stream', () => {
  test('begins with the inbox, then tells what comes on every board, in the order of the commits', async () => {
    const stream = await open()
    const first = await stream.next()
    expect([first!.event, first!.data.counts.spec_review]).toEqual(['inbox', 0])
    await one.ideation()
    await two.ideation()
    await one.ideation()
    const messages = [
      await stream.nextOf('board.event'),
      await stream.nextOf('board.event'),
      await stream.nextOf('board.event'),
    ]
    expect(messages.map(summaryOf)).toEqual([
      [one.boardId, 'ideation_created', 3],
      [two.boardId, 'ideation_created', 3],
      [one.boardId, 'ideation_created', 4],
    ])
    expect(messages[0]!.data).toMatchObject({
      entity_type: 'ideation',
      ref: expect.any(String),
      actor_id: world.owner.id,
    })
    expect(messages[0]!.data).not.toHaveProperty('position')
  })

  test('resumes after any message without a gap, boards together', async () => {
    const stream = await open()
    const { id } = (await stream.next())!
    stream.close()
    for (const scene of [two, one, two]) await scene.ideation()
    const again = await open('', { 'last-event-id': id! })
    const first = await again.nextOf('board.event')
    expect(summaryOf(first).slice(0, 2)).toEqual([two.boardId, 'ideation_created'])
    const resumed = await open(`?after=${first.id}`)
    expect((await resumed.nextOf('board.event')).data.board_id).toBe(one.boardId)
    expect((await resumed.nextOf('board.event')).data.board_id).toBe(two.boardId)
  })

  test('of named boards tells nothing of others', async () => {
    const { key } = await world.ok('get_board', { board_id: two.boardId })
    const stream = await open(`?board_id=${key}`)
    // The inbox before the spec arrives: if it were read afterwards, it would already include the spec, and no change
    // would follow.
    expect((await stream.nextOf('inbox')).data.counts.spec_review).toBe(0)
    await one.ideation()
    await two.spec('review')
    expect((await stream.nextOf('board.event')).data.board_id).toBe(two.boardId)
    expect((await stream.nextOf('inbox')).data.counts.spec_review).toBe(1)
  })

  test('tells of boards that come into sight and go from it, and goes on', async () => {
    const three = await Scene.on(world)
    const stream = await open()
    await stream.next()
    const { id } = await share(three, reader)
    const all = [one, two, three].map(({ boardId }) => boardId)
    const came = await stream.nextOf('boards')
    expect(came.data).toEqual({ board_ids: all.toSorted() })
    expect(came.id).toEqual(expect.any(String))
    await three.ideation()
    await stream.nextOf('board.event')
    await world.ok('delete_board_share', { board_id: three.boardId, share_id: id })
    expect((await stream.nextOf('boards')).data.board_ids).not.toContain(three.boardId)
    await three.ideation()
    await one.ideation()
    expect((await stream.nextOf('board.event')).data.board_id).toBe(one.boardId)
  })

  test('leaves out what its reader may not read, board by board', async () => {
    const blind = await world.agent({ permission_flags: { SPECS_READ: false } })
    await one.admit(blind)
    reader = blind
    const stream = await open()
    await one.spec()
    await one.ideation()
    expect((await stream.nextOf('board.event')).data.action).toBe('ideation_created')
  })

  test('tells its inbox when it has changed, by the clock too', async () => {
    const card_id = await one.card({ spec_id: await one.spec('in_progress') })
    await world.ok('claim_card', { card_id })
    const stream = await open()
    expect((await stream.nextOf('inbox')).data.counts.claim_expired).toBe(0)
    // The claim expires while the stream is open, without an entry in the log.
    const expires_at = new Date(Date.now() + 1_500).toISOString()
    await writeWithoutLock(world, db =>
      db.updateTable('claims').set({ expires_at }).where('card_id', '=', card_id).execute(),
    )
    await one.ideation()
    expect((await stream.nextOf('inbox')).data.counts.claim_expired).toBe(1)
  })

  test('ends when the rights of its agent change', async () => {
    const stream = await open()
    await stream.next()
    await world.ok('update_agent', { agent_id: reader.id, is_active: false })
    await one.ideation()
    for (let message = await stream.next(); message !== null; message = await stream.next())
      expect(message.event).not.toBe('board.event')
  })
})

test('begins from now on while an earlier unit of work of another node still runs', async () => {
  const url = world.databaseUrl
  const end = url === undefined ? async () => {} : await openTransaction(url)
  await one.ideation()
  const stream = await open()
  await stream.next()
  const { body: now } = await poll()
  expect(now.events).toEqual([])
  await two.ideation()
  await end()
  expect((await stream.nextOf('board.event')).data.board_id).toBe(two.boardId)
  const { body } = await poll({ after: now.cursor, wait_ms: 25_000 })
  expect(body.events.map((event: { board_id: string }) => event.board_id)).toEqual([two.boardId])
})

describe('as JSON', () => {
  test('begins from now on, and goes on after the cursor', async () => {
    await one.ideation()
    const { body: now } = await poll()
    expect(now).toEqual({ events: [], cursor: expect.any(String), more: false })
    for (const scene of [one, two, one]) await scene.ideation()
    // On PostgreSQL an event is not read while an earlier unit of work runs, on whichever board.
    const rest = await eventually(async () => {
      const { body: first } = await poll({ after: now.cursor, limit: 2 })
      expect(first.events.map((event: { board_id: string }) => event.board_id)).toEqual([one.boardId, two.boardId])
      expect(first.more).toBe(true)
      const { body: rest } = await poll({ after: first.cursor })
      expect([rest.events.length, rest.more]).toEqual([1, false])
      return rest
    })
    expect((await poll({ after: rest.cursor })).body).toEqual({ events: [], cursor: rest.cursor, more: false })
  })

  test('waits for the first event on any board', async () => {
    const { body: now } = await poll()
    const waiting = poll({ after: now.cursor, wait_ms: 25_000 })
    await two.ideation()
    expect((await waiting).body.events).toMatchObject([{ board_id: two.boardId, action: 'ideation_created' }])
  })

  test('a board gone from sight is skipped', async () => {
    const { body: now } = await poll()
    await one.ideation()
    await two.ideation()
    const [{ id }] = await world.ok('list_board_shares', { board_id: one.boardId })
    await world.ok('delete_board_share', { board_id: one.boardId, share_id: id })
    const { body } = await poll({ after: now.cursor })
    expect(body.events.map((event: { board_id: string }) => event.board_id)).toEqual([two.boardId])
  })

  test.each([['nonsense'], [''], [Buffer.from('events 999999999').toString('base64url')], ['ZXZlbnRzIDE=']])(
    'a cursor that is not known is 410: %s',
    async after => {
      const { status, body } = await poll({ after })
      expect([status, body.detail.error]).toEqual([410, 'INVALID_CURSOR'])
    },
  )

  test('a board out of sight is 404', async () => {
    const unseen = await Scene.on(world)
    expect((await poll({ board_id: unseen.boardId })).status).toBe(404)
  })
})
