import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logged } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  board_id = scene.boardId
})

afterAll(() => world.stop())

/** A new agent with a share of the board, and the share. */
async function shared(permission = 'viewer'): Promise<{ agent: TestAgent; share_id: string }> {
  const agent = await world.agent()
  const { id } = await world.ok('create_board_share', { board_id, user_id: agent.id, permission })
  return { agent, share_id: id }
}

describe('create_board_share (access 7)', () => {
  test('gives viewer access by default', async () => {
    const agent = await world.agent()
    const share = await world.ok('create_board_share', { board_id, user_id: agent.id })
    expect(share).toMatchObject({
      board_id,
      user_id: agent.id,
      permission: 'viewer',
      realm_id: '',
      shared_by: world.owner.id,
    })
    const mine = await world.ok('get_my_permissions', { board_id }, { as: agent })
    expect(mine).toMatchObject({
      access: 'share',
      share_permission: 'viewer',
      flags: { CARDS_READ: true, CARDS_UPDATE: false },
    })
  })

  test.each<[string, () => Promise<string> | string]>([
    ['the caller', () => world.owner.id],
    ['an unknown agent', () => 'nobody'],
    [
      'an inactive agent',
      async () => {
        const { id } = await world.agent()
        await world.ok('update_agent', { agent_id: id, is_active: false })
        return id
      },
    ],
    [
      'a deleted agent',
      async () => {
        const { id } = await world.agent()
        await world.ok('delete_agent', { agent_id: id })
        return id
      },
    ],
  ])('with %s is 400', async (_, userId) => {
    const { status, body } = await world.call('create_board_share', { board_id, user_id: await userId() })
    expect([status, body.detail]).toMatchObject([400, { error: 'VALIDATION_ERROR', field: 'user_id' }])
  })

  test('with the board’s owner is 400; an agent with an admin share may create admin shares', async () => {
    const { agent: admin } = await shared('admin')
    const owner = await world.call('create_board_share', { board_id, user_id: world.owner.id }, { as: admin })
    expect([owner.status, owner.body.detail.field]).toStrictEqual([400, 'user_id'])
    const { id: user_id } = await world.agent()
    const share = await world.ok('create_board_share', { board_id, user_id, permission: 'admin' }, { as: admin })
    expect(share).toMatchObject({ permission: 'admin', shared_by: admin.id })
  })

  test('a second is 409 ALREADY_SHARED; of two at once one wins', async () => {
    const { id: user_id } = await world.agent()
    const answers = await Promise.all([1, 2].map(() => world.call('create_board_share', { board_id, user_id })))
    const [created, refused] = answers.toSorted((a, b) => a.status - b.status)
    expect([created?.status, refused?.status, refused?.body.detail]).toMatchObject([
      201,
      409,
      { error: 'ALREADY_SHARED', share_id: created?.body.id },
    ])
  })

  test.each<[Record<string, unknown>, string]>([
    [{}, 'missing'],
    [{ user_id: '' }, 'string_too_short'],
    [{ user_id: 'x'.repeat(256) }, 'string_too_long'],
    [{ user_id: 'a', permission: 'owner' }, 'enum'],
  ])('%j is 422', async (body, type) => {
    const answer = await world.call('create_board_share', { board_id, ...body })
    expect([answer.status, answer.body.detail[0].type]).toStrictEqual([422, type])
  })

  test.each(['viewer', 'editor'])('a %s may not share', async permission => {
    const { agent } = await shared(permission)
    const { id: user_id } = await world.agent()
    const { status, body } = await world.call('create_board_share', { board_id, user_id }, { as: agent })
    expect([status, body.detail]).toMatchObject([403, { permission: 'BOARDS_SHARE', denied_by: 'share', board_id }])
  })
})

test('list_board_shares is open to whoever sees the board, oldest first', async () => {
  const { boardId } = await Scene.on(world)
  const agents = [await world.agent(), await world.agent()]
  const shares = []
  for (const { id } of agents) shares.push(await world.ok('create_board_share', { board_id: boardId, user_id: id }))
  const page = await world.call('list_board_shares', { board_id: boardId, limit: 1, offset: 1 }, { as: agents[0]! })
  expect([page.body, page.headers.get('x-total-count')]).toStrictEqual([[shares[1]], '2'])
})

describe('update_board_share and delete_board_share (access 7)', () => {
  test('take effect from the next request on', async () => {
    const { agent, share_id } = await shared()
    const create = () => world.call('create_ideation', { board_id, title: 'Mine' }, { as: agent })
    expect((await create()).status).toBe(403)
    expect(await world.ok('update_board_share', { board_id, share_id, permission: 'editor' })).toMatchObject({
      id: share_id,
      permission: 'editor',
    })
    expect((await create()).status).toBe(201)
    expect((await world.call('delete_board_share', { board_id, share_id })).status).toBe(204)
    expect((await create()).status).toBe(404)
  })

  test('of a share of another board are 404', async () => {
    const { boardId } = await Scene.on(world)
    const { share_id } = await shared()
    for (const name of ['update_board_share', 'delete_board_share'] as const) {
      const { status, body } = await world.call(name, { board_id: boardId, share_id, permission: 'admin' })
      expect([status, body.detail]).toMatchObject([404, { entity_type: 'share', entity_id: share_id }])
    }
  })

  test('need a permission: absent, null or another word is 422', async () => {
    const { share_id } = await shared()
    for (const body of [{}, { permission: null }, { permission: 'all' }])
      expect((await world.call('update_board_share', { board_id, share_id, ...body })).status).toBe(422)
  })

  test('an agent can leave by deleting its own share, and delete no other', async () => {
    const { agent, share_id } = await shared()
    const { share_id: other } = await shared()
    const refused = await world.call('delete_board_share', { board_id, share_id: other }, { as: agent })
    expect([refused.status, refused.body.detail.permission]).toStrictEqual([403, 'BOARDS_SHARE'])
    expect((await world.call('delete_board_share', { board_id, share_id }, { as: agent })).status).toBe(204)
    expect((await world.call('get_board', { board_id }, { as: agent })).status).toBe(404)
  })
})

test('each write leaves one entry in the board’s activity (access 14)', async () => {
  const before = logged(world, board_id).length
  const { agent, share_id } = await shared('viewer')
  await world.ok('update_board_share', { board_id, share_id, permission: 'viewer' })
  await world.ok('update_board_share', { board_id, share_id, permission: 'admin' })
  await world.call('delete_board_share', { board_id, share_id })
  const of = { share_id, user_id: agent.id }
  const entries = logged(world, board_id).slice(before)
  expect(entries.map(({ activity, details }) => [activity, details])).toStrictEqual([
    ['board_shared', { ...of, permission: 'viewer' }],
    ['board_share_updated', { ...of, permission: ['viewer', 'admin'] }],
    ['board_unshared', { ...of, permission: 'admin' }],
  ])
})
