import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

describe('answers that do not mislead (crew 9)', () => {
  test('9.2: query is q, and a search for nothing is told so', async () => {
    await scene.card({ title: 'Zebra crossing' })
    const { value } = await mcp.tool('search_records', { query: 'zebra' })
    expect(value.items.map(({ title }: { title: string }) => title)).toEqual(['Zebra crossing'])
    const empty = await world.call('search_records')
    expect([empty.status, empty.body.detail.field]).toEqual([400, 'q'])
    expect((await world.call('search_records', { board_id: scene.boardId })).status).toBe(200)
  })

  test('9.3: whoever sees no board makes one where it may, else it asks for one', async () => {
    const hint = async (flags: object) =>
      (await mcp.tool('list_boards', {}, { as: await world.agent({ permission_flags: flags }) })).value._hint
    expect(await hint({})).toMatch(/create_board\./)
    expect(await hint({ BOARDS_CREATE: false })).toMatch(/grant_board_access/)
  })

  test('9.4: an assignee is me, a name or an id; over HTTP it stays free text', async () => {
    const ada = await world.agent({ name: 'Ada Lovelace' })
    await scene.admit(ada)
    const create = (assignee_id: string) =>
      mcp.tool('create_card', { board_id: scene.boardId, title: `For ${assignee_id}`, assignee_id })
    const unknown = await create('Ada Lovelac')
    expect(unknown.value).toMatchObject({
      status: 400,
      detail: { field: 'assignee_id', available: expect.arrayContaining(['Ada Lovelace', 'Local Owner']) },
    })
    for (const text of ['me', 'Ada Lovelace', ada.id, 'external:bob'])
      expect((await create(text)).isError ?? false).toBe(false)
    const { id } = await world.ok('create_card', {
      board_id: scene.boardId,
      title: 'Elsewhere',
      assignee_id: 'bob@example.com',
    })
    const kept = await mcp.tool('update_card', { card_id: id, assignee_id: 'bob@example.com', priority: 'high' })
    expect(kept.isError ?? false).toBe(false)
    const changed = await mcp.tool('update_card', { card_id: id, assignee_id: 'rob@example.com' })
    expect(changed.value.status).toBe(400)
  })

  test('9.10: a dependency that is there already is told as repeated, and refused over HTTP', async () => {
    const [card_id, depends_on_id] = [await scene.card(), await scene.card()]
    await mcp.tool('add_card_dependency', { card_id, depends_on_id })
    const again = await mcp.tool('add_card_dependency', { card_id, depends_on_id })
    expect([again.isError ?? false, again.value]).toEqual([false, { card_id, depends_on_id, repeated: true }])
    expect((await world.call('add_card_dependency', { card_id, depends_on_id })).status).toBe(409)
  })

  test('9.12: null for a field with a value says that it was ignored', async () => {
    const card_id = await scene.card({ description: 'Kept', details: '' })
    const { value } = await mcp.tool('update_card', { card_id, description: null, due_date: null, priority: 'low' })
    expect(value._warnings).toEqual(['null ignored; clear: ["description"] empties it'])
  })
})
