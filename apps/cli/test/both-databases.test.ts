/** Whether an operation answers on PostgreSQL what it answers on SQLite. */
import { features, type OperationName, registry } from '@specboard/contract'
import { type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from './operations/rows.ts'
import { normal } from './support/normal.ts'
import { Scene } from './support/scene.ts'
import { type TestAnswer, World } from './support/world.ts'

const missing = whyNoServer()

/** Operations whose answers tell ids or bytes, which no two servers have in common. */
const ofTheirOwn: ReadonlySet<string> = new Set(['import_excalidraw_diagram', 'export_board', 'get_service_status'])

interface Cursor {
  readonly cursor: unknown
}

const compared = registry.filter(({ name }) => !ofTheirOwn.has(name))

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

  /**
   * What of an answer two servers have in common: of the graph the members alone, because its worker is as far as it is; of
   * a cursor that there is one, because each database counts the places of the log in its own way.
   */
  function inCommon(name: OperationName, body: unknown): unknown {
    if (name === 'stream_my_events') return normal({ ...(body as object), cursor: typeof (body as Cursor).cursor })
    if (!(name in features['knowledge-graph'])) return normal(body)
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? Object.keys(body).toSorted()
      : typeof body
  }

  /** What an operation answers, without what differs between two equal records. */
  async function answerOn(scene: Scene, name: OperationName) {
    const { world } = scene
    const { status, headers, body }: TestAnswer = await world.call(name, await rows[name].args(scene, world.owner))
    const total = name in features['knowledge-graph'] ? null : headers.get('x-total-count')
    return { status, total, body: body === undefined ? null : inCommon(name, body) }
  }

  test.each(compared.map(({ name }) => [name as OperationName]))('%s', async name => {
    const [onSqlite, onPostgres] = await Promise.all(scenes.map(scene => answerOn(scene, name)))
    expect(onPostgres).toEqual(onSqlite)
  })
})
