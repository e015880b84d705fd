import { EventEmitter, once } from 'node:events'
import { PassThrough, Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serveMcpStdio } from './serve-stdio.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

interface Sent {
  readonly id: number
  readonly method: string
  readonly signal: AbortSignal
  readonly answer: (response: Response) => void
}

/** A run of the server against a service that answers when the test says so. */
class Run {
  readonly sent: Sent[] = []
  readonly log: string[] = []
  readonly shutdown = new AbortController()
  readonly answered: Promise<boolean>
  readonly #coming = new EventEmitter()
  written = ''

  constructor(input: Readable, output?: Writable) {
    const keeping = new Writable({
      write: (chunk, _encoding, done) => {
        this.written += chunk
        done()
      },
    })
    this.answered = serveMcpStdio({
      send: request => this.#take(request),
      url: 'http://service.test',
      key: 'dash_key',
      view: {},
      allowedFolders: [],
      version: '1.0.0',
      input,
      output: output ?? keeping,
      log: line => this.log.push(line),
      signal: this.shutdown.signal,
    })
  }

  async #take(request: Request): Promise<Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const { id, method } = (await request.json()) as { id: number; method: string }
    request.signal.addEventListener('abort', () => reject(request.signal.reason), { once: true })
    this.sent.push({ id, method, signal: request.signal, answer: resolve })
    this.#coming.emit('request')
    return promise
  }

  /** Waits until a number of requests have arrived. */
  async requests(count: number): Promise<void> {
    while (this.sent.length < count) await once(this.#coming, 'request')
  }

  get ids(): unknown[] {
    return this.written
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line).id)
  }
}

const line = (id: number | string, method = 'ping') => `${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`

const result = (id: number) => Response.json({ jsonrpc: '2.0', id, result: {} })

/** The input of a client that writes all it has and closes its end. */
const piped = (...lines: readonly string[]): Readable => Readable.from([Buffer.from(lines.join(''))])

test('an answer that takes as long as the longest call is given', async () => {
  const run = new Run(piped(line(1), line(2)))
  await run.requests(2)
  await vi.advanceTimersByTimeAsync(60_000)
  run.sent[0]!.answer(result(1))
  await vi.advanceTimersByTimeAsync(60_000)
  run.sent[1]!.answer(result(2))
  expect(await run.answered).toBe(true)
  expect(run.ids).toEqual([1, 2])
  expect(run.log).toEqual([])
})

test('when no answer comes for 90 seconds, each request that is left is named', async () => {
  const run = new Run(piped(line(1), line('two', 'tools/list'), line(3)))
  await run.requests(3)
  run.sent[2]!.answer(result(3))
  await vi.advanceTimersByTimeAsync(90_000)
  expect(await run.answered).toBe(false)
  expect(run.ids).toEqual([3])
  expect(run.log).toEqual([
    'specboard mcp: dropped ping (id 1): no answer came for 90 s',
    'specboard mcp: dropped tools/list (id "two"): no answer came for 90 s',
  ])
  expect(run.sent[0]!.signal.aborted).toBe(true)
})

test('a stream has no answer of its own and ends with the input', async () => {
  const run = new Run(piped(line(1, 'subscriptions/listen'), line(2)))
  await run.requests(2)
  run.sent[1]!.answer(result(2))
  expect(await run.answered).toBe(true)
  expect(run.sent[0]!.signal.aborted).toBe(true)
})

test('a cancelled request is owed no answer', async () => {
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const run = new Run(piped(line(1), `${JSON.stringify(cancelled)}\n`))
  expect(await run.answered).toBe(true)
  expect(run.written).toBe('')
})

test('a request that the service ends without an answer is answered with an error', async () => {
  const run = new Run(piped(line(1), line(2)))
  await run.requests(2)
  run.sent[0]!.answer(new Response('', { headers: { 'content-type': 'text/event-stream' } }))
  run.sent[1]!.answer(new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }))
  expect(await run.answered).toBe(true)
  expect(run.ids.toSorted()).toEqual([1, 2])
  expect(run.written).toContain('The service ended the call without an answer.')
})

test('two requests with one id are both answered', async () => {
  const run = new Run(piped(line(1), line(1)))
  await run.requests(2)
  for (const { answer } of run.sent) answer(result(1))
  expect(await run.answered).toBe(true)
  expect(run.ids).toEqual([1, 1])
})

test('a line that is not a message is refused before the end', async () => {
  const run = new Run(piped('{'))
  expect(await run.answered).toBe(true)
  expect(JSON.parse(run.written).error.code).toBe(-32700)
})

test('waits for a reader that takes its answers late', async () => {
  const writing = Promise.withResolvers<() => void>()
  const slow = new Writable({ write: (_chunk, _encoding, done) => writing.resolve(done) })
  const run = new Run(piped(line(1)), slow)
  const ended = vi.fn()
  void run.answered.then(ended)
  await run.requests(1)
  run.sent[0]!.answer(result(1))
  const take = await writing.promise
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ended).not.toHaveBeenCalled()
  take()
  expect(await run.answered).toBe(true)
})

test('told to end, it does not wait and names what is left', async () => {
  const input = new PassThrough()
  const run = new Run(input)
  input.write(line(1))
  await run.requests(1)
  run.shutdown.abort()
  expect(await run.answered).toBe(false)
  expect(run.log).toEqual(['specboard mcp: dropped ping (id 1): interrupted'])
})

test.each([
  ['EPIPE', true, []],
  ['EIO', false, ['specboard mcp: cannot write', 'specboard mcp: dropped ping (id 1): the output failed']],
])('output that fails with %s ends it', async (code, answered, log) => {
  const input = new PassThrough()
  const failing = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('cannot write'), { code })),
  })
  const run = new Run(input, failing)
  input.write(line(1))
  await run.requests(1)
  run.sent[0]!.answer(result(1))
  expect(await run.answered).toBe(answered)
  expect(run.log).toEqual(log)
})

test('input that fails is said', async () => {
  const input = new PassThrough()
  const run = new Run(input)
  input.destroy(new Error('read EIO'))
  expect(await run.answered).toBe(false)
  expect(run.log).toEqual(['specboard mcp: the input failed: read EIO'])
})
