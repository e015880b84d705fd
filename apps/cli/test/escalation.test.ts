import { crc32 } from 'node:zlib'
import { builtinPresets } from '@specboard/contract'
import { writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestAgent, World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const presetId = (name: string) => builtinPresets.find(preset => preset.name === name)!.id
const refusal = (missing: readonly string[]) => [403, { error: 'FORBIDDEN', missing }]

/** A manager without BOARDS_DELETE, and an agent with Full Control that it created before it lost that permission. */
async function managerBelow(): Promise<{ readonly manager: TestAgent; readonly above: TestAgent }> {
  const manager = await world.agent()
  const above = await world.agent({}, manager)
  await world.ok('update_agent', { agent_id: manager.id, permission_flags: { BOARDS_DELETE: false } })
  return { manager, above }
}

describe('nobody gains permissions (trust 2)', () => {
  test('the key of an agent that holds more cannot be regenerated, that of an equal can', async () => {
    const { manager, above } = await managerBelow()
    const { status, body } = await world.call('regenerate_agent_key', { agent_id: above.id }, { as: manager })
    expect([status, body.detail]).toMatchObject(refusal(['BOARDS_DELETE']))
    const equal = await world.agent({ permission_flags: { BOARDS_DELETE: false } }, manager)
    await world.ok('regenerate_agent_key', { agent_id: equal.id }, { as: manager })
    await world.ok('regenerate_agent_key', { agent_id: manager.id }, { as: manager })
  })

  test('whoever manages an agent that holds more may narrow, disable and delete it', async () => {
    const { manager, above } = await managerBelow()
    await world.ok('update_agent', { agent_id: above.id, permission_flags: { SPECS_DELETE: false } }, { as: manager })
    const wider = { agent_id: above.id, permission_flags: {} }
    expect((await world.call('update_agent', wider, { as: manager })).body.detail.missing).toStrictEqual([
      'BOARDS_DELETE',
    ])
    await world.ok('update_agent', { agent_id: above.id, is_active: false }, { as: manager })
    await world.ok('delete_agent', { agent_id: above.id }, { as: manager })
  })

  test('an agent that holds more cannot be enabled again', async () => {
    const { manager, above } = await managerBelow()
    await world.ok('update_agent', { agent_id: above.id, is_active: false }, { as: manager })
    const on = { agent_id: above.id, is_active: true }
    const { status, body } = await world.call('update_agent', on, { as: manager })
    expect([status, body.detail]).toMatchObject(refusal(['BOARDS_DELETE']))
    const narrow = { ...on, preset_id: presetId('Reporter') }
    expect(await world.ok('update_agent', narrow, { as: manager })).toMatchObject({ is_active: true })
  })

  test('only the agent that disabled it, whoever manages that one and the owner can enable an agent', async () => {
    const top = await world.agent()
    const middle = await world.agent({}, top)
    const agent = await world.agent({}, middle)
    const set = (is_active: boolean, as: TestAgent) =>
      world.call('update_agent', { agent_id: agent.id, is_active }, { as })
    for (const [off, on] of [
      [middle, middle],
      [middle, top],
      [middle, world.owner],
      [top, world.owner],
    ] as const) {
      expect((await set(false, off)).status).toBe(200)
      expect((await set(true, on)).status).toBe(200)
    }
    for (const off of [top, world.owner]) {
      await set(false, off)
      const { status, body } = await set(true, middle)
      expect([status, body.detail]).toMatchObject(refusal(['AGENTS_UPDATE']))
      // Disabling it again does not make the caller the one who disabled it.
      await set(false, middle)
      expect((await set(true, middle)).status).toBe(403)
      await set(true, world.owner)
    }
  })

  test('a preset in use cannot be widened beyond the caller, state limits included; it can be narrowed', async () => {
    const manager = await world.agent()
    const preset = await world.ok('create_preset', { name: 'Own', flags: { CARDS_READ: true } }, { as: manager })
    await world.agent({ preset_id: preset.id }, manager)
    await world.ok('update_agent', {
      agent_id: manager.id,
      permission_flags: { CARDS_DELETE: false, CARDS_WRITE_IN_DONE: false },
    })
    const update = (flags: Record<string, boolean>) =>
      world.call('update_preset', { preset_id: preset.id, flags }, { as: manager })
    const wider = await update({ CARDS_READ: true, CARDS_UPDATE: true })
    expect([wider.status, wider.body.detail]).toMatchObject(refusal(['CARDS_WRITE_IN_DONE']))
    expect((await update({ CARDS_READ: true, CARDS_DELETE: true })).body.detail.missing).toContain('CARDS_DELETE')
    expect((await update({})).status).toBe(200)
  })

  test('an agent cannot change its own grant, overrides or share', async () => {
    const agent = await world.agent()
    const { id: board_id } = await world.ok('create_board', { name: 'Self', description: '' })
    const share = await world.ok('create_board_share', { board_id, user_id: agent.id, permission: 'admin' })
    const own = { agent_id: agent.id, board_id }
    const refusedOf = async (...call: Parameters<World['call']>) => (await world.call(...call)).body.detail
    expect(await refusedOf('grant_board_access', own, { as: agent })).toMatchObject({
      error: 'SELF_CHANGE',
      fields: ['permission_overrides'],
    })
    await world.ok('grant_board_access', { ...own, permission_overrides: { CARDS_DELETE: false } })
    for (const permission_overrides of [null, {}, { CARDS_DELETE: false }])
      expect(await refusedOf('update_board_access', { ...own, permission_overrides }, { as: agent })).toMatchObject({
        error: 'SELF_CHANGE',
      })
    const raised = { board_id, share_id: share.id, permission: 'viewer' }
    expect(await refusedOf('update_board_share', raised, { as: agent })).toMatchObject({
      error: 'SELF_CHANGE',
      fields: ['permission'],
    })
  })

  test.each(['revoke_board_access', 'delete_board_share'] as const)(
    '%s of oneself removes both grant and share',
    async leave => {
      const agent = await world.agent()
      const { id: board_id } = await world.ok('create_board', { name: 'Left', description: '' })
      const share = await world.ok('create_board_share', { board_id, user_id: agent.id })
      await world.ok('grant_board_access', {
        agent_id: agent.id,
        board_id,
        permission_overrides: { BOARDS_UPDATE: false },
      })
      const out = leave === 'revoke_board_access' ? { agent_id: agent.id, board_id } : { board_id, share_id: share.id }
      expect((await world.call(leave, out, { as: agent })).status).toBe(204)
      expect((await world.call('get_board', { board_id }, { as: agent })).status).toBe(404)
      expect(await world.ok('list_board_shares', { board_id })).toStrictEqual([])
      expect(await world.ok('list_board_agents', { board_id })).toStrictEqual([])
    },
  )

  test('an agent with only a share can leave with revoke_board_access', async () => {
    const agent = await world.agent()
    const { id: board_id } = await world.ok('create_board', { name: 'Shared', description: '' })
    await world.ok('create_board_share', { board_id, user_id: agent.id })
    const leave = { agent_id: agent.id, board_id }
    expect((await world.call('revoke_board_access', leave, { as: agent })).status).toBe(204)
    expect((await world.call('revoke_board_access', leave, { as: agent })).status).toBe(404)
  })
})

describe('list_audit (trust 3)', () => {
  const entries = async (args: object, as: TestAgent) => (await world.call('list_audit', { ...args }, { as })).body

  test('tells who changed what through which door, newest first', async () => {
    const manager = await world.agent({ name: 'Keeper' })
    const agent = await world.agent({ name: 'Kept' }, manager)
    await world.ok('update_agent', { agent_id: agent.id, objective: 'y' }, { as: manager })
    await world.ok('regenerate_agent_key', { agent_id: agent.id }, { as: manager })
    await world.ok('delete_agent', { agent_id: agent.id }, { as: manager })
    const shared = {
      id: expect.any(String),
      at: expect.any(String),
      actor_id: manager.id,
      actor_name: 'Keeper',
      target_type: 'agent',
      target_id: agent.id,
      target_name: 'Kept',
      origin: 'http',
      actor_type: 'agent',
      actor_via: 'key',
      details: null,
    }
    const found = await entries({ target_id: agent.id }, manager)
    expect(found).toStrictEqual([
      { ...shared, action: 'agent_deleted', fields: [] },
      { ...shared, action: 'key_regenerated', fields: ['api_key'] },
      { ...shared, action: 'agent_updated', fields: ['objective'] },
      { ...shared, action: 'agent_created', fields: ['name'] },
    ])
    expect(await entries({ target_id: agent.id, action: 'agent_updated' }, manager)).toHaveLength(1)
    expect(await entries({ target_id: agent.id, actor_id: world.owner.id }, manager)).toStrictEqual([])
    expect(await entries({ target_id: agent.id, since: found[1].at }, manager)).toHaveLength(
      found.filter(({ at }: { at: string }) => at >= found[1].at).length,
    )
    expect(await entries({ target_id: agent.id, until: '2000-01-01' }, manager)).toStrictEqual([])
  })

  test('shows an agent what it or those it manages did or met with, and the owner all', async () => {
    const one = await world.agent()
    const other = await world.agent()
    await world.agent({}, other)
    const targets = async (as: TestAgent) =>
      (await entries({ limit: 200 }, as)).map((entry: { target_id: string }) => entry.target_id)
    expect(await targets(one)).toStrictEqual([one.id])
    expect(await targets(other)).toHaveLength(2)
    expect(await targets(world.owner)).toEqual(expect.arrayContaining([one.id, other.id]))
    const few = await world.agent({ preset_id: presetId('Reporter') })
    expect((await world.call('list_audit', {}, { as: few })).body.detail.missing).toStrictEqual(['AUDIT_READ'])
  })
})

describe('keys (trust 3)', () => {
  const calls = async (key: string) =>
    (await world.call('get_my_permissions', {}, { as: { ...world.owner, key } })).status

  /** Makes a time in an agent's row expire, as another process would. */
  const endNow = (agentId: string, column: 'key_expires_at' | 'former_key_until') =>
    writeWithoutLock(world, db =>
      db
        .updateTable('agents')
        .set({ [column]: new Date(Date.now() - 1).toISOString() })
        .where('id', '=', agentId)
        .execute(),
    )

  test('end with the CRC-32 of what precedes it', async () => {
    const { key } = await world.agent()
    const [, random, sum] = /^(dash_[0-9a-f]{40})([0-9a-f]{8})$/.exec(key) ?? []
    expect(crc32(random!).toString(16).padStart(8, '0')).toBe(sum)
  })

  test('expire after the given number of days', async () => {
    const agent = await world.ok('create_agent', { name: 'Guest', expires_in_days: 2 })
    expect(Date.parse(agent.key_expires_at) - Date.parse(agent.created_at)).toBe(2 * 86_400_000)
    expect((await world.ok('create_agent', { name: 'Lasting' })).key_expires_at).toBeNull()
    for (const expires_in_days of [0, 3_651, 1.5])
      expect((await world.call('create_agent', { name: 'x', expires_in_days })).status).toBe(422)
    expect(await calls(agent.api_key)).toBe(200)
    await endNow(agent.id, 'key_expires_at')
    expect(await calls(agent.api_key)).toBe(401)
    const renewed = await world.ok('regenerate_agent_key', { agent_id: agent.id, expires_in_days: 1 })
    expect(await calls(renewed.api_key)).toBe(200)
    expect((await world.ok('get_agent', { agent_id: agent.id })).key_expires_at).toBe(renewed.key_expires_at)
  })

  test('a replaced key works during the overlap, which another regeneration ends', async () => {
    const { id: agent_id, key: first } = await world.agent()
    const again = async (body: object) => (await world.ok('regenerate_agent_key', { agent_id, ...body })).api_key
    const second = await again({ overlap_minutes: 10 })
    expect([await calls(first), await calls(second)]).toStrictEqual([200, 200])
    await endNow(agent_id, 'former_key_until')
    expect([await calls(first), await calls(second)]).toStrictEqual([401, 200])
    const third = await again({ overlap_minutes: 10 })
    const fourth = await again({ overlap_minutes: 10 })
    expect([await calls(second), await calls(third), await calls(fourth)]).toStrictEqual([401, 200, 200])
    const fifth = await again({})
    expect([await calls(third), await calls(fourth), await calls(fifth)]).toStrictEqual([401, 401, 200])
  })
})
