import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import type { HttpEnv } from '../http-env.ts'
import { type HostRule, hostAndOrigin } from './host-and-origin.ts'

/** What a server with this rule answers to these headers: 'taken', or the message of the refusal. */
async function answerTo(rule: HostRule, headers: Record<string, string>): Promise<string> {
  const app = new Hono<HttpEnv>()
    .use(hostAndOrigin(rule))
    .get('/', c => c.text('taken'))
    .onError((error, c) => c.text(error.message))
  return (await app.request('/', { headers })).text()
}

const local = { local: true, allowed: [] }
const open = { local: false, allowed: [] }
const named = { local: false, allowed: ['Board.example:8100'] }

describe('accepts', () => {
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
    expect(await answerTo(rule, headers)).toBe('taken')
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
  ])('under %j: %j', async (rule, headers, said) => {
    expect(await answerTo(rule, headers)).toBe(
      `${said} is not allowed here. Name the host in SPECBOARD_ALLOWED_HOSTS to allow it.`,
    )
  })
})
