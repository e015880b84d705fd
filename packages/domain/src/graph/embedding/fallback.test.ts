import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'
import { lexicalVector } from './lexical.ts'

let world: GraphWorld
let server: Server
let works: boolean
let calls: number

beforeEach(async () => {
  works = true
  calls = 0
  server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      calls++
      const { input } = JSON.parse(text) as { input: string[] }
      response.writeHead(works ? 200 : 400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ data: input.map((each, index) => ({ index, embedding: [...lexicalVector(each)] })) }),
      )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const embedding = { url: `http://127.0.0.1:${port}/v1/embeddings`, model: 'remote', dimension: 384 }
  world = await GraphWorld.start({ graph: { embedding } })
})

afterEach(async () => {
  await world.stop()
  server.close()
})

const similar = () =>
  world.ok('find_similar_kg_nodes', { board_id: world.boardId, topic: 'Cache sessions', type: 'Entity' })
const settings = () => world.ok('get_kg_settings')
const model = async () => {
  const { rows } = await world.ok('query_kg_cypher', {
    board_id: world.boardId,
    cypher: 'MATCH (n) RETURN n.embedding_model',
  })
  return rows[0][0]
}

test('an endpoint makes the vectors of nodes and queries, and its state is shown', async () => {
  expect(await settings()).toMatchObject({
    embedding_provider_name: 'http',
    model_name: 'remote',
    embedding_dimension: 384,
    embedding_kind: 'semantic',
    is_loaded: false,
  })
  expect(calls).toBe(0)
  await world.spec({ title: 'Cache sessions' })
  await world.drain()
  expect(await settings()).toMatchObject({ is_loaded: true })
  expect(await model()).toBe('remote')
  const found = await similar()
  expect(found.results[0].similarity).toBeGreaterThan(0.9)
  expect(found.warning).toBeUndefined()
})

test('without the endpoint, search uses words alone, and vectors are made later', async () => {
  works = false
  await world.spec({ title: 'Cache sessions' })
  await world.drain()
  expect((await world.entries()).length).toBe(0)
  expect(await model()).toBe('')
  const found = await similar()
  expect(found).toMatchObject({
    warning: 'embedding_unavailable',
    results: [{ title: 'Cache sessions', similarity: 0.9 }],
  })
  expect(await settings()).toMatchObject({ is_loaded: false })
  works = true
  await world.tick()
  expect(await model()).toBe('remote')
  expect((await similar()).warning).toBeUndefined()
})

test('vectors of another model are not compared, and a rebuild replaces them', async () => {
  await world.spec({ title: 'Cache sessions' })
  await world.drain()
  await world.opened.close()
  await world.open()
  expect((await similar()).results[0].similarity).toBe(0.9)
  expect(await world.ok('migrate_kg_schema', { board_id: world.boardId })).toMatchObject({ nodes_reembedded: 1 })
  expect((await similar()).results[0].similarity).toBeGreaterThan(0.9)
})
