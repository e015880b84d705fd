import type { BuiltSite, Site } from '@specboard/http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { World } from './support/world.ts'

/** Pages whose build is in the state that a test sets. */
class Building implements Site {
  build: BuiltSite | undefined
  why: string | undefined
  built(): BuiltSite | undefined {
    return this.build
  }
  fault(): string | undefined {
    return this.why
  }
}

const site = new Building()
let world: World

beforeAll(async () => {
  world = await World.start({}, site)
})

afterAll(() => world.stop())

const bytes = (text: string) => async () => new TextEncoder().encode(text)
const fileOf = (type: string, text: string) => ({ type, read: bytes(text), readGzipped: bytes(`zipped ${text}`) })

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${world.running.url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } })

const addresses = ['/', '/b/SPE/board', '/b/SPE/lineage/SPE-1', '/me/settings', '/admin/agents']

test.each(addresses)('while the pages are built, %s says so and loads itself again (web 2)', async path => {
  site.build = undefined
  const answer = await get(path)
  expect([answer.status, answer.headers.get('refresh'), answer.headers.get('cache-control')]).toEqual([
    200,
    '1',
    'no-store',
  ])
  expect(await answer.text()).toContain('The board is being built.')
})

test('API and health answer meanwhile', async () => {
  expect((await get('/health')).status).toBe(200)
  expect((await world.call('list_boards')).status).toBe(200)
})

test('pages that could not be built are 503 and do not load themselves again', async () => {
  site.why = 'out of memory'
  const answer = await get('/')
  site.why = undefined
  expect([answer.status, answer.headers.get('refresh')]).toEqual([503, null])
  const text = await answer.text()
  expect(text).toContain('the log of the service says why')
  expect(text).not.toContain('out of memory')
})

test('built pages are the page at each address, with a tag, a policy and files that never change', async () => {
  site.build = {
    hash: 'abc',
    files: new Map([
      ['/index.html', fileOf('text/html; charset=utf-8', '<p>board</p>')],
      ['/assets/a.js', fileOf('text/javascript', 'run()')],
    ]),
  }
  for (const path of addresses) {
    const answer = await get(path)
    expect(await answer.text()).toBe('<p>board</p>')
    expect([answer.headers.get('etag'), answer.headers.get('cache-control')]).toEqual(['"abc"', 'no-cache'])
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(answer.headers.get('content-security-policy')).not.toContain('unsafe-inline')
  }
  expect((await get('/', { 'if-none-match': '"abc"' })).status).toBe(304)
  const asset = await get('/assets/a.js')
  expect([await asset.text(), asset.headers.get('cache-control')]).toEqual([
    'run()',
    'public, max-age=31536000, immutable',
  ])
  for (const path of ['/assets/b.js', '/assets/../index.html', '/assets/%2e%2e/%2e%2e/package.json', '/elsewhere'])
    expect((await get(path)).status, path).toBe(404)
})
