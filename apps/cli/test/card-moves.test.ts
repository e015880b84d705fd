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

const report = {
  conclusion: ' Done. ',
  completeness: 90,
  completeness_justification: 'Most of it.',
  drift: 10,
  drift_justification: 'A little.',
}
const storedConclusion = (target: string) => ({
  text: 'Done.',
  author_id: world.owner.id,
  created_at: expect.any(String),
  completeness: 90,
  completeness_justification: 'Most of it.',
  drift: 10,
  drift_justification: 'A little.',
  source: `move_to_${target}`,
})

const get = (card_id: string) => world.ok('get_card', { card_id })
const move = (card_id: string, target_status: string, fields: object = {}) =>
  world.call('move_card', { card_id, target_status, ...fields })
const codeOf = async (card_id: string, target: string, fields: object = {}) =>
  (await move(card_id, target, fields)).body.detail?.error ?? 'OK'
const entriesOf = (card_id: string) => world.ok('list_card_activity', { card_id })
const settings = (fields: object) => world.ok('update_board', { board_id: scene.boardId, settings: fields })

/** A card on a new spec in progress. */
const worked = async (fields: object = {}) => scene.card({ spec_id: await scene.specWithScenarios(), ...fields })

describe('a move (cards 4.1, 4.2)', () => {
  test('answers the card, where it came from, when and by whom', async () => {
    const mover = await world.agent()
    await scene.admit(mover)
    const card_id = await worked()
    const { status, body } = await world.call('move_card', { card_id, target_status: 'started' }, { as: mover })
    expect(status).toBe(200)
    const { from_status, ...card } = body
    expect(from_status).toBe('not_started')
    expect(card).toEqual(await get(card_id))
    expect(card).toMatchObject({ status: 'started', moved_by: mover.id, created_by: world.owner.id, conclusions: [] })
    expect((await entriesOf(card_id))[0]).toMatchObject({
      action: 'card_moved',
      actor_id: mover.id,
      details: { from_status: 'not_started', to_status: 'started' },
    })
    expect(logged(world, card_id).at(-1)!.domain).toMatchObject([{ name: 'card.moved', card_id }])
  })

  test('status is an alias of target_status; none or an unknown one is 422, two different ones are 400', async () => {
    const card_id = await worked()
    expect((await world.call('move_card', { card_id, status: 'started' })).body.status).toBe('started')
    expect((await world.call('move_card', { card_id, status: 'started', target_status: null })).status).toBe(200)
    const [missing] = (await world.call('move_card', { card_id })).body.detail
    expect(missing).toMatchObject({ loc: ['body', 'target_status'], type: 'missing' })
    expect((await move(card_id, 'doing')).body.detail[0]).toMatchObject({ type: 'enum' })
    const both = await move(card_id, 'done', { status: 'started' })
    expect([both.status, both.body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test.each([{ completeness: 101 }, { completeness: -1 }, { drift: 101 }])('%j is 400', async fields => {
    const refused = await move(await worked(), 'on_hold', fields)
    expect(refused.body.detail).toMatchObject({ error: 'VALIDATION_ERROR', field: Object.keys(fields)[0] })
  })

  test.each([
    { completeness: 1.5 },
    { completeness: '5' },
    { position: -2 },
    { position: 1e9 + 1 },
    { conclusion: 'x'.repeat(200_001) },
  ])('%j is 422', async fields => {
    expect((await move(await worked(), 'on_hold', fields)).status).toBe(422)
  })

  test('to the current status writes only a position and a complete report', async () => {
    const card_id = await worked({ status: 'in_progress' })
    const before = await get(card_id)
    const { body } = await move(card_id, 'in_progress')
    expect(body).toEqual({ ...before, from_status: 'in_progress' })
    expect(await entriesOf(card_id)).toHaveLength(1)
    expect(await codeOf(card_id, 'in_progress', { conclusion: 'Half.' })).toBe('CONCLUSION_REQUIRED')
    const reported = await move(card_id, 'in_progress', report)
    expect(reported.body).toMatchObject({ conclusions: [storedConclusion('in_progress')], moved_at: before.moved_at })
    expect(logged(world, card_id).at(-1)).toMatchObject({
      activity: 'card_updated',
      details: { fields: ['conclusions'] },
      domain: [{ name: 'card.conclusion_added', text: 'Done.' }],
    })
    const placed = await move(card_id, 'in_progress', { position: 40 })
    expect(placed.body).toMatchObject({ position: 40, moved_at: before.moved_at })
    expect((await entriesOf(card_id))[0]).toMatchObject({ action: 'card_moved', details: { to_position: 40 } })
  })

  test('backward, to on_hold or to cancelled passes no gate; forward again does', async () => {
    const spec_id = await scene.spec('approved')
    const card_id = await scene.card({ spec_id, status: 'done' })
    for (const target of ['validation', 'in_progress', 'started', 'not_started', 'on_hold', 'cancelled'])
      expect((await move(card_id, target)).body.status).toBe(target)
    expect(await codeOf(card_id, 'started')).toBe('SPEC_NOT_READY')
  })

  test('a refused move changes and records nothing', async () => {
    const card_id = await scene.card()
    const before = await get(card_id)
    expect(await codeOf(card_id, 'started', report)).toBe('SPEC_NOT_READY')
    expect(await get(card_id)).toEqual(before)
    expect(await entriesOf(card_id)).toHaveLength(1)
  })
})

describe('gates over the server (cards 4.3)', () => {
  test('spec: the refusal names the required status', async () => {
    const spec_id = await scene.specWithScenarios(1, 'approved')
    const refused = await move(await scene.card({ spec_id }), 'started')
    expect(refused.body.detail).toMatchObject({
      error: 'SPEC_NOT_READY',
      spec_id,
      spec_status: 'approved',
      required_status: 'in_progress',
    })
    const test_card = await scene.testCard({ spec_id: await scene.specWithScenarios(1, 'validated') })
    expect(await codeOf(test_card, 'started')).toBe('OK')
  })

  test('sprint: required once the spec has one, and then active', async () => {
    const spec_id = await scene.spec('in_progress')
    const { sprint_id } = await scene.sprint('draft', { spec_id })
    const card_id = await scene.card({ spec_id })
    expect((await move(card_id, 'started')).body.detail).toMatchObject({
      error: 'SPRINT_REQUIRED',
      spec_id,
      details: [{ id: sprint_id, title: 'Sprint', status: 'draft' }],
    })
    await world.ok('update_card', { card_id, sprint_id })
    expect((await move(card_id, 'started')).body.detail).toMatchObject({
      error: 'SPRINT_NOT_ACTIVE',
      sprint_id,
      sprint_status: 'draft',
    })
    await world.ok('move_sprint', { sprint_id, status: 'active' })
    expect(await codeOf(card_id, 'started')).toBe('OK')
    await world.ok('move_sprint', { sprint_id, status: 'cancelled' })
    expect(await codeOf(await scene.card({ spec_id }), 'started')).toBe('OK')
  })

  test('validation: always required from validation, from elsewhere when the settings say so', async () => {
    const card_id = await worked({ status: 'validation' })
    expect((await move(card_id, 'done', report)).body.detail).toMatchObject({
      error: 'VALIDATION_REQUIRED',
      missing: ['task_validation'],
      required_thresholds: {
        required: false,
        min_confidence: 70,
        min_completeness: 80,
        max_drift: 50,
        resolved_from: 'board',
      },
    })
    const started = await worked({ status: 'started' })
    await settings({ require_task_validation: true })
    const refused = await move(started, 'done', report)
    await settings({ require_task_validation: false })
    expect(refused.body.detail).toMatchObject({ error: 'VALIDATION_REQUIRED' })
    expect(refused.body.detail.message).toContain('validation first')
    expect(await codeOf(started, 'done', report)).toBe('OK')
  })

  test('scenarios: all must have run, unless coverage is skipped', async () => {
    const spec_id = await scene.specWithScenarios()
    const card_id = await scene.testCard({ spec_id, status: 'in_progress' })
    expect((await move(card_id, 'done', report)).body.detail).toMatchObject({
      error: 'SCENARIOS_NOT_RUN',
      details: [{ scenario_id: 's1', title: 'Works', status: 'draft' }],
    })
    await world.ok('update_spec', { spec_id, skip_test_coverage: true })
    expect(await codeOf(card_id, 'done', report)).toBe('OK')
  })

  test('dependencies: done and cancelled ones count as met', async () => {
    const card_id = await worked()
    const awaited = await worked({ title: 'First' })
    await world.ok('add_card_dependency', { card_id, depends_on_id: awaited })
    expect((await move(card_id, 'started')).body.detail).toMatchObject({
      error: 'DEPENDENCIES_NOT_MET',
      details: [{ id: awaited, title: 'First', status: 'not_started' }],
    })
    await move(awaited, 'cancelled')
    expect(await codeOf(card_id, 'started')).toBe('OK')
  })

  test('bug test: work on a bug can start once a test covers it', async () => {
    const spec_id = await scene.specWithScenarios()
    const bug = await scene.bug({ origin_task_id: await scene.card({ spec_id }) })
    expect(await codeOf(bug, 'started')).toBe('OK')
    expect((await move(bug, 'in_progress')).body.detail).toMatchObject({
      error: 'TEST_TASK_REQUIRED',
      missing: ['linked_test_task_ids', 'regression_test'],
    })
    const task = await scene.testCard({ spec_id })
    await world.ok('link_test_task', { card_id: bug, test_task_id: task })
    await world.ok('update_spec', { spec_id, test_scenarios: [{ id: 's2', title: 'Other' }], allow_removal: true })
    expect((await move(bug, 'in_progress')).body.detail).toMatchObject({
      error: 'TEST_TASK_INVALID',
      details: [{ test_task_id: task, problem: 'no_scenario' }],
    })
    await settings({ bug_test_gate_min_severity: 'major' })
    expect(await codeOf(bug, 'in_progress')).toBe('OK')
    await settings({ bug_test_gate_min_severity: 'minor' })
    expect(await codeOf(bug, 'validation', report)).toBe('OK')
  })
})

describe('reports (cards 4.4)', () => {
  test('are required on the way to validation, and appended', async () => {
    const card_id = await worked({ status: 'in_progress' })
    expect((await move(card_id, 'validation', { conclusion: 'Done.' })).body.detail).toMatchObject({
      error: 'CONCLUSION_REQUIRED',
      missing: ['completeness', 'completeness_justification', 'drift', 'drift_justification'],
    })
    expect((await move(card_id, 'validation', report)).body.conclusions).toEqual([storedConclusion('validation')])
    await move(card_id, 'in_progress')
    const again = await move(card_id, 'validation', report)
    expect(again.body.conclusions).toEqual([storedConclusion('validation'), storedConclusion('validation')])
  })

  test('one that is sent with another move is stored', async () => {
    const card_id = await worked()
    expect((await move(card_id, 'on_hold', report)).body.conclusions).toEqual([storedConclusion('on_hold')])
    expect(await codeOf(card_id, 'cancelled', { conclusion: 'Half.' })).toBe('CONCLUSION_REQUIRED')
  })

  test('a test card needs a report only for done', async () => {
    const spec_id = await scene.specWithScenarios()
    await world.ok('update_spec', { spec_id, skip_test_coverage: true })
    const card_id = await scene.testCard({ spec_id })
    expect(await codeOf(card_id, 'validation')).toBe('OK')
    expect(await codeOf(card_id, 'done')).toBe('CONCLUSION_REQUIRED')
    expect(await codeOf(card_id, 'done', report)).toBe('OK')
  })
})

describe('cancelling (cards 4.5)', () => {
  test('sends a validated spec back to approved', async () => {
    const spec_id = await scene.spec('validated')
    const card_id = await scene.card({ spec_id: await scene.spec('approved') })
    await world.ok('update_card', { card_id, spec_id })
    expect((await move(card_id, 'cancelled')).body.status).toBe('cancelled')
    expect(await world.ok('get_spec', { spec_id })).toMatchObject({ status: 'approved', current_validation_id: null })
    const [entry] = await world.ok('list_spec_history', { spec_id })
    expect(entry).toMatchObject({
      action: 'status_changed',
      changes: [{ field: 'status', old: 'validated', new: 'approved' }],
    })
    expect(entry.summary).toContain(card_id)
    expect(logged(world, card_id).at(-1)!.domain).toMatchObject([{ name: 'card.moved' }, { name: 'card.cancelled' }])
  })

  test('keeps a spec in any other status; leaving cancelled counts as restoring', async () => {
    const card_id = await worked()
    await move(card_id, 'cancelled')
    expect((await world.ok('get_spec', { spec_id: (await get(card_id)).spec_id })).status).toBe('in_progress')
    await move(card_id, 'not_started')
    expect(logged(world, card_id).at(-1)!.domain).toMatchObject([{ name: 'card.moved' }, { name: 'card.restored' }])
  })
})

test('concurrent moves all take effect, and positions stay distinct (cards 4.6)', async () => {
  const spec_id = await scene.spec('in_progress')
  const cards = await Promise.all(Array.from({ length: 6 }, () => scene.card({ spec_id })))
  await Promise.all(cards.map(card_id => move(card_id, 'started')))
  const positions = await Promise.all(cards.map(async card_id => (await get(card_id)).position))
  expect(new Set(positions).size).toBe(cards.length)
})
