import { builtinPresets, isStateLimit, permissionNames } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audited } from './support/event-log.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const builtin = (name: string) => builtinPresets.find(preset => preset.name === name)!.id
const allowed = (flags: Record<string, boolean>) => permissionNames.filter(name => flags[name])
const list = (as: TestAgent) => world.ok('list_presets', {}, { as })
const create = (fields: object, as: TestAgent = world.owner) =>
  world.ok('create_preset', { name: 'Own', ...fields }, { as })

describe('list_presets (access 10)', () => {
  test('lists the built-ins first, then names in binary order, with their complete maps', async () => {
    const agent = await world.agent()
    for (const name of ['b', 'a', 'B']) await create({ name }, agent)
    const presets = await list(agent)
    expect(presets.map(({ name }: { name: string }) => name)).toStrictEqual([
      'Executor',
      'Full Control',
      'QA',
      'Reporter',
      'Solo',
      'Spec',
      'Sprint Manager',
      'Validator',
      'B',
      'a',
      'b',
    ])
    for (const { flags } of presets) expect(Object.keys(flags)).toStrictEqual([...permissionNames])
    expect(presets[0]).toMatchObject({
      id: builtin('Executor'),
      owner_id: null,
      is_builtin: true,
      base_preset_id: null,
    })
    const page = await world.call('list_presets', { limit: 1, offset: 9 }, { as: agent })
    expect([page.body[0].name, page.headers.get('x-total-count')]).toStrictEqual(['a', '11'])
  })

  test('shows those owned by the caller or by an agent it manages, and the one that the caller has', async () => {
    const manager = await world.agent()
    const maker = await world.agent({}, manager)
    const { id } = await create({ name: 'Seen' }, maker)
    const holder = await world.agent({ preset_id: id }, maker)
    const assigned = await create({ flags: { PRESETS_READ: true } }, manager)
    await world.ok('update_agent', { agent_id: holder.id, preset_id: assigned.id }, { as: manager })
    const sees = async (as: TestAgent) => (await list(as)).map((preset: { id: string }) => preset.id).slice(8)
    expect((await sees(manager)).toSorted()).toStrictEqual([id, assigned.id].toSorted())
    expect(await sees(maker)).toStrictEqual([id])
    expect(await sees(holder)).toStrictEqual([assigned.id])
    expect(await sees(await world.agent())).toStrictEqual([])
  })
})

describe('create_preset (access 10)', () => {
  test('allows what the flags name, and the state limits', async () => {
    const preset = await create({ flags: { CARDS_MOVE: true, CARDS_MOVE_DONE: false, SPECS_UPDATE: false } })
    expect(preset).toMatchObject({ description: '', is_builtin: false, base_preset_id: null, owner_id: world.owner.id })
    expect(preset.updated_at).toBe(preset.created_at)
    expect(allowed(preset.flags).filter(name => !isStateLimit(name))).toStrictEqual([
      'CARDS_MOVE',
      'CARDS_MOVE_NOT_STARTED',
      'CARDS_MOVE_STARTED',
      'CARDS_MOVE_IN_PROGRESS',
      'CARDS_MOVE_VALIDATION',
      'CARDS_MOVE_ON_HOLD',
      'CARDS_MOVE_CANCELLED',
    ])
    expect(permissionNames.filter(isStateLimit).every(name => preset.flags[name])).toBe(true)
  })

  test.each<[object, string]>([
    [{}, 'missing'],
    [{ name: '' }, 'string_too_short'],
    [{ name: 'x'.repeat(101) }, 'string_too_long'],
    [{ name: 'a', flags: { CARDS_READ: 'yes' } }, 'bool_type'],
    [{ name: 'a', flags: 1 }, 'dict_type'],
  ])('%j is 422', async (body, type) => {
    const answer = await world.call('create_preset', { ...body })
    expect([answer.status, answer.body.detail[0].type]).toStrictEqual([422, type])
  })

  test('an unknown name is 400', async () => {
    const { status, body } = await world.call('create_preset', { name: 'a', flags: { NO: false, CARDS_READ: true } })
    expect([status, body.detail]).toMatchObject([400, { error: 'VALIDATION_ERROR', field: 'flags', unknown: ['NO'] }])
  })

  test('gives nothing that the caller lacks', async () => {
    const agent = await world.agent({ permission_flags: { SPECS_VALIDATE: false } })
    const flags = { SPECS_VALIDATE: true, CARDS_READ: true }
    const { status, body } = await world.call('create_preset', { name: 'a', flags }, { as: agent })
    expect([status, body.detail]).toMatchObject([
      403,
      { permission: 'SPECS_VALIDATE', missing: ['SPECS_VALIDATE'], denied_by: 'agent', board_id: null },
    ])
  })
})

describe('clone_preset (access 10)', () => {
  test('copies the source’s map, and applies the expansion of the supplied flags to it', async () => {
    const source = (await list(world.owner)).find(({ name }: { name: string }) => name === 'Executor')
    const clone = await world.ok('clone_preset', {
      preset_id: source.id,
      name: 'Careful',
      description: '',
      flags: { CARDS_MOVE: false, CARDS_MOVE_DONE: true, KG_QUERY: true },
    })
    expect(clone).toMatchObject({
      name: 'Careful',
      description: source.description,
      owner_id: world.owner.id,
      is_builtin: false,
      base_preset_id: source.id,
    })
    const differing = permissionNames.filter(name => clone.flags[name] !== source.flags[name])
    expect(differing).toStrictEqual([
      'CARDS_MOVE_NOT_STARTED',
      'CARDS_MOVE_STARTED',
      'CARDS_MOVE_IN_PROGRESS',
      'CARDS_MOVE_VALIDATION',
      'CARDS_MOVE_ON_HOLD',
      'CARDS_MOVE_DONE',
      'CARDS_MOVE_DONE_SMALL',
      'CARDS_MOVE_DONE_TEST',
      'CARDS_MOVE_CANCELLED',
      'KG_QUERY',
    ])
  })

  test('does not follow its source afterwards', async () => {
    const source = await create({ flags: { CARDS_READ: true } })
    const clone = await world.ok('clone_preset', { preset_id: source.id, name: 'Copy', description: 'Mine' })
    await world.ok('update_preset', { preset_id: source.id, flags: {} })
    const [copied] = (await list(world.owner)).filter(({ id }: { id: string }) => id === clone.id)
    expect(copied).toStrictEqual(clone)
    expect(clone).toMatchObject({ description: 'Mine', flags: source.flags })
  })

  test('gives nothing that the caller lacks, and an unknown source is 404', async () => {
    const agent = await world.agent({ permission_flags: { AGENTS_DELETE: false } })
    const full = { preset_id: builtin('Full Control'), name: 'Full' }
    const { status, body } = await world.call('clone_preset', full, { as: agent })
    expect([status, body.detail.missing]).toStrictEqual([403, ['AGENTS_DELETE']])
    await world.ok('clone_preset', { ...full, flags: { AGENTS_DELETE: false } }, { as: agent })
    const absent = await world.call('clone_preset', { preset_id: 'none', name: 'a' })
    expect([absent.status, absent.body.detail]).toMatchObject([404, { entity_type: 'preset', entity_id: 'none' }])
  })
})

describe('update_preset (access 10)', () => {
  test('takes effect at once for every agent that has it', async () => {
    const { id: preset_id } = await create({ flags: { SPECS_READ: true } })
    const agent = await world.agent({ preset_id, permission_flags: { CARDS_READ: true } })
    const flags = async () => (await world.ok('get_my_permissions', {}, { as: agent })).flags
    expect(await flags()).toMatchObject({ SPECS_READ: true, CARDS_READ: true, QA_READ: false })
    await world.ok('update_preset', { preset_id, flags: { QA_READ: true } })
    expect(await flags()).toMatchObject({ SPECS_READ: false, CARDS_READ: true, QA_READ: true })
  })

  test('keeps what is absent or null, and replaces the whole map', async () => {
    const preset = await create({ description: 'd', flags: { SPECS_READ: true } })
    const unchanged = await world.ok('update_preset', {
      preset_id: preset.id,
      name: null,
      description: null,
      flags: null,
    })
    expect(unchanged).toStrictEqual(preset)
    const renamed = await world.ok('update_preset', { preset_id: preset.id, name: 'New' })
    expect(renamed).toMatchObject({ name: 'New', description: 'd', flags: preset.flags })
    const emptied = await world.ok('update_preset', { preset_id: preset.id, flags: {} })
    expect(allowed(emptied.flags).every(name => isStateLimit(name))).toBe(true)
  })

  test('of another agent’s preset is 403 not_owner if the caller has it, 404 if it cannot see it', async () => {
    const { id: preset_id } = await create({ flags: { PRESETS_UPDATE: true, PRESETS_DELETE: true } })
    const holder = await world.agent({ preset_id })
    for (const [name, permission] of [
      ['update_preset', 'PRESETS_UPDATE'],
      ['delete_preset', 'PRESETS_DELETE'],
    ] as const) {
      const { status, body } = await world.call(name, { preset_id, name: 'Mine' }, { as: holder })
      expect([status, body.detail]).toMatchObject([403, { error: 'FORBIDDEN', permission, reason: 'not_owner' }])
    }
    const other = await world.agent()
    expect((await world.call('update_preset', { preset_id, name: 'x' }, { as: other })).status).toBe(404)
  })

  test('gives nothing that the caller lacks', async () => {
    const agent = await world.agent()
    const { id: preset_id } = await create({}, agent)
    await world.ok('update_agent', { agent_id: agent.id, permission_flags: { KG_ADMIN_DELETE: false } })
    const { status, body } = await world.call('update_preset', { preset_id, flags: { KG_ADMIN: true } }, { as: agent })
    expect([status, body.detail.missing]).toStrictEqual([403, ['KG_ADMIN_DELETE']])
  })
})

test.each(['update_preset', 'delete_preset'] as const)('%s on a built-in is 403 builtin_preset', async name => {
  const { status, body } = await world.call(name, { preset_id: builtin('Reporter'), flags: {} })
  const permission = name === 'update_preset' ? 'PRESETS_UPDATE' : 'PRESETS_DELETE'
  const refusal = { error: 'FORBIDDEN', permission, missing: [permission], board_id: null, reason: 'builtin_preset' }
  expect([status, body.detail]).toMatchObject([403, refusal])
})

describe('delete_preset (access 10)', () => {
  test('while agents have it is 409 with their ids', async () => {
    const { id: preset_id } = await create({})
    const agents = [(await world.agent({ preset_id })).id, (await world.agent({ preset_id })).id]
    const deleted = await world.agent({ preset_id })
    await world.ok('delete_agent', { agent_id: deleted.id })
    const { status, body } = await world.call('delete_preset', { preset_id })
    expect([status, body.detail]).toMatchObject([409, { error: 'PRESET_IN_USE', agents }])
    for (const agent_id of agents) await world.ok('update_agent', { agent_id, preset_id: null })
    expect((await world.call('delete_preset', { preset_id })).status).toBe(204)
    expect((await world.call('delete_preset', { preset_id })).status).toBe(404)
  })
})

test('writes to presets are audited (access 14)', async () => {
  const { id } = await create({ flags: { CARDS_READ: true } })
  await world.ok('update_preset', { preset_id: id, name: 'Own', description: 'd' })
  await world.ok('update_preset', { preset_id: id, description: 'd' })
  await world.call('delete_preset', { preset_id: id })
  const entries = audited(world, id).map(({ action, fields }) => [action, fields])
  expect(entries).toStrictEqual([
    ['preset_created', ['description', 'flags', 'name']],
    ['preset_updated', ['description']],
    ['preset_deleted', []],
  ])
})
