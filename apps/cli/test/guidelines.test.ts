import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logged } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
/** Sees the scene's board through a viewer share. */
let viewer: TestAgent
/** Sees no board. */
let stranger: TestAgent

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  viewer = await world.agent()
  stranger = await world.agent()
  await world.ok('create_board_share', { board_id: scene.boardId, user_id: viewer.id, permission: 'viewer' })
})

afterAll(() => world.stop())

const text = { title: 'Commits', content: '# One idea each' }
const write = (fields: object = {}, as: TestAgent = world.owner) =>
  world.ok('create_guideline', { ...text, ...fields }, { as })
const link = (board_id: string, guideline_id: string, priority = 0) =>
  world.ok('add_board_guideline', { board_id, guideline_id, priority })
const inline = (fields: object = {}) => world.ok('add_board_guideline', { board_id: scene.boardId, ...text, ...fields })

const code = async (...call: Parameters<World['call']>) => {
  const { status, body } = await world.call(...call)
  return [status, body?.detail?.error]
}

describe('create', () => {
  test('a global guideline with its defaults', async () => {
    expect(await write()).toStrictEqual({
      ...text,
      id: expect.any(String),
      tags: null,
      scope: 'global',
      board_id: null,
      owner_id: world.owner.id,
      version: 1,
      rev: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
  })

  test('a global one is not linked by its board_id', async () => {
    const board = await Scene.on(world)
    expect(await write({ board_id: board.boardId })).toMatchObject({ scope: 'global', board_id: board.boardId })
    expect(await world.ok('list_board_guidelines', { board_id: board.boardId })).toEqual([])
  })

  test('an inline one has priority 0', async () => {
    const board = await Scene.on(world)
    const { id } = await write({ scope: 'inline', board_id: board.boardId, tags: ['a'] })
    expect(await world.ok('list_board_guidelines', { board_id: board.boardId })).toMatchObject([
      { id, priority: 0, scope: 'inline', guideline: { id, tags: ['a'], board_id: board.boardId } },
    ])
  })

  test.each([
    ['no title', { title: undefined }, 422],
    ['an empty title', { title: '' }, 422],
    ['501 characters', { title: 'x'.repeat(501) }, 422],
    ['empty content', { content: '' }, 422],
    ['another scope', { scope: 'board' }, 400],
    ['inline without a board', { scope: 'inline' }, 400],
    ['an unknown board', { board_id: 'x' }, 404],
  ])('%s is refused', async (_, fields, status) => {
    expect((await world.call('create_guideline', { ...text, ...fields })).status).toBe(status)
  })

  test('a viewer cannot create one on the board', async () => {
    const args = { ...text, scope: 'inline', board_id: scene.boardId }
    expect(await code('create_guideline', args, { as: viewer })).toEqual([403, 'FORBIDDEN'])
    expect(await code('create_guideline', args, { as: stranger })).toEqual([404, 'NOT_FOUND'])
  })

  test('records that the body names are looked up before the permission is checked', async () => {
    const agent = await world.agent({ permission_flags: { GUIDELINES_CREATE: false, GUIDELINES_LINK: false } })
    await scene.admit(agent)
    const { boardId: board_id } = scene
    const linking = (guideline_id: string) => code('add_board_guideline', { board_id, guideline_id }, { as: agent })
    expect(await code('create_guideline', { ...text, board_id: 'x' }, { as: agent })).toEqual([404, 'NOT_FOUND'])
    expect(await code('create_guideline', { ...text, scope: 'x' }, { as: agent })).toEqual([403, 'FORBIDDEN'])
    expect(await linking('x')).toEqual([404, 'NOT_FOUND'])
    expect(await linking((await inline()).id)).toEqual([403, 'FORBIDDEN'])
    expect(await code('add_board_guideline', { board_id, ...text }, { as: agent })).toEqual([403, 'FORBIDDEN'])
  })
})

describe('catalogue', () => {
  test('lists own global guidelines, newest first, by exact tag', async () => {
    const author = await world.agent()
    const first = await write({ tags: ['git', 'style'] }, author)
    const second = await write({ tags: ['git-flow'] }, author)
    await write({ tags: ['git'] })
    const list = (query: object) => world.call('list_guidelines', { ...query }, { as: author })
    expect((await list({})).body.map((one: { id: string }) => one.id)).toEqual([second.id, first.id])
    expect((await list({ tag: 'git' })).body).toEqual([first])
    const page = await list({ limit: 1, offset: 1 })
    expect([page.body, page.headers.get('x-total-count')]).toEqual([[first], '2'])
    expect((await list({ limit: 0 })).status).toBe(422)
    expect((await list({ limit: 201 })).status).toBe(422)
  })

  test('leaves inline ones out', async () => {
    const { id } = await inline()
    expect((await world.ok('list_guidelines')).some((one: { id: string }) => one.id === id)).toBe(false)
  })
})

describe('who sees and changes', () => {
  test('an unlinked one: only its owner', async () => {
    const { id } = await write()
    expect(await code('get_guideline', { guideline_id: id }, { as: viewer })).toEqual([404, 'NOT_FOUND'])
    expect(await code('get_guideline', { guideline_id: 'x' })).toEqual([404, 'NOT_FOUND'])
  })

  test('a linked or inline one: whoever sees the board may read it, and no more', async () => {
    const linked = await write()
    await link(scene.boardId, linked.id)
    for (const guideline_id of [linked.id, (await inline()).guideline_id]) {
      expect((await world.call('get_guideline', { guideline_id }, { as: viewer })).status).toBe(200)
      expect(await code('get_guideline', { guideline_id }, { as: stranger })).toEqual([404, 'NOT_FOUND'])
      expect(await code('update_guideline', { guideline_id, title: 'x' }, { as: viewer })).toEqual([404, 'NOT_FOUND'])
      expect(await code('delete_guideline', { guideline_id }, { as: viewer })).toEqual([404, 'NOT_FOUND'])
    }
  })

  test('an inline one of another agent: the owner of its board and its author may change it', async () => {
    const editor = await world.agent()
    const board = await Scene.on(world)
    await board.admit(editor)
    const add = () => world.ok('add_board_guideline', { board_id: board.boardId, ...text }, { as: editor })
    const guideline_id = (await add()).id
    expect(await world.ok('update_guideline', { guideline_id, title: 'Theirs' })).toMatchObject({
      title: 'Theirs',
      owner_id: editor.id,
      version: 2,
    })
    await world.ok('update_guideline', { guideline_id, title: 'Mine' }, { as: editor })
    await world.ok('delete_guideline', { guideline_id })
    expect(await code('delete_guideline', { guideline_id })).toEqual([404, 'NOT_FOUND'])
  })

  test('what a board withholds is withheld by id too', async () => {
    const reader = await world.agent()
    const permission_overrides = { GUIDELINES_READ: false }
    await world.ok('grant_board_access', { agent_id: reader.id, board_id: scene.boardId, permission_overrides })
    const guideline_id = (await inline()).id
    const { status, body } = await world.call('get_guideline', { guideline_id }, { as: reader })
    expect([status, body.detail]).toEqual([
      403,
      expect.objectContaining({ permission: 'GUIDELINES_READ', denied_by: 'override', board_id: scene.boardId }),
    ])
  })
})

describe('update', () => {
  test('raises the version only when a value differs; null counts as not supplied', async () => {
    const guideline = await write({ tags: ['a'] })
    const update = (fields: object) => world.ok('update_guideline', { guideline_id: guideline.id, ...fields })
    expect(await update({ title: guideline.title, content: null, tags: null, scope: 'inline', owner_id: 'x' })).toEqual(
      guideline,
    )
    expect(await update({ tags: [] })).toMatchObject({ tags: [], version: 2, scope: 'global' })
    expect(await update({ title: 'Other', content: 'Text' })).toMatchObject({
      title: 'Other',
      content: 'Text',
      version: 3,
    })
  })

  test.each([[{ title: '' }], [{ content: '' }], [{ title: 'x'.repeat(501) }], [{ tags: 'a' }]])(
    '%j is 422',
    async bad => {
      const { id } = await write()
      expect((await world.call('update_guideline', { guideline_id: id, ...bad })).status).toBe(422)
    },
  )
})

describe('on a board', () => {
  test('lists by priority, global before inline, then time of linking', async () => {
    const board = await Scene.on(world)
    const { boardId } = board
    const late = await write()
    const early = await write({ tags: ['x'] })
    const inlined = await world.ok('add_board_guideline', { board_id: boardId, ...text, tags: ['x'], priority: 1 })
    await link(boardId, early.id, 1)
    await link(boardId, late.id, 1)
    const first = await write()
    await link(boardId, first.id, -5)
    const list = (query: object = {}) => world.call('list_board_guidelines', { board_id: boardId, ...query })
    expect((await list()).body.map((one: { id: string }) => one.id)).toEqual([first.id, early.id, late.id, inlined.id])
    expect((await list()).body[1]).toEqual({ id: early.id, guideline: early, priority: 1, scope: 'global' })
    expect((await list({ tag: 'x' })).body.map((one: { id: string }) => one.id)).toEqual([early.id, inlined.id])
    const page = await list({ tag: 'x', limit: 1 })
    expect([page.body.length, page.headers.get('x-total-count')]).toEqual([1, '2'])
  })

  test('a link answers its own id, and is created once', async () => {
    const { id } = await write()
    const linked = await link(scene.boardId, id, 7)
    expect(linked).toStrictEqual({
      id: expect.any(String),
      board_id: scene.boardId,
      guideline_id: id,
      priority: 7,
      scope: 'global',
    })
    expect(linked.id).not.toBe(id)
    const again = { board_id: scene.boardId, guideline_id: id }
    expect(await code('add_board_guideline', again)).toEqual([409, 'ALREADY_LINKED'])
  })

  test('two links at once create one', async () => {
    const { id } = await write()
    const args = { board_id: scene.boardId, guideline_id: id }
    const answers = await Promise.all([1, 2, 3].map(() => world.call('add_board_guideline', args)))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409])
  })

  test('an inline one answers its own id also as guideline_id', async () => {
    const guideline = await inline({ priority: -1_000_000 })
    expect(guideline).toMatchObject({ id: guideline.guideline_id, priority: -1_000_000, scope: 'inline' })
  })

  test.each([
    ['neither guideline nor title', { content: 'x' }, 422],
    ['no content', { title: 'x' }, 422],
    ['a priority out of range', { ...text, priority: 1_000_001 }, 422],
    ['a priority that is not an integer', { ...text, priority: 1.5 }, 422],
    ['an unknown guideline', { guideline_id: 'x' }, 404],
  ])('%s is refused', async (_, fields, status) => {
    const answer = await world.call('add_board_guideline', { board_id: scene.boardId, ...fields })
    expect(answer.status).toBe(status)
  })

  test('a missing text is located at the body', async () => {
    const { body } = await world.call('add_board_guideline', { board_id: scene.boardId, title: 'x' })
    expect(body.detail).toMatchObject([{ loc: ['body'], type: 'value_error' }])
  })

  test('an inline guideline cannot be linked, one that the caller cannot read is not found', async () => {
    const other = await Scene.on(world)
    const { id } = await inline()
    const guideline_id = id
    expect(await code('add_board_guideline', { board_id: other.boardId, guideline_id })).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
    const theirs = (await write({}, stranger)).id
    const args = { board_id: scene.boardId, guideline_id: theirs }
    expect(await code('add_board_guideline', args)).toEqual([404, 'NOT_FOUND'])
  })

  test('the priority of links and inline ones changes, the guideline does not', async () => {
    const { id } = await write()
    await link(scene.boardId, id)
    for (const guideline_id of [id, (await inline()).id]) {
      const before = await world.ok('get_guideline', { guideline_id })
      const args = { board_id: scene.boardId, guideline_id, priority: 9 }
      expect(await world.ok('update_board_guideline', args)).toStrictEqual(args)
      expect(await world.ok('get_guideline', { guideline_id })).toEqual(before)
      const listed = await world.ok('list_board_guidelines', { board_id: scene.boardId })
      expect(listed.find((one: { id: string }) => one.id === guideline_id).priority).toBe(9)
    }
  })

  test('a change of priority needs a priority, and a guideline on the board', async () => {
    const { id } = await write()
    const args = { board_id: scene.boardId, guideline_id: id, priority: 1 }
    expect(await code('update_board_guideline', args)).toEqual([404, 'NOT_FOUND'])
    expect(await code('remove_board_guideline', args)).toEqual([404, 'NOT_FOUND'])
    await link(scene.boardId, id)
    for (const priority of [undefined, 'high', null])
      expect((await world.call('update_board_guideline', { ...args, priority })).status).toBe(422)
    expect((await world.call('update_board_guideline', args, { as: viewer })).status).toBe(403)
  })

  test('unlinking keeps the guideline; an inline one cannot be unlinked', async () => {
    const { id } = await write()
    await link(scene.boardId, id)
    const args = { board_id: scene.boardId, guideline_id: id }
    expect((await world.call('remove_board_guideline', args)).status).toBe(204)
    expect(await code('remove_board_guideline', args)).toEqual([404, 'NOT_FOUND'])
    expect((await world.call('get_guideline', { guideline_id: id })).status).toBe(200)
    const inlined = { board_id: scene.boardId, guideline_id: (await inline()).id }
    expect(await code('remove_board_guideline', inlined)).toEqual([409, 'INLINE_GUIDELINE'])
  })

  test('deleting a guideline removes it from every board', async () => {
    const { id } = await write()
    const other = await Scene.on(world)
    for (const board of [scene.boardId, other.boardId]) await link(board, id)
    await world.ok('delete_guideline', { guideline_id: id })
    expect(await world.ok('list_board_guidelines', { board_id: other.boardId })).toEqual([])
  })
})

describe('activity (planning 2.4)', () => {
  const activityOf = (guideline_id: string) =>
    logged(world, guideline_id).map(({ activity, details }) => [activity, details])

  test('of a global guideline: on every board that links it', async () => {
    const other = await Scene.on(world)
    const { id, title } = await write()
    const guideline = { guideline_id: id, title }
    for (const board of [scene.boardId, other.boardId]) await link(board, id, 3)
    await world.ok('update_board_guideline', { board_id: scene.boardId, guideline_id: id, priority: 3 })
    await world.ok('update_board_guideline', { board_id: scene.boardId, guideline_id: id, priority: 4 })
    await world.ok('update_guideline', { guideline_id: id, title })
    await world.ok('update_guideline', { guideline_id: id, content: 'Other' })
    await world.ok('remove_board_guideline', { board_id: other.boardId, guideline_id: id })
    await world.ok('delete_guideline', { guideline_id: id })
    const counted = Map.groupBy(activityOf(id), ([action]) => action)
    expect([...counted].map(([action, entries]) => [action, entries.length])).toEqual(
      expect.arrayContaining([
        ['guideline_linked', 2],
        ['guideline_priority_changed', 1],
        ['guideline_updated', 2],
        ['guideline_unlinked', 1],
        ['guideline_deleted', 1],
      ]),
    )
    expect(activityOf(id)).toEqual(
      expect.arrayContaining([
        ['guideline_linked', { ...guideline, priority: 3 }],
        ['guideline_priority_changed', { ...guideline, priority: 4 }],
        ['guideline_updated', { ...guideline, version: 2 }],
        ['guideline_unlinked', guideline],
        ['guideline_deleted', guideline],
      ]),
    )
  })

  test('of an inline one: on its board, also for its creation', async () => {
    const { id } = await inline({ priority: 2 })
    await world.ok('delete_guideline', { guideline_id: id })
    const guideline = { guideline_id: id, title: text.title }
    expect(activityOf(id)).toEqual([
      ['guideline_created', { ...guideline, priority: 2 }],
      ['guideline_deleted', guideline],
    ])
  })

  test('none of a global one that no board links', async () => {
    const { id } = await write({ board_id: scene.boardId })
    await world.ok('update_guideline', { guideline_id: id, title: 'Other' })
    expect(activityOf(id)).toEqual([])
  })
})

test('deleting a board deletes its inline guidelines and links, and sets the board_id of global ones to null', async () => {
  const board = await Scene.on(world)
  const { boardId } = board
  const global = await write({ board_id: boardId })
  await link(boardId, global.id)
  const { id } = await world.ok('add_board_guideline', { board_id: boardId, ...text })
  await world.ok('delete_board', { board_id: boardId })
  expect(await code('get_guideline', { guideline_id: id })).toEqual([404, 'NOT_FOUND'])
  expect(await world.ok('get_guideline', { guideline_id: global.id })).toEqual({ ...global, board_id: null })
})
