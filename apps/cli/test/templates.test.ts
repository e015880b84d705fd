import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
/** May do everything on the board but change it. */
let ada: TestAgent

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  ada = await world.agent({ permission_flags: { BOARDS_UPDATE: false } })
  await scene.admit(ada)
})

afterAll(() => world.stop())

const chore = { entity_type: 'card', name: 'Chore', content: { title: 'Chore: ', priority: 'low', labels: ['chore'] } }

const make = (fields: object = {}, as = world.owner) =>
  world.call('create_template', { board_id: scene.boardId, ...chore, ...fields }, { as })

const namesOf = async (query: object = {}): Promise<string[]> =>
  (await world.ok('list_templates', { board_id: scene.boardId, ...query }, { as: ada })).map(
    ({ name }: { name: string }) => name,
  )

describe('templates (web 4)', () => {
  test('are kept by the board, seen by all who read it, and changed by who may change it', async () => {
    const { body: template } = await make()
    expect(template).toMatchObject({ ...chore, board_id: scene.boardId, created_by: world.owner.id })
    expect(await namesOf()).toEqual(['Chore'])
    const lacks = { status: 403, body: { detail: { permission: 'BOARDS_UPDATE' } } }
    const target = { template_id: template.id }
    expect(await make({}, ada)).toMatchObject(lacks)
    for (const call of ['update_template', 'delete_template'] as const)
      expect(await world.call(call, target, { as: ada })).toMatchObject(lacks)
    const changed = await world.ok('update_template', { ...target, name: 'Small', content: { details: 'Why?' } })
    expect(changed).toMatchObject({ name: 'Small', content: { details: 'Why?' }, entity_type: 'card' })
    expect(await world.ok('update_template', { ...target, name: 'Small' })).toEqual(changed)
    await world.ok('delete_template', target)
    expect(await world.call('delete_template', target)).toMatchObject({ status: 404 })
    const { events } = await world.ok('list_board_events', { board_id: scene.boardId, limit: 200 })
    const activity = events.filter(({ action }: { action: string }) => action.startsWith('template_'))
    expect(activity.map(({ action }: { action: string }) => action).sort()).toEqual([
      'template_created',
      'template_deleted',
      'template_updated',
    ])
    expect(activity[0].details).toMatchObject({ template_id: template.id, entity_type: 'card' })
  })

  test('come by name, and by type', async () => {
    await make({ name: 'B' })
    await make({ name: 'A', entity_type: 'spec', content: { functional_requirements: ['It lists.'] } })
    expect([await namesOf(), await namesOf({ entity_type: 'spec' }), await namesOf({ limit: 1, offset: 1 })]).toEqual([
      ['A', 'B'],
      ['A'],
      ['B'],
    ])
  })

  test.each([
    ['a blank title', 'card', { title: ' ' }, 'content.title'],
    ['an unknown priority', 'card', { priority: 'urgent' }, 'content.priority'],
    ['a label that is too long', 'card', { labels: ['a'.repeat(101)] }, 'content.labels.0'],
    ['a field of specs', 'card', { functional_requirements: ['It lists.'] }, 'content.functional_requirements'],
    ['the spec of a card', 'card', { spec_id: 'x' }, 'content.spec_id'],
    ['a field of cards', 'spec', { priority: 'low' }, 'content.priority'],
    ['a scenario without a title', 'spec', { test_scenarios: [{}] }, 'content.test_scenarios.0'],
  ])('%s is refused, as of a new record', async (_, entity_type, content, field) => {
    const refused = await make({ entity_type, content })
    expect(refused).toMatchObject({ status: 400, body: { detail: { error: 'VALIDATION_ERROR' } } })
    expect(refused.body.detail.field).toContain(field)
  })

  test('every field that a template keeps is one that a new record takes', async () => {
    const { body: card } = await make({
      content: {
        ...{ title: 'Broken: ', card_type: 'bug', priority: 'high', description: 'a', details: 'b', labels: ['c'] },
        ...{ paths: ['src/**'], severity: 'minor', expected_behavior: 'd', observed_behavior: 'e' },
        ...{ steps_to_reproduce: 'f', action_plan: 'g', check: 'h' },
      },
    })
    const answer = await world.call('create_card', { board_id: scene.boardId, ...card.content })
    expect(answer.status).toBe(201)
    const { body: spec } = await make({
      entity_type: 'spec',
      content: {
        ...{ title: 'Lists', description: 'a', context: 'b', functional_requirements: ['It lists.'], labels: ['c'] },
        ...{ technical_requirements: ['Fast'], acceptance_criteria: ['It does'] },
        ...{ test_scenarios: [{ id: 's1', title: 'Works' }] },
        ...{ business_rules: null, api_contracts: null, decisions: null },
      },
    })
    expect((await world.call('create_spec', { board_id: scene.boardId, ...spec.content })).status).toBe(201)
  })

  test('those of another board are not there', async () => {
    const other = await Scene.on(world)
    const { id } = await world.ok('create_template', { board_id: other.boardId, ...chore })
    for (const call of ['update_template', 'delete_template'] as const)
      expect(await world.call(call, { template_id: id }, { as: ada })).toMatchObject({ status: 404 })
    expect(await world.call('list_templates', { board_id: other.boardId }, { as: ada })).toMatchObject({ status: 404 })
    expect((await world.ok('list_templates', { board_id: other.boardId })).length).toBe(1)
  })

  test('there are 100 a board', async () => {
    const { boardId: board_id } = await Scene.on(world)
    const making = () => world.call('create_template', { board_id, ...chore, content: {} })
    for (let count = 0; count < 100; count++) expect((await making()).status).toBe(201)
    expect(await making()).toMatchObject({
      status: 409,
      body: { detail: { error: 'LIMIT_REACHED', limit: 100, what: 'templates' } },
    })
  })
})
