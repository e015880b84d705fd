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

/** A new agent with a grant for the board. */
async function granted(permission_overrides?: Record<string, boolean> | null): Promise<TestAgent> {
  const agent = await world.agent()
  const overrides = permission_overrides === undefined ? {} : { permission_overrides }
  await world.ok('grant_board_access', { agent_id: agent.id, board_id, ...overrides })
  return agent
}

const mine = (as: TestAgent) => world.ok('get_my_permissions', { board_id }, { as })
const activities = () => logged(world, board_id).map(({ activity, details }) => [activity, details])

describe('get_my_permissions (access 11)', () => {
  test('says of each missing permission what denies it', async () => {
    const agent = await granted({ CARDS_UPDATE: false })
    const { flags, denied_by } = await mine(agent)
    const missing = Object.keys(flags).filter(name => !flags[name])
    expect(Object.keys(denied_by).toSorted()).toEqual(missing.toSorted())
    expect(denied_by).toMatchObject({ CARDS_UPDATE: 'override', BOARDS_DELETE: 'grant' })
    expect((await world.ok('get_my_permissions', {}, { as: agent })).denied_by).toBeNull()
    expect((await mine(world.owner)).denied_by).toEqual({})
    const shared = await world.agent({ permission_flags: { SPECS_READ: false } })
    await world.ok('create_board_share', { board_id, user_id: shared.id, permission: 'viewer' })
    expect((await mine(shared)).denied_by).toMatchObject({ SPECS_READ: 'agent', CARDS_UPDATE: 'share' })
    const limited = await world.agent({ preset_id: await scene.preset() })
    await world.ok('grant_board_access', { agent_id: limited.id, board_id })
    expect((await mine(limited)).denied_by).toMatchObject({ CARDS_DELETE: 'preset' })
  })

  test('answers for an agent that the caller manages and may change', async () => {
    const agent = await granted({ CARDS_UPDATE: false })
    const args = { board_id, agent_id: agent.id }
    expect(await world.ok('get_my_permissions', args)).toEqual(await mine(agent))
    expect(await world.ok('get_my_permissions', { agent_id: agent.id })).toEqual(
      await world.ok('get_my_permissions', {}, { as: agent }),
    )
    expect((await world.call('get_my_permissions', args, { as: agent })).status).toBe(200)
    const stranger = await granted()
    const refused = await world.call('get_my_permissions', args, { as: stranger })
    expect([refused.status, refused.body.detail.entity_type]).toEqual([404, 'agent'])
    const limited = await world.agent({ permission_flags: { AGENTS_UPDATE: false } })
    const { id: own } = await world.agent({ permission_flags: { AGENTS_UPDATE: false } }, limited)
    expect((await world.call('get_my_permissions', { agent_id: own }, { as: limited })).status).toBe(404)
    const elsewhere = await world.agent()
    const unseen = await world.call('get_my_permissions', { board_id, agent_id: elsewhere.id })
    expect([unseen.status, unseen.body.detail.entity_type]).toEqual([404, 'board'])
  })
})

describe('grant_board_access (access 9)', () => {
  test('gives access, with a body or without', async () => {
    const agent = await world.agent()
    expect((await world.call('get_board', { board_id }, { as: agent })).status).toBe(404)
    const grant = await world.ok('grant_board_access', { agent_id: agent.id, board_id })
    expect(grant).toMatchObject({
      agent_id: agent.id,
      board_id,
      granted_by: world.owner.id,
      permission_overrides: null,
    })
    expect(await mine(agent)).toMatchObject({ access: 'grant', share_permission: null })

    const url = `${world.running.url}/api/v1/agents/${(await world.agent()).id}/boards/${board_id}`
    const bare = await fetch(url, { method: 'POST', headers: { 'x-api-key': world.owner.key } })
    expect([bare.status, await bare.json()]).toMatchObject([201, { permission_overrides: null }])
  })

  test('a second is 409 ALREADY_GRANTED; of two at once one wins', async () => {
    const { id: agent_id } = await world.agent()
    const answers = await Promise.all([1, 2].map(() => world.call('grant_board_access', { agent_id, board_id })))
    const [accepted, refused] = answers.toSorted((a, b) => a.status - b.status)
    expect([accepted?.status, refused?.status, refused?.body.detail]).toMatchObject([
      201,
      409,
      { error: 'ALREADY_GRANTED', agent_id, board_id },
    ])
  })

  test('needs to see the agent and the board, then ownership or an admin share', async () => {
    const stranger = await world.agent()
    const editor = await world.agent()
    const admin = await world.agent()
    const grantee = await granted()
    await world.ok('create_board_share', { board_id, user_id: editor.id, permission: 'editor' })
    await scene.admit(admin)
    const attempt = async (as: TestAgent, agent_id?: string) => {
      const id = agent_id ?? (await world.agent({}, as)).id
      const { status, body } = await world.call('grant_board_access', { agent_id: id, board_id }, { as })
      return [status, body.detail?.entity_type ?? body.detail?.permission, body.detail?.denied_by]
    }
    expect(await attempt(stranger)).toStrictEqual([404, 'board', undefined])
    expect(await attempt(admin, stranger.id)).toStrictEqual([404, 'agent', undefined])
    expect(await attempt(editor)).toStrictEqual([403, 'AGENTS_GRANT', 'share'])
    expect(await attempt(grantee)).toStrictEqual([403, 'AGENTS_GRANT', 'grant'])
    expect(await attempt(admin)).toStrictEqual([201, undefined, undefined])
  })

  test('an unknown permission is 400, a value that is not a boolean 422', async () => {
    const { id: agent_id } = await world.agent()
    const unknown = await world.call('grant_board_access', { agent_id, board_id, permission_overrides: { NO: false } })
    expect([unknown.status, unknown.body.detail]).toMatchObject([
      400,
      { field: 'permission_overrides', unknown: ['NO'] },
    ])
    const typed = await world.call('grant_board_access', {
      agent_id,
      board_id,
      permission_overrides: { CARDS_READ: 0 },
    })
    expect(typed.status).toBe(422)
  })
})

describe('overrides (access 2.2, 9)', () => {
  test('restrict by expansion and never widen', async () => {
    const agent = await granted({ CARDS_MOVE: false, BOARDS_DELETE: true, IDEATIONS_CREATE: false })
    const { flags } = await mine(agent)
    expect(flags).toMatchObject({ CARDS_MOVE: false, CARDS_MOVE_DONE: false, BOARDS_DELETE: false, CARDS_READ: true })
    const { status, body } = await world.call('create_ideation', { board_id, title: 'No' }, { as: agent })
    expect([status, body.detail]).toMatchObject([
      403,
      { permission: 'IDEATIONS_CREATE', denied_by: 'override', board_id },
    ])
  })

  test('apply to the owner too, whom an admin of the board grants it', async () => {
    const owner = await world.agent()
    const { id: boardId } = await world.ok('create_board', { name: 'Own', description: '' }, { as: owner })
    const admin = { board_id: boardId, user_id: world.owner.id, permission: 'admin' }
    await world.ok('create_board_share', admin, { as: owner })
    const own = { agent_id: owner.id, board_id: boardId }
    await world.ok('grant_board_access', { ...own, permission_overrides: { BOARDS_UPDATE: false } })
    const { status, body } = await world.call('update_board', { board_id: boardId, name: 'x' }, { as: owner })
    expect([status, body.detail.denied_by]).toStrictEqual([403, 'override'])
    expect((await world.ok('get_my_permissions', { board_id: boardId }, { as: owner })).access).toBe('owner')
  })

  test('update replaces them as supplied; null or {} removes all, absent changes nothing', async () => {
    const agent = await granted({ CARDS_MOVE: false })
    const at = { agent_id: agent.id, board_id }
    const update = async (body: object) =>
      (await world.ok('update_board_access', { ...at, ...body })).permission_overrides
    expect(await update({})).toStrictEqual({ CARDS_MOVE: false })
    expect(await update({ permission_overrides: { SPECS_UPDATE: false } })).toStrictEqual({ SPECS_UPDATE: false })
    expect((await mine(agent)).flags).toMatchObject({ CARDS_MOVE: true, SPECS_UPDATE: false, SPECS_LABEL: false })
    expect(await update({ permission_overrides: {} })).toStrictEqual({})
    expect((await mine(agent)).flags.SPECS_UPDATE).toBe(true)
    expect(await update({ permission_overrides: null })).toBeNull()
    const unknown = await world.call('update_board_access', { ...at, permission_overrides: { NO: true } })
    expect([unknown.status, unknown.body.detail.unknown]).toStrictEqual([400, ['NO']])
  })

  test('remove boards from lists across boards', async () => {
    const agent = await granted({ BOARDS_READ: false })
    const list = await world.call('list_boards', {}, { as: agent })
    expect([list.body, list.headers.get('x-total-count')]).toStrictEqual([[], '0'])
  })
})

describe('update_board_access and revoke_board_access (access 9)', () => {
  test('without a grant are 404, before 403', async () => {
    const agent = await world.agent()
    const grantee = await granted()
    const below = await world.agent({}, grantee)
    const absent = [
      await world.call('update_board_access', { agent_id: agent.id, board_id }),
      await world.call('revoke_board_access', { agent_id: agent.id, board_id }),
      await world.call('revoke_board_access', { agent_id: below.id, board_id }, { as: grantee }),
    ]
    expect(absent.map(({ status, body }) => [status, body.detail.error])).toStrictEqual(
      Array(3).fill([404, 'NOT_FOUND']),
    )
  })

  test('with a grant need AGENTS_GRANT', async () => {
    const grantee = await granted()
    const below = await world.agent({}, grantee)
    await world.ok('grant_board_access', { agent_id: below.id, board_id })
    for (const name of ['update_board_access', 'revoke_board_access'] as const) {
      const { status, body } = await world.call(name, { agent_id: below.id, board_id }, { as: grantee })
      expect([status, body.detail.permission]).toStrictEqual([403, 'AGENTS_GRANT'])
    }
  })

  test('an agent can leave on its own; the board is then 404, and a second call too', async () => {
    const agent = await granted()
    const leave = () => world.call('revoke_board_access', { agent_id: agent.id, board_id }, { as: agent })
    expect((await leave()).status).toBe(204)
    expect((await world.call('get_board', { board_id }, { as: agent })).status).toBe(404)
    expect((await leave()).status).toBe(404)
  })
})

test('each write leaves one entry in the board’s activity, and one that changes nothing none (access 14)', async () => {
  const before = activities().length
  const { id: agent_id } = await granted({ CARDS_READ: false })
  await world.ok('update_board_access', { agent_id, board_id })
  await world.ok('update_board_access', { agent_id, board_id, permission_overrides: null })
  await world.call('revoke_board_access', { agent_id, board_id })
  expect(activities().slice(before)).toStrictEqual([
    ['agent_granted', { agent_id, permission_overrides: { CARDS_READ: false } }],
    ['agent_access_updated', { agent_id, permission_overrides: null }],
    ['agent_revoked', { agent_id, permission_overrides: null }],
  ])
})
