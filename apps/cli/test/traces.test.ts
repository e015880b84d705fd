import { afterAll, beforeAll, expect, test } from 'vitest'
import { HttpSink } from './support/http-sink.ts'
import { World } from './support/world.ts'

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly Attribute[]
}

let collector: HttpSink

beforeAll(async () => {
  collector = await HttpSink.start()
})

afterAll(() => collector.stop())

/** Runs something with a traced service, then stops the service, which sends the spans that are still held back. */
async function traced(run: (world: World) => Promise<void>): Promise<void> {
  const world = await World.start({ tracesUrl: `${collector.url}/v1/traces` })
  try {
    await run(world)
  } finally {
    await world.stop()
  }
}

const allSpans = (): Span[] =>
  collector.requests
    .flatMap(({ json }) => json.resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)

/** The spans that came of a trace. */
const spansOf = (trace: string): Span[] => allSpans().filter(({ traceId }) => traceId === trace)

const spanNames = (): string[] => allSpans().map(({ name }) => name)

const attributeOf = ({ attributes }: Span, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

const traceparent = (trace: string, isSampled = true) => `00-${trace}-${'b'.repeat(16)}-${isSampled ? '01' : '00'}`

test("a request is a part of its caller's trace, and the operation a part of the request (access 13)", async () => {
  const trace = 'a'.repeat(32)
  let asker: string | undefined
  let requestId: string | null = null
  await traced(async ({ running, owner }) => {
    const response = await fetch(`${running.url}/api/v1/boards/none?key=secret`, {
      headers: { authorization: `Bearer ${owner.key}`, traceparent: traceparent(trace) },
    })
    expect(response.status).toBe(404)
    asker = owner.id
    requestId = response.headers.get('x-request-id')
  })
  const spans = spansOf(trace)
  expect(spans).toHaveLength(2)
  const request = spans.find(({ parentSpanId }) => parentSpanId === 'b'.repeat(16))!
  const call = spans.find(({ parentSpanId }) => parentSpanId === request.spanId)!
  expect([request.name, call.name]).toEqual(['GET /api/v1/boards/:board_id', 'get_board'])
  expect(attributeOf(request, 'http.response.status_code')).toBe(404)
  expect(attributeOf(request, 'url.path')).toBe('/api/v1/boards/none')
  expect(attributeOf(request, 'specboard.agent_id')).toBe(asker)
  expect(attributeOf(request, 'specboard.request_id')).toBe(requestId)
  expect(attributeOf(call, 'specboard.door')).toBe('http')
  const [{ resource }] = collector.requests[0]!.json.resourceSpans
  expect(attributeOf(resource, 'service.name')).toBe('specboard')
})

test('what the trace of a caller leaves out, and what monitors ask, is not sent', async () => {
  const [unsentId, sentId] = ['c'.repeat(32), 'd'.repeat(32)]
  let key = ''
  await traced(async ({ running, owner }) => {
    key = owner.key
    const authorization = `Bearer ${key}`
    const get = (path: string, headers: Readonly<Record<string, string>>) => fetch(`${running.url}${path}`, { headers })
    await get('/api/v1/boards', { authorization, traceparent: traceparent(unsentId, false) })
    await get('/health', { traceparent: traceparent(unsentId) })
    await get('/api/v1/boards', { authorization, traceparent: traceparent(sentId) })
  })
  expect(spansOf(sentId)).toHaveLength(2)
  expect(spansOf(unsentId)).toEqual([])
  expect(spanNames()).not.toContain('get_health')
  expect(JSON.stringify(collector.requests.map(({ json }) => json))).not.toContain(key)
})

test('a collector that does not answer keeps no stop waiting', async () => {
  const silent = await HttpSink.start()
  silent.answer = () => new Promise(() => {})
  try {
    const traced = await World.start({ tracesUrl: `${silent.url}/v1/traces` })
    await traced.ok('list_boards')
    await traced.stop()
  } finally {
    await silent.stop()
  }
})
