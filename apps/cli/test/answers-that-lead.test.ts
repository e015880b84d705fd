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
    const found = (query: string) =>
      fetch(`${world.running.url}/api/v1/search?${query}`, { headers: { authorization: `Bearer ${world.owner.key}` } })
    expect(await (await found('query=zebra')).json()).toMatchObject([{ title: 'Zebra crossing' }])
    expect((await found('query=zebra&q=zebra')).status).toBe(200)
    expect((await found('query=zebra&q=lion')).status).toBe(400)
    const empty = await world.call('search_records')
    expect([empty.status, empty.body.detail.field]).toEqual([400, 'q'])
    expect((await world.call('search_records', { board_id: scene.boardId })).status).toBe(200)
  })

  test('9.2: where nothing has all words, what has the most comes, and says so', async () => {
    const own = await Scene.on(world)
    const board_id = own.boardId
    const both = await own.card({ title: 'Breakfast', description: 'Pickled herring and onions' })
    await own.card({ title: 'Pickled cucumbers' })
    const found = (q: string) => world.ok('search_records', { board_id, q })
    const partial = await found('pickled herring rollmops')
    expect(partial).toMatchObject([{ id: both, partial: true, excerpt: expect.stringContaining('herring') }])
    expect(await found('pickled herring')).not.toMatchObject([{ partial: true }])
    expect(await found('rollmops bismarck')).toEqual([])
    const lines = await mcp.tool('search_records', { board_id, q: 'pickled rollmops' })
    expect(lines.value.items.map((item: { partial: boolean }) => item.partial)).toEqual([true, true])
  })

  test('9.4: me is an actor too', async () => {
    const own = await Scene.on(world)
    await own.card()
    const ada = await world.agent({})
    await own.admit(ada)
    const of = async (as: typeof ada) =>
      (await world.ok('list_board_events', { board_id: own.boardId, actor_id: 'me' }, { as })).events.length
    expect([(await of(world.owner)) > 0, await of(ada)]).toEqual([true, 0])
  })

  test('9.7: an evidence url that leads nowhere is stored with a warning', async () => {
    const judge = async (url: string) => {
      const card_id = await scene.card({ status: 'validation' })
      const evidence = [{ type: 'log', url }]
      const args = { card_id, outcome: 'success', summary: 'Good.', evidence }
      const { value } = await mcp.tool('submit_task_validation', args)
      const [stored] = (await world.ok('get_card', { card_id })).validations
      expect(stored.evidence).toEqual(evidence)
      return value._warnings?.filter((warning: string) => warning.includes('evidence url')).length ?? 0
    }
    expect([await judge('see the log'), await judge('https://ci.example/1'), await judge('SPE-14.a1')]).toEqual([
      1, 0, 0,
    ])
  })

  test('9.3: whoever sees no board makes one where it may, else it asks for one', async () => {
    const hint = async (flags: object) =>
      (await mcp.tool('list_boards', {}, { as: await world.agent({ permission_flags: flags }) })).value._hint
    expect(await hint({})).toMatch(/create_board\./)
    expect(await hint({ BOARDS_CREATE: false })).toMatch(/grant_board_access/)
  })

  test('9.4: a name that matches no agent is told to a caller that may make the call, as over HTTP', async () => {
    const limited = await world.agent({ permission_flags: { CARDS_CREATE: false, AGENTS_GRANT: false } })
    await scene.admit(limited)
    const card = { board_id: scene.boardId, title: 'For nobody', assignee_id: 'Nobody' }
    const grant = { board_id: scene.boardId, agent_id: 'Nobody' }
    // The agent in the path is looked up before permissions are checked.
    for (const [name, args, byHttp, byMcp] of [
      ['create_card', card, 403, 403],
      ['grant_board_access', grant, 404, 400],
    ] as const) {
      expect((await mcp.tool(name, args, { as: limited })).value).toMatchObject({ status: byMcp })
      expect((await world.call(name, args, { as: limited })).status).toBe(byHttp)
      expect((await mcp.tool(name, args)).value).toMatchObject({
        status: 400,
        detail: { available: expect.any(Array) },
      })
    }
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
    const unchanged = await mcp.tool('update_card', { card_id: id, assignee_id: 'bob@example.com', priority: 'high' })
    expect(unchanged.isError ?? false).toBe(false)
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
