/** Whether an operation gives the same answer on PostgreSQL as on SQLite. */
import { features, type OperationName, registry } from '@specboard/contract'
import { type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from './operations/rows.ts'
import { normal } from './support/normal.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, type TestAnswer, World } from './support/world.ts'

const missing = whyNoServer()

/** Operations whose answers contain ids or bytes, which differ between any two servers, or describe the database. */
const ofTheirOwn: ReadonlySet<string> = new Set([
  ...['import_excalidraw_diagram', 'export_board'],
  ...['get_service_status', 'get_backups', 'create_backup'],
])

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
      await World.start({ ...graphAtWork, databaseUrl: undefined }),
      await World.start({ ...graphAtWork, databaseUrl: await server.database() }),
    ]
    scenes = await Promise.all(worlds.map(world => Scene.on(world)))
  })

  afterAll(async () => {
    for (const { world } of scenes ?? []) await world.stop()
    await server?.stop()
  })

  /**
   * The part of an answer that two servers have in common. For the graph this is only the names of the members, because
   * its workers may be at different points; for a cursor only its type, because each database numbers the log in its
   * own way.
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

  const largest = Number.MAX_SAFE_INTEGER

  test.each<[OperationName, (scene: Scene) => Promise<Readonly<Record<string, unknown>>>]>([
    ['list_board_events', async ({ boardId: board_id }) => ({ board_id, after: largest })],
    ['update_card', async scene => ({ card_id: await scene.card(), position: largest })],
    ['get_ideation_snapshot', async scene => ({ ideation_id: await scene.ideation(), version: largest })],
    [
      'create_card_architecture',
      async scene => ({ card_id: await scene.card(), title: 'A', global_description: 'A', source_version: largest }),
    ],
  ])('%s takes the largest whole number', async (name, argsOn) => {
    const answers = await Promise.all(scenes.map(async scene => scene.world.call(name, await argsOn(scene))))
    const [onSqlite, onPostgres] = answers.map(({ status, body }) => [status, normal(body)])
    expect(onPostgres).toEqual(onSqlite)
    expect(onPostgres![0]).toBeLessThan(500)
  })
})
