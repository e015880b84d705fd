import { OpenAPIHono } from '@hono/zod-openapi'
import { pathNames, registry } from '@specboard/contract'
import { TrieRouter } from 'hono/router/trie-router'
import { describe, expect, test } from 'vitest'
import type { HttpEnv } from './http-env.ts'
import { addOperations } from './operation-routes.ts'

const app = new OpenAPIHono<HttpEnv>({ router: new TrieRouter() })
addOperations(
  app,
  ({ name }) =>
    async c =>
      c.json({ name, params: c.req.param() }),
)

/** The operation that a request reaches, with its path parameters; undefined for 404. */
async function reached(method: string, path: string) {
  const answer = await app.request(path, { method })
  return answer.status === 404 ? undefined : answer.json()
}

test.each(registry)('$method $path reaches $name', async ({ name, method, path }) => {
  const params = Object.fromEntries(pathNames(path).map(param => [param, `some-${param}`]))
  expect(await reached(method, path.replaceAll(/\{(\w+)\}/g, 'some-$1'))).toStrictEqual({ name, params })
})

describe('if two paths match', () => {
  test.each([
    ['GET', '/api/v1/ideations/lineage-graph', 'get_ideation', { ideation_id: 'lineage-graph' }],
    ['GET', '/api/v1/agents/board/b', 'list_board_agents', { board_id: 'b' }],
    ['GET', '/api/v1/agents/board/regenerate-key', 'list_board_agents', { board_id: 'regenerate-key' }],
    ['POST', '/api/v1/agents/board/regenerate-key', 'regenerate_agent_key', { agent_id: 'board' }],
  ])('%s %s reaches %s', async (method, path, name, params) => {
    expect(await reached(method, path)).toStrictEqual({ name, params })
  })
})

test.each([
  ['a%2Fb', 'a/b'],
  ['a%252Fb', 'a%2Fb'],
  ['a%20b', 'a b'],
  ['%zz', '%zz'],
  ['%F0%9F%92%A9', '\u{1F4A9}'],
  ['__proto__', '__proto__'],
  ['a;b=c,d', 'a;b=c,d'],
])('the path parameter %s is decoded to %s', async (segment, ideation_id) => {
  expect(await reached('GET', `/api/v1/ideations/${segment}`)).toStrictEqual({
    name: 'get_ideation',
    params: { ideation_id },
  })
})

test.each(['/api/v1/ideations/', '/api/v1//ideations/x', '/api/v1/ideations/x/', '/', '/api/v1'])(
  '%s is unknown',
  async path => {
    expect(await reached('GET', path)).toBeUndefined()
  },
)
