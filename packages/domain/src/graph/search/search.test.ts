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
  const kept = world.opened.graph.search.bytes
  expect(kept).toBeGreaterThan(0)

  world.now += 300_000
  await search()
  world.now += 300_000
  await vi.advanceTimersByTimeAsync(600_000)
  expect(world.opened.graph.search.bytes).toBe(kept)

  world.now += 600_000
  await vi.advanceTimersByTimeAsync(600_000)
  expect(world.opened.graph.search.bytes).toBe(0)
  expect((await search()).total).toBe(1)
})
