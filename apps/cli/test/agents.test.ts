import { builtinPresets, permissionNames } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audited, queried } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const presetId = (name: string) => builtinPresets.find(preset => preset.name === name)!.id
const get = (agent_id: string, as: TestAgent = world.owner) => world.ok('get_agent', { agent_id }, { as })

describe('create_agent (access 8)', () => {
  test('creates an agent and shows its key only this once', async () => {
    const agent = await world.ok('create_agent', {
      name: ' Scout ',
      description: 'Looks ahead',
      preset_id: presetId('Executor'),
      permission_flags: { CARDS_MOVE: false, CARDS_MOVE_DONE: true },
      is_active: false,
      permissions: ['BOARDS_DELETE'],
    })
    expect(agent).toMatchObject({
      name: ' Scout ',
      description: 'Looks ahead',
      objective: null,
      is_active: true,
      preset_id: presetId('Executor'),
      permission_flags: { CARDS_MOVE: false, CARDS_MOVE_DONE: true },
      created_by: world.owner.id,
      last_used_at: null,
    })
    expect(agent.api_key).toMatch(/^dash_[0-9a-f]{48}$/)
    expect(agent.api_key_prefix).toBe(agent.api_key.slice(0, 13))
    expect(agent.permissions).toStrictEqual(agent.permissions.toSorted())
    expect(agent.permissions).toEqual(expect.arrayContaining(['CARDS_MOVE', 'CARDS_MOVE_DONE', 'CARDS_CREATE_BUG']))
    expect(agent.permissions).not.toContain('CARDS_MOVE_STARTED')
    expect(await get(agent.id)).toStrictEqual({ ...agent, api_key: null })
  })

  test('without a preset gives Full Control', async () => {
    const { permissions } = await world.ok('create_agent', { name: 'All' })
    expect(permissions).toStrictEqual(permissionNames.toSorted())
  })

  test('stores neither the key nor anything that it could be derived from', async () => {
    const { api_key } = await world.ok('create_agent', { name: 'Secret' })
    const stored =
      JSON.stringify(queried(world, 'select * from agents')) + JSON.stringify(queried(world, 'select * from audit'))
    expect(stored).not.toContain(api_key.slice(13))
  })

  test.each<[string, Record<string, unknown>, (string | number)[], string]>([
    ['no name', {}, ['body', 'name'], 'missing'],
    ['an empty name', { name: '' }, ['body', 'name'], 'string_too_short'],
    ['white space only', { name: ' \t' }, ['body', 'name'], 'value_error'],
    ['256 characters', { name: 'x'.repeat(256) }, ['body', 'name'], 'string_too_long'],
    [
      'a flag that is not a boolean',
      { name: 'a', permission_flags: { CARDS_READ: 1 } },
      ['body', 'permission_flags', 'CARDS_READ'],
      'bool_type',
    ],
    ['flags that are not an object', { name: 'a', permission_flags: [] }, ['body', 'permission_flags'], 'dict_type'],
  ])('%s is 422', async (_, body, loc, type) => {
    const answer = await world.call('create_agent', body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ loc, type }])
  })

  test('an unknown permission is 400 with the names, sorted', async () => {
    const { status, body } = await world.call('create_agent', { name: 'a', permission_flags: { ZZ: true, AA: false } })
    expect([status, body.detail]).toMatchObject([
      400,
      { error: 'VALIDATION_ERROR', field: 'permission_flags', unknown: ['AA', 'ZZ'] },
    ])
  })

  test('a preset that the caller cannot see is 400', async () => {
    const maker = await world.agent()
    const hidden = (await world.ok('create_preset', { name: 'Hidden' })).id
    for (const preset_id of ['nothing', hidden]) {
      const { status, body } = await world.call('create_agent', { name: 'a', preset_id }, { as: maker })
      expect([status, body.detail]).toMatchObject([400, { error: 'VALIDATION_ERROR', field: 'preset_id' }])
    }
  })
})

describe('no escalation (access 8.2)', () => {
  const restricted = () => world.agent({ permission_flags: { SPECS_VALIDATE: false, BOARDS_DELETE: false } })
  const refusal = { error: 'FORBIDDEN', permission: 'BOARDS_DELETE', missing: ['BOARDS_DELETE', 'SPECS_VALIDATE'] }

  test('nobody creates an agent that may do more, not even by leaving out preset and flags', async () => {
    const { status, body } = await world.call('create_agent', { name: 'More' }, { as: await restricted() })
    expect([status, body.detail]).toMatchObject([403, { ...refusal, denied_by: 'agent', board_id: null }])
  })

  test('state limits count too: Spec gives none that it lacks (trust 2)', async () => {
    const maker = await world.agent({ preset_id: presetId('Spec'), permission_flags: { AGENTS_CREATE: true } })
    const create = (permission_flags: Record<string, boolean>) =>
      world.call('create_agent', { name: 'Same', preset_id: presetId('Spec'), permission_flags }, { as: maker })
    expect((await create({ CARDS_WRITE_IN_DONE: true })).body.detail.missing).toStrictEqual(['CARDS_WRITE_IN_DONE'])
    expect((await create({ AGENTS_CREATE: false })).status).toBe(201)
  })

  test('nobody raises one later; a change without preset and flags is not checked', async () => {
    const manager = await world.agent()
    const agent = await world.agent({ permission_flags: { BOARDS_CREATE: true } }, manager)
    await world.ok('update_agent', {
      agent_id: manager.id,
      permission_flags: { BOARDS_DELETE: false, SPECS_VALIDATE: false },
    })
    const raised = await world.call('update_agent', { agent_id: agent.id, permission_flags: null }, { as: manager })
    expect([raised.status, raised.body.detail]).toMatchObject([403, refusal])
    await world.ok('update_agent', { agent_id: agent.id, name: 'Still more than its manager' }, { as: manager })
    await world.ok('update_agent', { agent_id: agent.id, preset_id: presetId('Reporter') }, { as: manager })
  })
})

describe('who sees whom (access 1, 8.2)', () => {
  test('an agent sees itself and those it manages, oldest first, also through deleted agents', async () => {
    const top = await world.agent()
    const middle = await world.agent({}, top)
    const bottom = await world.agent({}, middle)
    const other = await world.agent()
    const ids = async (as: TestAgent) =>
      (await world.ok('list_agents', { kind: 'agent' }, { as })).map(({ id }: TestAgent) => id)
    expect(await ids(top)).toStrictEqual([top.id, middle.id, bottom.id])
    expect(await ids(bottom)).toStrictEqual([bottom.id])
    expect((await world.call('get_agent', { agent_id: middle.id }, { as: bottom })).status).toBe(404)
    expect((await world.call('get_agent', { agent_id: other.id }, { as: top })).status).toBe(404)

    await world.ok('delete_agent', { agent_id: middle.id }, { as: top })
    expect(await ids(top)).toStrictEqual([top.id, bottom.id])
    expect((await get(bottom.id, top)).created_by).toBe(middle.id)
    expect((await world.call('get_agent', { agent_id: middle.id })).status).toBe(404)
    expect(await ids(world.owner)).toEqual(expect.arrayContaining([top.id, bottom.id, other.id]))
  })

  test('in pages, with the total', async () => {
    const top = await world.agent()
    const agents = [await world.agent({}, top), await world.agent({}, top)]
    const page = await world.call('list_agents', { kind: 'agent', limit: 1, offset: 1 }, { as: top })
    expect(page.body.map(({ id }: TestAgent) => id)).toStrictEqual([agents[0]!.id])
    expect(page.headers.get('x-total-count')).toBe('3')
  })
})

describe('the boards of agents (access 8.2)', () => {
  test('on request, each once and by key, as far as the caller sees them', async () => {
    const lead = await world.agent()
    const worker = await world.agent({}, lead)
    const createBoard = async (name: string, as: TestAgent) => {
      const { id, key } = await world.ok('create_board', { name, key: name, description: '' }, { as })
      return { id, key, name }
    }
    const owned = await createBoard('ZOO', lead)
    const shared = await createBoard('APE', lead)
    const hidden = await createBoard('HID', world.owner)
    for (const { id, as } of [
      { ...owned, as: lead },
      { ...hidden, as: world.owner },
    ])
      await world.ok('grant_board_access', { agent_id: worker.id, board_id: id }, { as })
    for (const { id } of [owned, shared])
      await world.ok('create_board_share', { board_id: id, user_id: worker.id, permission: 'viewer' }, { as: lead })
    const listed = (args = {}) => world.ok('list_agents', { kind: 'agent', ...args }, { as: lead })
    expect(await listed({ boards: true })).toMatchObject([
      { id: lead.id, boards: [shared, owned] },
      { id: worker.id, boards: [shared, owned] },
    ])
    expect(await world.ok('list_agents', { kind: 'agent', boards: true }, { as: worker })).toMatchObject([
      { id: worker.id, boards: [shared, hidden, owned] },
    ])
    for (const agent of await listed()) expect(agent).not.toHaveProperty('boards')
  })
})

describe('update_agent (access 8)', () => {
  test('changes what is sent, with effect from the next request on', async () => {
    const agent = await world.agent({ preset_id: presetId('Executor'), permission_flags: { CARDS_DELETE: true } })
    const renamed = await world.ok('update_agent', { agent_id: agent.id, name: 'New', description: null, id: 'x' })
    expect(renamed).toMatchObject({ id: agent.id, name: 'New', permission_flags: { CARDS_DELETE: true } })

    const moved = await world.ok('update_agent', { agent_id: agent.id, preset_id: presetId('QA') })
    expect(moved).toMatchObject({ preset_id: presetId('QA'), permission_flags: null })
    expect((await world.ok('get_my_permissions', {}, { as: agent })).flags.CARDS_DELETE).toBe(false)

    const both = { preset_id: presetId('Spec'), permission_flags: { CARDS_DELETE: true } }
    expect(await world.ok('update_agent', { agent_id: agent.id, ...both })).toMatchObject(both)
    expect(await world.ok('update_agent', { agent_id: agent.id, permission_flags: {} })).toMatchObject({
      preset_id: presetId('Spec'),
      permission_flags: {},
    })
  })

  test('an inactive agent’s key is refused from the next request on', async () => {
    const agent = await world.agent()
    await world.ok('update_agent', { agent_id: agent.id, is_active: false })
    expect((await world.call('get_my_permissions', {}, { as: agent })).status).toBe(401)
    await world.ok('update_agent', { agent_id: agent.id, is_active: true })
    expect((await world.call('get_my_permissions', {}, { as: agent })).status).toBe(200)
  })

  test.each([{ name: null }, { name: '  ' }, { is_active: null }, { is_active: 'yes' }, { preset_id: 7 }])(
    '%j is 422',
    async body => {
      expect((await world.call('update_agent', { agent_id: world.owner.id, ...body })).status).toBe(422)
    },
  )

  test('an unknown permission or preset is 400, and nothing is changed', async () => {
    const agent = await world.agent()
    for (const fault of [{ permission_flags: { NO: true } }, { preset_id: 'no' }]) {
      const { status } = await world.call('update_agent', { agent_id: agent.id, name: 'Changed', ...fault })
      expect(status).toBe(400)
    }
    expect((await get(agent.id)).name).not.toBe('Changed')
  })

  describe('on oneself', () => {
    test('allows name, description and objective with AGENTS_UPDATE_SELF', async () => {
      const agent = await world.agent({ preset_id: presetId('Reporter') })
      const texts = { name: 'Me', description: 'mine', objective: null }
      expect(await world.ok('update_agent', { agent_id: agent.id, ...texts }, { as: agent })).toMatchObject(texts)
      const silenced = await world.agent({ permission_flags: { AGENTS_UPDATE_SELF: false } })
      const { status, body } = await world.call('update_agent', { agent_id: silenced.id, name: 'x' }, { as: silenced })
      expect([status, body.detail.permission]).toStrictEqual([403, 'AGENTS_UPDATE_SELF'])
    })

    test('never allows permissions: 409 SELF_CHANGE with the fields', async () => {
      const { body, status } = await world.call('update_agent', {
        agent_id: world.owner.id,
        name: 'Owner',
        preset_id: presetId('Full Control'),
        permission_flags: null,
        is_active: true,
      })
      expect([status, body.detail]).toMatchObject([
        409,
        { error: 'SELF_CHANGE', fields: ['is_active', 'permission_flags', 'preset_id'] },
      ])
      expect((await get(world.owner.id)).name).toBe('Local Owner')
    })

    test('AGENTS_UPDATE_SELF does not reach other agents', async () => {
      const manager = await world.agent()
      const agent = await world.agent({ preset_id: presetId('Reporter') }, manager)
      await world.ok('update_agent', {
        agent_id: manager.id,
        permission_flags: { AGENTS_UPDATE: false, AGENTS_UPDATE_SELF: true },
      })
      const { status, body } = await world.call('update_agent', { agent_id: agent.id, name: 'x' }, { as: manager })
      expect([status, body.detail.permission]).toStrictEqual([403, 'AGENTS_UPDATE'])
    })
  })
})

describe('regenerate_agent_key (access 8)', () => {
  test('gives a new key; the old one is refused at once', async () => {
    const agent = await world.agent()
    const answer = await world.ok('regenerate_agent_key', { agent_id: agent.id }, { as: agent })
    expect(answer).toMatchObject({ agent_id: agent.id, api_key_prefix: answer.api_key.slice(0, 13) })
    expect(answer.api_key).not.toBe(agent.key)
    expect((await world.call('get_my_permissions', {}, { as: agent })).status).toBe(401)
    const renewed = { ...agent, key: answer.api_key }
    expect((await get(agent.id, renewed)).api_key_prefix).toBe(answer.api_key_prefix)
  })

  test('twice at once leaves one valid key', async () => {
    const agent = await world.agent()
    const answers = await Promise.all([1, 2].map(() => world.ok('regenerate_agent_key', { agent_id: agent.id })))
    const statuses = await Promise.all(
      answers.map(
        async ({ api_key }) => (await world.call('get_my_permissions', {}, { as: { ...agent, key: api_key } })).status,
      ),
    )
    expect(statuses.toSorted()).toStrictEqual([200, 401])
  })
})

describe('delete_agent (access 8)', () => {
  test('deletes key, grants and shares too; id and name stay in histories', async () => {
    const agent = await world.agent({ name: 'Gone' })
    await scene.admit(agent)
    await world.ok('grant_board_access', { agent_id: agent.id, board_id: scene.boardId })
    const ideation = await world.ok('create_ideation', { board_id: scene.boardId, title: 'Kept' }, { as: agent })
    expect((await world.call('delete_agent', { agent_id: agent.id })).status).toBe(204)
    expect((await world.call('delete_agent', { agent_id: agent.id })).status).toBe(404)
    expect((await world.call('get_my_permissions', {}, { as: agent })).status).toBe(401)
    const shares = await world.ok('list_board_shares', { board_id: scene.boardId })
    const granted = await world.ok('list_board_agents', { board_id: scene.boardId })
    expect([...shares, ...granted].filter(item => item.user_id === agent.id || item.id === agent.id)).toStrictEqual([])
    const [entry] = await world.ok('list_ideation_history', { ideation_id: ideation.id })
    expect(entry).toMatchObject({ actor_id: agent.id, actor_name: 'Gone' })
  })

  test('of oneself is 409 SELF_CHANGE', async () => {
    const { status, body } = await world.call('delete_agent', { agent_id: world.owner.id })
    expect([status, body.detail]).toMatchObject([409, { error: 'SELF_CHANGE', fields: [] }])
  })

  test('of a board’s owner is 409 with the boards', async () => {
    const agent = await world.agent()
    const boards = []
    for (const name of ['One', 'Two'])
      boards.push((await world.ok('create_board', { name, description: '' }, { as: agent })).id)
    const { status, body } = await world.call('delete_agent', { agent_id: agent.id })
    expect([status, body.detail]).toMatchObject([409, { error: 'AGENT_OWNS_BOARDS', boards }])
    // Nobody else sees or deletes them, so that is not what the caller is told to do.
    expect(body.detail.message).toContain('only it can delete')
  })

  test('never leaves a board behind that it creates at that moment', async () => {
    for (let round = 0; round < 20; round++) {
      const agent = await world.agent()
      const [deleted, created] = await Promise.all([
        world.call('delete_agent', { agent_id: agent.id }),
        world.call('create_board', { name: 'Left', description: '' }, { as: agent }),
      ])
      expect([
        [204, 401],
        [409, 201],
      ]).toContainEqual([deleted.status, created.status])
    }
  })
})

describe('list_board_agents (access 8)', () => {
  test('lists the agents with a grant, never a key or its prefix', async () => {
    const { boardId: board_id } = await Scene.on(world)
    const second = await world.agent({ preset_id: presetId('QA') })
    const third = await world.agent()
    for (const { id } of [third, second]) await world.ok('grant_board_access', { agent_id: id, board_id })
    const agents = await world.ok('list_board_agents', { board_id })
    expect(agents.map(({ id }: TestAgent) => id)).toStrictEqual([second.id, third.id])
    expect(Object.keys(agents[0]).toSorted()).toStrictEqual([
      'created_at',
      'description',
      'handle',
      'id',
      'is_active',
      'kind',
      'last_used_at',
      'name',
      'objective',
      'permission_flags',
      'preset_id',
      'preset_name',
    ])
    expect((await world.ok('get_board', { board_id })).agents).toStrictEqual(agents)
  })
})

test('writes to agents are audited with the names of fields, never with a value (access 14)', async () => {
  const manager = await world.agent({ name: 'Manager' })
  const agent = await world.agent({ description: 'x' }, manager)
  await world.ok('update_agent', { agent_id: agent.id, objective: 'y', description: 'x' }, { as: manager })
  await world.ok('update_agent', { agent_id: agent.id, objective: 'y' }, { as: manager })
  await world.ok('regenerate_agent_key', { agent_id: agent.id }, { as: manager })
  await world.ok('delete_agent', { agent_id: agent.id }, { as: manager })
  const by = { actor_id: manager.id, actor_name: 'Manager' }
  expect(audited(world, agent.id)).toStrictEqual([
    { ...by, action: 'agent_created', fields: ['description', 'name'] },
    { ...by, action: 'agent_updated', fields: ['objective'] },
    { ...by, action: 'key_regenerated', fields: ['api_key'] },
    { ...by, action: 'agent_deleted', fields: [] },
  ])
})
