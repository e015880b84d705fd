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
const create = (fields: object) => world.call('create_card', { board_id: scene.boardId, title: 'Card', ...fields })
const activityOf = (card_id: string) => world.ok('list_card_activity', { card_id })
const linkedOf = async (spec_id: string, index = 0) =>
  (await world.ok('get_spec', { spec_id })).test_scenarios[index].linked_task_ids
const archive = (spec_id: string) =>
  world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
const bugFields = { severity: 'minor', expected_behavior: 'Works', observed_behavior: 'Fails' }

test('a card that is named twice in depends_on is waited for once (crew 6.2)', async () => {
  const { boardId: board_id } = await Scene.on(world)
  const first = await world.ok('create_card', { board_id, title: 'First' })
  const body = { board_id, title: 'Second', depends_on: [first.id, first.ref] }
  expect((await world.ok('create_card', body)).dependencies).toEqual([first.id])
})

describe('create (cards 3.1)', () => {
  test('stores what is sent, with defaults for the rest', async () => {
    const spec_id = await scene.specWithScenarios(2)
    const fields = {
      title: ' A card ',
      description: 'd',
      details: 'e',
      priority: 'high',
      assignee_id: 'someone',
      labels: ['x'],
      paths: [],
      test_scenario_ids: ['s2'],
      severity: 'major',
      steps_to_reproduce: 'none',
      action_plan: 'plan',
    }
    const { status, body } = await create({ ...fields, spec_id, due_date: '2026-03-01T12:00:00+02:00', position: 9 })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...fields,
      id: body.id,
      ref: expect.stringMatching(/^[A-Z0-9]+-\d+$/),
      rev: 1,
      claim: null,
      checkpoint: null,
      overlaps: [],
      scope_drift: null,
      changes: null,
      proof: null,
      regression_test: null,
      check: null,
      attempts: { used: 0, limit: 3, failed: 0, lost: 0 },
      board_id: scene.boardId,
      spec_id,
      sprint_id: null,
      card_type: 'normal',
      type: 'normal',
      status: 'not_started',
      position: body.position,
      due_date: '2026-03-01T10:00:00.000Z',
      screen_mockups: [],
      knowledge_bases: [],
      origin_task_id: null,
      expected_behavior: null,
      observed_behavior: null,
      linked_test_task_ids: [],
      conclusions: [],
      validations: [],
      dependencies: [],
      architecture_designs: [],
      attachments: [],
      qa_items: [],
      comments: [],
      created_by: world.owner.id,
      created_at: body.created_at,
      updated_at: body.created_at,
      moved_at: body.created_at,
      moved_by: world.owner.id,
      archived: false,
      pre_archive_status: null,
    })
    expect(await get(body.id)).toEqual(body)
    expect(await linkedOf(spec_id, 1)).toEqual([body.id])
    expect(await activityOf(body.id)).toEqual([
      {
        id: expect.any(String),
        board_id: scene.boardId,
        card_id: body.id,
        ref: body.ref,
        action: 'card_created',
        actor_type: 'person',
        actor_via: 'key',
        actor_id: world.owner.id,
        actor_name: 'Local Owner',
        details: { title: ' A card ', status: 'not_started', card_type: 'normal', priority: 'high', spec_id },
        created_at: body.created_at,
      },
    ])
    expect(logged(world, body.id)[0]!.domain).toMatchObject([{ name: 'card.created', card_id: body.id, spec_id }])
  })

  test('type is an alias of card_type; two different values are 400', async () => {
    const spec_id = await scene.specWithScenarios()
    const card = { spec_id, test_scenario_ids: ['s1'] }
    expect((await create({ ...card, type: 'test' })).body).toMatchObject({ type: 'test', card_type: 'test' })
    const both = await create({ ...card, type: 'test', card_type: 'normal' })
    expect([both.status, both.body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('cards go to the end of their column: 0, 1, 2, …', async () => {
    const other = await Scene.on(world)
    const spec_id = await other.spec('approved')
    const at = async (fields: object) =>
      (await world.ok('create_card', { board_id: other.boardId, title: 'Card', spec_id, ...fields })).position
    expect([await at({}), await at({}), await at({ status: 'done', imported: true }), await at({})]).toEqual([
      0, 1, 0, 2,
    ])
    const together = await Promise.all(Array.from({ length: 8 }, () => at({ status: 'on_hold' })))
    expect(together.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  test.each([
    [{}, 'title', 'missing'],
    [{ title: '  ' }, 'title', 'value_error'],
    [{ title: 'x'.repeat(501) }, 'title', 'string_too_long'],
    [{ title: 'x', card_type: 'epic' }, 'card_type', 'enum'],
    [{ title: 'x', status: 'doing' }, 'status', 'enum'],
    [{ title: 'x', priority: 'urgent' }, 'priority', 'enum'],
    [{ title: 'x', severity: 'bad' }, 'severity', 'enum'],
    [{ title: 'x', due_date: 'soon' }, 'due_date', 'value_error'],
    [{ title: 'x', labels: [''] }, 'labels', 'string_too_short'],
    [{ title: 'x', labels: Array(51).fill('x') }, 'labels', 'too_long'],
    [{ title: 'x', description: 'x'.repeat(200_001) }, 'description', 'string_too_long'],
  ])('%j is 422 at %s', async (fields, field, type) => {
    const { status, body } = await world.call('create_card', { board_id: scene.boardId, spec_id: 'x', ...fields })
    expect(status).toBe(422)
    expect(body.detail[0]).toMatchObject({ type })
    expect(body.detail[0].loc.slice(0, 2)).toEqual(['body', field])
  })

  test.each([
    ['normal', ['approved', 'in_progress', 'done']],
    ['test', ['approved', 'validated', 'in_progress', 'done']],
  ])('a %s card is accepted by a spec that is %j', async (card_type, allowed) => {
    for (const spec_status of [
      'draft',
      'review',
      'approved',
      'validated',
      'in_progress',
      'done',
      'cancelled',
    ] as const) {
      const spec_id = await scene.specWithScenarios(1, spec_status)
      const { status, body } = await create({ spec_id, card_type, test_scenario_ids: ['s1'] })
      if (allowed.includes(spec_status)) expect(status).toBe(201)
      else {
        expect(status).toBe(409)
        expect(body.detail).toMatchObject({ error: 'SPEC_NOT_READY', spec_id, spec_status, allowed })
      }
    }
  })

  test('a spec is required, of this board and not archived', async () => {
    const foreign = await (await Scene.on(world)).spec('approved')
    for (const spec_id of ['unknown', foreign])
      expect((await create({ spec_id })).body.detail).toMatchObject({ error: 'VALIDATION_ERROR', field: 'spec_id' })
    const spec_id = await scene.spec('draft')
    await archive(spec_id)
    expect((await create({ spec_id })).body.detail).toMatchObject({
      error: 'ARCHIVED',
      entity_type: 'spec',
      entity_id: spec_id,
      restore: `/api/v1/boards/${scene.boardId}/restore/spec/${spec_id}`,
    })
  })

  test('scenarios: of the spec, at least one for a test card, no more than the board allows', async () => {
    const spec_id = await scene.specWithScenarios(4, 'approved')
    expect((await create({ spec_id, card_type: 'test' })).body.detail.field).toBe('test_scenario_ids')
    expect((await create({ spec_id, test_scenario_ids: ['s1', 'x', 'y'] })).body.detail).toMatchObject({
      error: 'VALIDATION_ERROR',
      unknown: ['x', 'y'],
      available: ['s1', 's2', 's3', 's4'],
    })
    expect((await create({ spec_id, test_scenario_ids: ['s1', 's2', 's3', 's4'] })).body.detail).toMatchObject({
      error: 'SCENARIO_LIMIT',
      card_id: null,
      limit: 3,
      count: 4,
    })
    const answer = await create({ spec_id, test_scenario_ids: ['s2', 's1', 's2'] })
    expect(answer.body.test_scenario_ids).toEqual(['s2', 's1'])
  })

  test('past work can be imported in any status, unless its validation is required', async () => {
    const spec_id = await scene.spec('approved')
    for (const status of ['validation', 'done', 'cancelled', 'on_hold'])
      expect((await create({ spec_id, status, imported: true })).body).toMatchObject({ status })
    const strict = await scene.specWithScenarios(1, 'approved')
    await world.ok('update_spec', { spec_id: strict, require_task_validation: true })
    for (const status of ['validation', 'done'])
      expect((await create({ spec_id: strict, status, imported: true })).body.detail).toMatchObject({
        error: 'VALIDATION_REQUIRED',
        missing: ['task_validation'],
        required_thresholds: { required: true, resolved_from: 'spec' },
      })
    const test_card = { spec_id: strict, card_type: 'test', test_scenario_ids: ['s1'], status: 'done', imported: true }
    expect((await create(test_card)).status).toBe(201)
  })

  test('a sprint must be of the same spec and open to cards', async () => {
    const { sprint_id, spec_id } = await scene.sprint('active')
    expect((await create({ spec_id, sprint_id })).body.sprint_id).toBe(sprint_id)
    const other = await scene.sprint()
    for (const foreign of [other.sprint_id, 'unknown'])
      expect((await create({ spec_id, sprint_id: foreign })).body.detail).toMatchObject({
        error: 'VALIDATION_ERROR',
        field: 'sprint_id',
      })
    await world.ok('move_sprint', { sprint_id, status: 'cancelled' })
    expect((await create({ spec_id, sprint_id })).body.detail).toMatchObject({
      error: 'INVALID_STATE',
      status: 'cancelled',
    })
  })
})

describe('bugs (cards 3.1, 7.1)', () => {
  test('name everything that is missing at once', async () => {
    expect((await create({ card_type: 'bug', expected_behavior: ' ', severity: null })).body.detail).toMatchObject({
      error: 'VALIDATION_ERROR',
      missing: ['expected_behavior', 'observed_behavior'],
    })
  })

  test('originate in a card of the board, if in any', async () => {
    const foreign = await (await Scene.on(world)).card()
    for (const origin_task_id of ['unknown', foreign])
      expect((await create({ card_type: 'bug', ...bugFields, origin_task_id })).body.detail).toMatchObject({
        error: 'VALIDATION_ERROR',
        field: 'origin_task_id',
      })
  })

  test('start as not_started or started', async () => {
    const origin_task_id = await scene.card()
    const bug = { card_type: 'bug', ...bugFields, origin_task_id }
    expect((await create({ ...bug, status: 'started' })).status).toBe(201)
    expect((await create({ ...bug, status: 'in_progress' })).body.detail).toMatchObject({
      error: 'INVALID_TRANSITION',
      from: null,
      to: 'in_progress',
      allowed: ['not_started', 'started'],
    })
  })

  test('are linked wherever their origin is linked, even beyond the limit and while the spec is locked', async () => {
    const spec_id = await scene.specWithScenarios(4, 'approved')
    const origin = await scene.card({ spec_id, test_scenario_ids: ['s1', 's2', 's3'] })
    const item = { linked_task_ids: [origin] }
    await world.ok('update_spec', {
      spec_id,
      business_rules: [{ id: 'r1', title: 'R', rule: 'r', when: 'w', then: 't', ...item }],
      api_contracts: [{ id: 'c1', method: 'GET', path: '/', ...item }],
      decisions: [{ id: 'd1', title: 'D', rationale: 'r', ...item }],
      technical_requirements: ['plain', { id: 't1', text: 'T', ...item }],
      skip_test_coverage: true,
      skip_rules_coverage: true,
    })
    const justified = 'Long enough to be a justification.'
    await world.ok('submit_spec_validation', {
      spec_id,
      completeness: 90,
      completeness_justification: justified,
      assertiveness: 90,
      assertiveness_justification: justified,
      ambiguity: 0,
      ambiguity_justification: justified,
      general_justification: justified,
      recommendation: 'approve',
    })
    const before = await world.ok('get_spec', { spec_id })
    const evaluation = {
      breakdown_completeness: 90,
      granularity: 90,
      dependency_coherence: 90,
      test_coverage_quality: 90,
    }
    await world.ok('update_spec', {
      spec_id,
      evaluation: {
        ...evaluation,
        overall_score: 90,
        breakdown_justification: 'x',
        granularity_justification: 'x',
        dependency_justification: 'x',
        test_coverage_justification: 'x',
        overall_justification: 'x',
        recommendation: 'approve',
      },
    })
    await world.ok('move_spec', { spec_id, status: 'in_progress' })
    const bug = (
      await create({
        card_type: 'bug',
        ...bugFields,
        origin_task_id: origin,
        spec_id: 'overruled',
        test_scenario_ids: ['s4'],
      })
    ).body
    expect(bug).toMatchObject({ spec_id, origin_task_id: origin, test_scenario_ids: ['s4', 's1', 's2', 's3'] })
    const after = await world.ok('get_spec', { spec_id })
    for (const name of ['business_rules', 'api_contracts', 'decisions'])
      expect(after[name][0].linked_task_ids).toEqual([origin, bug.id])
    expect(after.technical_requirements[1].linked_task_ids).toEqual([origin, bug.id])
    expect(after.test_scenarios.map((scenario: { linked_task_ids: string[] }) => scenario.linked_task_ids)).toEqual([
      [origin, bug.id],
      [origin, bug.id],
      [origin, bug.id],
      [bug.id],
    ])
    expect([after.version, after.locked, after.evaluations[0].stale]).toEqual([before.version, true, false])
  })
})
