import type { JSONRPCRequest } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { Unreachable, Upstream } from './upstream.ts'

interface Seen {
  readonly method: string
  readonly session: string | null
}

/** An upstream over a service that opens a session for each handshake and remembers only the latest one. */
function upstream({ reachable = true } = {}) {
  const seen: Seen[] = []
  const service = { reachable, sessions: 0 }
  const send = async (request: Request): Promise<Response> => {
    const { id, method } = (await request.json()) as { id: number; method: string }
    const session = request.headers.get('mcp-session-id')
    seen.push({ method, session })
    if (!service.reachable) throw new Error('refused')
    if (method === 'initialize') {
      const headers = { 'mcp-session-id': `s${++service.sessions}` }
      return Response.json({ jsonrpc: '2.0', id, result: {} }, { headers })
    }
    if (session !== null && session !== `s${service.sessions}`) return Response.json({ error: {} }, { status: 404 })
    return Response.json({ jsonrpc: '2.0', id, result: {} })
  }
  const end = new AbortController()
  const forwarding = new Upstream({ send, url: 'http://service.test', key: 'dash_key', view: {} }, end.signal)
  const ask = async (method: string): Promise<unknown> => {
    const message: JSONRPCRequest = { jsonrpc: '2.0', id: 1, method, params: {} }
    let answer: unknown
    await forwarding.request(
      message,
      received => {
        answer = received
      },
      end.signal,
    )
    return answer
  }
  return { forwarding, ask, seen, service }
}

const sessionsOf = (requests: readonly Seen[], method: string) =>
  requests.filter(message => message.method === method).map(message => message.session)

test('what comes after a handshake waits for its session', async () => {
  const { forwarding, ask, seen } = upstream()
  await Promise.all([
    ask('initialize'),
    forwarding.notify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    ask('ping'),
    ask('ping'),
  ])
  expect(sessionsOf(seen, 'initialize')).toEqual([null])
  expect(sessionsOf(seen, 'notifications/initialized')).toEqual(['s1'])
  expect(sessionsOf(seen, 'ping')).toEqual(['s1', 's1'])
})

test('a client without handshake needs no session', async () => {
  const { ask, seen } = upstream()
  await ask('ping')
  expect(seen).toEqual([{ method: 'ping', session: null }])
})

test('calls that find their session lost share one new handshake', async () => {
  const { ask, seen, service } = upstream()
  await ask('initialize')
  service.sessions = 7
  const answers = await Promise.all([ask('ping'), ask('ping'), ask('ping')])
  expect(answers).toMatchObject([{ result: {} }, { result: {} }, { result: {} }])
  expect(sessionsOf(seen, 'initialize').length).toBe(2)
})

test('a handshake that reached no service is repeated once there is one', async () => {
  const { ask, seen, service } = upstream({ reachable: false })
  await expect(ask('initialize')).rejects.toThrow(Unreachable)
  await expect(Promise.all([ask('ping'), ask('ping')])).rejects.toThrow(Unreachable)
  service.reachable = true
  expect(await ask('ping')).toMatchObject({ result: {} })
  expect(sessionsOf(seen, 'ping')).toEqual(['s1'])
})
