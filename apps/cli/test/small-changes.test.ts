import { writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
})

const create = (fields: object = {}, as = world.owner) =>
  world.ok('create_card', { board_id: scene.boardId, title: 'Fix a typo', ...fields }, { as })

const refusal = async (name: Parameters<World['call']>[0], args: object, as = world.owner) => {
  const { status, body } = await world.call(name, { ...args }, { as })
  return [status, body.detail?.error, body.detail?.missing ?? body.detail?.status ?? body.detail?.field]
}

const move = (card_id: string, target_status: string, fields: object = {}, as = world.owner) =>
  world.ok('move_card', { card_id, target_status, ...fields }, { as })

const settings = (fields: object) => world.ok('update_board', { board_id: scene.boardId, settings: fields })

/** An agent of a built-in preset on the board. */
async function agentOf(preset_id: string): Promise<TestAgent> {
  const agent = await world.agent({ preset_id })
  await scene.admit(agent)
  return agent
}

describe('the standing spec (crew 6.1)', () => {
  test('is made for the first small change, and collects the others', async () => {
    const [first, second] = [await create(), await create()]
    expect(first.spec_id).toBe(second.spec_id)
    expect(await world.ok('get_spec', { spec_id: first.spec_id })).toMatchObject({
      title: 'Small changes',
      status: 'in_progress',
      standing: true,
      created_by: world.owner.id,
    })
  })

  test('is not in the list of specs unless it is asked for', async () => {
    const { spec_id } = await create()
    const other = await scene.spec('draft')
    const ids = async (fields: object = {}) =>
      (await world.ok('list_specs', { board_id: scene.boardId, ...fields })).map(({ id }: { id: string }) => id)
    expect(await ids()).toEqual([other])
    expect((await ids({ include_standing: true })).sort()).toEqual([spec_id, other].sort())
    expect(await ids({ limit: 1 })).toEqual([other])
    const { headers } = await world.call('list_specs', { board_id: scene.boardId, include_standing: true, limit: 1 })
    expect(headers.get('x-total-count')).toBe('2')
  })

  test.each<[string, (spec_id: string) => [Parameters<World['call']>[0], object]]>([
    ['moved', spec_id => ['move_spec', { spec_id, status: 'done' }]],
    ['deleted', spec_id => ['delete_spec', { spec_id }]],
    ['archived', entity_id => ['archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id }]],
    ['given items', spec_id => ['put_spec_items', { spec_id, acceptance_criteria: ['It works'] }]],
    ['given gates', spec_id => ['update_spec', { spec_id, skip_test_coverage: true }]],
    ['given sprints', spec_id => ['create_sprint', { board_id: scene.boardId, spec_id, title: 'Sprint' }]],
    [
      'validated',
      spec_id => [
        'submit_spec_validation',
        {
          spec_id,
          completeness: 90,
          completeness_justification: 'All of it is there.',
          assertiveness: 90,
          assertiveness_justification: 'All of it is there.',
          ambiguity: 5,
          ambiguity_justification: 'All of it is there.',
          general_justification: 'All of it is there, and more.',
          recommendation: 'approve',
        },
      ],
    ],
  ])('is never %s', async (_, call) => {
    const { spec_id } = await create()
    expect(await refusal(...call(spec_id))).toEqual([409, 'INVALID_STATE', 'standing'])
  })

  test('takes another title, description, context and labels', async () => {
    const { spec_id } = await create()
    const changed = { title: 'Chores', description: 'Little things', context: 'Always', labels: ['chore'] }
    expect(await world.ok('update_spec', { spec_id, ...changed })).toMatchObject(changed)
  })

  test('waits for nobody', async () => {
    const { id } = await create()
    await move(id, 'cancelled')
    const { items } = await world.ok('list_my_inbox', { board_id: scene.boardId })
    expect(items.filter(({ kind }: { kind: string }) => kind.startsWith('spec_'))).toEqual([])
  })

  test('is not used where the board wants none', async () => {
    await settings({ small_changes: false })
    expect(await refusal('create_card', { board_id: scene.boardId, title: 'Typo' })).toEqual([
      400,
      'VALIDATION_ERROR',
      ['spec_id'],
    ])
  })
})

describe('create_card (crew 6.2, 6.7)', () => {
  test('claims and starts the card', async () => {
    const card = await create({ claim: true })
    expect(card).toMatchObject({ status: 'started', claim: { agent_id: world.owner.id, stage: 'work' } })
    const until = Date.parse((await create({ claim: 120 })).claim.expires_at)
    expect(until - Date.now()).toBeLessThanOrEqual(120_000)
  })

  test('files nothing where the start is refused', async () => {
    const other = await scene.smallChange()
    const { status, body } = await world.call('create_card', {
      board_id: scene.boardId,
      title: 'Waits',
      depends_on: [other],
      claim: true,
    })
    expect([status, body.detail.error]).toEqual([409, 'DEPENDENCIES_NOT_MET'])
    expect(await world.ok('list_cards', { board_id: scene.boardId })).toHaveLength(1)
  })

  test('covers items, and waits for cards', async () => {
    const spec_id = await scene.spec('approved', {
      test_scenarios: [{ id: 't1', title: 'Works' }],
      business_rules: [{ id: 'r1', title: 'Rule', rule: 'So', when: 'Now', then: 'Then' }],
    })
    const other = await scene.card({ spec_id })
    const card = await create({ spec_id, covers: ['t1', 'r1'], depends_on: [other] })
    expect(card).toMatchObject({ test_scenario_ids: ['t1'], dependencies: [other] })
    const waiting = await create({ spec_id, depends_on: [card.ref] })
    expect(waiting.dependencies).toEqual([card.id])
    const spec = await world.ok('get_spec', { spec_id })
    expect(spec.business_rules[0].linked_task_ids).toEqual([card.id])
    expect(await refusal('create_card', { board_id: scene.boardId, title: 'x', spec_id, covers: ['zz'] })).toEqual([
      400,
      'VALIDATION_ERROR',
      'covers',
    ])
  })

  test('in done asks for what the move asks, and files past work without', async () => {
    const done = { board_id: scene.boardId, title: 'Done before', status: 'done' }
    expect(await refusal('create_card', done)).toEqual([409, 'CONCLUSION_REQUIRED', ['conclusion', 'check']])
    const card = await create({ status: 'done', conclusion: 'Spelt right now.', check: 'Read it' })
    expect(card).toMatchObject({ status: 'done', conclusions: [{ text: 'Spelt right now.', check_tier: 'claimed' }] })
    expect(await create({ status: 'done', imported: true })).toMatchObject({ status: 'done', imported: true })
  })
})

describe('done with a sentence (crew 6.3)', () => {
  const sentence = { conclusion: 'Spelt right now.', check: 'Read it aloud' }

  test('asks for a conclusion and a check alone', async () => {
    const { id } = await create({ claim: true })
    expect(await refusal('move_card', { card_id: id, target_status: 'done' })).toEqual([
      409,
      'CONCLUSION_REQUIRED',
      ['conclusion', 'check'],
    ])
    const { conclusions } = await move(id, 'done', sentence)
    expect(conclusions).toMatchObject([
      { completeness: 100, drift: 0, check: { how: 'Read it aloud', test: null, result: null }, check_tier: 'claimed' },
    ])
  })

  test('asks why a share differs from the usual one', async () => {
    const { id } = await create({ claim: true })
    expect(await refusal('move_card', { card_id: id, target_status: 'done', ...sentence, completeness: 80 })).toEqual([
      409,
      'CONCLUSION_REQUIRED',
      ['completeness_justification'],
    ])
  })

  test('not with a check that failed', async () => {
    const { id } = await create({ claim: true })
    const check = { how: 'Ran the tests', result: 'failed' }
    expect((await refusal('move_card', { card_id: id, target_status: 'done', ...sentence, check }))[1]).toBe(
      'CHECK_FAILED',
    )
  })

  test('is open to the executor that holds it, and no further', async () => {
    const builder = await agentOf('executor')
    const { id } = await create({ claim: true }, builder)
    expect((await move(id, 'done', sentence, builder)).status).toBe('done')
    const other = await create()
    expect(
      (await refusal('move_card', { card_id: other.id, target_status: 'done', ...sentence }, builder)).slice(0, 2),
    ).toEqual([403, 'FORBIDDEN'])
  })

  test('goes by validation where the board asks for one', async () => {
    await settings({ require_task_validation: true })
    const builder = await agentOf('Executor')
    const { id } = await create({ claim: true }, builder)
    const { status, body } = await world.call(
      'move_card',
      { card_id: id, target_status: 'done', ...sentence },
      { as: builder },
    )
    expect([status, body.detail.error, body.next_actions[0]]).toEqual([
      409,
      'VALIDATION_REQUIRED',
      expect.objectContaining({ name: 'move_card', arguments: { card_id: id, target_status: 'validation' } }),
    ])
    expect((await move(id, 'validation', sentence, builder)).status).toBe('validation')
    expect((await refusal('move_card', { card_id: id, target_status: 'done', ...sentence }, builder))[0]).toBe(403)
  })

  test('keeps from done whoever was kept from it', async () => {
    const agent = await world.agent({ permission_flags: { CARDS_MOVE: true, CARDS_MOVE_DONE: false } })
    await scene.admit(agent)
    const { id } = await create({ claim: true }, agent)
    expect((await refusal('move_card', { card_id: id, target_status: 'done', ...sentence }, agent))[0]).toBe(403)
  })
})

describe('who may file a small change (crew 7)', () => {
  test.each([
    ['Executor', 201],
    ['QA', 201],
    ['Validator', 403],
    ['Spec', 201],
    ['Solo', 201],
    ['Reporter', 403],
    ['Sprint Manager', 403],
  ])('%s: %i', async (preset, status) => {
    const agent = await agentOf(preset)
    expect((await world.call('create_card', { board_id: scene.boardId, title: 'Typo' }, { as: agent })).status).toBe(
      status,
    )
  })

  test('and a card of a spec is not one', async () => {
    const builder = await agentOf('Executor')
    const spec_id = await scene.spec('approved')
    const { status, body } = await world.call(
      'create_card',
      { board_id: scene.boardId, title: 'x', spec_id },
      { as: builder },
    )
    expect([status, body.detail.missing]).toEqual([403, ['CARDS_CREATE']])
    const standing = (await create()).spec_id
    expect((await create({ spec_id: standing }, builder)).spec_id).toBe(standing)
  })
})

describe('a bug (crew 6.4)', () => {
  const bug = { card_type: 'bug', expected_behavior: 'It opens.', observed_behavior: 'It does not.' }
  const testCheck = { how: 'Ran it', test: 'menu.test.ts: opens', result: 'passed' }
  const finish = { conclusion: 'It opens.' }

  test('needs neither origin nor severity', async () => {
    expect(await create(bug)).toMatchObject({ origin_task_id: null, severity: 'minor' })
    expect(await refusal('create_card', { board_id: scene.boardId, title: 'x', card_type: 'bug' })).toEqual([
      400,
      'VALIDATION_ERROR',
      ['expected_behavior', 'observed_behavior'],
    ])
  })

  test('of the standing spec meets its gate at the end alone; a minor one passes by any check', async () => {
    const { id } = await create({ ...bug, claim: true })
    expect((await move(id, 'done', { ...finish, check: 'Clicked it' })).status).toBe('done')
  })

  test('of the standing spec and major passes by a test that passed', async () => {
    const { id } = await create({ ...bug, severity: 'major', claim: true })
    const done = { card_id: id, target_status: 'done', ...finish }
    expect(await refusal('move_card', { ...done, check: 'Clicked it' })).toEqual([
      409,
      'TEST_TASK_REQUIRED',
      ['linked_test_task_ids', 'regression_test', 'check'],
    ])
    expect((await move(id, 'done', { ...finish, check: testCheck })).status).toBe('done')
  })

  test('of a spec begins with a regression test, which must have passed at the end', async () => {
    const spec_id = await scene.spec('in_progress')
    const { id } = await create({ ...bug, spec_id })
    expect((await refusal('move_card', { card_id: id, target_status: 'in_progress' }))[1]).toBe('TEST_TASK_REQUIRED')
    await world.ok('update_card', { card_id: id, regression_test: 'menu.test.ts: opens' })
    await move(id, 'in_progress')
    const report = {
      ...finish,
      completeness: 100,
      completeness_justification: 'All.',
      drift: 0,
      drift_justification: 'None.',
    }
    expect(await refusal('move_card', { card_id: id, target_status: 'validation', ...report })).toEqual([
      409,
      'TEST_TASK_REQUIRED',
      ['check'],
    ])
    expect((await move(id, 'validation', { ...report, check: testCheck })).status).toBe('validation')
  })
})

describe('promote_card (crew 6.5)', () => {
  test('makes a spec in draft of a small change, whose first card it is', async () => {
    const { id, spec_id: standing } = await create({
      claim: true,
      description: 'More than a typo.',
      labels: ['docs'],
      check: 'Read it aloud',
    })
    await world.ok('save_checkpoint', { card_id: id, text: 'Half of it.' })
    const { spec, card } = await world.ok('promote_card', { card_id: id, requirements: ['It is spelt right'] })
    expect(spec).toMatchObject({
      title: 'Fix a typo',
      description: 'More than a typo.',
      status: 'draft',
      standing: false,
      labels: ['docs'],
      functional_requirements: ['It is spelt right'],
      acceptance_criteria: ['Read it aloud'],
    })
    expect(card).toMatchObject({
      spec_id: spec.id,
      status: 'not_started',
      claim: null,
      checkpoint: { text: 'Half of it.' },
    })
    expect(spec.id).not.toBe(standing)
    expect(await refusal('promote_card', { card_id: id })).toEqual([409, 'INVALID_STATE', 'not_started'])
  })

  test('of one that is done is refused', async () => {
    const { id } = await create({ status: 'done', conclusion: 'Spelt.', check: 'Read' })
    expect(await refusal('promote_card', { card_id: id })).toEqual([409, 'INVALID_STATE', 'done'])
  })

  test('is offered for a card that outgrew what the board calls small (crew 6.6)', async () => {
    const { id } = await create({ claim: true })
    const grown = async () => {
      const { items } = await world.ok('list_my_inbox', { board_id: scene.boardId, kind: 'card_outgrown' })
      return items.map(({ operation, arguments: args }: { operation: string; arguments: object }) => [operation, args])
    }
    expect(await grown()).toEqual([])
    await writeWithoutLock(world, db =>
      db.updateTable('events').set({ created_at: '2026-01-01T00:00:00.000Z' }).where('entity_id', '=', id).execute(),
    )
    expect(await grown()).toEqual([['promote_card', { card_id: id }]])
  })
})

describe('what is written (crew 9)', () => {
  test('an assignee by name, or as me, is stored by id; other texts as they are', async () => {
    const named = await world.agent({ name: 'Grace the Builder' })
    await scene.admit(named)
    const assigned = async (assignee_id: string) => (await create({ assignee_id })).assignee_id
    expect(await assigned('me')).toBe(world.owner.id)
    expect(await assigned('Grace the Builder')).toBe(named.id)
    for (const text of ['somebody', 'external:Grace the Builder', named.id]) expect(await assigned(text)).toBe(text)
  })

  test('the name of somebody elsewhere means nobody', async () => {
    await world.agent({ name: 'Hidden Builder' })
    expect((await create({ assignee_id: 'Hidden Builder' })).assignee_id).toBe('Hidden Builder')
  })

  test('a title is one line', async () => {
    expect((await create({ title: 'Two\r\nlines' })).title).toBe('Two lines')
  })

  test('a state limit says where its caller may write', async () => {
    const agent = await world.agent({ permission_flags: { CARDS_WRITE_IN_NOT_STARTED: false } })
    await scene.admit(agent)
    const { id } = await create()
    const { body } = await world.call('update_card', { card_id: id, title: 'x' }, { as: agent })
    expect(body.detail.open_in).toEqual(['started', 'in_progress', 'validation', 'on_hold', 'done', 'cancelled'])
  })
})
