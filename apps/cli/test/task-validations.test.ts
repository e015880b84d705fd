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
  conclusion: 'Done.',
  completeness: 90,
  completeness_justification: 'Most of it.',
  drift: 10,
  drift_justification: 'A little.',
}
const plain = { outcome: 'success', summary: ' Good. ', auto_move: false }
const scored = {
  recommendation: 'approve',
  summary: 'Good.',
  confidence: 70,
  confidence_justification: 'Tested.',
  estimated_completeness: 80,
  completeness_justification: 'All of it.',
  estimated_drift: 50,
  drift_justification: 'Some.',
}

const get = (card_id: string) => world.ok('get_card', { card_id })
const submit = (card_id: string, fields: object) => world.call('submit_task_validation', { card_id, ...fields })
const move = (card_id: string, target_status: string, fields: object = {}) =>
  world.call('move_card', { card_id, target_status, ...fields })
const actionsOf = async (card_id: string) =>
  (await world.ok('list_card_activity', { card_id })).map((entry: { action: string }) => entry.action)

/** A card that was imported into validation and has no report. */
const imported = async (fields: object = {}) => scene.card({ status: 'validation', ...fields })

/** A card that was moved to validation with its report. */
async function reported(): Promise<string> {
  const card_id = await scene.card({ spec_id: await scene.spec('in_progress'), status: 'in_progress' })
  await world.ok('move_card', { card_id, target_status: 'validation', ...report })
  return card_id
}

describe('plain (cards 5.2)', () => {
  test('is stored as sent and does not move the card', async () => {
    const card_id = await imported()
    const evidence = [{ type: 'log', url: 'file:///log' }]
    const { status, body } = await submit(card_id, { ...plain, evidence, reviewer_id: 'A person' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: body.id,
      ref: expect.stringMatching(/\.v1$/),
      attempts: { used: 0, limit: 3, failed: 0, lost: 0 },
      validation_id: body.id,
      card_id,
      board_id: scene.boardId,
      outcome: 'success',
      verdict: 'pass',
      recommendation: 'approve',
      reviewer_id: 'A person',
      evaluator_id: 'A person',
      submitted_by: world.owner.id,
      reviewer_name: 'A person',
      summary: ' Good. ',
      general_justification: ' Good. ',
      evidence,
      confidence: null,
      confidence_justification: null,
      completeness: null,
      estimated_completeness: null,
      completeness_justification: null,
      drift: null,
      estimated_drift: null,
      drift_justification: null,
      threshold_violations: [],
      resolved_thresholds: {
        required: false,
        min_confidence: 70,
        min_completeness: 80,
        max_drift: 50,
        resolved_from: 'board',
      },
      active: true,
      created_at: body.created_at,
      submitted_at: body.created_at,
      card_status: 'validation',
      actor_type: 'person',
      actor_via: 'key',
      present: false,
      ...(body.next !== undefined && { next: body.next }),
    })
    const { card_status, attempts, next: _, ...record } = body
    expect(await world.ok('get_task_validation', { card_id, validation_id: body.id })).toEqual(record)
    expect((await get(card_id)).validations).toEqual([record])
  })

  test('the reviewer is the caller unless named, and has the name of its agent', async () => {
    const reviewer = await world.agent({ name: 'Reviewer' })
    const named = await submit(await imported(), { ...plain, reviewer_id: reviewer.id })
    expect(named.body).toMatchObject({ reviewer_name: 'Reviewer', submitted_by: world.owner.id })
    const own = await submit(await imported(), { outcome: 'failure', summary: 'Bad.' })
    expect(own.body).toMatchObject({
      outcome: 'failed',
      verdict: 'fail',
      recommendation: 'reject',
      reviewer_id: world.owner.id,
      reviewer_name: 'Local Owner',
    })
  })

  test('a success opens the move to done, and makes it on request', async () => {
    const card_id = await reported()
    await submit(card_id, plain)
    expect((await move(card_id, 'done')).body).toMatchObject({
      status: 'done',
      conclusions: [{ source: 'move_to_validation' }],
    })
    const routed = await reported()
    expect((await submit(routed, { ...plain, auto_move: true })).body.card_status).toBe('done')
    expect((await get(routed)).status).toBe('done')
  })
})

describe('scored (cards 5.2)', () => {
  test('at the thresholds it passes, and the card goes to done', async () => {
    const card_id = await reported()
    const { body } = await submit(card_id, scored)
    expect(body).toMatchObject({
      outcome: 'success',
      confidence: 70,
      completeness: 80,
      estimated_completeness: 80,
      drift: 50,
      threshold_violations: [],
      card_status: 'done',
    })
    expect('routing_blocked' in body).toBe(false)
    expect(await actionsOf(card_id)).toEqual(['card_moved', 'validation_submitted', 'card_moved', 'card_created'])
    const [submitted] = await world.ok('list_card_activity', { card_id, offset: 1, limit: 1 })
    expect(submitted.details).toEqual({
      validation_id: body.id,
      outcome: 'success',
      recommendation: 'approve',
      confidence: 70,
      estimated_completeness: 80,
      estimated_drift: 50,
      threshold_violations: [],
      card_title: 'Card',
    })
    expect(logged(world, card_id).at(-2)!.domain).toMatchObject([
      { name: 'card.validation_submitted', validation_id: body.id, card_id },
    ])
  })

  test('a violation fails it, with 201, and the card stays where it is', async () => {
    const card_id = await reported()
    const { position } = await get(card_id)
    const { status, body } = await submit(card_id, {
      ...scored,
      confidence: 69,
      estimated_completeness: 0,
      estimated_drift: 100,
      auto_move: false,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      outcome: 'failed',
      recommendation: 'approve',
      threshold_violations: ['confidence 69 < min 70', 'completeness 0 < min 80', 'drift 100 > max 50'],
      card_status: 'validation',
    })
    expect(await get(card_id)).toMatchObject({ status: 'validation', position })
    expect((await move(card_id, 'done')).body.detail.error).toBe('VALIDATION_REQUIRED')
  })

  test('thresholds come from the sprint, then the spec, then the board', async () => {
    const spec_id = await scene.spec('approved')
    const { sprint_id } = await scene.sprint('active', { spec_id })
    const card_id = await imported({ spec_id, sprint_id })
    await world.ok('update_spec', { spec_id, require_task_validation: true, validation_min_confidence: 95 })
    await world.ok('update_sprint', { sprint_id, validation_max_drift: 0 })
    const { body } = await submit(card_id, scored)
    expect(body.resolved_thresholds).toEqual({
      required: true,
      min_confidence: 95,
      min_completeness: 80,
      max_drift: 0,
      resolved_from: 'spec',
    })
    expect(body.threshold_violations).toEqual(['confidence 70 < min 95', 'drift 50 > max 0'])
  })

  test('aliases may replace their names, and must agree with them', async () => {
    const { summary, estimated_completeness, estimated_drift, ...rest } = scored
    const aliased = { ...rest, general_justification: summary, completeness: 81, drift: 3 }
    expect((await submit(await imported(), aliased)).body).toMatchObject({
      summary: 'Good.',
      estimated_completeness: 81,
      estimated_drift: 3,
    })
    const card_id = await imported()
    expect((await submit(card_id, { ...scored, completeness: 80, drift: null })).status).toBe(201)
    for (const other of [{ completeness: 81 }, { drift: 51 }, { general_justification: 'Else.' }]) {
      const refused = await submit(await imported(), { ...scored, ...other })
      expect([refused.status, refused.body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  test('an unmet dependency keeps the card in validation and is reported', async () => {
    const card_id = await reported()
    const awaited = await scene.card({ title: 'First' })
    await world.ok('add_card_dependency', { card_id, depends_on_id: awaited })
    const { body } = await submit(card_id, scored)
    expect(body).toMatchObject({
      outcome: 'success',
      card_status: 'validation',
      routing_blocked: {
        error: 'DEPENDENCIES_NOT_MET',
        details: [{ id: awaited, title: 'First', status: 'not_started' }],
      },
    })
    expect((await move(card_id, 'done')).body.detail.error).toBe('DEPENDENCIES_NOT_MET')
    await move(awaited, 'cancelled')
    expect((await move(card_id, 'done')).body.status).toBe('done')
  })
})

describe('refusals (cards 5.2)', () => {
  test.each([
    [undefined, ['outcome', 'summary']],
    [{}, ['outcome', 'summary']],
    [{ outcome: 'success', summary: ' ' }, ['summary']],
    [
      { confidence: 80, outcome: 'success', summary: 'x' },
      [
        'estimated_completeness',
        'estimated_drift',
        'confidence_justification',
        'completeness_justification',
        'drift_justification',
      ],
    ],
  ])('%j lacks %j', async (fields, missing) => {
    const { status, body } = await submit(await imported(), fields ?? {})
    expect([status, body.detail.error, body.detail.missing]).toEqual([400, 'VALIDATION_ERROR', missing])
  })

  test.each([
    { outcome: 'maybe' },
    { recommendation: 'x' },
    { confidence: 101 },
    { confidence: '70' },
    { outcome: 'failed' },
    { outcome: ['success'] },
    { estimated_drift: { free: [1] } },
  ])('%j is 400', async fields => {
    const { status, body } = await submit(await imported(), { ...scored, ...fields })
    expect([status, body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test.each([
    { evidence: 'log' },
    { evidence: [{ type: 'x' }] },
    { evidence: [{ type: '', url: 'x' }] },
    { reviewer_id: '' },
    { auto_move: 'yes' },
  ])('%j is 422', async fields => {
    expect((await submit(await imported(), { ...plain, ...fields })).status).toBe(422)
  })

  test('only for a card in validation, and not for a test card', async () => {
    expect((await submit(await scene.card(), plain)).body.detail).toMatchObject({
      error: 'CARD_NOT_IN_VALIDATION',
      status: 'not_started',
    })
    expect((await submit(await scene.testCard({ status: 'validation' }), plain)).body.detail.error).toBe(
      'VALIDATION_NOT_APPLICABLE',
    )
    expect((await submit(await scene.card(), {})).status).toBe(400)
  })

  test('the move that it waits for asks for the report that the move needs (mcp 9.5)', async () => {
    const next = async (card_id: string) => (await submit(card_id, plain)).body.next_actions[0]
    const card_id = await scene.card({ status: 'in_progress' })
    const small = (await world.ok('create_card', { board_id: scene.boardId, title: 'Typo' })).id
    expect([await next(card_id), await next(small)]).toEqual([
      {
        name: 'move_card',
        arguments: { card_id, target_status: 'validation' },
        reason: 'validations are submitted there; add the report',
      },
      {
        name: 'move_card',
        arguments: { card_id: small, target_status: 'validation' },
        reason: 'validations are submitted there; add conclusion, check',
      },
    ])
  })

  test('a move out of done asks for no report', async () => {
    const { body } = await submit(await scene.card({ status: 'done', imported: true }), plain)
    expect(body.next_actions[0].reason).toBe('validations are submitted there')
  })

  test('a refused submission changes and records nothing', async () => {
    const card_id = await imported()
    const before = await get(card_id)
    await submit(card_id, {})
    expect(await get(card_id)).toEqual(before)
    expect(await actionsOf(card_id)).toEqual(['card_created'])
  })
})

describe('the conclusion of a success (cards 5.2)', () => {
  test('stands in for a missing report', async () => {
    const card_id = await imported()
    const { body } = await submit(card_id, { ...scored, reviewer_id: 'A person', auto_move: false })
    expect((await get(card_id)).conclusions).toEqual([
      {
        text: 'Good.',
        author_id: 'A person',
        created_at: expect.any(String),
        completeness: 80,
        completeness_justification: 'All of it.',
        drift: 50,
        drift_justification: 'Some.',
        source: 'task_validation',
        validation_id: body.id,
      },
    ])
    expect(logged(world, card_id).at(-1)!.domain).toMatchObject([
      { name: 'card.validation_submitted' },
      { name: 'card.conclusion_added', text: 'Good.' },
    ])
    const bare = await imported()
    await submit(bare, { ...plain, auto_move: true })
    expect(await get(bare)).toMatchObject({
      status: 'done',
      conclusions: [{ text: 'Good.', completeness: null, completeness_justification: '', drift: null }],
    })
  })

  test('is not written when there is a report, nor for a failure', async () => {
    const with_report = await reported()
    await submit(with_report, plain)
    expect((await get(with_report)).conclusions).toHaveLength(1)
    const failed = await imported()
    await submit(failed, { ...plain, outcome: 'failed' })
    expect((await get(failed)).conclusions).toEqual([])
  })
})

describe('the active validation (cards 5.4)', () => {
  const listed = (card_id: string, paging: object = {}) => world.ok('list_task_validations', { card_id, ...paging })

  test('is the newest of the latest stay', async () => {
    const card_id = await reported()
    const first = (await submit(card_id, plain)).body.id
    const second = (await submit(card_id, { outcome: 'failed', summary: 'Bad.', auto_move: false })).body.id
    expect(await listed(card_id)).toMatchObject({
      card_id,
      total: 2,
      current_validation_id: second,
      validations: [
        { id: second, active: true },
        { id: first, active: false },
      ],
    })
    const page = await world.call('list_task_validations', { card_id, limit: 1, offset: 1 })
    expect([page.headers.get('x-total-count'), page.body.validations]).toMatchObject(['2', [{ id: first }]])
    expect((await move(card_id, 'done')).body.detail.error).toBe('VALIDATION_REQUIRED')
    await world.ok('delete_task_validation', { card_id, validation_id: second })
    expect(await listed(card_id)).toMatchObject({ total: 1, current_validation_id: first })
    expect((await actionsOf(card_id))[0]).toBe('validation_deleted')
    expect((await world.call('delete_task_validation', { card_id, validation_id: second })).status).toBe(404)
    expect((await world.call('get_task_validation', { card_id, validation_id: second })).status).toBe(404)
  })

  test('an approval before a rework does not open done again', async () => {
    const card_id = await reported()
    await submit(card_id, plain)
    await move(card_id, 'in_progress')
    expect((await listed(card_id)).current_validation_id).not.toBeNull()
    await world.ok('move_card', { card_id, target_status: 'validation', ...report })
    expect((await listed(card_id)).current_validation_id).toBeNull()
    expect((await move(card_id, 'done')).body.detail.error).toBe('VALIDATION_REQUIRED')
    expect((await submit(card_id, { ...scored, auto_move: true })).body.card_status).toBe('done')
    expect((await get(card_id)).validations.map((one: { active: boolean }) => one.active)).toEqual([false, true])
  })

  test('deleting one changes neither status nor conclusions', async () => {
    const card_id = await imported()
    const { id } = (await submit(card_id, { ...plain, auto_move: true })).body
    const before = await get(card_id)
    await world.ok('delete_task_validation', { card_id, validation_id: id })
    expect(await get(card_id)).toEqual({ ...before, validations: [] })
  })
})

test('of two equal validations at once one moves the card, the other finds it gone', async () => {
  const card_id = await reported()
  const answers = await Promise.all([submit(card_id, scored), submit(card_id, scored)])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(answers.find(({ status }) => status === 409)?.body.detail).toMatchObject({
    error: 'CARD_NOT_IN_VALIDATION',
    status: 'done',
  })
  expect((await get(card_id)).validations).toHaveLength(1)
})
