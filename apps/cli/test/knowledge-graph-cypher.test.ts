import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string

beforeAll(async () => {
  world = await World.start({ ...graphAtWork, kgCypherRatePerMin: 30 })
  scene = await Scene.on(world)
  board_id = scene.boardId
  await scene.specInGraph()
})

afterAll(() => world.stop())

const post = async (query: string, body?: unknown) => {
  const response = await fetch(`${world.running.url}/api/v1/kg/boards/${board_id}/cypher${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.owner.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers and refusals
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

const text = 'MATCH (n:Decision) WHERE n.title CONTAINS $word RETURN n.title AS title'

describe('query_kg_cypher', () => {
  test('accepts query, parameters and limits in the body', async () => {
    // The shortest timeout is too short to start the thread as well.
    await post('', { cypher: text, params: { word: 'Redis' } })
    const { status, body } = await post('', { cypher: text, params: { word: 'Redis' }, max_rows: 5, timeout_ms: 1 })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      columns: ['title'],
      rows: [['Keep sessions in Redis']],
      row_count: 1,
      truncated: false,
    })
    expect(body.execution_time_ms).toBeGreaterThan(0)
  })

  test('accepts the query in the URL; the body is then the parameters', async () => {
    const url = `?cypher=${encodeURIComponent(text)}&max_rows=0`
    expect((await post(url, { word: 'Redis' })).body.rows).toHaveLength(1)
    const own = `?cypher=${encodeURIComponent('MATCH (n) RETURN $params, $cypher, $max_rows LIMIT 1')}`
    expect((await post(own, { params: 'p', cypher: 'c', max_rows: 'm' })).body.rows).toEqual([['p', 'c', 'm']])
    expect((await post(url, ['Redis'])).status).toBe(422)
    expect((await post(`?cypher=${encodeURIComponent('MATCH (n) RETURN count(*)')}`)).body.rows).toEqual([[4]])
  })

  test.each([
    [{ cypher: '' }, 'INVALID_CYPHER', { line: 1, column: 1 }],
    [{ cypher: text }, 'INVALID_CYPHER', { line: 1, column: 43 }],
    [{ cypher: 'MATCH (n) WITH n RETURN n' }, 'INVALID_CYPHER', { feature: 'WITH', line: 1, column: 11 }],
    [{ cypher: 'MATCH (n) DELETE n' }, 'UNSAFE_CYPHER', { keyword: 'DELETE' }],
  ])('refuses %j', async (body, error, extra) => {
    const answer = await post('', body)
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toMatchObject({ error, ...extra })
  })

  test.each([{}, undefined])('needs a query somewhere: %j', async body => {
    const answer = await post('', body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ loc: ['body', 'cypher'], type: 'missing' }])
  })

  test('is refused beyond the queries allowed per minute', async () => {
    const agent = await world.agent()
    await scene.admit(agent)
    const ask = () => world.call('query_kg_cypher', { board_id, cypher: 'MATCH (n) RETURN n LIMIT 1' }, { as: agent })
    for (let count = 0; count < 30; count++) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect([refused.status, refused.body.detail.error]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
