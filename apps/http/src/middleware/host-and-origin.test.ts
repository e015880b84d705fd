import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import type { HttpEnv } from '../http-env.ts'
import { type HostRule, hostAndOrigin } from './host-and-origin.ts'

/** The answer of a server with this rule: 'allowed', or the message of the refusal. */
async function answerTo(rule: HostRule, headers: Record<string, string>, path = '/'): Promise<string> {
  const app = new Hono<HttpEnv>()
    .use(hostAndOrigin(rule))
    .get(path, c => c.text('allowed'))
    .onError((error, c) => c.text(error.message))
  return (await app.request(path, { headers })).text()
}

const local = { local: true, allowed: [] }
const open = { local: false, allowed: [] }
const named = { local: false, allowed: ['Board.example:8100'] }

describe('allows', () => {
  test.each<[HostRule, Record<string, string>]>([
    [local, { host: 'localhost:8100' }],
    [local, { host: 'LOCALHOST' }],
    [local, { host: '127.0.0.1' }],
    [local, { host: '[::1]:1' }],
    [local, { host: 'localhost', origin: 'http://localhost:3000' }],
    [{ local: true, allowed: ['board.example'] }, { host: 'board.example' }],
    [named, { host: 'board.example', origin: 'https://board.example' }],
    [open, { host: 'any.example', origin: 'https://page.example' }],
    [open, {}],
  ])('under %j: %j', async (rule, headers) => {
    expect(await answerTo(rule, headers)).toBe('allowed')
  })
})

describe('refuses', () => {
  test.each<[HostRule, Record<string, string>, string]>([
    [local, { host: 'rebound.example' }, 'Host "rebound.example"'],
    [local, { host: 'localhost.example' }, 'Host "localhost.example"'],
    [local, {}, 'Host ""'],
    [local, { host: 'localhost', origin: 'https://page.example' }, 'Origin "https://page.example"'],
    [local, { host: 'localhost', origin: 'null' }, 'Origin "null"'],
    [named, { host: 'localhost' }, 'Host "localhost"'],
    [named, { host: 'board.example', origin: 'http://localhost' }, 'Origin "http://localhost"'],
  ])('under %j: %j', async (rule, headers, subject) => {
    expect(await answerTo(rule, headers)).toBe(
      `${subject} is not allowed here. Name the host in SPECBOARD_ALLOWED_HOSTS to allow it.`,
    )
  })
})

describe('the health', () => {
  const probe = { host: 'node-1:8100' }

  test('may be asked for under any name, unless the server is bound to loopback', async () => {
    expect(await answerTo(named, probe, '/health')).toBe('allowed')
    expect(await answerTo(named, {}, '/health')).toBe('allowed')
    expect(await answerTo(named, probe, '/ready')).toBe('allowed')
    expect(await answerTo(local, probe, '/health')).toMatch(/^Host "node-1" is not allowed/)
  })

  test('is not told to foreign pages', async () => {
    const headers = { ...probe, origin: 'https://page.example' }
    expect(await answerTo(named, headers, '/health')).toMatch(/^Origin .* is not allowed/)
  })
})
