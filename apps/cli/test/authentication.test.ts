import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const unknown = `dash_${'0'.repeat(48)}`

/** Status and body of a request for the caller's own permissions. */
async function requestPermissions(headers: Record<string, string>, query = '') {
  const response = await fetch(`${world.running.url}/api/v1/me/permissions${query}`, { headers })
  // biome-ignore lint/suspicious/noExplicitAny: the caller's permissions or a refusal
  const body = (await response.json()) as any
  return { status: response.status, headers: response.headers, body }
}

describe('a key can be sent in three forms (access 1)', () => {
  test('Bearer with its scheme in any letter case, X-API-Key, and api_key in the query', async () => {
    const { key, id } = world.owner
    const forms = [
      await requestPermissions({ authorization: `Bearer ${key}` }),
      await requestPermissions({ authorization: `bEARER   ${key}` }),
      await requestPermissions({ 'x-api-key': key }),
      await requestPermissions({}, `?api_key=${key}`),
    ]
    expect(forms.map(({ status, body }) => [status, body.agent_id])).toStrictEqual(Array(4).fill([200, id]))
  })

  test('the first that is present decides, without falling through', async () => {
    const { key } = world.owner
    const cases: [Record<string, string>, string, number][] = [
      [{ authorization: `Bearer ${unknown}`, 'x-api-key': key }, `?api_key=${key}`, 401],
      [{ authorization: 'Bearer', 'x-api-key': key }, '', 401],
      [{ authorization: `Basic ${key}`, 'x-api-key': key }, '', 200],
      [{ authorization: 'Basic x' }, `?api_key=${key}`, 200],
      [{ 'x-api-key': unknown }, `?api_key=${key}`, 401],
      [{ 'x-api-key': '' }, `?api_key=${key}`, 401],
      [{ 'x-api-key': key }, `?api_key=${unknown}`, 200],
    ]
    for (const [headers, query, expected] of cases)
      expect([headers, query, (await requestPermissions(headers, query)).status]).toStrictEqual([
        headers,
        query,
        expected,
      ])
  })
})

describe('401 (access 1)', () => {
  test('has the same message in all cases', async () => {
    const { key } = world.owner
    const inactive = await world.agent()
    await world.ok('update_agent', { agent_id: inactive.id, is_active: false })
    const deleted = await world.agent()
    await world.ok('delete_agent', { agent_id: deleted.id })
    const refused = [
      await requestPermissions({}),
      await requestPermissions({ 'x-api-key': unknown }),
      await requestPermissions({ 'x-api-key': key.toUpperCase() }),
      await requestPermissions({ 'x-api-key': `${key}0` }),
      await requestPermissions({ 'x-api-key': inactive.key }),
      await requestPermissions({ 'x-api-key': deleted.key }),
    ]
    for (const { status, headers, body } of refused) {
      expect([status, headers.get('www-authenticate')]).toStrictEqual([401, 'Bearer'])
      expect(body).toStrictEqual(refused[0]?.body)
    }
    expect(refused[0]?.body.detail.error).toBe('UNAUTHORIZED')
  })

  test('comes before any other answer about the request', async () => {
    const cases: [string, string][] = [
      ['POST', '/api/v1/boards'],
      ['PUT', '/api/v1/boards'],
      ['GET', '/api/v1/boards?limit=no'],
      ['GET', '/api/v1/nothing/here'],
    ]
    for (const [method, path] of cases) {
      const response = await fetch(`${world.running.url}${path}`, {
        method,
        ...(method !== 'GET' && { body: '{', headers: { 'content-type': 'text/plain' } }),
      })
      expect([method, path, response.status]).toStrictEqual([method, path, 401])
    }
  })
})

test('health and the docs are open', async () => {
  for (const path of ['/health', '/openapi.json', '/docs', '/redoc'])
    expect([path, (await fetch(`${world.running.url}${path}`)).status]).toStrictEqual([path, 200])
})

test('health answers ok and the running version, and is not cached (access 13)', async () => {
  const { status, headers, body } = await world.call('get_health', {}, { as: null })
  const document = await (await fetch(`${world.running.url}/openapi.json`)).json()
  expect([status, body.status]).toStrictEqual([200, 'healthy'])
  expect(document).toMatchObject({ info: { version: body.version } })
  expect(headers.get('cache-control')).toBe('no-store')
})

/** The status of a request with the given Host header, which fetch does not allow. */
const withHost = (headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const url = `${world.running.url}/api/v1/me/permissions`
    const call = request(url, { headers: { 'x-api-key': world.owner.key, ...headers } }, response => {
      response.resume()
      resolve(response.statusCode)
    })
    call.on('error', reject).end()
  })

test.each<[Record<string, string>, number]>([
  [{ host: 'localhost:1' }, 200],
  [{ host: '[::1]:8100' }, 200],
  [{ host: 'rebound.example' }, 403],
  [{ origin: 'http://localhost:3000' }, 200],
  [{ origin: 'https://page.example' }, 403],
  [{ origin: 'null' }, 403],
])('on loopback %j is answered %i', async (headers, status) => {
  expect(await withHost(headers)).toBe(status)
})
