import { Writable } from 'node:stream'
import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { HttpEnv } from '../http-env.ts'
import { requestId } from './request-id.ts'
import { requestLog } from './request-log.ts'

test('logs one line per request, whatever the answer, and never a key', async () => {
  const lines: string[] = []
  const log = pino(
    new Writable({
      write(line, _encoding, written) {
        lines.push(String(line))
        written()
      },
    }),
  )
  const app = new Hono<HttpEnv>()
    .use(requestLog(log), requestId)
    .get('/known', c => {
      c.set('agentId', 'agent')
      return c.text('text')
    })
    .get('/faulty', () => {
      throw new Error('fault')
    })
    .onError((_, c) => c.text('', 500))
  const headers = { 'x-request-id': 'my.id', authorization: 'Bearer dash_secret' }
  for (const [method, path] of [
    ['GET', '/known?api_key=dash_secret'],
    ['HEAD', '/faulty'],
    ['POST', '/nothing'],
  ] as const)
    await app.request(path, { method, headers })
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { request_id: 'my.id', agent: 'agent', method: 'GET', path: '/known', status: 200, ms: expect.any(Number) },
    { request_id: 'my.id', method: 'HEAD', path: '/faulty', status: 500 },
    { request_id: 'my.id', method: 'POST', path: '/nothing', status: 404 },
  ])
  expect(lines.join('')).not.toContain('dash_')
})
