import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const diff = (entity_type: string, entity_id: string, fields: object = {}, as?: TestAgent) =>
  world.call('diff_record', { entity_type, entity_id, ...fields }, as === undefined ? {} : { as })
const fieldsOf = async (...args: Parameters<typeof diff>) =>
  (await diff(...args)).body.fields.map(({ field, old, new: now }: Record<string, unknown>) => [field, old, now])
const none = { parts: null, added: null, removed: null, changed: null, moved: null }

describe('diff_record (board 5)', () => {
  test('compares texts word by word and lists by the ids of their items, in the order of the schema', async () => {
    const scenario = (id: string, title: string) => ({ id, title })
    const spec_id = await scene.spec('draft', {
      description: 'Keep the basket',
      test_scenarios: [scenario('a', 'A'), scenario('b', 'B'), scenario('c', 'C')],
      acceptance_criteria: ['one', 'two'],
    })
    await world.ok('update_spec', {
      spec_id,
      acceptance_criteria: ['two', 'one', 'three'],
      test_scenarios: [scenario('c', 'C'), scenario('b', 'New'), scenario('d', 'D')],
      description: 'Keep a whole basket',
    })
    const { status, body } = await diff('spec', spec_id)
    expect(status).toBe(200)
    expect(body.truncated).toBe(false)
    expect(body.from).toMatchObject({ version: 1, entry_id: expect.any(String) })
    expect(body.to).toMatchObject({ version: 2 })
    const [description, criteria, scenarios] = body.fields
    expect(body.fields).toHaveLength(3)
    expect(description).toEqual({
      ...none,
      field: 'description',
      old: 'Keep the basket',
      new: 'Keep a whole basket',
      parts: [
        [0, 'Keep '],
        [-1, 'the'],
        [1, 'a whole'],
        [0, ' basket'],
      ],
    })
    expect(criteria).toMatchObject({ field: 'acceptance_criteria', added: ['three'], removed: [], changed: [] })
    expect(criteria.moved).toHaveLength(1)
    expect(scenarios).toMatchObject({
      field: 'test_scenarios',
      added: [{ id: 'd' }],
      removed: [{ id: 'a' }],
      changed: [{ id: 'b', old: { title: 'B' }, new: { title: 'New' } }],
    })
    expect(scenarios.moved).toHaveLength(1)
  })

  test('takes an entry, a version or a time as a point, in either order', async () => {
    const ideation_id = await scene.ideation('draft', { problem_statement: 'One' })
    for (const problem_statement of ['Two', 'Three'])
      await world.ok('update_ideation', { ideation_id, problem_statement })
    const [third, second, first] = await world.ok('list_ideation_history', { ideation_id })
    const between = (from: string, to: string) => fieldsOf('ideation', ideation_id, { from, to })
    expect(await between(first.id, third.id)).toEqual([['problem_statement', 'One', 'Three']])
    expect(await between('v1', 'v2')).toEqual([['problem_statement', 'One', 'Two']])
    expect(await between(third.id, second.id)).toEqual([['problem_statement', 'Three', 'Two']])
    expect(await between(third.created_at, third.id)).toEqual([])
    expect(await fieldsOf('ideation', ideation_id)).toEqual([['problem_statement', 'Two', 'Three']])
    expect(await fieldsOf('ideation', ideation_id, { to: 'v2' })).toEqual([['problem_statement', 'One', 'Two']])
    for (const from of ['v9', 'unknown', '1999-01-01'])
      expect(await diff('ideation', ideation_id, { from })).toMatchObject({
        status: 400,
        body: { detail: { error: 'VALIDATION_ERROR' } },
      })
  })

  test('begins with the last review unless it is said', async () => {
    const ideation_id = await scene.ideation('evaluating', { title: 'Reviewed' })
    await world.ok('evaluate_ideation', { ideation_id, complexity: 'small' })
    await world.ok('move_ideation', { ideation_id, status: 'cancelled' })
    expect(await fieldsOf('ideation', ideation_id)).toEqual([['status', 'evaluating', 'cancelled']])
  })

  test('of a card, from its activity: whole texts, moves, its archive', async () => {
    const long = `${'word '.repeat(100)}end`
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress'), details: long })
    await world.ok('update_card', { card_id, details: `${long} and more` })
    await world.ok('move_card', { card_id, target_status: 'started' })
    const [, updated, created] = await world.ok('list_card_activity', { card_id })
    expect(updated.details.changes[0].new).toHaveLength(200)
    const { body } = await diff('card', card_id, { from: created.id })
    expect(body.truncated).toBe(false)
    expect(body.fields.map(({ field, parts }: { field: string; parts: unknown[] }) => [field, parts.at(-1)])).toEqual([
      ['details', [1, ' and more']],
      ['status', [1, 'started']],
    ])
    expect((await diff('card', card_id, { from: 'v1' })).status).toBe(400)
  })

  test('of a sprint, without versions', async () => {
    const { sprint_id } = await scene.sprint()
    await world.ok('update_sprint', { sprint_id, title: 'Second' })
    expect(await fieldsOf('sprint', sprint_id)).toEqual([['title', 'Sprint', 'Second']])
    expect((await diff('sprint', sprint_id, { to: 'v1' })).status).toBe(400)
  })

  test('another type is 400 with the types, an unknown record 404', async () => {
    expect(await diff('board', scene.boardId)).toMatchObject({
      status: 400,
      body: { detail: { allowed: ['ideation', 'refinement', 'spec', 'sprint', 'card'] } },
    })
    expect((await diff('card', 'unknown')).status).toBe(404)
    expect((await diff('card', await scene.card(), {}, await world.agent())).status).toBe(404)
  })

  test.each([
    ['ideation', 'IDEATIONS_READ_HISTORY', () => scene.ideation()],
    ['refinement', 'REFINEMENTS_READ_HISTORY', () => scene.refinement()],
    ['spec', 'SPECS_READ_HISTORY', () => scene.spec()],
    ['sprint', 'SPRINTS_READ_HISTORY', async () => (await scene.sprint()).sprint_id],
    ['card', 'CARDS_READ_ACTIVITY', () => scene.card()],
  ])('asks for the history of the kind of record: %s', async (type, permission, make) => {
    const agent = await world.agent({ permission_flags: { [permission]: false } })
    await scene.admit(agent)
    expect(await diff(type, await make(), {}, agent)).toMatchObject({ status: 403, body: { detail: { permission } } })
  })
})
