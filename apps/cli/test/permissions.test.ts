import { builtinPresets } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

const presetId = (name: string) => builtinPresets.find(preset => preset.name === name)!.id

/** A new agent on the board, with an admin share. */
async function admitted(fields: object): Promise<TestAgent> {
  const agent = await world.agent({ ...fields })
  await scene.admit(agent)
  return agent
}

/** An agent with only these permissions, and the state limits. */
async function holding(...names: string[]): Promise<TestAgent> {
  const flags = Object.fromEntries(names.map(name => [name, true]))
  const { id: preset_id } = await world.ok('create_preset', { name: 'Exactly', flags })
  return admitted({ preset_id })
}

describe('the permissions that a call needs (access 2.3)', () => {
  test('a PATCH needs the permission of each field; a child permission suffices for its field', async () => {
    const agent = await holding('IDEATIONS_LABEL', 'IDEATIONS_ASSIGN')
    const ideation_id = await scene.ideation()
    const update = (fields: object) => world.call('update_ideation', { ideation_id, ...fields }, { as: agent })
    expect((await update({ labels: ['x'], assignee_id: 'y' })).status).toBe(200)
    const mixed = await update({ labels: ['x'], title: 'Idea', screen_mockups: null })
    expect([mixed.status, mixed.body.detail]).toMatchObject([
      403,
      {
        permission: 'IDEATIONS_UPDATE',
        missing: ['IDEATIONS_UPDATE', 'IDEATIONS_UPDATE_MOCKUPS'],
        denied_by: 'preset',
        board_id,
      },
    ])
    expect((await update({})).body.detail).toMatchObject({ missing: ['IDEATIONS_UPDATE'] })
    expect((await update({ unknown: 1 })).body.detail).toMatchObject({ missing: ['IDEATIONS_UPDATE'] })
  })

  test('a move needs the permission of its target; an agent without any move permission gets the parent’s name', async () => {
    const mover = await holding('IDEATIONS_MOVE_CANCELLED')
    const ideation_id = await scene.ideation()
    const move = (as: TestAgent, status: string) => world.call('move_ideation', { ideation_id, status }, { as })
    expect((await move(mover, 'review')).body.detail).toMatchObject({
      permission: 'IDEATIONS_MOVE_REVIEW',
      missing: ['IDEATIONS_MOVE_REVIEW'],
    })
    expect((await move(await holding('IDEATIONS_READ'), 'review')).body.detail).toMatchObject({
      permission: 'IDEATIONS_MOVE',
      missing: ['IDEATIONS_MOVE_REVIEW'],
    })
    expect((await move(mover, 'cancelled')).status).toBe(200)
  })

  test('fields that a record is created with need no more than the creation', async () => {
    const agent = await holding('IDEATIONS_CREATE')
    const fields = { title: 'Idea', labels: ['x'], assignee_id: 'y', screen_mockups: [{ id: 'm', title: 'Home' }] }
    expect((await world.call('create_ideation', { board_id, ...fields }, { as: agent })).status).toBe(201)
  })

  test('scenarios that a card is created with need the link permission; no other field needs more than the creation', async () => {
    const agent = await admitted({
      permission_flags: { CARDS_UPDATE: false, CARDS_LINK_TESTS: false, SPECS_LINK: false },
    })
    const spec_id = await scene.specWithScenarios()
    const create = (fields: object) =>
      world.call('create_card', { board_id, title: 'Card', spec_id, labels: ['x'], ...fields }, { as: agent })
    const { status, body } = await create({ card_type: 'test', test_scenario_ids: ['s1'] })
    expect([status, body.detail.missing]).toStrictEqual([403, ['CARDS_LINK_TESTS']])
    expect((await create({ test_scenario_ids: [] })).status).toBe(201)
  })

  test('a part of a record needs the record’s READ too', async () => {
    const agent = await holding('QA_CREATE')
    const ask = { ideation_id: await scene.ideation(), question: 'Why?' }
    const { status, body } = await world.call('ask_ideation_question', ask, { as: agent })
    expect([status, body.detail.missing]).toStrictEqual([403, ['IDEATIONS_READ']])
  })
})

test('state limits guard a record while it is in a status (access 2.4)', async () => {
  const agent = await admitted({
    permission_flags: { IDEATIONS_WRITE_IN_REVIEW: false, IDEATIONS_WRITE_IN_DRAFT: false },
  })
  const review = await scene.ideation('review')
  const refused = [
    await world.call('update_ideation', { ideation_id: review, title: 'x' }, { as: agent }),
    await world.call('move_ideation', { ideation_id: review, status: 'approved' }, { as: agent }),
    await world.call('delete_ideation', { ideation_id: review }, { as: agent }),
    await world.call('create_ideation', { board_id, title: 'x' }, { as: agent }),
  ]
  expect(refused.map(({ status, body }) => [status, body.detail.permission])).toStrictEqual([
    [403, 'IDEATIONS_WRITE_IN_REVIEW'],
    [403, 'IDEATIONS_WRITE_IN_REVIEW'],
    [403, 'IDEATIONS_WRITE_IN_REVIEW'],
    [403, 'IDEATIONS_WRITE_IN_DRAFT'],
  ])
  const approved = await scene.ideation('approved')
  const open = [
    await world.call('move_ideation', { ideation_id: approved, status: 'review' }, { as: agent }),
    await world.call('ask_ideation_question', { ideation_id: approved, question: 'Why?' }, { as: agent }),
    await world.call('archive_record', { board_id, entity_type: 'ideation', entity_id: review }, { as: agent }),
  ]
  expect(open.map(({ status }) => status)).toStrictEqual([200, 201, 200])
})

test('an agent with Spec writes specs and moves no card; one with Reporter only reads and asks (access 2.5)', async () => {
  const spec = await admitted({ preset_id: presetId('Spec') })
  const reporter = await admitted({ preset_id: presetId('Reporter') })
  const card_id = await scene.card()
  const outcome = async (as: TestAgent) => [
    (await world.call('create_spec', { board_id, title: 'Spec' }, { as })).status,
    (await world.call('move_card', { card_id, status: 'started' }, { as })).status,
    (await world.call('ask_card_question', { card_id, question: 'Why?' }, { as })).status,
    (await world.call('get_card', { card_id }, { as })).status,
  ]
  expect(await outcome(spec)).toStrictEqual([201, 403, 201, 200])
  expect(await outcome(reporter)).toStrictEqual([403, 403, 201, 200])
})

test('nested parts without their read permission are empty (access 2.3)', async () => {
  const { ideation_id } = await scene.question('ideation')
  const blind = await admitted({ permission_flags: { QA_READ: false } })
  const { qa_items } = await world.ok('get_ideation', { ideation_id }, { as: blind })
  expect(qa_items).toStrictEqual([])
  expect((await world.ok('get_ideation', { ideation_id })).qa_items).toHaveLength(1)
})

test('a field under two names with two values is 400, once access is settled', async () => {
  const ideation_id = await scene.ideation()
  const move = { ideation_id, status: 'review', target_status: 'cancelled' }
  const { status, body } = await world.call('move_ideation', move)
  expect([status, body.detail]).toMatchObject([400, { error: 'VALIDATION_ERROR', field: 'status' }])
  const stranger = await world.agent()
  expect((await world.call('move_ideation', move, { as: stranger })).status).toBe(404)
  expect((await world.call('move_ideation', { ideation_id, target_status: 'review' })).status).toBe(200)
})
