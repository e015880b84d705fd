import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from './ask.ts'

const answers: Readonly<Record<string, RequestListener>> = {
  '/list': (_, response) => response.setHeader('X-Total-Count', '7').end('["ä"]'),
  '/moved': (_, response) => response.writeHead(308, { location: '/echo' }).end(),
  '/silent': () => {},
  '/refused': (_, response) => response.writeHead(409).end('{"detail":{"error":"BUSY"}}'),
}

const server = createServer(async (request, response) => {
  const answer = answers[request.url!]
  if (answer !== undefined) return answer(request, response)
  let body = ''
  for await (const piece of request) body += piece
  response.end(JSON.stringify({ method: request.method, key: request.headers.authorization, body }))
})
let url: string

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const get = { method: 'GET', headers: { authorization: 'Bearer k' }, body: null, signal: null }

test('reads what is answered, with its headers', async () => {
  const answer = await ask(new URL('/list', url), get)
  expect([answer.ok, answer.status, answer.headers.get('X-Total-Count'), answer.headers.get('etag')]).toEqual([
    true,
    200,
    '7',
    null,
  ])
  expect(await answer.json()).toEqual(['ä'])
})

test('sends a body, also to where a redirect leads', async () => {
  const post = { ...get, method: 'POST', body: '{"a":"ä"}' }
  const echoed = { method: 'POST', key: 'Bearer k', body: '{"a":"ä"}' }
  expect(await (await ask(new URL('/echo', url), post)).json()).toEqual(echoed)
  expect(await (await ask(new URL('/moved', url), post)).json()).toEqual(echoed)
})

test('answers a refusal', async () => {
  const answer = await ask(new URL('/refused', url), get)
  expect([answer.ok, answer.status, await answer.json()]).toEqual([false, 409, { detail: { error: 'BUSY' } }])
})

test('fails as fetch does: where nobody listens, and when it is called off', async () => {
  const nobody = ask(new URL('http://127.0.0.1:1/'), get)
  await expect(nobody).rejects.toThrow(new TypeError('fetch failed'))
  await expect(nobody).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  const off = new AbortController()
  const called = ask(new URL('/silent', url), { ...get, signal: off.signal })
  off.abort(new Error('enough'))
  await expect(called).rejects.toThrow('enough')
})
