import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

interface Message {
  readonly id: string | undefined
  readonly event: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: data of all events
  readonly data: any
  readonly retry: string | undefined
}

const fieldOf = (block: string, name: string): string | undefined =>
  block
    .split('\n')
    .find(line => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)

/** An open stream that is read message by message. */
class Stream {
  readonly response: Response
  readonly #abort: AbortController
  readonly #reader: ReadableStreamDefaultReader<string>
  #text = ''

  private constructor(response: Response, abort: AbortController) {
    this.response = response
    this.#abort = abort
    this.#reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  }

  static async open({
    query = '',
    headers = {},
    as = world.owner,
  }: {
    query?: string
    headers?: Record<string, string>
    as?: TestAgent
  } = {}) {
    const abort = new AbortController()
    const response = await fetch(`${world.running.url}/api/v1/kg/boards/${board_id}/events${query}`, {
      headers: { authorization: `Bearer ${as.key}`, accept: 'text/event-stream', ...headers },
      signal: abort.signal,
    })
    return new Stream(response, abort)
  }

  /** The next message; null at the end. */
  async next(): Promise<Message | null> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end !== -1) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        const data = fieldOf(block, 'data')
        if (data === undefined) continue
        return {
          id: fieldOf(block, 'id'),
          event: fieldOf(block, 'event'),
          data: JSON.parse(data),
          retry: fieldOf(block, 'retry'),
        }
      }
      const { done, value } = await this.#reader.read()
      if (done) return null
      this.#text += value
    }
  }

  /** The next message of the given event. */
  async nextOf(event: string): Promise<Message> {
    for (;;) {
      const message = await this.next()
      if (message === null) throw new Error(`The stream ended before ${event}.`)
      if (message.event === event) return message
    }
  }

  close(): void {
    this.#abort.abort()
  }
}

const committed = 'consolidation_committed'

describe('stream_kg_events', () => {
  test('greets, reports the queue, then each commit', async () => {
    const stream = await Stream.open()
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
    const ids = async (options: Parameters<typeof Stream.open>[0]) => {
      const stream = await Stream.open(options)
      await stream.nextOf('kg.queue.progress')
      const title = await scene.ideation()
      const seen: number[] = []
      for (;;) {
        const { data } = await stream.nextOf(committed)
        seen.push(data.id)
        if (data.payload.artifact_id === title) break
      }
      stream.close()
      return seen
    }
    const since = await ids({ query: `?since=${first.id}` })
    expect(since[0]).toBe(second.id)
    const header = await ids({ query: '?since=0', headers: { 'last-event-id': String(second.id) } })
    expect(header[0]).toBe(since.at(-1))
    const unusable = await ids({ query: `?since=${first.id}`, headers: { 'last-event-id': 'x' } })
    expect(unusable[0]).toBe(second.id)
    const time = await ids({ query: `?since=${encodeURIComponent(first.created_at)}` })
    expect(time[0]).toBe(first.id)
    for (const seen of [since, header, unusable, time]) expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  test.each(['yesterday', '2020-02-30', '2020-01-01 10:00', '1.5', '-1'])('refuses since %s', async since => {
    const { status, body } = await world.call('stream_kg_events', { board_id, since })
    expect([status, body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('ends when the board is deleted', async () => {
    const stream = await Stream.open()
    await stream.nextOf('kg.queue.progress')
    await scene.ideation()
    await stream.nextOf(committed)
    await world.ok('delete_board', { board_id })
    while ((await stream.next()) !== null);
  })

  test('an agent may have at most 20 of them', async () => {
    const agent = await world.agent()
    await scene.admit(agent)
    const open = await Promise.all(Array.from({ length: 20 }, () => Stream.open({ as: agent })))
    const refused = await Stream.open({ as: agent })
    expect(refused.response.status).toBe(429)
    for (const stream of open) stream.close()
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
