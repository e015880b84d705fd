import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene
let spec_id: string

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  spec_id = await scene.specWithScenarios()
})

afterAll(() => world.stop())

const list = (fields: object = {}, on = scene) => world.call('list_cards', { board_id: on.boardId, ...fields })
const idsOf = async (fields: object = {}, on = scene): Promise<string[]> =>
  (await list(fields, on)).body.map(({ id }: { id: string }) => id)
const card = (fields: object = {}) => scene.card({ spec_id, ...fields })

describe('list_cards (cards 16)', () => {
  test('answers a summary of each card', async () => {
    const awaited = await card()
    const id = await card({
      title: 'Whole',
      priority: 'high',
      labels: ['x'],
      due_date: '2026-05-01',
      severity: 'minor',
    })
    await world.ok('add_card_dependency', { card_id: id, depends_on_id: awaited })
    await scene.cardQuestion(id)
    await world.ok('answer_card_question', { qa_id: await scene.cardQuestion(id), answer: 'So.' })
    await world.ok('create_comment', { card_id: id, content: 'Hm' })
    const claim = await world.ok('claim_card', { card_id: id })
    const [summary] = (await list({ q: 'whole' })).body
    expect(summary).toEqual({
      id,
      ref: (await world.ok('get_card', { card_id: id })).ref,
      title: 'Whole',
      status: 'not_started',
      priority: 'high',
      card_type: 'normal',
      labels: ['x'],
      paths: [],
      due_date: '2026-05-01T00:00:00.000Z',
      position: expect.any(Number),
      assignee_id: null,
      spec_id,
      spec_ref: (await world.ok('get_spec', { spec_id })).ref,
      sprint_id: null,
      claim,
      severity: 'minor',
      blocked_by: 1,
      open_questions: 1,
      comments_count: 1,
      change_state: 'none',
      checks_state: 'none',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      assignee_name: null,
      ready: false,
      moved_at: expect.any(String),
      scenarios: { total: 0, passed: 0, failed: 0 },
      proof: null,
    })
  })

  test('selects by ids and references', async () => {
    const [first, second] = [await card(), await card()]
    const { ref } = await world.ok('get_card', { card_id: second })
    expect((await idsOf({ ids: `${first}, ${ref.toLowerCase()},none` })).toSorted()).toEqual([first, second].toSorted())
    expect(await idsOf({ ids: first, status: 'done' })).toEqual([])
    expect(await idsOf({ ids: '' })).toEqual([])
  })

  test('names the agent that a card is assigned to', async () => {
    const { id } = await world.agent({ name: 'Ann' })
    const ids = [await card({ assignee_id: id }), await card({ assignee_id: 'somebody' })].join()
    const names = (await list({ ids, order: 'created' })).body.map(
      (item: { assignee_name: string }) => item.assignee_name,
    )
    expect(names).toEqual([null, 'Ann'])
  })

  test('says whether the caller may start a card, as list_ready_cards does', async () => {
    const other = await world.agent()
    const on = await Scene.on(world)
    await on.admit(other)
    const spec = await on.spec('in_progress')
    const [free, waiting, claimed] = [
      await on.card({ spec_id: spec }),
      await on.card({ spec_id: spec }),
      await on.card({ spec_id: spec }),
    ]
    await on.card()
    await world.ok('move_card', { card_id: await on.card({ spec_id: spec }), target_status: 'started' })
    await world.ok('add_card_dependency', { card_id: waiting, depends_on_id: free })
    await world.ok('claim_card', { card_id: claimed }, { as: other })
    for (const as of [world.owner, other]) {
      const listed = await world.ok('list_cards', { board_id: on.boardId }, { as })
      const offered = await world.ok('list_ready_cards', { board_id: on.boardId }, { as })
      const ready = offered.filter(({ status }: { status: string }) => status === 'not_started')
      const idsIn = (items: { id: string }[]) => items.map(({ id }) => id).toSorted()
      expect(idsIn(listed.filter((item: { ready: boolean }) => item.ready))).toEqual(idsIn(ready))
      expect(ready).toHaveLength(as === other ? 2 : 1)
    }
  })

  test('counts the results of the scenarios that a card tests', async () => {
    const spec = await scene.specWithScenarios(3)
    const id = await scene.card({ spec_id: spec, card_type: 'test', test_scenario_ids: ['s1', 's2', 's3'] })
    for (const [scenario_id, status] of [
      ['s1', 'passed'],
      ['s2', 'failed'],
    ])
      await world.ok('record_scenario_result', {
        spec_id: spec,
        scenario_id,
        status,
        evidence: { last_run_at: '2026-01-02T03:04:05Z', test_run_id: 'run 7' },
      })
    expect((await list({ ids: id })).body[0].scenarios).toEqual({ total: 3, passed: 1, failed: 1 })
  })

  test('counts no questions and comments for who may not read them', async () => {
    const limited = await world.agent({ permission_flags: { QA_READ: false, COMMENTS_READ: false } })
    await scene.admit(limited)
    const [summary] = await world.ok('list_cards', { board_id: scene.boardId, q: 'whole' }, { as: limited })
    expect(summary).toMatchObject({ open_questions: 0, comments_count: 0 })
  })

  test('filters by every field that it takes', async () => {
    const own = await Scene.on(world)
    const spec = await own.specWithScenarios()
    const sprint = await own.sprint('draft')
    const create = (fields: object = {}) => own.card({ spec_id: spec, ...fields })
    const started = await create({ status: 'started', labels: ['a', 'b'], assignee_id: world.owner.id })
    const high = await create({ priority: 'high', labels: ['b'], description: 'Merge the Baskets' })
    const tested = await own.testCard({ spec_id: spec, priority: 'low', details: 'quantities' })
    await world.ok('add_card_dependency', { card_id: tested, depends_on_id: high })
    const found = async (fields: object) => (await idsOf(fields, own)).toSorted()
    const expected = (...ids: string[]) => ids.toSorted()
    expect(await found({ status: 'started' })).toEqual([started])
    expect(await found({ status: 'started,done' })).toEqual([started])
    expect(await found({ priority: 'high, low' })).toEqual(expected(high, tested))
    expect(await found({ card_type: 'test' })).toEqual([tested])
    expect(await found({ spec_id: spec })).toEqual(expected(started, high, tested))
    expect(await found({ sprint_id: sprint.sprint_id })).toEqual([sprint.card_id])
    expect(await found({ assignee_id: 'me' })).toEqual([started])
    await world.ok('claim_card', { card_id: high })
    expect(await found({ assignee_id: 'me' })).toEqual(expected(started, high))
    await world.ok('release_claim', { card_id: high })
    await world.ok('update_card', { card_id: high, due_date: '2026-01-02' })
    expect(await found({ overdue: true })).toEqual([high])
    expect(await found({ overdue: false })).toEqual(expected(started, tested, sprint.card_id))
    expect(await found({ assignee_id: 'none' })).toEqual(expected(high, tested, sprint.card_id))
    expect(await found({ label: 'a,b' })).toEqual([started])
    expect(await found({ q: 'baskets merge' })).toEqual([high])
    expect(await found({ q: 'QUANT' })).toEqual([tested])
    expect(await found({ q: (await world.ok('get_card', { card_id: high })).ref.toLowerCase() })).toEqual([high])
    expect(await found({ q: '%' })).toEqual([])
    expect(await found({ blocked: true })).toEqual([tested])
    expect(await found({ blocked: false })).toEqual(expected(started, high, sprint.card_id))
    expect(await found({ updated_since: '2999-01-01' })).toEqual([])
    const { updated_at } = await world.ok('get_card', { card_id: tested })
    expect(await found({ updated_since: updated_at })).toContain(tested)
    await world.ok('archive_record', { board_id: own.boardId, entity_type: 'spec', entity_id: spec })
    expect(await found({})).toEqual([sprint.card_id])
    expect(await found({ include_archived: true })).toEqual(expected(started, high, tested, sprint.card_id))
    expect(await found({ include_archived: true, blocked: true })).toEqual([])
  })

  test('orders as asked, and pages', async () => {
    const own = await Scene.on(world)
    const spec = await own.spec('approved')
    const create = (fields: object) => own.card({ spec_id: spec, ...fields })
    const a = await create({ status: 'started', due_date: '2026-05-02', priority: 'low' })
    const b = await create({ due_date: '2026-05-01' })
    const c = await create({ priority: 'critical' })
    await world.ok('update_card', { card_id: b, description: 'Changed' })
    await world.ok('move_card', { card_id: c, target_status: 'not_started', position: 0 })
    expect(await idsOf({}, own)).toEqual([c, b, a])
    expect(await idsOf({ order: 'created' }, own)).toEqual([c, b, a])
    expect(await idsOf({ order: 'due' }, own)).toEqual([b, a, c])
    expect(await idsOf({ order: 'priority' }, own)).toEqual([c, a, b])
    await world.ok('update_card', { card_id: a, description: 'Changed last' })
    expect((await idsOf({ order: 'updated' }, own))[0]).toBe(a)
    const page = await list({ order: 'due', limit: 1, offset: 1 }, own)
    expect([page.body.length, page.body[0].id, page.headers.get('x-total-count')]).toEqual([1, a, '3'])
  })

  test.each([
    ['status', 'started,doing'],
    ['priority', 'urgent'],
    ['card_type', 'normal,test'],
    ['order', 'best'],
    ['blocked', 'perhaps'],
    ['updated_since', 'yesterday'],
  ])('%s=%s is 422', async (name, value) => {
    const { status, body } = await list({ [name]: value })
    expect([status, body.detail[0].loc]).toEqual([422, ['query', name]])
  })

  test('an unknown word of a list is told with the words that there are', async () => {
    const [item] = (await list({ status: 'started,doing' })).body.detail
    expect(item).toMatchObject({ type: 'enum', ctx: { expected: expect.arrayContaining(['started', 'done']) } })
  })
})

describe('lists of records (board 6)', () => {
  test('count open questions and cards', async () => {
    const on = await Scene.on(world)
    const { spec_id } = await on.sprint('active')
    await on.card({ spec_id })
    for (const [kind, id] of [
      ['spec', spec_id],
      ['ideation', await on.ideation()],
    ] as const) {
      const at = { [`${kind}_id`]: id }
      await world.ok(`ask_${kind}_question`, { ...at, question: 'Why?' })
      const { id: qa_id } = await world.ok(`ask_${kind}_question`, { ...at, question: 'What?' })
      await world.ok(`answer_${kind}_question`, { ...at, qa_id, answer: 'So.' })
    }
    const board_id = on.boardId
    expect(await world.ok('list_specs', { board_id })).toMatchObject([
      { id: spec_id, open_questions: 1, cards_total: 2, cards_done: 0 },
    ])
    expect(await world.ok('list_ideations', { board_id })).toMatchObject([{ open_questions: 1 }])
    const reader = await world.agent({ permission_flags: { QA_READ: false } })
    await on.admit(reader)
    for (const name of ['list_specs', 'list_ideations'] as const)
      expect(await world.ok(name, { board_id }, { as: reader })).toMatchObject([{ open_questions: 0 }])
  })
})
