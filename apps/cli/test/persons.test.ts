import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let owner: Person

beforeAll(async () => {
  world = await World.start()
  owner = await Person.owner(world)
})

afterAll(() => world.stop())

const personRequired = { error: 'PERSON_REQUIRED', needs: 'present' }

describe('no agent makes, changes or locks out persons (people 1.2)', () => {
  test('a person is made by a present person alone, and has no key', async () => {
    const robot = await world.agent()
    for (const as of [robot, world.owner]) {
      const { status, body } = await world.call('create_agent', { name: 'Ada', kind: 'person' }, { as })
      const persons = [{ id: world.owner.id, name: 'Local Owner' }]
      expect([status, body.detail]).toMatchObject([409, { ...personRequired, gate: 'PEOPLE_MANAGE', persons }])
    }
    const ada = await owner.ok('create_agent', { name: 'Ada', kind: 'person', email: 'ada@example.org' })
    expect(ada).toMatchObject({
      kind: 'person',
      handle: 'ada',
      email: 'ada@example.org',
      has_key: false,
      api_key: null,
      api_key_prefix: '',
    })
    const limited = await world.agent({ permission_flags: { PEOPLE_MANAGE: false } })
    expect(await world.ok('get_agent', { agent_id: ada.id }, { as: limited })).toMatchObject({ email: null })
    const [entry] = await world.ok('list_audit', { target_id: ada.id })
    expect(entry.action).toBe('person_created')
    expect(await world.ok('list_audit', { target_id: ada.id }, { as: limited })).toEqual([])
  })

  test('who manages people sees the audit of them all, an agent that of its own', async () => {
    const second = await owner.ok('create_agent', { name: 'Second', kind: 'person' })
    const person = await Person.byLink(world, (await owner.ok('create_sign_in_link', { agent_id: second.id })).url)
    const eve = await owner.ok('create_agent', { name: 'Eve', kind: 'person' })
    const filter = { target_id: eve.id, action: 'person_created' }
    expect(await person.ok('list_audit', filter)).toMatchObject([{ actor_id: world.owner.id, target_name: 'Eve' }])
    expect(await person.ok('list_audit', { action: 'agent_created' })).toEqual([])
    expect(await world.ok('list_audit', filter, { as: await world.agent() })).toEqual([])
  })

  test('without PEOPLE_READ only managed persons are seen', async () => {
    const ada = await owner.ok('create_agent', { name: 'Seen', kind: 'person' })
    const blind = await world.agent({ permission_flags: { PEOPLE_READ: false, PEOPLE_MANAGE: false } })
    const reader = await world.agent({ permission_flags: { PEOPLE_MANAGE: false } })
    expect((await world.call('get_agent', { agent_id: ada.id }, { as: blind })).status).toBe(404)
    expect((await world.call('get_agent', { agent_id: ada.id }, { as: reader })).status).toBe(200)
    expect(await world.ok('list_agents', { kind: 'person' }, { as: blind })).toEqual([])
    const refused = await world.call('create_agent', { name: 'x', kind: 'person' }, { as: reader })
    expect([refused.status, refused.body.detail.permission]).toEqual([403, 'PEOPLE_MANAGE'])
  })

  test('what concerns others asks for its permission before it asks for a person', async () => {
    const ada = await owner.ok('create_agent', { name: 'Ada A', kind: 'person' })
    const reader = await world.agent({ permission_flags: { PEOPLE_MANAGE: false, CONNECTIONS_MANAGE: false } })
    const robot = await world.agent()
    for (const [name, args, permission] of [
      ['create_sign_in_link', { agent_id: ada.id }, 'PEOPLE_MANAGE'],
      ['end_sessions', { agent_id: ada.id }, 'PEOPLE_MANAGE'],
      ['list_connections', { all: true }, 'CONNECTIONS_MANAGE'],
    ] as const) {
      const refused = await world.call(name, args, { as: reader })
      expect([name, refused.status, refused.body.detail.permission]).toEqual([name, 403, permission])
      const { status, body } = await world.call(name, args, { as: robot })
      expect([name, status, body.detail.gate]).toEqual([name, 409, permission])
      expect(body.detail.persons[0]).toEqual({ id: world.owner.id, name: 'Local Owner' })
    }
    const own = await world.call('list_connections', {}, { as: reader })
    expect(own.body.detail).toMatchObject({ error: 'PERSON_REQUIRED', gate: null, persons: [] })
  })

  test('an agent with all permissions neither changes nor deletes a person, nor renews the key', async () => {
    const robot = await world.agent()
    const agent_id = world.owner.id
    for (const [name, args] of [
      ['update_agent', { is_active: false }],
      ['delete_agent', {}],
      ['regenerate_agent_key', {}],
    ] as const) {
      const { status, body } = await world.call(name, { agent_id, ...args }, { as: robot })
      expect([name, status, body.detail]).toMatchObject([name, 409, personRequired])
    }
    const ada = await owner.ok('create_agent', { name: 'Ada B', kind: 'person' })
    expect((await world.call('update_agent', { agent_id: ada.id, name: 'Eve' })).body.detail.error).toBe(
      'PERSON_REQUIRED',
    )
    expect(await owner.ok('update_agent', { agent_id: ada.id, is_active: false })).toMatchObject({ is_active: false })
    expect((await owner.call('regenerate_agent_key', { agent_id: ada.id })).body.detail.error).toBe('PERSON_REQUIRED')
    expect((await owner.call('delete_agent', { agent_id: ada.id })).status).toBe(204)
  })

  test('a person renews the own key with it or present, and takes it away', async () => {
    const other = await World.start()
    try {
      const agent_id = other.owner.id
      const present = await Person.owner(other)
      const byKey = await Person.byKey(other, other.owner.key)
      expect((await byKey.call('regenerate_agent_key', { agent_id })).status).toBe(409)
      const { api_key } = await other.ok('regenerate_agent_key', { agent_id })
      const again = await Person.owner(other)
      expect(await again.ok('regenerate_agent_key', { agent_id, remove: true })).toMatchObject({
        api_key: null,
        api_key_prefix: '',
      })
      const answer = await other.call('get_my_permissions', {}, { as: { ...other.owner, key: api_key } })
      expect(answer.status).toBe(401)
      expect(present).toBeDefined()
    } finally {
      await other.stop()
    }
  })
})

describe('convert_agent_to_person (people 1.2)', () => {
  test('keeps who it was and ends its key and claims', async () => {
    const { boardId: board_id } = await Scene.on(world)
    const robot = await world.agent({ name: 'Colleague' })
    await world.ok('grant_board_access', { agent_id: robot.id, board_id })
    const card = await world.ok('create_card', { board_id, title: 'Fix a typo' })
    await world.ok('claim_card', { card_id: card.id }, { as: robot })
    const refused = await world.call('convert_agent_to_person', { agent_id: robot.id })
    expect([refused.status, refused.body.detail]).toMatchObject([409, { ...personRequired, gate: 'PEOPLE_MANAGE' }])
    const person = await owner.ok('convert_agent_to_person', { agent_id: robot.id })
    expect(person).toMatchObject({ id: robot.id, kind: 'person', has_key: false, handle: 'colleague' })
    expect((await world.call('get_my_permissions', {}, { as: robot })).status).toBe(401)
    expect(await world.ok('list_claims', { board_id })).toEqual([])
    const again = await owner.call('convert_agent_to_person', { agent_id: robot.id })
    expect([again.status, again.body.detail.error]).toEqual([409, 'INVALID_STATE'])
  })
})

describe('handles (people 1.1)', () => {
  test('are derived, unique, and taken wherever a name is', async () => {
    const { boardId: board_id } = await Scene.on(world)
    const agents = []
    for (let count = 0; count < 3; count++) agents.push(await world.ok('create_agent', { name: 'Grace  Hopper!' }))
    expect(agents.map(({ handle }) => handle)).toEqual(['grace-hopper', 'grace-hopper2', 'grace-hopper3'])
    const conflict = await world.call('update_agent', { agent_id: agents[1].id, handle: 'grace-hopper' })
    expect([conflict.status, conflict.body.detail]).toMatchObject([
      409,
      { error: 'HANDLE_TAKEN', handle: 'grace-hopper' },
    ])
    await world.ok('update_agent', { agent_id: agents[1].id, handle: 'grace' })
    await world.ok('grant_board_access', { agent_id: agents[1].id, board_id })
    const card = await world.ok('create_card', { board_id, title: 'Fix a typo', assignee_id: 'grace' })
    expect(card.assignee_id).toBe(agents[1].id)
    for (const handle of ['x', 'Grace', '-grace', 'grace.', 'x'.repeat(33)])
      expect((await world.call('create_agent', { name: 'x', handle })).status).toBe(422)
  })
})

describe('sign-in links (people 2.5)', () => {
  test('sign a person without a key in, once, and the newest only', async () => {
    const ada = await owner.ok('create_agent', { name: 'Linked', kind: 'person' })
    const first = await owner.ok('create_sign_in_link', { agent_id: ada.id })
    const { url } = await owner.ok('create_sign_in_link', { agent_id: ada.id })
    expect(url).toMatch(/^https:\/\/board\.example\.com\/#[\w-]{43}$/)
    await expect(Person.byLink(world, first.url)).rejects.toThrow()
    const person = await Person.byLink(world, url)
    await expect(Person.byLink(world, url)).rejects.toThrow()
    expect(await person.ok('get_my_permissions')).toMatchObject({ agent_id: ada.id })
    const [entry] = await world.ok('list_audit', { action: 'sign_in_link_created', target_id: ada.id })
    expect(entry).toMatchObject({ actor_type: 'person', actor_via: 'session' })
    expect((await owner.call('end_sessions', { agent_id: ada.id })).status).toBe(204)
    expect((await person.call('get_my_permissions')).status).toBe(401)
  })

  test('are made by persons alone, for persons alone', async () => {
    const robot = await world.agent()
    for (const as of [robot, world.owner]) {
      const { status, body } = await world.call('create_sign_in_link', { agent_id: as.id }, { as })
      expect([status, body.detail]).toMatchObject([409, { ...personRequired, gate: null }])
    }
    expect((await owner.call('create_sign_in_link', { agent_id: robot.id })).status).toBe(400)
    const ben = await owner.ok('create_agent', { name: 'Ben', kind: 'person', preset_id: 'Reporter' })
    const { url } = await owner.ok('create_sign_in_link', { agent_id: ben.id })
    const reporter = await Person.byLink(world, url)
    expect((await reporter.ok('create_sign_in_link', { agent_id: ben.id })).url).toContain('#')
    const foreign = await reporter.call('create_sign_in_link', { agent_id: world.owner.id })
    expect(foreign.status).toBe(404)
  })
})
