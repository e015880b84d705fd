import { Writable } from 'node:stream'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import type { HttpEnv } from '../http-env.ts'
import { requestId } from './request-id.ts'
import { requestLog } from './request-log.ts'

/** An application that logs into lines. */
function logging(all: boolean) {
  const lines: string[] = []
  const log = pino(
    new Writable({
      write(line, _encoding, written) {
        lines.push(String(line))
        written()
      },
    }),
  )
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const app = new Hono<HttpEnv>()
    .use(requestLog(log, { all }), requestId)
    .get('/known', c => {
      c.set('agentId', 'agent')
      return c.text('text')
    })
    .get('/slow', c => {
      now += 1_001
      return c.text('text')
    })
    .get('/faulty', () => {
      throw new Error('fault')
    })
    .get('/reported', c => {
      c.set('isReported', true)
      return c.text('', 500)
    })
    .get('/ready', c => c.text('', 503))
    .onError((_, c) => c.text('', 500))
  const headers = { 'x-request-id': 'my.id', authorization: 'Bearer dash_secret', 'user-agent': 'curl/8' }
  return {
    lines,
    entries: () => lines.map(line => JSON.parse(line)),
    ask: (method: string, path: string) => app.request(path, { method, headers }),
  }
}

afterEach(() => vi.restoreAllMocks())

test('logs each request whatever its answer where that is asked for, and never a key', async () => {
  const { ask, entries, lines } = logging(true)
  await ask('GET', '/known?api_key=dash_secret')
  await ask('HEAD', '/faulty')
  await ask('POST', '/nothing')
  const request = { request_id: 'my.id', user_agent: 'curl/8', address: '' }
  expect(entries()).toMatchObject([
    { ...request, level: 30, agent: 'agent', method: 'GET', path: '/known', status: 200, ms: expect.any(Number) },
    { ...request, level: 50, method: 'HEAD', path: '/faulty', status: 500 },
    { ...request, level: 30, method: 'POST', path: '/nothing', status: 404 },
  ])
  expect(lines.join('')).not.toContain('dash_')
})

test('logs only what fails or is slow unless every request is asked for', async () => {
  const { ask, entries } = logging(false)
  for (const path of ['/known', '/nothing', '/slow', '/slow?wait_ms=2000', '/faulty', '/reported', '/ready'])
    await ask('GET', path)
  expect(entries()).toMatchObject([
    { level: 30, path: '/slow', ms: 1_001, msg: 'slow' },
    { level: 50, path: '/faulty', status: 500, msg: 'failed' },
  ])
})
