import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { logged } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
/** Other agents that evaluate sprints. */
let judges: readonly TestAgent[]

beforeAll(async () => {
  world = await World.start()
  judges = [await world.agent(), await world.agent()]
})

beforeEach(async () => {
  scene = await Scene.on(world)
  for (const judge of judges) await scene.admit(judge)
})

afterAll(() => world.stop())

const get = (sprint_id: string) => world.ok('get_sprint', { sprint_id })
const move = (sprint_id: string, status: string) => world.call('move_sprint', { sprint_id, status })
const refused = async (sprint_id: string, status: string) => {
  const answer = await move(sprint_id, status)
  expect(answer.status).toBe(409)
  return answer.body.detail
}
const settings = (changed: object) => world.ok('update_board', { board_id: scene.boardId, settings: changed })
const evaluate = (sprint_id: string, fields: object = {}, as = world.owner) =>
  world.call('submit_sprint_evaluation', { sprint_id, overall_score: 80, recommendation: 'approve', ...fields }, { as })

describe('move (planning 1.5)', () => {
  test('goes through the statuses with history and activity; the version stays', async () => {
    const { sprint_id, spec_id, card_id } = await scene.sprint()
    for (const [from, to] of [
      ['draft', 'active'],
      ['active', 'review'],
      ['review', 'cancelled'],
      ['cancelled', 'draft'],
    ]) {
      const { status, body } = await world.call('move_sprint', { sprint_id, target_status: to })
      expect([status, body]).toMatchObject([200, { status: to, version: 1 }])
      const [entry] = await world.ok('list_sprint_history', { sprint_id, limit: 1 })
      expect(entry).toMatchObject({
        action: 'status_changed',
        version: 1,
        changes: [{ field: 'status', old: from, new: to }],
      })
      const details = { sprint_id, spec_id, from_status: from, to_status: to }
      expect(logged(world, sprint_id).at(-1)).toMatchObject({
        activity: 'sprint_moved',
        details,
        domain: [{ name: 'sprint.moved', ...details }],
      })
    }
    expect(await world.ok('get_card', { card_id })).toMatchObject({ status: 'not_started', sprint_id })
  })

  test.each([
    ['draft', 'draft', ['active', 'cancelled']],
    ['draft', 'closed', ['active', 'cancelled']],
    ['active', 'closed', ['draft', 'review', 'cancelled']],
    ['review', 'draft', ['active', 'closed', 'cancelled']],
    ['closed', 'active', ['draft']],
    ['cancelled', 'active', ['draft']],
  ] as const)('from %s to %s is 409 INVALID_TRANSITION', async (from, to, allowed) => {
    const { sprint_id } = await scene.sprint(from)
    expect(await refused(sprint_id, to)).toMatchObject({ error: 'INVALID_TRANSITION', from, to, allowed })
  })

  test('an unknown status or none is 422, two that differ are 400', async () => {
    const { sprint_id } = await scene.sprint()
    expect((await move(sprint_id, 'open')).status).toBe(422)
    expect((await world.call('move_sprint', { sprint_id })).status).toBe(422)
    const both = { sprint_id, status: 'active', target_status: 'cancelled' }
    expect((await world.call('move_sprint', both)).status).toBe(400)
  })

  test('of two moves at once the second sees the new status', async () => {
    const { sprint_id } = await scene.sprint()
    const answers = await Promise.all([move(sprint_id, 'active'), move(sprint_id, 'active')])
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
  })

  test('each target has its own permission', async () => {
    const { sprint_id } = await scene.sprint()
    const agent = await world.agent({ permission_flags: { SPRINTS_MOVE: false, SPRINTS_MOVE_CANCELLED: true } })
    await scene.admit(agent)
    const as = (status: string) => world.call('move_sprint', { sprint_id, status }, { as: agent })
    expect((await as('active')).body.detail).toMatchObject({ permission: 'SPRINTS_MOVE_ACTIVE' })
    expect((await as('cancelled')).status).toBe(200)
  })
})

describe('gates (planning 1.6)', () => {
  test('active: a card that is not archived', async () => {
    const { sprint_id, card_id } = await scene.sprint('review')
    await world.ok('unassign_sprint_tasks', { sprint_id, card_ids: [card_id] })
    expect((await refused(sprint_id, 'active')).error).toBe('SPRINT_EMPTY')
    const spec_id = await scene.spec()
    const empty = (await world.ok('create_sprint', { board_id: scene.boardId, spec_id, title: 'Empty' })).id
    expect((await refused(empty, 'active')).error).toBe('SPRINT_EMPTY')
    expect((await move(empty, 'cancelled')).status).toBe(200)
  })

  const scenario = (id: string, fields: object = {}) => ({ id, title: `Scenario ${id}`, ...fields })
  const run = { evidence: { last_run_at: '2026-01-01', output_snippet: 'ok' } }

  describe('review: the scoped scenarios passed', () => {
    const scoped = async () => {
      const test_scenarios = [scenario('s1', { status: 'passed', ...run }), scenario('s2'), scenario('s3')]
      const spec_id = await scene.spec('in_progress', { test_scenarios })
      return scene.sprint('active', { spec_id, test_scenario_ids: ['s1', 's2'] })
    }

    test('otherwise each that did not is named', async () => {
      const { sprint_id, spec_id } = await scoped()
      expect(await refused(sprint_id, 'review')).toMatchObject({
        error: 'COVERAGE_REQUIRED',
        gate: 'scenarios',
        missing: [{ scenario_id: 's2', title: 'Scenario s2', status: 'draft' }],
      })
      await world.ok('update_spec', { spec_id, test_scenarios: [scenario('s3')], allow_removal: true })
      expect((await move(sprint_id, 'review')).status).toBe(200)
    })

    test('unless the sprint skips it', async () => {
      const { sprint_id } = await scoped()
      await world.ok('update_sprint', { sprint_id, skip_test_coverage: true })
      expect((await move(sprint_id, 'review')).status).toBe(200)
    })

    test('or the board does; the spec’s own flag does not count', async () => {
      const { sprint_id, spec_id } = await scoped()
      await world.ok('update_spec', { spec_id, skip_test_coverage: true })
      expect((await refused(sprint_id, 'review')).error).toBe('COVERAGE_REQUIRED')
      await settings({ skip_test_coverage_global: true })
      expect((await move(sprint_id, 'review')).status).toBe(200)
    })
  })

  describe('closed, first: evidence of the scenarios of test cards', () => {
    /** A sprint in review with a test card whose scenario lost its evidence while the board did not require it. */
    const unproven = async () => {
      const spec_id = await scene.specWithScenarios(2)
      const { sprint_id } = await scene.sprint('draft', { spec_id })
      const card_id = await scene.testCard({ spec_id, sprint_id, test_scenario_ids: ['s1', 's2'] })
      for (const status of ['active', 'review']) await world.ok('move_sprint', { sprint_id, status })
      await evaluate(sprint_id)
      await settings({ skip_test_evidence_global: true })
      const [s1, s2] = (await world.ok('get_spec', { spec_id })).test_scenarios
      await world.ok('update_spec', { spec_id, test_scenarios: [{ ...s1, status: 'passed' }, s2] })
      return { sprint_id, card_id }
    }

    test('otherwise each scenario is named with what it lacks', async () => {
      const { sprint_id, card_id } = await unproven()
      await settings({ skip_test_evidence_global: false })
      const required = ['last_run_at', 'output_snippet or test_run_id']
      expect(await refused(sprint_id, 'closed')).toMatchObject({
        error: 'TEST_EVIDENCE_REQUIRED',
        missing: [{ scenario_id: 's1', card_id, status: 'passed', required }],
      })
    })

    test('a close that passes only because the board skips the gate says so', async () => {
      const { sprint_id } = await unproven()
      expect((await move(sprint_id, 'closed')).status).toBe(200)
      expect(logged(world, sprint_id).at(-1)?.details).toMatchObject({ evidence_gate_skipped: true })
      const proven = await scene.sprint('closed')
      expect(logged(world, proven.sprint_id).at(-1)?.details).not.toHaveProperty('evidence_gate_skipped')
    })
  })

  describe('closed, then: no rejection, an approval, the mean', () => {
    test('in this order, each with its members', async () => {
      const { sprint_id } = await scene.sprint('review')
      const [ada, bob] = judges as [TestAgent, TestAgent]
      expect((await refused(sprint_id, 'closed')).error).toBe('EVALUATION_REQUIRED')
      await evaluate(sprint_id, { overall_score: 69 })
      expect(await refused(sprint_id, 'closed')).toMatchObject({
        error: 'EVALUATION_BELOW_THRESHOLD',
        average: 69,
        threshold: 70,
      })
      const { evaluation_id } = (await evaluate(sprint_id, { recommendation: 'reject', overall_score: 5 }, ada)).body
      expect(await refused(sprint_id, 'closed')).toMatchObject({
        error: 'EVALUATION_REJECTED',
        evaluators: [{ evaluation_id, evaluator_id: ada.id, evaluator_name: expect.any(String), overall_score: 5 }],
      })
      await evaluate(sprint_id, { recommendation: 'request_changes', overall_score: 1 }, bob)
      await evaluate(sprint_id, { overall_score: 71 }, ada)
      expect((await move(sprint_id, 'closed')).body.status).toBe('closed')
    })

    test('a threshold of 0 counts as 0', async () => {
      const { sprint_id } = await scene.sprint('review')
      await world.ok('update_sprint', { sprint_id, validation_threshold: 0 })
      await evaluate(sprint_id, { overall_score: 0 })
      expect((await move(sprint_id, 'closed')).status).toBe(200)
    })

    test('skipped by skip_qualitative_validation', async () => {
      const { sprint_id } = await scene.sprint('review')
      await evaluate(sprint_id, { recommendation: 'reject' })
      const { body } = await world.call('update_sprint', { sprint_id, skip_qualitative_validation: true })
      expect(body.status).toBe('review')
      expect((await move(sprint_id, 'closed')).status).toBe(200)
    })
  })

  test.each([
    ['closed', ['draft']],
    ['review', ['active']],
    ['review', ['cancelled', 'draft']],
  ] as const)('from %s by %j every verdict becomes stale', async (from, way) => {
    const { sprint_id } = await scene.sprint(from)
    if (from === 'review') await evaluate(sprint_id)
    for (const status of way) {
      expect((await get(sprint_id)).evaluations).toMatchObject([{ stale: false }])
      await world.ok('move_sprint', { sprint_id, status })
    }
    expect((await get(sprint_id)).evaluations).toMatchObject([{ stale: true, superseded_by: null }])
  })
})

describe('evaluations (planning 1.7)', () => {
  test('answers what was sent, what the server adds, and the state of the gate', async () => {
    const { sprint_id } = await scene.sprint('review')
    const input = {
      granularity: 70,
      granularity_justification: 'Fine',
      dimensions: {},
      note: { mine: [1] },
      stale: true,
    }
    const { status, body } = await evaluate(sprint_id, { ...input, id: 'x', evaluator_name: 'x', created_at: 'x' })
    expect([status, body]).toStrictEqual([
      201,
      {
        success: true,
        evaluation_id: body.evaluation.id,
        evaluation: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          ref: expect.stringMatching(/\.e1$/),
          evaluator_id: world.owner.id,
          evaluator_name: 'Local Owner',
          evaluator_type: 'agent',
          dimensions: { granularity: { score: 70, justification: 'Fine' } },
          overall_score: 80,
          overall_justification: '',
          recommendation: 'approve',
          granularity: 70,
          granularity_justification: 'Fine',
          note: { mine: [1] },
          stale: false,
          superseded_by: null,
          created_at: expect.any(String),
        },
        gate: { can_close: true, approvals: 1, rejections: 0, average: 80, threshold: 70 },
      },
    ])
    const { evaluations, updated_at } = await get(sprint_id)
    expect([evaluations, updated_at]).toEqual([[body.evaluation], body.evaluation.created_at])
    const [entry] = await world.ok('list_sprint_history', { sprint_id, limit: 1 })
    const { evaluation_id } = body
    expect(entry).toMatchObject({
      action: 'evaluation_submitted',
      changes: [{ field: 'evaluations', evaluation_id, recommendation: 'approve', overall_score: 80 }],
    })
    expect(logged(world, sprint_id).at(-1)).toMatchObject({
      activity: 'sprint_evaluation_submitted',
      details: { sprint_id, evaluation_id, score: 80 },
    })
  })

  test('a new one replaces the caller’s own, not those of others', async () => {
    const { sprint_id } = await scene.sprint('review')
    await evaluate(sprint_id, { recommendation: 'reject' })
    await evaluate(sprint_id, {}, judges[0])
    const { body } = await evaluate(sprint_id, { overall_score: 71 })
    expect(body.gate).toEqual({ can_close: true, approvals: 2, rejections: 0, average: 75.5, threshold: 70 })
    expect((await get(sprint_id)).evaluations).toMatchObject([
      { recommendation: 'reject', stale: true, superseded_by: body.evaluation_id },
      { evaluator_id: judges[0]?.id, stale: false, superseded_by: null },
      { id: body.evaluation_id, stale: false },
    ])
  })

  test('none is lost when several submit at once', async () => {
    const { sprint_id } = await scene.sprint('review')
    const agents = [world.owner, ...judges]
    await Promise.all(agents.map(agent => evaluate(sprint_id, {}, agent)))
    const { evaluations } = await get(sprint_id)
    expect(new Set(evaluations.map((one: { evaluator_id: string }) => one.evaluator_id)).size).toBe(agents.length)
  })

  test.each([
    ['no score', { overall_score: undefined }],
    ['a score of 101', { overall_score: 101 }],
    ['a score as text', { overall_score: '80' }],
    ['no recommendation', { recommendation: undefined }],
    ['another recommendation', { recommendation: 'maybe' }],
    ['a flat score of -1', { granularity: -1 }],
    ['a justification that is not a text', { granularity_justification: 1 }],
    ['dimensions that are not an object', { dimensions: [] }],
    ['a dimension out of range', { dimensions: { granularity: { score: 101, justification: '' } } }],
    ['own keys beyond 16 KiB', { note: 'x'.repeat(16_384) }],
  ])('%s is 422', async (_, fields) => {
    const { sprint_id } = await scene.sprint('review')
    expect((await evaluate(sprint_id, fields)).status).toBe(422)
    expect((await get(sprint_id)).evaluations).toBeNull()
  })

  test.each(['draft', 'active', 'closed', 'cancelled'] as const)('in %s is 409 INVALID_STATE', async status => {
    const { sprint_id } = await scene.sprint(status)
    expect((await evaluate(sprint_id)).body.detail).toMatchObject({ error: 'INVALID_STATE', status })
  })
})
