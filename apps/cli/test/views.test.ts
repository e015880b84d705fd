import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
/** Agents that may do everything on the board but change it. */
let ada: TestAgent
let ben: TestAgent

const joining = async (): Promise<TestAgent> => {
  const agent = await world.agent({ permission_flags: { BOARDS_UPDATE: false } })
  await scene.admit(agent)
  return agent
}

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  ada = await joining()
  ben = await joining()
})

afterAll(() => world.stop())

const late = { name: 'Late', page: 'list', query: 'due=overdue&label.not=mail' }

const save = (as: TestAgent, fields: object = {}) =>
  world.ok('create_view', { board_id: scene.boardId, ...late, ...fields }, { as })

const namesOf = async (as: TestAgent): Promise<string[]> =>
  (await world.ok('list_views', { board_id: scene.boardId }, { as })).map(({ name }: { name: string }) => name)

const actions = async (): Promise<string[]> => {
  const { events } = await world.ok('list_board_events', { board_id: scene.boardId, limit: 200 })
  return events.flatMap(({ action }: { action: string }) => (action.startsWith('view_') ? action : []))
}

describe('saved views (web 3)', () => {
  test('somebody keeps its own; those of others are not there', async () => {
    const view = await save(ada)
    expect(view).toMatchObject({ ...late, shared: false, board_id: scene.boardId, owner_id: ada.id })
    expect([await namesOf(ada), await namesOf(ben), await namesOf(world.owner)]).toEqual([['Late'], [], []])
    for (const as of [ben, world.owner])
      for (const call of ['update_view', 'delete_view'] as const)
        expect(await world.call(call, { view_id: view.id }, { as })).toMatchObject({ status: 404 })
    expect(await actions()).toEqual([])
    await world.ok('delete_view', { view_id: view.id }, { as: ada })
    expect(await namesOf(ada)).toEqual([])
  })

  test('they come by name, the shared ones among them', async () => {
    await save(ada, { name: 'B' })
    await save(world.owner, { name: 'A', shared: true })
    await save(world.owner, { name: 'C' })
    const answer = await world.call('list_views', { board_id: scene.boardId, limit: 1, offset: 1 }, { as: ada })
    expect(answer.body).toMatchObject([{ name: 'B' }])
    expect(answer.headers.get('x-total-count')).toBe('2')
    expect([await namesOf(ada), await namesOf(ben), await namesOf(world.owner)]).toEqual([
      ['A', 'B'],
      ['A'],
      ['A', 'C'],
    ])
  })

  test('shared views are changed by who may change the board', async () => {
    const lacks = { status: 403, body: { detail: { permission: 'BOARDS_UPDATE' } } }
    expect(
      await world.call('create_view', { board_id: scene.boardId, ...late, shared: true }, { as: ada }),
    ).toMatchObject(lacks)
    const own = await save(ada, { name: 'Mine' })
    expect(await world.call('update_view', { view_id: own.id, shared: true }, { as: ada })).toMatchObject(lacks)
    const shared = await save(world.owner, { name: 'All', shared: true })
    for (const call of ['update_view', 'delete_view'] as const)
      expect(await world.call(call, { view_id: shared.id }, { as: ada })).toMatchObject(lacks)
    const before = (await actions()).length
    const renamed = await world.ok('update_view', { view_id: shared.id, name: 'All of us', query: '' })
    expect(renamed).toMatchObject({ name: 'All of us', query: '', page: 'list', shared: true })
    // An update that says nothing new is not a change.
    expect(await world.ok('update_view', { view_id: shared.id, name: 'All of us' })).toEqual(renamed)
    await world.ok('update_view', { view_id: shared.id, shared: false })
    expect(await namesOf(ben)).not.toContain('All of us')
    await world.ok('update_view', { view_id: shared.id, shared: true })
    await world.ok('delete_view', { view_id: shared.id })
    expect((await actions()).slice(before)).toEqual(['view_updated', 'view_deleted', 'view_created', 'view_deleted'])
    await world.ok('delete_view', { view_id: own.id }, { as: ada })
  })

  test.each([
    ['a blank name', { name: '  ' }],
    ['a page that is none', { page: '../admin' }],
    ['a page in capitals', { page: 'List' }],
    ['a fragment', { query: 'q=a#b' }],
    ['a blank in the query', { query: 'q=a b' }],
    ['a query too long', { query: 'q='.padEnd(2_001, 'a') }],
  ])('%s is refused', async (_, fields) => {
    expect(await world.call('create_view', { board_id: scene.boardId, ...late, ...fields })).toMatchObject({
      status: 422,
    })
  })

  test('whoever may not read the board has no views there', async () => {
    const view = await save(ada, { name: 'Kept' })
    const stranger = await world.agent()
    expect(await world.call('list_views', { board_id: scene.boardId }, { as: stranger })).toMatchObject({ status: 404 })
    expect(await world.call('delete_view', { view_id: view.id }, { as: stranger })).toMatchObject({ status: 404 })
    await world.ok('delete_view', { view_id: view.id }, { as: ada })
  })

  test('there are 100 for each, and 100 for all', async () => {
    const other = await Scene.on(world)
    const saving = (shared: boolean) => world.call('create_view', { board_id: other.boardId, ...late, shared })
    for (const shared of [false, true])
      for (let count = 0; count < 100; count++) expect((await saving(shared)).status).toBe(201)
    const full = { status: 409, body: { detail: { error: 'LIMIT_REACHED', limit: 100, what: 'views' } } }
    expect(await saving(false)).toMatchObject(full)
    expect(await saving(true)).toMatchObject(full)
    const [view] = await world.ok('list_views', { board_id: other.boardId, limit: 1 })
    expect(await world.call('update_view', { view_id: view.id, shared: !view.shared })).toMatchObject(full)
    await world.ok('delete_board', { board_id: other.boardId })
  })

  test('an agent that is deleted takes its own along, and leaves what is shared', async () => {
    const cleo = await world.agent({ permission_flags: {} })
    await scene.admit(cleo)
    await save(cleo, { name: 'Of Cleo' })
    const shared = await save(cleo, { name: 'For all of Cleo', shared: true })
    await world.ok('delete_agent', { agent_id: cleo.id })
    expect(await namesOf(ben)).toContain('For all of Cleo')
    await world.ok('delete_view', { view_id: shared.id })
  })
})
