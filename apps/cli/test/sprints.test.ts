import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { logged } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
})

beforeEach(async () => {
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const get = (sprint_id: string) => world.ok('get_sprint', { sprint_id })
const create = (spec_id: string, fields: object = {}) =>
  world.call('create_sprint', { board_id: scene.boardId, spec_id, title: 'First', ...fields })
const update = (sprint_id: string, fields: object) => world.call('update_sprint', { sprint_id, ...fields })
const assign = (sprint_id: string, card_ids: unknown) => world.call('assign_sprint_tasks', { sprint_id, card_ids })
const unassign = (sprint_id: string, card_ids: unknown) => world.call('unassign_sprint_tasks', { sprint_id, card_ids })
const history = (sprint_id: string) => world.ok('list_sprint_history', { sprint_id })
const actions = async (sprint_id: string) => (await history(sprint_id)).map((entry: { action: string }) => entry.action)
const archive = (entity_id: string) =>
  world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id })
const ids = (records: readonly { id: string }[]) => records.map(record => record.id)

const requirements = {
  test_scenarios: [
    { id: 's1', title: 'Works' },
    { id: 's2', title: 'Fails well' },
  ],
  business_rules: [{ id: 'r1', title: 'Rule', rule: 'x', when: 'y', then: 'z' }],
}

describe('create (planning 1.4)', () => {
  test('answers a complete sprint in draft, with every field', async () => {
    const spec_id = await scene.spec('draft')
    const { status, body } = await create(spec_id)
    expect([status, body]).toStrictEqual([
      201,
      {
        id: expect.any(String),
        proof: null,
        ref: expect.stringMatching(/^[A-Z0-9]+-\d+$/),
        spec_id,
        board_id: scene.boardId,
        title: 'First',
        description: null,
        objective: null,
        expected_outcome: null,
        status: 'draft',
        spec_version: 1,
        start_date: null,
        end_date: null,
        test_scenario_ids: null,
        business_rule_ids: null,
        version: 1,
        rev: 1,
        labels: null,
        cards_total: 0,
        cards_done: 0,
        created_by: world.owner.id,
        created_at: body.created_at,
        updated_at: body.created_at,
        archived: false,
        evaluations: null,
        skip_test_coverage: false,
        skip_rules_coverage: false,
        skip_qualitative_validation: false,
        validation_threshold: null,
        require_task_validation: null,
        validation_min_confidence: null,
        validation_min_completeness: null,
        validation_max_drift: null,
        pre_archive_status: null,
        cards: [],
        qa_items: [],
        changes: null,
      },
    ])
    expect(await get(body.id)).toEqual(body)
    expect(await history(body.id)).toMatchObject([
      {
        sprint_id: body.id,
        action: 'created',
        actor_type: 'person',
        actor_via: 'key',
        actor_id: world.owner.id,
        version: 1,
      },
    ])
    expect(logged(world, body.id)).toMatchObject([
      {
        activity: 'sprint_created',
        details: { title: 'First', sprint_id: body.id, spec_id },
        domain: [{ name: 'sprint.created', sprint_id: body.id, spec_id }],
      },
    ])
  })

  test('stores scope and dates: repeated ids once, a date as its first moment', async () => {
    const spec_id = await scene.spec('approved', requirements)
    const dates = { start_date: '2026-01-05', end_date: '2026-01-16T17:00:00+01:00' }
    const { body } = await create(spec_id, { test_scenario_ids: ['s2', 's1', 's2'], business_rule_ids: [], ...dates })
    expect(body).toMatchObject({
      test_scenario_ids: ['s2', 's1'],
      business_rule_ids: [],
      start_date: '2026-01-05T00:00:00.000Z',
      end_date: '2026-01-16T16:00:00.000Z',
    })
  })

  test('records the spec’s version once and keeps it', async () => {
    const spec_id = await scene.spec('draft')
    await world.ok('update_spec', { spec_id, description: 'More' })
    const { body } = await create(spec_id)
    await world.ok('update_spec', { spec_id, description: 'Still more' })
    expect((await get(body.id)).spec_version).toBe(2)
  })

  test('adds cards in the same transaction', async () => {
    const other = await scene.sprint()
    const { spec_id } = other
    const free = await scene.card({ spec_id })
    const { body } = await create(spec_id, { spec_id, card_ids: [other.card_id, free, free] })
    expect(ids(body.cards)).toEqual([other.card_id, free])
    expect(body).toMatchObject({ cards_total: 2, cards_done: 0 })
    expect((await get(other.sprint_id)).cards).toEqual([])
    expect((await actions(other.sprint_id))[0]).toBe('tasks_unassigned')
    const before = await world.ok('list_spec_sprints', { board_id: scene.boardId, spec_id })
    expect((await create(spec_id, { card_ids: [free, 'x'] })).status).toBe(400)
    expect(await world.ok('list_spec_sprints', { board_id: scene.boardId, spec_id })).toEqual(before)
  })

  test.each([
    ['unknown scenarios', { test_scenario_ids: ['s1', 'x', 'y'] }, { field: 'test_scenario_ids', details: ['x', 'y'] }],
    ['unknown rules', { business_rule_ids: ['x'] }, { field: 'business_rule_ids', details: ['x'] }],
    ['dates in the wrong order', { start_date: '2026-01-02', end_date: '2026-01-01' }, { field: 'end_date' }],
    ['an unknown card', { card_ids: ['x'] }, { field: 'card_ids', missing: ['x'] }],
  ])('%s is 400', async (_, fields, extra) => {
    const { status, body } = await create(await scene.spec('draft', requirements), fields)
    expect([status, body.detail]).toEqual([400, expect.objectContaining({ error: 'VALIDATION_ERROR', ...extra })])
  })

  test('another spec_id in the body than in the path is 400', async () => {
    const path = `/api/v1/boards/${scene.boardId}/specs/${await scene.spec()}/sprints`
    const answer = await fetch(`${world.running.url}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': world.owner.key, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'First', spec_id: 'x' }),
    })
    const { detail } = (await answer.json()) as { detail: object }
    expect([answer.status, detail]).toMatchObject([400, { error: 'VALIDATION_ERROR', field: 'spec_id' }])
  })

  test.each([
    ['an empty title', { title: '' }],
    ['a title of 501 characters', { title: 'x'.repeat(501) }],
    ['no title', { title: undefined }],
    ['a date in words', { start_date: 'tomorrow' }],
    ['a day that does not exist', { start_date: '2026-02-30' }],
    ['cards that are not a list', { card_ids: 'x' }],
    ['labels that are not a list', { labels: 'x' }],
  ])('%s is 422', async (_, fields) => {
    expect((await create(await scene.spec(), fields)).status).toBe(422)
  })

  test('an archived spec is 409 ARCHIVED, after the 400s and before the status', async () => {
    const spec_id = await scene.spec('cancelled')
    await archive(spec_id)
    const { body } = await create(spec_id)
    const restore = `/api/v1/boards/${scene.boardId}/restore/spec/${spec_id}`
    expect(body.detail).toMatchObject({ error: 'ARCHIVED', entity_type: 'spec', entity_id: spec_id, restore })
    expect((await create(spec_id, { business_rule_ids: ['x'] })).status).toBe(400)
  })

  test('a cancelled spec is 409 SPEC_NOT_READY, every other status works', async () => {
    const spec_id = await scene.spec('cancelled')
    const allowed = ['draft', 'review', 'approved', 'validated', 'in_progress', 'done']
    expect((await create(spec_id)).body.detail).toMatchObject({
      error: 'SPEC_NOT_READY',
      spec_id,
      spec_status: 'cancelled',
      allowed,
    })
    for (const status of ['review', 'validated', 'in_progress', 'done'] as const)
      expect((await create(await scene.spec(status))).status).toBe(201)
  })

  test('a spec that is not on the board of the path is 404, for reads too', async () => {
    const elsewhere = await (await Scene.on(world)).spec()
    expect((await create(elsewhere)).status).toBe(404)
    const at = { board_id: scene.boardId, spec_id: elsewhere }
    expect((await world.call('list_spec_sprints', at)).status).toBe(404)
    expect((await world.call('suggest_sprints', at)).status).toBe(404)
    expect((await world.call('list_board_sprints', { board_id: 'x' })).status).toBe(404)
  })
})

describe('lists', () => {
  test('of a board: last changed first; by status and spec; archived on request', async () => {
    const [a, b] = [await scene.sprint(), await scene.sprint('active')]
    await update(a.sprint_id, { objective: 'x' })
    const list = async (query: object = {}) =>
      ids(await world.ok('list_board_sprints', { board_id: scene.boardId, ...query }))
    expect(await list()).toEqual([a.sprint_id, b.sprint_id])
    expect(await list({ status: 'active' })).toEqual([b.sprint_id])
    expect(await list({ spec_id: a.spec_id })).toEqual([a.sprint_id])
    expect(await list({ spec_id: 'x' })).toEqual([])
    await archive(b.spec_id)
    expect(await list()).toEqual([a.sprint_id])
    expect(await list({ include_archived: true })).toEqual([b.sprint_id, a.sprint_id])
  })

  test('of a spec: oldest first', async () => {
    const { sprint_id, spec_id } = await scene.sprint()
    const second = (await create(spec_id)).body.id
    await update(sprint_id, { objective: 'x' })
    const { body, headers } = await world.call('list_spec_sprints', { board_id: scene.boardId, spec_id, limit: 1 })
    expect([ids(body), headers.get('x-total-count')]).toEqual([[sprint_id], '2'])
    expect(ids(await world.ok('list_spec_sprints', { board_id: scene.boardId, spec_id }))).toEqual([sprint_id, second])
  })

  test('count the cards that are not archived, and those that are done', async () => {
    const { sprint_id, spec_id } = await scene.sprint()
    await assign(sprint_id, [await scene.card({ spec_id, status: 'done' }), await scene.card({ spec_id })])
    const [summary] = await world.ok('list_spec_sprints', { board_id: scene.boardId, spec_id })
    expect(summary).toMatchObject({ cards_total: 3, cards_done: 1 })
    expect(summary).not.toHaveProperty('cards')
  })

  test.each(['list_board_sprints', 'list_spec_sprints'] as const)('%s refuses another status with 400', async name => {
    const { spec_id } = await scene.sprint()
    const { status, body } = await world.call(name, { board_id: scene.boardId, spec_id, status: 'open' })
    expect([status, body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('update (planning 1.4)', () => {
  test('raises the version when content differs, and only then', async () => {
    const { sprint_id } = await scene.sprint('draft', { spec_id: await scene.spec('approved', requirements) })
    const version = async (fields: object) => (await update(sprint_id, fields)).body.version
    expect(await version({ objective: 'x', labels: ['a'], validation_threshold: 0, start_date: '2026-01-01' })).toBe(1)
    expect(await version({ title: 'Sprint' })).toBe(1)
    expect(await version({ title: 'Other', description: 'x' })).toBe(2)
    expect(await version({ test_scenario_ids: ['s1', 's1'] })).toBe(3)
    expect(await version({ test_scenario_ids: ['s1'] })).toBe(3)
    expect(await version({ business_rule_ids: ['r1'] })).toBe(4)
  })

  test('logs what differs, and nothing when nothing does', async () => {
    const { sprint_id } = await scene.sprint()
    const { body } = await update(sprint_id, { objective: 'Ship', skip_test_coverage: true, title: 'Sprint' })
    const [entry] = await history(sprint_id)
    expect(entry).toMatchObject({
      action: 'updated',
      version: 1,
      changes: [
        { field: 'objective', old: null, new: 'Ship' },
        { field: 'skip_test_coverage', old: false, new: true },
      ],
    })
    const fields = ['objective', 'skip_test_coverage']
    expect(logged(world, sprint_id).at(-1)).toMatchObject({
      activity: 'sprint_updated',
      details: { sprint_id, version: 1, fields },
    })
    const again = await update(sprint_id, { objective: 'Ship', status: 'closed', spec_id: 'x', card_ids: [] })
    expect([again.status, again.body]).toEqual([200, body])
    expect(await history(sprint_id)).toHaveLength(3)
  })

  test('accepts gate settings in any status; null clears', async () => {
    const { sprint_id } = await scene.sprint('closed')
    const set = {
      require_task_validation: true,
      validation_min_confidence: 0,
      validation_min_completeness: 100,
      validation_max_drift: 5,
    }
    expect((await update(sprint_id, set)).body).toMatchObject(set)
    const cleared = Object.fromEntries(Object.keys(set).map(field => [field, null]))
    expect((await update(sprint_id, cleared)).body).toMatchObject(cleared)
  })

  test.each([
    [{ title: null }],
    [{ title: ' ' }],
    [{ skip_test_coverage: null }],
    [{ skip_rules_coverage: null }],
    [{ skip_qualitative_validation: null }],
    [{ validation_threshold: 101 }],
    [{ validation_max_drift: -1 }],
    [{ validation_min_confidence: 1.5 }],
  ])('%j is 422', async fields => {
    expect((await update((await scene.sprint()).sprint_id, fields)).status).toBe(422)
  })

  test('checks dates on the resulting pair, scope on the current spec', async () => {
    const { sprint_id, spec_id } = await scene.sprint('draft', { spec_id: await scene.spec('approved', requirements) })
    await update(sprint_id, { end_date: '2026-01-10', test_scenario_ids: ['s2'] })
    expect((await update(sprint_id, { start_date: '2026-01-11' })).body.detail).toMatchObject({ field: 'end_date' })
    expect((await update(sprint_id, { start_date: '2026-01-11', end_date: null })).status).toBe(200)
    await world.ok('update_spec', { spec_id, test_scenarios: [requirements.test_scenarios[0]], allow_removal: true })
    expect((await get(sprint_id)).test_scenario_ids).toEqual(['s2'])
    expect((await update(sprint_id, { test_scenario_ids: ['s2'] })).body.detail).toMatchObject({ details: ['s2'] })
  })

  test('needs the permission of each field', async () => {
    const { sprint_id } = await scene.sprint()
    const flags = { SPRINTS_UPDATE: false, SPRINTS_LABEL: true, SPRINTS_UPDATE_COVERAGE_FLAGS: true }
    const agent = await world.agent({ permission_flags: flags })
    await scene.admit(agent)
    const as = (fields: object) => world.call('update_sprint', { sprint_id, ...fields }, { as: agent })
    expect((await as({ labels: ['a'], validation_threshold: 50, skip_test_coverage: true })).status).toBe(200)
    expect((await as({ labels: ['a'], title: 'x' })).body.detail).toMatchObject({ missing: ['SPRINTS_UPDATE'] })
  })
})

describe('assign and unassign (planning 1.4)', () => {
  test('is all or nothing, and idempotent', async () => {
    const { sprint_id, spec_id, card_id } = await scene.sprint()
    const cards = [
      await scene.card({ spec_id, status: 'done' }),
      await scene.testCard({ spec_id: await scenarios(spec_id) }),
    ]
    const cardIds = [cards[1], card_id, cards[0], cards[1]]
    const distinct = [cards[1], card_id, cards[0]]
    const { status, body } = await assign(sprint_id, cardIds)
    expect([status, body]).toEqual([200, { success: true, assigned: 3, card_ids: distinct }])
    const [entry] = await history(sprint_id)
    const added = [cards[1], cards[0]]
    expect(entry).toMatchObject({ action: 'tasks_assigned', changes: [{ field: 'cards', added, count: 2 }] })
    expect(logged(world, sprint_id).at(-1)).toMatchObject({
      activity: 'sprint_tasks_assigned',
      details: { sprint_id, card_ids: added, count: 2 },
      domain: added.map(id => ({ name: 'card.sprint_changed', card_id: id })),
    })
    const before = await get(sprint_id)
    expect((await assign(sprint_id, cardIds)).body).toEqual(body)
    expect(await get(sprint_id)).toEqual(before)
    expect(await history(sprint_id)).toHaveLength(3)
  })

  /** Gives a spec the scenario `s1`. */
  const scenarios = async (spec_id: string) => {
    await world.ok('update_spec', { spec_id, test_scenarios: [{ id: 's1', title: 'Works' }] })
    return spec_id
  }

  test('a card of another sprint moves over, and the other sprint logs it', async () => {
    const from = await scene.sprint()
    const to = (await create(from.spec_id)).body.id
    await assign(to, [from.card_id])
    expect((await world.ok('get_card', { card_id: from.card_id })).sprint_id).toBe(to)
    const [entry] = await history(from.sprint_id)
    expect(entry).toMatchObject({
      action: 'tasks_unassigned',
      version: 1,
      changes: [{ field: 'cards', removed: [from.card_id], count: 1 }],
    })
  })

  test('two at once end with one sprint for the card', async () => {
    const { sprint_id, spec_id, card_id } = await scene.sprint()
    const others = [(await create(spec_id)).body.id, (await create(spec_id)).body.id]
    await Promise.all(others.map(id => assign(id, [card_id])))
    const holding = await Promise.all([sprint_id, ...others].map(async id => (await get(id)).cards.length))
    expect(holding.toSorted()).toEqual([0, 0, 1])
  })

  test.each([
    ['nothing', undefined, 400],
    ['an empty list', [], 400],
    ['a value that is not a list', 'x', 422],
    ['numbers', [1], 422],
  ])('%s is refused', async (_, card_ids, status) => {
    const { sprint_id } = await scene.sprint()
    expect((await assign(sprint_id, card_ids)).status).toBe(status)
    expect((await unassign(sprint_id, card_ids)).status).toBe(status)
  })

  test('unknown cards are reported before cards of other specs, then archived ones, then the status', async () => {
    const { sprint_id, spec_id } = await scene.sprint('closed')
    const other = await scene.card()
    const elsewhere = await (await Scene.on(world)).card()
    const detail = async (card_ids: unknown) => (await assign(sprint_id, card_ids)).body.detail
    expect(await detail([other, elsewhere, 'x'])).toMatchObject({
      error: 'VALIDATION_ERROR',
      field: 'card_ids',
      missing: [elsewhere, 'x'],
    })
    const { spec_id: theirs, title } = await world.ok('get_card', { card_id: other })
    expect(await detail([other])).toMatchObject({
      field: 'card_ids',
      details: [{ card_id: other, title, spec_id: theirs }],
    })
    const own = await scene.card({ spec_id })
    expect(await detail([own])).toMatchObject({ error: 'INVALID_STATE', status: 'closed' })
    await archive(spec_id)
    expect(await detail([own])).toMatchObject({ error: 'ARCHIVED', entity_type: 'sprint', entity_id: sprint_id })
    expect((await unassign(sprint_id, [own])).body.detail.error).toBe('ARCHIVED')
  })

  test('unassign lists what is not in the sprint', async () => {
    const { sprint_id, spec_id, card_id } = await scene.sprint()
    const other = await scene.card({ spec_id })
    const { body } = await unassign(sprint_id, [other, card_id, 'x', card_id])
    expect(body).toEqual({ success: true, unassigned: 1, card_ids: [card_id], not_in_sprint: [other, 'x'] })
    expect((await history(sprint_id))[0]).toMatchObject({
      action: 'tasks_unassigned',
      changes: [{ field: 'cards', removed: [card_id], count: 1 }],
    })
    expect(logged(world, sprint_id).at(-1)).toMatchObject({ activity: 'sprint_tasks_unassigned' })
    const before = await get(sprint_id)
    expect((await unassign(sprint_id, [card_id])).body).toMatchObject({ unassigned: 0, not_in_sprint: [card_id] })
    expect(await get(sprint_id)).toEqual(before)
  })
})

describe('delete (planning 1.4)', () => {
  test('keeps the cards and its events, and logs on the board', async () => {
    const { sprint_id, spec_id, card_id } = await scene.sprint('closed')
    expect((await world.call('delete_sprint', { sprint_id })).status).toBe(204)
    expect(await world.ok('get_card', { card_id })).toMatchObject({ sprint_id: null, spec_id })
    expect(logged(world, sprint_id).at(-1)).toMatchObject({
      activity: 'sprint_deleted',
      details: { sprint_id, spec_id, title: 'Sprint', status: 'closed', card_ids: [card_id] },
    })
    for (const name of ['delete_sprint', 'get_sprint', 'list_sprint_history'] as const)
      expect((await world.call(name, { sprint_id })).status).toBe(404)
  })

  test('is allowed when archived', async () => {
    const { sprint_id, spec_id } = await scene.sprint()
    await archive(spec_id)
    expect((await world.call('delete_sprint', { sprint_id })).status).toBe(204)
  })
})

describe('archived', () => {
  test('a sprint can be read and accepts no writes', async () => {
    const { sprint_id, spec_id, card_id } = await scene.sprint('active')
    await archive(spec_id)
    expect(await get(sprint_id)).toMatchObject({ archived: true, status: 'active', pre_archive_status: 'active' })
    expect((await actions(sprint_id))[0]).toBe('archived')
    const restore = `/api/v1/boards/${scene.boardId}/restore/spec/${spec_id}`
    const evaluation = { overall_score: 1, recommendation: 'approve' }
    const writes: readonly (readonly [Parameters<World['call']>[0], object])[] = [
      ['update_sprint', { title: 'x' }],
      ['move_sprint', { status: 'closed' }],
      ['submit_sprint_evaluation', evaluation],
      ['assign_sprint_tasks', { card_ids: [card_id] }],
      ['unassign_sprint_tasks', { card_ids: [card_id] }],
    ]
    for (const [name, fields] of writes) {
      const { status, body } = await world.call(name, { sprint_id, ...fields })
      const detail = { error: 'ARCHIVED', entity_type: 'sprint', entity_id: sprint_id, restore }
      expect([status, body.detail]).toEqual([409, expect.objectContaining(detail)])
    }
    await world.ok('restore_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    expect(await get(sprint_id)).toMatchObject({ archived: false, status: 'active', pre_archive_status: null })
  })
})

describe('what a caller may not read is empty', () => {
  test.each([
    ['SPRINTS_READ_EVALUATIONS', { evaluations: null }],
    ['CARDS_READ', { cards: [], cards_total: 1 }],
  ])('without %s', async (name, expected) => {
    const { sprint_id } = await scene.sprint('closed')
    const agent = await world.agent({ permission_flags: { [name]: false } })
    await scene.admit(agent)
    expect(await world.ok('get_sprint', { sprint_id }, { as: agent })).toMatchObject(expected)
  })

  test('history needs its own permission and the sprint’s', async () => {
    const { sprint_id } = await scene.sprint()
    const agent: TestAgent = await world.agent({ permission_flags: { SPRINTS_READ_HISTORY: false } })
    await scene.admit(agent)
    const { body } = await world.call('list_sprint_history', { sprint_id }, { as: agent })
    expect(body.detail).toMatchObject({ error: 'FORBIDDEN', permission: 'SPRINTS_READ_HISTORY' })
  })
})

describe('suggest (planning 1.8)', () => {
  test('divides the open cards, dependencies first; each suggestion can become a sprint', async () => {
    const spec_id = await scene.spec('in_progress', {
      acceptance_criteria: ['Alpha', 'Beta'],
      test_scenarios: [
        { id: 's1', title: 'One', linked_criteria: ['Beta'] },
        { id: 's2', title: 'Two', linked_criteria: ['Alpha'] },
      ],
      functional_requirements: ['Alpha'],
      business_rules: [{ ...requirements.business_rules[0], linked_requirements: ['Alpha'] }],
    })
    const card = (fields: object = {}) => scene.card({ spec_id, ...fields })
    const plain = await card()
    const beta = await card({ test_scenario_ids: ['s1'] })
    const alpha = await card({ test_scenario_ids: ['s2'] })
    const late = await card({ test_scenario_ids: ['s1'] })
    await card({ status: 'done' })
    await card({ status: 'cancelled' })
    await world.ok('add_card_dependency', { card_id: beta, depends_on_id: plain })
    const at = { board_id: scene.boardId, spec_id }
    const { suggestions, count } = await world.ok('suggest_sprints', { ...at, threshold: 3 })
    expect([count, suggestions.map((one: { card_ids: string[] }) => one.card_ids)]).toEqual([
      2,
      [[plain, beta, late], [alpha]],
    ])
    expect(suggestions[1]).toEqual({
      title: 'Sprint 2',
      description: '1 card',
      card_ids: [alpha],
      card_titles: ['Card'],
      test_scenario_ids: ['s2'],
      business_rule_ids: ['r1'],
    })
    for (const suggestion of suggestions) expect((await create(spec_id, suggestion)).status).toBe(201)
    expect(await world.ok('suggest_sprints', { ...at, unassigned_only: true })).toEqual({ suggestions: [], count: 0 })
    expect((await world.ok('suggest_sprints', at)).count).toBe(1)
  })

  test.each([0, 101, 'x', 1.5])('a threshold of %s is 422', async threshold => {
    const { spec_id } = await scene.sprint()
    expect((await world.call('suggest_sprints', { board_id: scene.boardId, spec_id, threshold })).status).toBe(422)
  })
})
