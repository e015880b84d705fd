import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EventStream, type StreamOptions } from './support/event-stream.ts'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string

beforeAll(async () => {
  world = await World.start(graphAtWork)
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
  board_id = scene.boardId
})

/** An open stream of the graph's events. */
const open = ({ query = '', ...options }: Partial<StreamOptions> & { query?: string } = {}) =>
  EventStream.open(world, `/api/v1/kg/boards/${board_id}/events${query}`, options)

const committed = 'consolidation_committed'

describe('stream_kg_events', () => {
  test('greets, reports the queue, then each commit', async () => {
    const stream = await open()
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.response.headers.get('cache-control')).toBe('no-cache')
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no')
    const hello = await stream.next()
    expect(hello).toEqual({ id: undefined, event: 'hello', data: { board_id, last_event_id: 0 }, retry: '2000' })
    expect(await stream.next()).toMatchObject({
      id: undefined,
      event: 'kg.queue.progress',
      data: {
        event_type: 'kg.queue.progress',
        payload: { pending: 0, claimed: 0, done: 0, failed: 0, paused: 0, total: 0, processed: 0 },
      },
    })
    const ideation = await scene.ideation()
    const event = await stream.nextOf(committed)
    expect(event.data).toMatchObject({
      id: Number(event.id),
      event_type: committed,
      board_id,
      payload: { artifact_type: 'ideation', artifact_id: ideation, nodes_added: 1, edges_added: 0 },
    })
    expect(event.data.session_id).toBe(event.data.payload.session_id)
    expect(event.data.payload.content_hash).toMatch(/^[0-9a-f]{64}$/)
    stream.close()
  })

  test('replays what followed an id, a time or the last event seen, in order and once, then continues', async () => {
    await scene.ideation()
    await scene.ideation()
    await scene.consolidated()
    const { events } = await world.ok('stream_kg_events', { board_id, since: '0' })
    expect(events).toHaveLength(2)
    const [first, second] = events
    const ids = async (options: Parameters<typeof open>[0]) => {
      const stream = await open(options)
      await stream.nextOf('kg.queue.progress')
      const title = await scene.ideation()
      const eventIds: number[] = []
      for (;;) {
        const { data } = await stream.nextOf(committed)
        eventIds.push(data.id)
        if (data.payload.artifact_id === title) break
      }
      stream.close()
      return eventIds
    }
    const since = await ids({ query: `?since=${first.id}` })
    expect(since[0]).toBe(second.id)
    const header = await ids({ query: '?since=0', headers: { 'last-event-id': String(second.id) } })
    expect(header[0]).toBe(since.at(-1))
    const unusable = await ids({ query: `?since=${first.id}`, headers: { 'last-event-id': 'x' } })
    expect(unusable[0]).toBe(second.id)
    const time = await ids({ query: `?since=${encodeURIComponent(first.created_at)}` })
    expect(time[0]).toBe(first.id)
    for (const sequence of [since, header, unusable, time]) expect(sequence).toEqual(sequence.toSorted((a, b) => a - b))
  })

  test.each(['yesterday', '2020-02-30', '2020-01-01 10:00', '1.5', '-1'])('refuses since %s', async since => {
    const { status, body } = await world.call('stream_kg_events', { board_id, since })
    expect([status, body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('ends when the board is deleted', async () => {
    const stream = await open()
    await stream.nextOf('kg.queue.progress')
    await scene.ideation()
    await stream.nextOf(committed)
    await world.ok('delete_board', { board_id })
    while ((await stream.next()) !== null);
  })

  test('the oldest of an agent ends when it opens one more than 32 (trust 1)', async () => {
    const agent = await world.agent()
    await scene.admit(agent)
    const oldest = await open({ as: agent })
    await oldest.nextOf('kg.queue.progress')
    const others = await Promise.all(Array.from({ length: 32 }, () => open({ as: agent })))
    for (const stream of others) await stream.nextOf('hello')
    while ((await oldest.next()) !== null);
    for (const stream of others) stream.close()
  })
})

describe('as one answer', () => {
  test('answers what there is, and waits for the first event on request', async () => {
    const now = await world.ok('stream_kg_events', { board_id })
    expect(now).toMatchObject({ events: [], last_event_id: 0, progress: { event_type: 'kg.queue.progress' } })
    expect(now.progress.event_id).toMatch(/^progress:[0-9a-f]+$/)
    const waiting = world.ok('stream_kg_events', { board_id, since: '0', wait_ms: 20_000 })
    await scene.ideation()
    const { events, last_event_id } = await waiting
    expect(events).toMatchObject([{ event_type: committed }])
    expect(last_event_id).toBe(events[0].id)
    expect((await world.call('stream_kg_events', { board_id, wait_ms: 25_001 })).status).toBe(422)
  })

  test('a tool continues after the event number that it was given', async () => {
    await scene.ideation()
    await scene.consolidated()
    const tools = new McpWire(world)
    const first = await tools.tool('stream_kg_events', { board_id, since: 0 })
    const last = first.value.last_event_id
    expect(last).toBe(first.value.events[0].id)
    expect((await tools.tool('stream_kg_events', { board_id, since: last })).value).toMatchObject({
      last_event_id: last,
    })
    expect((await tools.tool('stream_kg_events', { board_id, since: -1 })).value).toMatchObject({ status: 400 })
  })
})
