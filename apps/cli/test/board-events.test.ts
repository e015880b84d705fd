import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EventStream, type StreamOptions } from './support/event-stream.ts'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
  board_id = scene.boardId
})

const list = (query: Readonly<Record<string, unknown>> = {}, as: TestAgent = world.owner) =>
  world.ok('list_board_events', { board_id, ...query }, { as })

const actions = ({ events }: { events: { action: string }[] }) => events.map(({ action }) => action)

/** A reader with an admin share that lacks some permissions. */
async function readerWithout(...missing: readonly string[]): Promise<TestAgent> {
  const agent = await world.agent({ permission_flags: Object.fromEntries(missing.map(name => [name, false])) })
  await scene.admit(agent)
  return agent
}

describe('list_board_events', () => {
  test('events of a deleted record keep its reference, which finds them', async () => {
    const remaining = await scene.ideation()
    const deleted = await scene.ideation()
    const { ref } = await world.ok('get_ideation', { ideation_id: deleted })
    await world.ok('delete_ideation', { ideation_id: deleted })
    const found = await list({ entity_id: ref.toLowerCase() })
    expect(actions(found)).toEqual(['ideation_created', 'ideation_deleted'])
    for (const event of found.events) expect(event).toMatchObject({ entity_id: deleted, ref })
    expect((await list({ entity_id: remaining })).events).toHaveLength(1)
    const other = await Scene.on(world)
    const elsewhere = await world.ok('list_board_events', { board_id: other.boardId, entity_id: ref })
    expect(elsewhere.events).toEqual([])
  })

  test('a place beyond the end counts as the end', async () => {
    expect(await list({ after: 999_999 })).toMatchObject({ events: [], last_sequence: 1, more: false })
  })

  describe('by time and backwards (board 6)', () => {
    interface Answer {
      events: { sequence: number; at: string }[]
      last_sequence: number
      more: boolean
    }
    const sequences = ({ events }: Answer) => events.map(({ sequence }) => sequence)

    beforeEach(async () => {
      for (const name of ['a', 'b', 'c', 'd']) await world.ok('update_board', { board_id, name })
    })

    test('newest first, page by page', async () => {
      expect(await list({ order: 'desc' })).toMatchObject({ last_sequence: 1, more: false })
      const first = await list({ order: 'desc', limit: 2 })
      expect([sequences(first), first.last_sequence, first.more]).toEqual([[5, 4], 4, true])
      const second = await list({ order: 'desc', limit: 2, before: first.last_sequence })
      expect([sequences(second), second.last_sequence, second.more]).toEqual([[3, 2], 2, true])
      const last = await list({ order: 'desc', limit: 2, before: second.last_sequence })
      expect([sequences(last), last.last_sequence, last.more]).toEqual([[1], 1, false])
      expect(await list({ order: 'desc', before: 1 })).toMatchObject({ events: [], more: false })
    })

    test('between two sequences', async () => {
      for (const order of ['asc', 'desc'])
        expect(sequences(await list({ order, after: 1, before: 4 })).toSorted()).toEqual([2, 3])
      expect(await list({ after: 1, before: 4, limit: 1 })).toMatchObject({ last_sequence: 2, more: true })
      expect(await list({ after: 1, before: 4 })).toMatchObject({ last_sequence: 3, more: false })
    })

    test('from a time on, and before one', async () => {
      const { events }: Answer = await list()
      for (const { at } of events) {
        const expected = (keeps: (time: string) => boolean) =>
          events.filter(event => keeps(event.at)).map(({ sequence }) => sequence)
        expect(sequences(await list({ since: at }))).toEqual(expected(time => time >= at))
        expect(sequences(await list({ until: at }))).toEqual(expected(time => time < at))
        expect(sequences(await list({ since: at, order: 'desc' }))).toEqual(expected(time => time >= at).toReversed())
      }
      expect(sequences(await list({ since: '2000-01-01' }))).toHaveLength(5)
      expect((await world.call('list_board_events', { board_id, since: 'yesterday' })).status).toBe(422)
    })

    test('does not wait backwards', async () => {
      expect(await list({ order: 'desc', before: 1, wait_ms: 25_000 })).toMatchObject({ events: [] })
    })
  })

  test('answers what happened, in order and without gaps', async () => {
    const ideation_id = await scene.ideation()
    await world.ok('update_ideation', { ideation_id, title: 'Better' })
    await world.ok('update_board', { board_id, name: 'Renamed' })
    const answer = await list()
    expect(actions(answer)).toEqual(['board_created', 'ideation_created', 'ideation_updated', 'board_updated'])
    expect(answer.events.map((event: { sequence: number }) => event.sequence)).toEqual([1, 2, 3, 4])
    expect(answer).toMatchObject({ last_sequence: 4, more: false })
    expect(answer.events[2]).toEqual({
      sequence: 3,
      id: expect.any(String),
      board_id,
      entity_type: 'ideation',
      entity_id: ideation_id,
      ref: (await world.ok('get_ideation', { ideation_id })).ref,
      action: 'ideation_updated',
      actor_id: world.owner.id,
      actor_name: expect.any(String),
      actor_type: 'person',
      actor_via: 'key',
      at: expect.any(String),
      version: 1,
      changes: [{ field: 'title', old: 'Idea', new: 'Better' }],
      details: { ideation_id, version: 1, fields: ['title'] },
    })
    expect(answer.events[3]).toMatchObject({
      version: null,
      changes: [{ field: 'name', old: 'Scene', new: 'Renamed' }],
      details: { fields: ['name'] },
    })
  })

  test('goes on after last_sequence; more is false once the last event is answered', async () => {
    await scene.ideation()
    await scene.ideation()
    const first = await list({ limit: 1 })
    expect([actions(first), first.last_sequence, first.more]).toEqual([['board_created'], 1, true])
    const rest = await list({ after: first.last_sequence, limit: 2 })
    expect([rest.events.length, rest.last_sequence, rest.more]).toEqual([2, 3, false])
    expect(await list({ after: 3 })).toEqual({ events: [], last_sequence: 3, more: false })
    expect(await list({ after: 99 })).toEqual({ events: [], last_sequence: 3, more: false })
  })

  test("filters by record, kind, actions and actor; last_sequence is the board's last", async () => {
    const ideation_id = await scene.ideation('review')
    await scene.ideation()
    expect(actions(await list({ entity_id: ideation_id }))).toEqual(['ideation_created', 'ideation_moved'])
    expect(await list({ entity_type: 'card' })).toEqual({ events: [], last_sequence: 4, more: false })
    expect(actions(await list({ action: 'board_created, ideation_moved,none' }))).toEqual([
      'board_created',
      'ideation_moved',
    ])
    const page = await list({ action: 'ideation_created', limit: 1 })
    expect([page.last_sequence, page.more]).toEqual([2, true])
    expect(await list({ actor_id: 'nobody' })).toMatchObject({ events: [], last_sequence: 4 })
    expect((await list({ actor_id: world.owner.id })).events).toHaveLength(4)
  })

  test('takes the reference of a record for its id, in any case (work 1)', async () => {
    const ideation_id = await scene.ideation('review')
    const { ref } = await world.ok('get_ideation', { ideation_id })
    const byId = await list({ entity_id: ideation_id })
    expect(byId.events).toHaveLength(2)
    expect(await list({ entity_id: ref.toLowerCase() })).toEqual(byId)
    expect(await world.ok('stream_board_events', { board_id, entity_id: ref })).toEqual(byId)
    const { value } = await new McpWire(world).tool('list_board_events', { board_id, entity_id: ref })
    expect(actions(value)).toEqual(actions(byId))
    for (const unknown of ['NONE-1', ref.replace(/\d+$/, '999')])
      expect((await list({ entity_id: unknown })).events).toEqual([])
  })

  test.each([{ limit: 0 }, { limit: 501 }, { after: -1 }, { wait_ms: 25_001 }, { entity_type: 'comment' }])(
    'refuses %o',
    async query => {
      expect((await world.call('list_board_events', { board_id, ...query })).status).toBe(422)
    },
  )

  test('an entry of a history alone has the action of the history', async () => {
    const refinement_id = await scene.refinement()
    const { ideation_id } = await world.ok('get_refinement', { refinement_id })
    await world.ok('archive_record', { board_id, entity_type: 'ideation', entity_id: ideation_id })
    expect((await list({ entity_id: refinement_id })).events.at(-1)).toMatchObject({
      action: 'archived',
      changes: [{ field: 'archived', old: false, new: true }],
      details: null,
    })
  })

  test('the events of a deleted record stay as they were', async () => {
    const ideation_id = await scene.ideation('review')
    const before = await list({ entity_id: ideation_id })
    await world.ok('delete_ideation', { ideation_id })
    const after = await list({ entity_id: ideation_id })
    expect(after.events.slice(0, -1)).toEqual(before.events)
    expect(after.events.at(-1)).toMatchObject({ action: 'ideation_deleted' })
  })

  test('leaves out kinds of record that the caller may not read', async () => {
    await scene.ideation()
    await scene.card()
    const all = await list()
    const reader = await readerWithout('IDEATIONS_READ')
    const visible = await list({}, reader)
    expect(actions(visible)).toContain('card_created')
    expect(visible.events.filter((event: { entity_type: string }) => event.entity_type === 'ideation')).toEqual([])
    expect(visible.last_sequence).toBeGreaterThan(all.last_sequence)
  })

  test('leaves out what a part says that the caller may not read', async () => {
    const card_id = await scene.card()
    await world.ok('create_comment', { card_id, content: 'a secret' })
    const ideation_id = await scene.ideation()
    await world.ok('ask_ideation_question', { ideation_id, question: 'a secret?' })
    const reader = await readerWithout('COMMENTS_READ', 'QA_READ')
    const visible = await list({}, reader)
    expect(JSON.stringify(visible)).not.toContain('a secret')
    expect(actions(visible)).toEqual(expect.arrayContaining(['comment_added', 'ideation_question_added']))
    expect(JSON.stringify(await list())).toContain('a secret')
  })

  test('cuts an answer whose contents are long', async () => {
    const text = 'x'.repeat(200_000)
    const texts = { description: text, problem_statement: text, proposed_approach: text }
    for (let count = 0; count < 4; count++) await world.ok('create_ideation', { board_id, title: 'Long', ...texts })
    const first = await list()
    expect([first.events.length, first.more, first.last_sequence]).toEqual([4, true, 4])
    const rest = await list({ after: 4 })
    expect([rest.events.length, rest.more, rest.last_sequence]).toEqual([1, false, 5])
  })

  test('waits for the first matching event', async () => {
    const { last_sequence: after } = await list()
    const waiting = list({ after, wait_ms: 20_000, entity_type: 'card' })
    await scene.ideation()
    const card = await scene.card()
    const answer = await waiting
    expect(answer.events).toMatchObject([{ action: 'card_created', entity_id: card }])
    expect((await list({ after: answer.last_sequence, wait_ms: 1 })).events).toEqual([])
  })

  test('the oldest waiting call of an agent is answered when it has one more than 32', async () => {
    const agent = await readerWithout()
    const { last_sequence: after } = await list()
    const query = { after, wait_ms: 25_000 }
    const oldest = list(query, agent)
    const others = Array.from({ length: 32 }, () => list(query, agent))
    expect(await Promise.race([oldest, ...others])).toEqual({ events: [], last_sequence: after, more: false })
    await scene.ideation()
    await Promise.all(others)
  })

  test('a waiting call tells nothing after its caller lost the board', async () => {
    const agent = await readerWithout()
    const { last_sequence: after } = await list({}, agent)
    const waiting = world.call('list_board_events', { board_id, after, wait_ms: 20_000 }, { as: agent })
    const [share] = await world.ok('list_board_shares', { board_id })
    await world.ok('delete_board_share', { board_id, share_id: share.id })
    expect((await waiting).status).toBe(404)
  })

  test('is a tool, whose next call goes on where its answer was cut', async () => {
    const labels = Array.from({ length: 400 }, (_, index) => `${index} ${'x'.repeat(50)}`)
    for (let count = 0; count < 4; count++) {
      const ideation_id = await scene.ideation()
      await world.ok('update_ideation', { ideation_id, labels })
    }
    const tools = new McpWire(world)
    const { value } = await tools.tool('list_board_events', { board_id })
    expect(value).toMatchObject({ truncated: true, more: true, last_sequence: value.events.at(-1).sequence })
    const rest = await tools.tool('list_board_events', { board_id, after: value.last_sequence })
    expect(rest.value.events[0].sequence).toBe(value.last_sequence + 1)
  })
})

describe('stream_board_events', () => {
  const open = ({ query = '', ...options }: StreamOptions & { query?: string } = {}) =>
    EventStream.open(world, `/api/v1/boards/${board_id}/events/stream${query}`, options)

  test('begins with what comes from now on', async () => {
    await scene.ideation()
    const stream = await open()
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const ideation = await scene.ideation()
    const { id, event, data } = (await stream.next())!
    expect([id, event, data.sequence]).toEqual(['3', 'board.event', 3])
    expect(data).toEqual((await list({ entity_id: ideation })).events[0])
    stream.close()
  })

  test.each<StreamOptions & { query?: string }>([
    { query: '?after=1' },
    { headers: { 'last-event-id': '1' } },
    { query: '?after=0', headers: { 'last-event-id': '1' } },
    { query: '?after=1', headers: { 'last-event-id': 'x' } },
    { query: '?after=0&action=ideation_created,ideation_moved' },
  ])('resumes without a gap: %o', async options => {
    await scene.ideation('review')
    const stream = await open(options)
    await scene.ideation()
    const ids = [await stream.next(), await stream.next(), await stream.next()].map(message => message?.id)
    expect(ids).toEqual(['2', '3', '4'])
    stream.close()
  })

  test('tells a reader whose place the log does not have, and goes on from the end', async () => {
    await scene.ideation()
    const stream = await open({ headers: { 'last-event-id': '999999' } })
    await scene.ideation()
    const [reset, event] = [await stream.next(), await stream.next()]
    expect(reset).toMatchObject({ id: '2', event: 'board.reset', data: { board_id, last_sequence: 2 } })
    expect(event).toMatchObject({ id: '3', event: 'board.event' })
    stream.close()
  })

  test("ends before what follows a change of its reader's rights", async () => {
    const agent = await readerWithout()
    const stream = await open({ as: agent })
    await world.ok('update_agent', { agent_id: agent.id, permission_flags: { IDEATIONS_READ: false } })
    await scene.ideation()
    expect(await stream.next()).toBeNull()
  })

  test('ends when the board is deleted', async () => {
    const stream = await open()
    await world.ok('delete_board', { board_id })
    while ((await stream.next()) !== null);
  })

  test('counts with the streams of the graph, and a request for its head takes no place (trust 1)', async () => {
    const agent = await readerWithout()
    const headers = { authorization: `Bearer ${agent.key}` }
    const url = `${world.running.url}/api/v1/boards/${board_id}/events/stream`
    const oldest = await open({ as: agent })
    for (let count = 0; count < 40; count++) await fetch(url, { method: 'HEAD', headers })
    await scene.ideation()
    expect(await oldest.next()).not.toBeNull()
    const others = await Promise.all(
      Array.from({ length: 32 }, () => EventStream.open(world, `/api/v1/kg/boards/${board_id}/events`, { as: agent })),
    )
    while ((await oldest.next()) !== null);
    for (const stream of others) stream.close()
  })

  test('answers as list_board_events to whoever accepts JSON', async () => {
    await scene.ideation()
    expect(await world.ok('stream_board_events', { board_id })).toEqual(await list())
    expect(await world.ok('stream_board_events', { board_id, after: 1, limit: 5 })).toEqual(await list({ after: 1 }))
  })
})
