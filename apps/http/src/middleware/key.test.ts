import { type Caller, type Service, unauthorized } from '@specboard/domain'
import { Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { expect, test } from 'vitest'
import type { HttpEnv } from '../http-env.ts'
import { TokenBuckets } from '../limits/token-buckets.ts'
import { key, keyOf } from './key.ts'

const caller: Caller = {
  id: 'agent',
  name: 'Agent',
  kind: 'agent',
  via: 'key',
  present: false,
  presetId: null,
  flags: null,
  base: { allowed: new Set(), deniedBy: () => 'agent' },
}

const service: Pick<Service, 'authenticate'> = {
  authenticate: async apiKey => {
    if (apiKey !== 'good') throw unauthorized()
    return caller
  },
}

const app = new Hono<HttpEnv>({ router: new TrieRouter() })
  .get('/key', c => c.json({ key: keyOf(c) ?? null }))
  .use('/api/v1*', key(service, { wrongKeys: undefined, calls: new TokenBuckets(0) }))
  .get('/api/v1/me', c => c.json({ caller: c.get('caller'), agentId: c.get('agentId') }))
  .get('/open', c => c.text('open'))
  .notFound(c => c.text('not found', 404))
  .onError((error, c) => c.text(error.message, 401))

test.each<[Record<string, string>, string, string | null]>([
  [{ authorization: 'Bearer good' }, '', 'good'],
  [{ authorization: 'bEARER   good ' }, '?api_key=b', 'good'],
  [{ authorization: 'Bearer', 'x-api-key': 'good' }, '', ''],
  [{ authorization: 'Basic good', 'x-api-key': 'other' }, '', 'other'],
  [{ 'x-api-key': 'good' }, '?api_key=b', 'good'],
  [{ 'x-api-key': '' }, '?api_key=b', ''],
  [{}, '?a=b&api_key=a%2Bb', 'a+b'],
  [{}, '?api_key=', ''],
  [{}, '', null],
])('headers %j and query %s give the key %j', async (headers, query, expected) => {
  expect(await (await app.request(`/key${query}`, { headers })).json()).toStrictEqual({ key: expected })
})

test('sets the agent of the key', async () => {
  const answer = await app.request('/api/v1/me', { headers: { 'x-api-key': 'good' } })
  expect(await answer.json()).toMatchObject({ caller: { id: 'agent' }, agentId: 'agent' })
})

test('without a valid key, known and unknown paths of the API are refused alike', async () => {
  const paths = ['/api/v1', '/api/v1/', '/api/v1/me', '/api/v1/none', '/api/v1x']
  for (const path of paths) expect([path, (await app.request(path)).status]).toStrictEqual([path, 401])
  for (const path of ['/api', '/api/v2', '/nothing'])
    expect([path, (await app.request(path)).status]).toStrictEqual([path, 404])
  expect((await app.request('/open')).status).toBe(200)
})
