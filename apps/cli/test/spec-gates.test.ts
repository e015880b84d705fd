import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { evaluation, validation } from './operations/specs.rows.ts'
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

const get = (spec_id: string) => world.ok('get_spec', { spec_id })
const update = (spec_id: string, fields: object) => world.call('update_spec', { spec_id, ...fields })
const move = (spec_id: string, status: string, as?: TestAgent) =>
  world.call('move_spec', { spec_id, status }, as === undefined ? {} : { as })
const validate = (spec_id: string, fields: object = {}) =>
  world.call('submit_spec_validation', { spec_id, ...validation, ...fields })
const settings = (changed: object) => world.ok('update_board', { board_id: scene.boardId, settings: changed })
const actionsOf = async (spec_id: string) =>
  (await world.ok('list_spec_history', { spec_id })).map((entry: { action: string }) => entry.action)

const scenario = { id: 's1', title: 'It works' }

/** A spec that a validation locked. */
async function lockedSpec(fields: object = {}): Promise<string> {
  const spec_id = await scene.spec('approved', { ...fields })
  await world.ok('submit_spec_validation', { spec_id, ...validation })
  return spec_id
}

describe('move (specs 5.1)', () => {
  test('goes through the statuses with history and activity', async () => {
    const spec_id = await scene.spec()
    for (const status of ['review', 'approved', 'validated']) {
      const before = await get(spec_id)
      const { body } = await world.call('move_spec', { spec_id, target_status: status })
      expect(body).toMatchObject({ status, version: 1, locked: false, current_validation_id: null })
      const [entry] = await world.ok('list_spec_history', { spec_id, limit: 1 })
      expect(entry).toMatchObject({
        action: 'status_changed',
        changes: [{ field: 'status', old: before.status, new: status }],
        version: 1,
      })
      expect(logged(world, spec_id).at(-1)).toMatchObject({
        activity: 'spec_moved',
        details: { spec_id, from_status: before.status, to_status: status },
        domain: [{ name: 'spec.moved', spec_id, from_status: before.status, to_status: status }],
      })
    }
  })

  test.each([
    ['draft', 'draft', ['review', 'cancelled']],
    ['draft', 'validated', ['review', 'cancelled']],
    ['validated', 'review', ['draft', 'approved', 'in_progress', 'cancelled']],
    ['done', 'in_progress', ['draft']],
    ['cancelled', 'cancelled', ['draft']],
  ] as const)('from %s to %s is 409 INVALID_TRANSITION', async (from, to, allowed) => {
    const { status, body } = await move(await scene.spec(from), to)
    expect(status).toBe(409)
    expect(body.detail).toMatchObject({ error: 'INVALID_TRANSITION', from, to, allowed })
  })

  test.each([
    [{}, 422],
    [{ status: 'open' }, 422],
    [{ status: 'review', target_status: 'cancelled' }, 400],
  ])('with %j answers %i', async (body, status) => {
    expect((await world.call('move_spec', { spec_id: await scene.spec(), ...body })).status).toBe(status)
  })

  test.each([
    ['validated', 'draft'],
    ['validated', 'approved'],
    ['done', 'draft'],
  ] as const)('from %s to %s asks SPECS_UNLOCK too', async (from, to) => {
    const mover = await world.agent({ permission_flags: { SPECS_UNLOCK: false } })
    await scene.admit(mover)
    const spec_id = await scene.spec(from)
    expect((await move(spec_id, to, mover)).body.detail).toMatchObject({
      error: 'FORBIDDEN',
      permission: 'SPECS_UNLOCK',
    })
    expect((await move(await scene.spec('cancelled'), 'draft', mover)).status).toBe(200)
    expect((await move(await scene.spec('review'), 'draft', mover)).status).toBe(200)
  })

  test('without both the target’s permission and SPECS_UNLOCK names both, before any check of its state', async () => {
    const mover = await world.agent({
      permission_flags: { SPECS_UNLOCK: false, SPECS_MOVE_REVIEW: false, SPECS_WRITE_IN_IN_PROGRESS: false },
    })
    await scene.admit(mover)
    const { status, body } = await move(await scene.spec('in_progress'), 'review', mover)
    expect([status, body.detail]).toEqual([
      403,
      expect.objectContaining({
        error: 'FORBIDDEN',
        permission: 'SPECS_MOVE_REVIEW',
        missing: ['SPECS_MOVE_REVIEW', 'SPECS_UNLOCK', 'SPECS_WRITE_IN_IN_PROGRESS'],
        denied_by: 'agent',
        board_id: scene.boardId,
      }),
    ])
  })

  test('needs only the permission of its target', async () => {
    const mover = await world.agent({ permission_flags: { SPECS_MOVE: false, SPECS_MOVE_REVIEW: true } })
    await scene.admit(mover)
    const spec_id = await scene.spec()
    expect((await move(spec_id, 'review', mover)).status).toBe(200)
    expect((await move(spec_id, 'draft', mover)).body.detail).toMatchObject({ permission: 'SPECS_MOVE_DRAFT' })
  })

  test('into an editable status drops the validation and makes evaluations stale', async () => {
    for (const way of [['draft'], ['approved'], ['cancelled', 'draft'], ['in_progress', 'validated', 'approved']]) {
      const spec_id = await lockedSpec()
      await update(spec_id, { evaluation: evaluation('approve') })
      for (const status of way) expect((await move(spec_id, status)).status).toBe(200)
      const spec = await get(spec_id)
      expect(spec).toMatchObject({ locked: false, current_validation_id: null, evaluations: [{ stale: true }] })
      const { validations } = await world.ok('list_spec_validations', { spec_id })
      expect(validations).toMatchObject([{ active: false, outcome: 'success' }])
    }
  })

  test('back to validated keeps the validation and the evaluations', async () => {
    const spec_id = await lockedSpec()
    await update(spec_id, { evaluation: evaluation('approve') })
    const { current_validation_id } = await get(spec_id)
    await move(spec_id, 'in_progress')
    const { body } = await move(spec_id, 'validated')
    expect(body).toMatchObject({ locked: true, current_validation_id, evaluations: [{ stale: false }] })
  })
})

describe('coverage (specs 6.1)', () => {
  const uncovered = { test_scenarios: [scenario] }
  const refusal = {
    error: 'COVERAGE_REQUIRED',
    gate: 'test',
    missing: [{ gate: 'test', id: 's1', label: 'It works', action: expect.any(String) }],
  }

  test.each([
    ['approved', 'validated'],
    ['validated', 'in_progress'],
    ['in_progress', 'validated'],
  ] as const)('is asked from %s to %s', async (from, to) => {
    const spec_id = await scene.spec(from, uncovered)
    const { status, body } = await move(spec_id, to)
    expect(status).toBe(409)
    expect(body.detail).toMatchObject(refusal)
    expect((await get(spec_id)).status).toBe(from)
  })

  test('is required by a validation, which then leaves no record', async () => {
    const spec_id = await scene.spec('approved', uncovered)
    expect((await validate(spec_id)).body.detail).toMatchObject(refusal)
    expect((await world.ok('list_spec_validations', { spec_id })).validations).toEqual([])
  })

  test('is skipped by the flag of the spec and by that of the board', async () => {
    const spec_id = await scene.spec('approved', uncovered)
    await update(spec_id, { skip_test_coverage: true })
    expect((await move(spec_id, 'validated')).status).toBe(200)
    await settings({ skip_test_coverage_global: true })
    expect((await move(await scene.spec('approved', uncovered), 'validated')).status).toBe(200)
  })

  test('of scenarios needs a test card that is neither archived nor cancelled', async () => {
    const spec_id = await scene.spec('approved', uncovered)
    const normal = await scene.card({ spec_id })
    await world.ok('link_task_to_scenario', { spec_id, scenario_id: 's1', card_id: normal })
    expect((await move(spec_id, 'validated')).body.detail).toMatchObject(refusal)
    const card_id = await scene.card({ spec_id, card_type: 'test', test_scenario_ids: ['s1'] })
    expect((await get(spec_id)).test_scenarios[0].linked_task_ids).toEqual([normal, card_id])
    expect((await move(spec_id, 'validated')).status).toBe(200)
    await move(spec_id, 'approved')
    await world.ok('move_card', { card_id, status: 'cancelled' })
    expect((await move(spec_id, 'validated')).body.detail).toMatchObject(refusal)
  })

  test('comes before the validation gate', async () => {
    await settings({ require_spec_validation: true })
    expect((await move(await scene.spec('approved', uncovered), 'validated')).body.detail.error).toBe(
      'COVERAGE_REQUIRED',
    )
    const { status, body } = await move(await scene.spec('approved'), 'validated')
    expect(status).toBe(409)
    expect(body.detail).toMatchObject({ error: 'SPEC_VALIDATION_REQUIRED', missing: ['spec_validation'] })
    const spec_id = await lockedSpec()
    await update(spec_id, { skip_qualitative_validation: true })
    await update(spec_id, { evaluation: evaluation('approve') })
    await move(spec_id, 'in_progress')
    expect((await move(spec_id, 'validated')).status).toBe(200)
  })
})

describe('validation (specs 7)', () => {
  test('that succeeds moves and locks the spec', async () => {
    const spec_id = await scene.spec('approved')
    const { status, body } = await validate(spec_id, {
      general_justification: ` ${validation.general_justification}\n`,
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...validation,
      id: body.id,
      ref: expect.stringMatching(/\.v1$/),
      spec_id,
      board_id: scene.boardId,
      reviewer_id: world.owner.id,
      reviewer_name: expect.any(String),
      outcome: 'success',
      threshold_violations: [],
      resolved_thresholds: { min_spec_completeness: 80, min_spec_assertiveness: 80, max_spec_ambiguity: 30 },
      created_at: expect.any(String),
      spec_status: 'validated',
      active: true,
      actor_type: 'person',
      actor_via: 'key',
      present: false,
    })
    expect(await get(spec_id)).toMatchObject({ status: 'validated', locked: true, current_validation_id: body.id })
    expect(await actionsOf(spec_id)).toEqual(['status_changed', 'validation_submitted', 'created'])
    const [moved, submitted] = logged(world, spec_id).reverse()
    expect(moved).toMatchObject({
      activity: 'spec_moved',
      details: { from_status: 'approved', to_status: 'validated' },
    })
    expect(submitted).toMatchObject({
      activity: 'spec_validation_submitted',
      details: {
        spec_id,
        validation_id: body.id,
        outcome: 'success',
        recommendation: 'approve',
        completeness: 90,
        assertiveness: 90,
        ambiguity: 10,
        threshold_violations: [],
        from_status: 'approved',
        to_status: 'validated',
      },
    })
  })

  test('that fails keeps the spec approved and editable, and may be repeated', async () => {
    await settings({ min_spec_completeness: 91, max_spec_ambiguity: 9 })
    const spec_id = await scene.spec('approved')
    const { body: first } = await validate(spec_id)
    expect(first).toMatchObject({
      outcome: 'failed',
      threshold_violations: ['completeness 90 < min 91', 'ambiguity 10 > max 9'],
      resolved_thresholds: { min_spec_completeness: 91, min_spec_assertiveness: 80, max_spec_ambiguity: 9 },
      spec_status: 'approved',
      active: true,
    })
    expect(await get(spec_id)).toMatchObject({ status: 'approved', locked: false, current_validation_id: first.id })
    expect((await update(spec_id, { description: 'better' })).status).toBe(200)
    const { body: second } = await validate(spec_id, { completeness: 91, ambiguity: 9, recommendation: 'reject' })
    expect(second).toMatchObject({ outcome: 'failed', threshold_violations: [] })
    const list = await world.ok('list_spec_validations', { spec_id })
    const { spec_status, ...record } = second
    expect(list).toMatchObject({ spec_id, current_validation_id: second.id })
    expect(list.validations[0]).toEqual(record)
    expect(list.validations[1]).toMatchObject({ id: first.id, active: false })
    const [entry] = await world.ok('list_spec_history', { spec_id, limit: 1 })
    expect(entry.changes).toEqual([{ field: 'current_validation_id', old: first.id, new: second.id }])
  })

  test.each(['draft', 'review', 'validated', 'in_progress', 'done', 'cancelled'] as const)(
    'of a %s spec is 409 SPEC_NOT_APPROVED',
    async status => {
      const spec_id = await scene.spec(status)
      const answer = await validate(spec_id)
      expect(answer.status).toBe(409)
      expect(answer.body.detail).toMatchObject({ error: 'SPEC_NOT_APPROVED', status })
      expect((await world.ok('list_spec_validations', { spec_id })).validations).toEqual([])
    },
  )

  test.each([
    [{ completeness: 101 }, 'less_than_equal'],
    [{ ambiguity: -1 }, 'greater_than_equal'],
    [{ assertiveness: 80.5 }, 'int_type'],
    [{ assertiveness: '80' }, 'int_type'],
    [{ completeness_justification: '123456789 ' }, 'string_too_short'],
    [{ general_justification: `${'x'.repeat(19)}   ` }, 'string_too_short'],
    [{ recommendation: 'request_changes' }, 'enum'],
    [{ recommendation: undefined }, 'missing'],
  ])('with %j is 422 %s', async (fields, type) => {
    const { status, body } = await validate(await scene.spec('approved'), fields)
    expect([status, body.detail[0].type]).toEqual([422, type])
  })

  test('of two at once exactly one succeeds', async () => {
    const spec_id = await scene.spec('approved')
    const answers = await Promise.all([validate(spec_id), validate(spec_id)])
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409])
    const lost = answers.find(answer => answer.status === 409)!
    expect(lost.body.detail).toMatchObject({ error: 'SPEC_NOT_APPROVED', status: 'validated' })
    expect((await world.ok('list_spec_validations', { spec_id })).validations).toHaveLength(1)
  })

  test('stays possible where the board does not require it, and a plain move locks nothing', async () => {
    expect((await validate(await scene.spec('approved'))).body.outcome).toBe('success')
    const spec_id = await scene.spec('approved')
    await move(spec_id, 'validated')
    expect((await update(spec_id, { description: 'open' })).body).toMatchObject({ locked: false, version: 2 })
  })
})

describe('the lock (specs 5.2)', () => {
  test('allows assignee, labels, statuses, evidence, links, and unchanged values', async () => {
    const spec_id = await lockedSpec({ description: 'd', test_scenarios: null, business_rules: null })
    expect((await update(spec_id, { assignee_id: 'x', labels: ['a'], description: 'd' })).status).toBe(200)
    await settings({ skip_test_coverage_global: true })
    const other = await lockedSpec({ test_scenarios: [scenario] })
    const evidence = { last_run_at: 'now', output_snippet: 'ok' }
    const answer = await update(other, { test_scenarios: [{ ...scenario, status: 'passed', evidence }] })
    expect(answer.body).toMatchObject({ locked: true, test_scenarios: [{ status: 'passed' }] })
    const bare = await update(other, { test_scenarios: [{ ...scenario, status: 'failed', evidence: null }] })
    expect(bare.body.detail.error).toBe('TEST_EVIDENCE_REQUIRED')
  })

  test('refuses every other field, naming it, the record and the way out', async () => {
    const spec_id = await lockedSpec()
    const before = await get(spec_id)
    const { status, body } = await update(spec_id, { title: 'x', labels: [], decisions: [], skip_trs_coverage: true })
    expect(status).toBe(409)
    expect(body.detail).toMatchObject({
      error: 'SPEC_LOCKED',
      spec_id,
      spec_status: 'validated',
      current_validation_id: before.current_validation_id,
      fields: expect.arrayContaining(['title', 'decisions', 'skip_trs_coverage']),
      details: expect.stringContaining('draft or approved'),
    })
    expect(body.detail.fields).toHaveLength(3)
    expect(await get(spec_id)).toEqual(before)
  })

  test('is checked before references and after ARCHIVED', async () => {
    const spec_id = await lockedSpec()
    const broken = { test_scenarios: [{ ...scenario, linked_criteria: ['9'] }] }
    expect((await update(spec_id, broken)).body.detail.error).toBe('SPEC_LOCKED')
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    expect((await update(spec_id, broken)).body.detail.error).toBe('ARCHIVED')
  })

  test('holds in every status that keeps the validation', async () => {
    const spec_id = await lockedSpec()
    await update(spec_id, { evaluation: evaluation('approve') })
    for (const [status, details] of [
      ['in_progress', 'with through: true'],
      ['cancelled', 'to draft'],
    ] as const) {
      await move(spec_id, status)
      const { body } = await update(spec_id, { title: 'x' })
      expect(body.detail).toMatchObject({
        error: 'SPEC_LOCKED',
        spec_status: status,
        details: expect.stringContaining(details),
      })
    }
    await move(spec_id, 'draft')
    expect((await update(spec_id, { title: 'x' })).status).toBe(200)
  })
})

describe('evaluation (specs 6.2)', () => {
  test('is stored, logged, and counts until its evaluator submits another', async () => {
    const spec_id = await scene.spec('validated')
    const { body } = await update(spec_id, { evaluation: evaluation('reject', 10) })
    const [first] = body.evaluations
    expect(body).toMatchObject({ version: 1, evaluations: [first] })
    expect(first).toEqual({
      id: expect.any(String),
      ref: expect.stringMatching(/\.e1$/),
      spec_id,
      evaluator_id: world.owner.id,
      evaluator_name: expect.any(String),
      evaluator_type: 'agent',
      dimensions: {
        breakdown_completeness: { score: 90, justification: 'All there.' },
        granularity: { score: 80, justification: 'Small enough.' },
        dependency_coherence: { score: 70, justification: 'In order.' },
        test_coverage_quality: { score: 60, justification: 'Enough.' },
      },
      overall_score: 10,
      overall_justification: 'Good.',
      recommendation: 'reject',
      stale: false,
      created_at: expect.any(String),
    })
    const [entry] = await world.ok('list_spec_history', { spec_id, limit: 1 })
    // A record is answered with its reference; the log contains only what was written.
    const { ref: _, ...stored } = first
    expect(entry).toMatchObject({
      action: 'evaluation_submitted',
      changes: [{ field: 'evaluations', old: null, new: stored }],
    })
    expect(logged(world, spec_id).at(-1)).toMatchObject({
      activity: 'spec_evaluation_submitted',
      details: { spec_id, evaluation_id: first.id, recommendation: 'reject', overall_score: 10 },
    })
    const again = await update(spec_id, { evaluation: evaluation('approve') })
    expect(again.body.evaluations).toMatchObject([{ id: first.id, stale: true }, { stale: false }])
  })

  test.each(['approved', 'in_progress', 'done'] as const)('of a %s spec is 409 SPEC_NOT_VALIDATED', async status => {
    const answer = await update(await scene.spec(status), { evaluation: evaluation('approve') })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toMatchObject({ error: 'SPEC_NOT_VALIDATED', status })
  })

  test('gates the start of work', async () => {
    const spec_id = await scene.spec('validated')
    const other = await world.agent()
    await scene.admit(other)
    const refused = async (error: string, members: object = {}) =>
      expect((await move(spec_id, 'in_progress')).body.detail).toMatchObject({ error, ...members })
    await refused('EVALUATION_REQUIRED')
    await update(spec_id, { evaluation: evaluation('approve', 60) })
    await refused('EVALUATION_BELOW_THRESHOLD', { average: 60, threshold: 70 })
    const rejection = await world.ok('update_spec', { spec_id, evaluation: evaluation('reject', 5) }, { as: other })
    const { id: evaluation_id, evaluator_id, evaluator_name } = rejection.evaluations.at(-1)
    await refused('EVALUATION_REJECTED', {
      evaluators: [{ evaluation_id, evaluator_id, evaluator_name, overall_score: 5 }],
    })
    await world.ok('update_spec', { spec_id, evaluation: evaluation('approve', 81) }, { as: other })
    expect((await move(spec_id, 'in_progress')).body.status).toBe('in_progress')
  })

  test('uses the threshold of the spec, and may be skipped', async () => {
    const spec_id = await scene.spec('validated')
    await update(spec_id, { validation_threshold: 0, evaluation: evaluation('approve', 0) })
    expect((await move(spec_id, 'in_progress')).status).toBe(200)
    const skipping = await scene.spec('validated')
    await update(skipping, { skip_qualitative_validation: true, evaluation: evaluation('reject') })
    expect((await move(skipping, 'in_progress')).status).toBe(200)
  })

  test('loses none of many at once', async () => {
    const spec_id = await scene.spec('validated')
    const agents = await Promise.all([world.agent(), world.agent(), world.agent()])
    for (const agent of agents) await scene.admit(agent)
    await Promise.all(agents.map(as => world.ok('update_spec', { spec_id, evaluation: evaluation('approve') }, { as })))
    expect((await get(spec_id)).evaluations).toHaveLength(3)
  })
})

describe('done (specs 6.3)', () => {
  test('checks criteria first', async () => {
    const spec_id = await scene.spec('in_progress', {
      acceptance_criteria: ['a', 'b'],
      test_scenarios: [{ ...scenario, linked_criteria: ['b'] }],
    })
    expect((await move(spec_id, 'done')).body.detail).toMatchObject({
      error: 'CRITERIA_UNCOVERED',
      missing: [{ index: 0, text: 'a' }],
    })
    await settings({ skip_test_coverage_global: true })
    expect((await move(spec_id, 'done')).body.status).toBe('done')
  })

  test('then sprints, then normal cards', async () => {
    const spec_id = await scene.spec('in_progress')
    const card_id = await scene.card({ spec_id })
    const sprint = async (fields: object = {}) =>
      world.ok('create_sprint', { board_id: scene.boardId, spec_id, title: 'Sprint', ...fields })
    const { id: sprint_id } = await sprint({ card_ids: [card_id] })
    const open = await move(spec_id, 'done')
    expect(open.body.detail).toMatchObject({
      error: 'SPRINTS_OPEN',
      missing: [{ id: sprint_id, title: 'Sprint', status: 'draft' }],
    })
    await world.ok('move_sprint', { sprint_id, status: 'cancelled' })
    expect((await move(spec_id, 'done')).body.detail.error).toBe('NO_CLOSED_SPRINT')
    for (const status of ['draft', 'active', 'review']) await world.ok('move_sprint', { sprint_id, status })
    await world.ok('update_sprint', { sprint_id, skip_qualitative_validation: true })
    await world.ok('move_sprint', { sprint_id, status: 'closed' })
    const tasks = await move(spec_id, 'done')
    expect(tasks.body.detail).toMatchObject({
      error: 'TASKS_OPEN',
      missing: [{ id: card_id, title: 'Card', status: 'not_started' }],
    })
    await world.ok('move_card', { card_id, status: 'cancelled' })
    expect((await move(spec_id, 'done')).body.status).toBe('done')
  })
})

describe('automatic rollback (specs 5.1)', () => {
  test('when a card is cancelled, a validated spec goes back to approved in the name of the mover', async () => {
    const mover = await world.agent({ permission_flags: { SPECS_MOVE: false, SPECS_UPDATE: false } })
    await scene.admit(mover)
    const spec_id = await scene.spec('approved')
    const card_id = await scene.card({ spec_id })
    await validate(spec_id)
    await update(spec_id, { evaluation: evaluation('approve') })
    await world.ok('move_card', { card_id, status: 'cancelled' }, { as: mover })
    expect(await get(spec_id)).toMatchObject({
      status: 'approved',
      locked: false,
      current_validation_id: null,
      evaluations: [{ stale: true }],
    })
    const [entry] = await world.ok('list_spec_history', { spec_id, limit: 1 })
    expect(entry).toMatchObject({
      action: 'status_changed',
      actor_id: mover.id,
      changes: [{ field: 'status', old: 'validated', new: 'approved' }],
      summary: expect.stringContaining(card_id),
    })
  })

  test('leaves a spec in another status unchanged', async () => {
    const spec_id = await scene.spec('in_progress')
    const card_id = await scene.card({ spec_id })
    await world.ok('move_card', { card_id, status: 'cancelled' })
    expect((await get(spec_id)).status).toBe('in_progress')
  })
})
