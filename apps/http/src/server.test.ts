import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { OpenAPIHono } from '@hono/zod-openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpEnv } from './http-env.ts'
import { listen, type RunningServer } from './server.ts'

const app = new OpenAPIHono<HttpEnv>()
app.get('/path', c => c.json({ url: c.req.url }))

let server: RunningServer

beforeAll(async () => {
  server = await listen('127.0.0.1', 0)
  server.answerWith(app)
})

afterAll(() => server.stop())

/** Sends the head of a request and returns the status, head and body of the answer. */
async function answerTo(line: string, ...headers: readonly string[]) {
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`${[line, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body }
}

test('accepts a whole URL as target, and HTTP/1.0 without Host', async () => {
  expect((await answerTo('GET http://a.example/path HTTP/1.1', 'Host: a.example')).body).toBe(
    '{"url":"http://a.example/path"}',
  )
  expect((await answerTo('GET /path HTTP/1.0')).body).toBe('{"url":"http://127.0.0.1/path"}')
})

describe('a request that does not reach the application', () => {
  test.each([
    ['OPTIONS * HTTP/1.1', 'Host: localhost'],
    ['GET /a\\b HTTP/1.1', 'Host: localhost'],
    ['GET http://[bad/x HTTP/1.1', 'Host: localhost'],
    ['GET /path HTTP/1.1', 'Host: a b'],
    ['GET /path HTTP/1.1', 'Host: user@localhost'],
  ])('%s with %s is refused with the usual error body', async (line, host) => {
    const { status, head, body } = await answerTo(line, host)
    expect([status, JSON.parse(body).detail.error]).toStrictEqual([400, 'VALIDATION_ERROR'])
    expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/)
    expect(head).toContain('x-content-type-options: nosniff')
    expect(head).toContain('content-type: application/json')
  })
})

test('rejects if the port is in use', async () => {
  await expect(listen('127.0.0.1', server.port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('a request that comes before the application waits for it', async () => {
  const early = await listen('127.0.0.1', 0)
  const socket = connect(early.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /path HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n')
  early.answerWith(app)
  expect(await text(socket)).toContain('{"url":"http://a.example/path"}')
  await early.stop()
})

test('stop waits for accepted requests', async () => {
  const [accepted, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = new OpenAPIHono<HttpEnv>()
  slow.get('/', async c => {
    accepted.resolve()
    await answered.promise
    return c.text('late')
  })
  const stopping = await listen('127.0.0.1', 0)
  stopping.answerWith(slow)
  const socket = connect(stopping.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const first = once(socket, 'data')
  await accepted.promise
  const stopped = stopping.stop()
  answered.resolve()
  expect(String((await first)[0])).toContain('late')
  await stopped
})
