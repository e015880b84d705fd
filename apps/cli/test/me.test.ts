import { builtinPresets, permissionNames } from '@specboard/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const executor = builtinPresets.find(preset => preset.name === 'Executor')!.id
const mine = (as: TestAgent, board_id?: string) =>
  world.ok('get_my_permissions', board_id === undefined ? {} : { board_id }, { as })

test('tells who the caller is and what its base allows, by every name', async () => {
  const agent = await world.agent({ name: 'Ada', preset_id: executor, permission_flags: { CARDS_DELETE: true } })
  const answer = await mine(agent)
  expect(answer).toMatchObject({
    agent_id: agent.id,
    agent_name: 'Ada',
    board_id: null,
    preset_id: executor,
    preset_name: 'Executor',
    customized: true,
    access: null,
    share_permission: null,
  })
  expect(Object.keys(answer.flags)).toStrictEqual([...permissionNames])
  expect(answer.flags).toMatchObject({ CARDS_DELETE: true, CARDS_MOVE: true, CARDS_MOVE_DONE: false })
})

test('without a preset it names the built-in that allows the same, else none', async () => {
  const { flags } = await mine(await world.agent({ preset_id: executor }))
  const names = []
  for (const permission_flags of [null, {}, flags, { CARDS_DELETE: false }]) {
    const { preset_id, preset_name, customized } = await mine(await world.agent({ permission_flags }))
    names.push([preset_id, preset_name, customized])
  }
  expect(names).toStrictEqual([
    [null, 'Full Control', false],
    [null, 'Full Control', false],
    [null, 'Executor', true],
    [null, null, true],
  ])
})

test('on a board it adds the way there: the first that applies, and the share’s level', async () => {
  const board_id = scene.boardId
  const agent = await world.agent()
  expect((await world.call('get_my_permissions', { board_id }, { as: agent })).body.detail).toMatchObject({
    error: 'NOT_FOUND',
    entity_type: 'board',
    entity_id: board_id,
  })
  await world.ok('create_board_share', { board_id, user_id: agent.id, permission: 'editor' })
  expect(await mine(agent, board_id)).toMatchObject({
    board_id,
    access: 'share',
    share_permission: 'editor',
    flags: { BOARDS_UPDATE: false, CARDS_CREATE: true },
  })
  await world.ok('grant_board_access', { agent_id: agent.id, board_id })
  expect(await mine(agent, board_id)).toMatchObject({
    access: 'grant',
    share_permission: 'editor',
    flags: { BOARDS_UPDATE: true, BOARDS_SHARE: false },
  })
  expect(await mine(world.owner, board_id)).toMatchObject({ access: 'owner', share_permission: null })
})

test('any valid key may ask, even one that may do nothing', async () => {
  const answer = await mine(await scene.managedBy(world.owner))
  expect(Object.values(answer.flags).some(Boolean)).toBe(false)
})

test('an agent of a pipeline has no preset, and is named as one (evidence 6.1)', async () => {
  const pipeline = await world.agent({ kind: 'ci' })
  const named = { preset_id: null, preset_name: 'CI', customized: false }
  expect(await mine(pipeline)).toMatchObject(named)
  expect(await world.ok('get_my_permissions', { agent_id: pipeline.id })).toMatchObject(named)
})
