import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { answer } from '../answers.ts'
import type { HttpEnv } from '../http-env.ts'
import { addAnswerHeaders } from './answer-headers.ts'
import { requestId } from './request-id.ts'

const policy = "default-src 'none'; sandbox"

const app = new Hono<HttpEnv>()
  .use(requestId, addAnswerHeaders)
  .get('/made-here', c => answer(c, 200, { 'content-type': 'text/plain' }, 'text'))
  .get('/with-its-own', c => answer(c, 200, { 'content-security-policy': policy }, 'text'))
  .get('/made-elsewhere', () => new Response('text'))
  .get('/made-elsewhere-with-its-own', () => new Response('text', { headers: { 'content-security-policy': policy } }))
  .get('/thrown', () => {
    throw new Error('fault')
  })
  .notFound(c => answer(c, 404, {}, null))
  .onError((_, c) => answer(c, 500, {}, null))

const expected = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-request-id': 'my.id',
}

const headersOf = async (path: string) => {
  const { headers } = await app.request(path, { headers: { 'x-request-id': 'my.id' } })
  headers.delete('content-type')
  return Object.fromEntries(headers)
}

test.each(['/made-here', '/made-elsewhere', '/thrown', '/nothing'])(
  '%s has the headers that every answer carries',
  async path => {
    expect(await headersOf(path)).toStrictEqual(expected)
  },
)

test.each(['/with-its-own', '/made-elsewhere-with-its-own'])('%s keeps its own policy', async path => {
  expect(await headersOf(path)).toStrictEqual({ ...expected, 'content-security-policy': policy })
})
