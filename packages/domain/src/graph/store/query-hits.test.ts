import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'

let world: GraphWorld

beforeEach(async () => {
  world = await GraphWorld.start()
})

afterEach(() => world.stop())

test('hits that could not be written are written the next time', async () => {
  await world.spec({ title: 'Lighthouse' })
  await world.drain()
  const board_id = world.boardId
  const { results } = await world.ok('find_similar_kg_nodes', { board_id, topic: 'lighthouse', type: 'all' })
  const hits = async () => (await world.ok('get_kg_node', { board_id, node_id: results[0].id })).query_hits
  const { graph, service } = world.opened
  vi.spyOn(service.database, 'write').mockRejectedValueOnce(new Error('full'))
  await expect(graph.flushHits()).rejects.toThrow('full')
  expect(await hits()).toBe(0)
  await graph.flushHits()
  expect(await hits()).toBe(1)
})
