import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logged } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const get = (card_id: string) => world.ok('get_card', { card_id })
const update = (card_id: string, fields: object) => world.call('update_card', { card_id, ...fields })
const activityOf = (card_id: string) => world.ok('list_card_activity', { card_id })
const linkedOf = async (spec_id: string, index = 0) =>
  (await world.ok('get_spec', { spec_id })).test_scenarios[index].linked_task_ids
const settings = (fields: object) => world.ok('update_board', { board_id: scene.boardId, settings: fields })
const archive = (spec_id: string) =>
  world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })

describe('update (cards 3.3)', () => {
  test('adds and removes labels (board 6)', async () => {
    const card_id = await scene.card({ labels: ['a', 'b'] })
    const { status, body } = await update(card_id, { add_labels: ['c', 'b'], remove_labels: ['a', 'unknown'] })
    expect([status, body.labels]).toEqual([200, ['b', 'c']])
    expect((await activityOf(card_id))[0].details.changes).toEqual([
      { field: 'labels', old: ['a', 'b'], new: ['b', 'c'] },
    ])
    expect((await update(card_id, { remove_labels: ['b', 'c'] })).body.labels).toEqual([])
  })

  test('labels that become too many are 400; beside labels, and too long, 422', async () => {
    const many = Array.from({ length: 50 }, (_, index) => `label ${index}`)
    const card_id = await scene.card({ labels: many })
    const refused = await update(card_id, { add_labels: ['new'] })
    expect([refused.status, refused.body.detail]).toMatchObject([
      400,
      { error: 'VALIDATION_ERROR', field: 'add_labels' },
    ])
    expect((await update(card_id, { add_labels: ['new'], remove_labels: ['label 0'] })).status).toBe(200)
    for (const field of ['add_labels', 'remove_labels']) {
      const { status, body } = await update(card_id, { labels: null, [field]: ['x'] })
      expect([status, body.detail]).toMatchObject([422, [{ loc: ['body', field], type: 'value_error' }]])
      expect((await update(card_id, { [field]: ['x'.repeat(101)] })).status).toBe(422)
    }
  })

  test.each(['add_labels', 'remove_labels'])('%s asks CARDS_LABEL', async field => {
    const card_id = await scene.card()
    const limited = await world.agent({ permission_flags: { CARDS_LABEL: false } })
    await scene.admit(limited)
    const { status, body } = await world.call('update_card', { card_id, [field]: ['x'] }, { as: limited })
    expect([status, body.detail.permission]).toEqual([403, 'CARDS_LABEL'])
  })

  test('changes what is sent and records it once, long texts cut', async () => {
    const card_id = await scene.card({ description: 'a'.repeat(300), labels: ['x'] })
    const before = await get(card_id)
    const { status, body } = await update(card_id, {
      title: null,
      priority: 'high',
      description: null,
      labels: null,
      due_date: '2026-05-06',
      screen_mockups: [{ id: 'm', title: 'M' }],
      unknown: 1,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      title: 'Card',
      priority: 'high',
      description: null,
      labels: null,
      due_date: '2026-05-06T00:00:00.000Z',
      screen_mockups: [{ id: 'm', title: 'M', screen_type: 'page' }],
    })
    expect(body.updated_at >= before.updated_at).toBe(true)
    const [entry, ...earlier] = await activityOf(card_id)
    expect(earlier.map((one: { action: string }) => one.action)).toEqual(['card_created'])
    expect(entry).toMatchObject({ action: 'card_updated' })
    expect(entry.details.fields.toSorted()).toEqual(['description', 'due_date', 'labels', 'priority', 'screen_mockups'])
    expect(entry.details.changes).toContainEqual({ field: 'description', old: 'a'.repeat(200), new: null })
    expect(logged(world, card_id).at(-1)!.domain).toMatchObject([
      { name: 'card.priority_changed', old: 'none', new: 'high', card_id },
    ])
  })

  test('without a difference: 200, no entry, the same updated_at', async () => {
    const card_id = await scene.card({ labels: ['x'] })
    const before = await get(card_id)
    for (const fields of [{}, { ...before }, { labels: ['x'], priority: null, status: 'not_started', position: null }])
      expect((await update(card_id, fields)).body).toEqual(before)
    expect(await activityOf(card_id)).toHaveLength(1)
  })

  test('read-only fields are ignored, words outside an enum are refused', async () => {
    const card_id = await scene.card()
    const { body } = await update(card_id, {
      card_type: 'test',
      created_by: 'x',
      id: 'y',
      conclusions: [],
      archived: true,
    })
    expect(body).toMatchObject({ id: card_id, card_type: 'normal', created_by: world.owner.id, archived: false })
    for (const fields of [
      { card_type: 'epic' },
      { type: 'epic' },
      { severity: 'bad' },
      { position: -2 },
      { position: 1e9 + 1 },
    ])
      expect((await update(card_id, fields)).status).toBe(422)
  })

  test('a change of status passes the gates of a move, and is recorded as one', async () => {
    const card_id = await scene.card()
    expect((await update(card_id, { title: 'New', status: 'started' })).body.detail.error).toBe('SPEC_NOT_READY')
    expect((await get(card_id)).title).toBe('Card')
    expect((await update(card_id, { status: 'validation' })).body.detail.error).toBe('SPEC_NOT_READY')
    const { body } = await update(card_id, { title: 'New', status: 'on_hold' })
    expect(body).toMatchObject({ title: 'New', status: 'on_hold' })
    const actions = (await activityOf(card_id)).map((entry: { action: string }) => entry.action)
    expect(actions).toEqual(['card_moved', 'card_updated', 'card_created'])
    const started = await scene.card({ spec_id: await scene.spec('in_progress') })
    expect((await update(started, { status: 'validation' })).body.detail.error).toBe('CONCLUSION_REQUIRED')
  })

  test('a status needs its own permission too', async () => {
    const agent = await world.agent({ permission_flags: { CARDS_MOVE_ON_HOLD: false } })
    await scene.admit(agent)
    const card_id = await scene.card()
    const refused = await world.call('update_card', { card_id, status: 'on_hold' }, { as: agent })
    expect(refused.body.detail).toMatchObject({ error: 'FORBIDDEN', permission: 'CARDS_MOVE_ON_HOLD' })
    expect((await world.call('update_card', { card_id, status: 'not_started' }, { as: agent })).status).toBe(200)
  })

  test('a new spec takes the card off the old one', async () => {
    const from = await scene.specWithScenarios()
    const to = await scene.specWithScenarios(2)
    const { sprint_id } = await scene.sprint('draft', { spec_id: from })
    const card_id = await scene.card({ spec_id: from, sprint_id, test_scenario_ids: ['s1'] })
    const { body } = await update(card_id, { spec_id: to })
    expect(body).toMatchObject({ spec_id: to, sprint_id: null, test_scenario_ids: [] })
    expect(await linkedOf(from)).toEqual([])
    const moved = await update(card_id, { spec_id: from, test_scenario_ids: ['s1'] })
    expect(moved.body).toMatchObject({ spec_id: from, test_scenario_ids: ['s1'] })
    expect(await linkedOf(from)).toEqual([card_id])
    expect(logged(world, card_id).at(-1)!.domain).toMatchObject([
      { name: 'card.unlinked_from_spec', spec_id: to },
      { name: 'card.linked_to_spec', spec_id: from },
    ])
    expect((await update(card_id, { spec_id: null })).body).toMatchObject({ spec_id: null, test_scenario_ids: [] })
    expect(await linkedOf(from)).toEqual([])
  })

  test('refuses a spec that is on another board, not ready or archived', async () => {
    const card_id = await scene.card()
    const foreign = await (await Scene.on(world)).spec('approved')
    expect((await update(card_id, { spec_id: foreign })).body.detail).toMatchObject({
      error: 'VALIDATION_ERROR',
      field: 'spec_id',
    })
    const draft = await scene.spec('draft')
    expect((await update(card_id, { spec_id: draft })).body.detail).toMatchObject({
      error: 'SPEC_NOT_READY',
      spec_id: draft,
      spec_status: 'draft',
      allowed: ['approved', 'validated', 'in_progress', 'done'],
    })
    const archived = await scene.spec('approved')
    await archive(archived)
    expect((await update(card_id, { spec_id: archived })).body.detail).toMatchObject({
      error: 'ARCHIVED',
      entity_type: 'spec',
    })
  })

  test('scenarios are linked on both sides; a test card keeps at least one', async () => {
    const spec_id = await scene.specWithScenarios(5)
    const card_id = await scene.testCard({ spec_id })
    expect((await update(card_id, { test_scenario_ids: ['s2', 's1'] })).body.test_scenario_ids).toEqual(['s2', 's1'])
    expect([await linkedOf(spec_id, 0), await linkedOf(spec_id, 1)]).toEqual([[card_id], [card_id]])
    await update(card_id, { test_scenario_ids: ['s2'] })
    expect([await linkedOf(spec_id, 0), await linkedOf(spec_id, 1)]).toEqual([[], [card_id]])
    for (const fields of [{ test_scenario_ids: [] }, { test_scenario_ids: null }, { spec_id: null }])
      expect((await update(card_id, fields)).body.detail).toMatchObject({ field: 'test_scenario_ids' })
    expect((await update(card_id, { test_scenario_ids: ['x'] })).body.detail.unknown).toEqual(['x'])
    const four = { test_scenario_ids: ['s1', 's2', 's3', 's4'] }
    expect((await update(card_id, four)).body.detail).toMatchObject({
      error: 'SCENARIO_LIMIT',
      card_id,
      limit: 3,
      count: 4,
    })
    await settings({ max_scenarios_per_card: 4 })
    expect((await update(card_id, four)).status).toBe(200)
    await settings({ max_scenarios_per_card: 1 })
    expect((await update(card_id, { test_scenario_ids: ['s1', 's2'] })).status).toBe(200)
    await settings({ max_scenarios_per_card: 3 })
  })

  test('a sprint must be of the same spec and open to cards', async () => {
    const { sprint_id, spec_id } = await scene.sprint()
    const card_id = await scene.card({ spec_id })
    expect((await update(card_id, { sprint_id })).body.sprint_id).toBe(sprint_id)
    expect((await update(card_id, { sprint_id: 'unknown' })).body.detail.field).toBe('sprint_id')
    expect((await update(card_id, { sprint_id: null })).body.sprint_id).toBeNull()
    await world.ok('move_sprint', { sprint_id, status: 'cancelled' })
    expect((await update(card_id, { sprint_id })).body.detail).toMatchObject({ error: 'INVALID_STATE' })
  })

  test('a bug keeps the fields that it needs; severity is recorded as a domain event', async () => {
    const card_id = await scene.bug()
    expect(
      (await update(card_id, { severity: null, expected_behavior: ' ', observed_behavior: null })).body.detail,
    ).toMatchObject({ error: 'VALIDATION_ERROR', missing: ['severity', 'expected_behavior', 'observed_behavior'] })
    await update(card_id, { severity: 'critical' })
    expect(logged(world, card_id).at(-1)!.domain).toMatchObject([{ name: 'card.severity_changed', new: 'critical' }])
    const normal = await scene.card()
    expect((await update(normal, { severity: 'major' })).body.severity).toBe('major')
    expect(logged(world, normal).at(-1)!.domain).toBeNull()
  })

  test('test tasks: only on bugs, and each must be valid', async () => {
    const spec_id = await scene.specWithScenarios()
    const bug = await scene.bug({ origin_task_id: await scene.card({ spec_id }) })
    const task = await scene.testCard({ spec_id })
    expect((await update(bug, { linked_test_task_ids: [task, task] })).body.linked_test_task_ids).toEqual([task])
    for (const [id, problem] of [
      ['unknown', 'not_found'],
      [bug, 'not_a_test'],
    ] as const)
      expect((await update(bug, { linked_test_task_ids: [id] })).body.detail).toMatchObject({
        field: 'linked_test_task_ids',
        details: [{ test_task_id: id, problem }],
      })
    const normal = await scene.card()
    expect((await update(normal, { linked_test_task_ids: [] })).status).toBe(200)
    expect((await update(normal, { linked_test_task_ids: [task] })).body.detail.field).toBe('linked_test_task_ids')
    expect((await update(bug, { linked_test_task_ids: null })).body.linked_test_task_ids).toEqual([])
  })

  test('knowledge is replaced whole, entries without id get one', async () => {
    const card_id = await scene.card()
    const first = (await update(card_id, { knowledge_bases: [{ title: 'A', content: 'a' }] })).body.knowledge_bases[0]
    expect(first).toMatchObject({ title: 'A', content: 'a', mime_type: 'text/markdown', source: 'manual' })
    const both = (await update(card_id, { knowledge_bases: [{ id: 'mine', title: 'B', content: 'b' }, first] })).body
    expect(both.knowledge_bases[1]).toEqual(first)
    expect(both.knowledge_bases[0].id).toBe('mine')
    expect((await update(card_id, { knowledge_bases: null })).body.knowledge_bases).toEqual([])
    expect((await update(card_id, { knowledge_bases: [{ title: ' ', content: 'b' }] })).status).toBe(400)
  })

  test('two mockups with one id are refused', async () => {
    const mockup = { id: 'm', title: 'M' }
    expect((await update(await scene.card(), { screen_mockups: [mockup, mockup] })).body.detail).toMatchObject({
      error: 'VALIDATION_ERROR',
      field: 'screen_mockups',
    })
  })

  test('fields need their own permission', async () => {
    const agent = await world.agent({ permission_flags: { CARDS_UPDATE: false, CARDS_LABEL: true } })
    await scene.admit(agent)
    const card_id = await scene.card()
    expect((await world.call('update_card', { card_id, labels: ['x'] }, { as: agent })).status).toBe(200)
    const refused = await world.call('update_card', { card_id, title: 'x', severity: 'minor' }, { as: agent })
    expect(refused.body.detail.missing).toEqual(['CARDS_UPDATE', 'CARDS_UPDATE_BUG_FIELDS'])
  })
})

describe('positions (cards 4.6)', () => {
  test('an explicit one is used, and those from it on move up, in PATCH as in move', async () => {
    const other = await Scene.on(world)
    const spec_id = await other.spec('in_progress')
    const [a, b, c] = [await other.card({ spec_id }), await other.card({ spec_id }), await other.card({ spec_id })]
    const positions = async () => Promise.all([a, b, c].map(async id => (await get(id)).position as number))
    await update(c, { position: 0 })
    expect(await positions()).toEqual([1, 2, 0])
    await update(a, { position: 9 })
    expect(await positions()).toEqual([9, 2, 0])
    await update(c, { position: -1 })
    expect(await positions()).toEqual([9, 2, 10])
    const [entry] = await activityOf(c)
    expect(entry.details).toMatchObject({ fields: ['position'], changes: [{ field: 'position', old: 0, new: 10 }] })
    await world.ok('move_card', { card_id: b, target_status: 'not_started', position: 9 })
    expect(await positions()).toEqual([10, 9, 11])
    expect((await activityOf(b))[0]).toMatchObject({
      action: 'card_moved',
      details: { from_status: 'not_started', to_status: 'not_started', from_position: 2, to_position: 9 },
    })
    await world.ok('move_card', { card_id: a, target_status: 'on_hold' })
    expect(await positions()).toEqual([0, 9, 11])
    await world.ok('move_card', { card_id: c, target_status: 'on_hold', position: 0 })
    expect(await positions()).toEqual([1, 9, 0])
  })
})

describe('delete (cards 3.4, 14)', () => {
  test('deletes everything on the card, and removes its id wherever it is linked', async () => {
    const spec_id = await scene.specWithScenarios()
    const origin = await scene.card({ spec_id })
    const bug = await scene.bug({ origin_task_id: origin })
    const task = await scene.testCard({ spec_id })
    await world.ok('link_test_task', { card_id: bug, test_task_id: task })
    await world.ok('add_card_dependency', { card_id: origin, depends_on_id: task })
    await world.ok('add_card_dependency', { card_id: task, depends_on_id: bug })
    const qa_id = await scene.cardQuestion(task)
    const comment = await world.ok('create_comment', { card_id: task, content: 'x' })
    const file = await scene.attachment(task)
    await world.ok('create_card_architecture', { card_id: task, title: 'D', global_description: 'x' })
    const { body } = await world.call('delete_card', { card_id: task })
    expect(body).toBeUndefined()
    expect((await world.call('delete_card', { card_id: task })).status).toBe(404)
    expect(await linkedOf(spec_id)).toEqual([])
    expect((await get(bug)).linked_test_task_ids).toEqual([])
    expect((await get(origin)).dependencies).toEqual([])
    for (const answer of [
      await world.call('answer_card_question', { qa_id, answer: 'x' }),
      await world.call('delete_comment', { comment_id: comment.id }),
      await world.call('download_attachment', file),
    ])
      expect(answer.status).toBe(404)
    await world.ok('delete_card', { card_id: origin })
    expect((await get(bug)).origin_task_id).toBeNull()
    expect((await world.ok('get_spec', { spec_id })).status).toBe('in_progress')
  })

  test('the activity stays readable; for a card that never existed it is 404', async () => {
    const card_id = await scene.card()
    await world.ok('delete_card', { card_id })
    const [entry] = await activityOf(card_id)
    expect(entry).toMatchObject({ action: 'card_deleted', details: { title: 'Card', card_type: 'normal' } })
    const stranger = await world.agent()
    expect((await world.call('list_card_activity', { card_id }, { as: stranger })).status).toBe(404)
    expect((await world.call('list_card_activity', { card_id: 'unknown' })).status).toBe(404)
  })

  test('an archived card can be deleted', async () => {
    const spec_id = await scene.spec('approved')
    const card_id = await scene.card({ spec_id })
    await archive(spec_id)
    expect((await world.call('delete_card', { card_id })).status).toBe(204)
  })
})
