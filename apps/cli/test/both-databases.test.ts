/** Whether an operation answers on PostgreSQL what it answers on SQLite. */
import { type OperationName, registry } from '@specboard/contract'
import { type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from './operations/rows.ts'
import { normal } from './support/normal.ts'
import { Scene } from './support/scene.ts'
import { type TestAnswer, World } from './support/world.ts'

const missing = whyNoServer()

/** Operations whose answers tell ids, bytes or how far the background is, which no two servers have in common. */
const ofTheirOwn: ReadonlySet<string> = new Set([
  'import_excalidraw_diagram',
  'export_board',
  'get_kg_graph',
  'list_kg_audit',
  'export_kg_audit',
  'cancel_kg_backfill',
  'get_kg_backfill_progress',
  'stream_kg_events',
  'get_kg_queue_health',
  'get_kg_metrics',
  'get_kg_stats',
  'get_service_status',
])

/** Operations that PostgreSQL lacks: Cypher is translated for SQLite alone. */
const lacking: ReadonlySet<string> = new Set(['query_kg_cypher'])

const compared = registry.filter(({ name }) => !ofTheirOwn.has(name) && !lacking.has(name))

describe.skipIf(missing !== undefined)(`on both databases${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestServer
  let scenes: readonly Scene[]

  beforeAll(async () => {
    server = await testServer()
    const worlds = [
      await World.start({ databaseUrl: undefined }),
      await World.start({ databaseUrl: await server.database() }),
    ]
    scenes = await Promise.all(worlds.map(world => Scene.on(world)))
  })

  afterAll(async () => {
    for (const { world } of scenes ?? []) await world.stop()
    await server?.stop()
  })

  /** What an operation answers, without what differs between two equal records. */
  async function answerOn(scene: Scene, name: OperationName) {
    const { world } = scene
    const { status, headers, body }: TestAnswer = await world.call(name, await rows[name].args(scene, world.owner))
    return { status, total: headers.get('x-total-count'), body: body === undefined ? null : normal(body) }
  }

  test.each(compared.map(({ name }) => [name as OperationName]))('%s', async name => {
    const [onSqlite, onPostgres] = await Promise.all(scenes.map(scene => answerOn(scene, name)))
    expect(onPostgres).toEqual(onSqlite)
  })
})
