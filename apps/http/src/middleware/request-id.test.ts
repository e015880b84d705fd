import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { HttpEnv } from '../http-env.ts'
import { requestId } from './request-id.ts'

const app = new Hono<HttpEnv>().use(requestId).get('/', c => c.text(c.get('requestId')))

const idFor = async (id?: string) =>
  (await app.request('/', { headers: id === undefined ? {} : { 'x-request-id': id } })).text()

test.each(['a', 'my.id-1', 'A_b', 'x'.repeat(128)])('keeps the id %s of the caller', async own => {
  expect(await idFor(own)).toBe(own)
})

test.each([undefined, '', 'no id', 'a=b', 'a/b', 'x'.repeat(129)])('replaces %s by a new id', async own => {
  const [first, second] = [await idFor(own), await idFor(own)]
  expect(first).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(second).not.toBe(first)
})
