import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'

let world: GraphWorld

beforeEach(async () => {
  world = await GraphWorld.start()
})

afterEach(async () => {
  vi.useRealTimers()
  await world.stop()
})

const search = () =>
  world.ok('find_similar_kg_nodes', { board_id: world.boardId, topic: 'cache invalidation', type: 'all' })

test('vectors of a board stay in memory while it is searched, and are read again later', async () => {
  await world.spec({ title: 'Cache invalidation' })
  await world.drain()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  expect((await search()).total).toBe(1)
  const bytes = world.opened.graph.search.bytes
  expect(bytes).toBeGreaterThan(0)

  world.now += 300_000
  await search()
  world.now += 300_000
  await vi.advanceTimersByTimeAsync(600_000)
  expect(world.opened.graph.search.bytes).toBe(bytes)

  world.now += 600_000
  await vi.advanceTimersByTimeAsync(600_000)
  expect(world.opened.graph.search.bytes).toBe(0)
  expect((await search()).total).toBe(1)
})

test('words that share nothing with a node do not find it, and those that share a part of a word do (knowledge-graph 7.2)', async () => {
  for (let index = 0; index < 30; index++)
    await world.spec({ title: `Cache invalidation ${index}`, description: 'Entries expire when their source changes.' })
  await world.drain()
  const found = async (words: string, rest = {}) => [
    ...(await world.ok('find_similar_kg_nodes', { board_id: world.boardId, topic: words, type: 'all', ...rest }))
      .results,
    ...(await world.ok('search_kg_global', { q: words, ...rest })).results,
  ]
  for (const words of ['qzxw', 'vvkj wqpz', 'zzgh jjkk qqww xxvv', 'ŵŷŵ ŷŵŷ']) {
    expect(await found(words, { min_similarity: 0.01 })).toEqual([])
    for (const node of await found(words)) expect(node).toMatchObject({ similarity: 0, below_threshold: true })
  }
  for (const words of ['invalidation', 'uncached']) expect((await found(words))[0].similarity).toBeGreaterThan(0)
})

test('what nothing is similar to has similarity 0 where the caller asks for all nodes', async () => {
  await world.spec({ title: 'Cache invalidation' })
  await world.drain()
  const all = { board_id: world.boardId, topic: 'qzxw vvkj', type: 'all', min_similarity: 0 }
  const { results } = await world.ok('find_similar_kg_nodes', all)
  expect(results.map(({ similarity }: { similarity: number }) => similarity)).toEqual([0])
})

test('a search over many boards takes what their nodes take, and finds on each of them', async () => {
  const boards = 40
  for (let index = 0; index < boards; index++) {
    const { id: board_id } = await world.ok('create_board', { name: `Board ${index}`, description: '' })
    await world.spec({ board_id, title: `Cache invalidation on board ${index}` })
  }
  await world.drain()
  const { results } = await world.ok('search_kg_global', { q: 'cache invalidation', limit: 100 })
  expect(new Set(results.map(({ board_id }: { board_id: string }) => board_id)).size).toBe(boards)
  expect(world.opened.graph.search.bytes / boards).toBeLessThan(64 << 10)
})
