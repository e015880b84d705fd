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

const get = (spec_id: string) => world.ok('get_spec', { spec_id })
const historyOf = (spec_id: string) => world.ok('list_spec_history', { spec_id })
const create = (fields: object) => world.call('create_spec', { board_id: scene.boardId, title: 'Spec', ...fields })
const update = (spec_id: string, fields: object) => world.call('update_spec', { spec_id, ...fields })
const fieldsOf = (entry: { changes: { field: string }[] }) => entry.changes.map(change => change.field)

const scenario = (fields: object = {}) => ({ id: 's1', title: 'It works', ...fields })
const rule = (fields: object = {}) => ({ id: 'r1', title: 'Rule', rule: 'adds', when: 'asked', then: 'sum', ...fields })
const contract = (fields: object = {}) => ({ id: 'c1', method: 'GET', path: '/sum', ...fields })
const decision = (fields: object = {}) => ({ id: 'd1', title: 'Choice', rationale: 'Simple', ...fields })

const wholeScenario = {
  tests: [],
  id: 's1',
  title: 'It works',
  linked_criteria: null,
  scenario_type: 'integration',
  given: '',
  when: '',
  then: '',
  notes: null,
  status: 'draft',
  linked_task_ids: null,
  evidence: null,
  latest_evidence: null,
}
const noEvidence = {
  test_file_path: null,
  test_function: null,
  last_run_at: null,
  test_run_id: null,
  output_snippet: null,
}

describe('create (specs 3.1)', () => {
  test('stores what is sent, items with their defaults, and sets the rest', async () => {
    const fields = {
      title: ' A spec ',
      description: 'd',
      context: 'c',
      functional_requirements: ['It adds'],
      acceptance_criteria: ['1 + 1 = 2'],
      assignee_id: 'someone',
      labels: ['x'],
    }
    const items = {
      technical_requirements: ['Plain', { id: 't1', text: 'Fast', budget_ms: 5 }],
      test_scenarios: [
        scenario({ linked_criteria: ['0', '0'], surplus: 1, evidence: { own: 'kept', test_function: 'f' } }),
      ],
      business_rules: [rule({ linked_requirements: ['It adds'] })],
      api_contracts: [contract({ method: 'tool', response_errors: [{ code: 400 }], linked_rules: ['r1'] })],
      decisions: [decision()],
      screen_mockups: [{ id: 'm1', title: 'Sum' }],
    }
    const created = (await create({ ...fields, ...items, version: 9, locked: true })).body
    expect(created).toEqual({
      ...fields,
      id: created.id,
      proof: null,
      ref: expect.stringMatching(/^[A-Z0-9]+-\d+$/),
      board_id: scene.boardId,
      technical_requirements: ['Plain', { id: 't1', text: 'Fast', budget_ms: 5, linked_task_ids: null }],
      test_scenarios: [
        {
          ...wholeScenario,
          linked_criteria: ['0'],
          evidence: { ...noEvidence, own: 'kept', test_function: 'f' },
          proof: null,
        },
      ],
      business_rules: [{ ...rule(), linked_requirements: ['It adds'], linked_task_ids: null, notes: null }],
      api_contracts: [
        {
          ...contract(),
          method: 'TOOL',
          description: '',
          request_body: null,
          response_success: null,
          response_errors: [{ code: 400 }],
          linked_requirements: null,
          linked_rules: ['r1'],
          linked_task_ids: null,
          notes: null,
        },
      ],
      decisions: [
        {
          ...decision(),
          context: null,
          alternatives_considered: null,
          supersedes_decision_id: null,
          linked_requirements: null,
          linked_task_ids: null,
          status: 'active',
          notes: null,
        },
      ],
      screen_mockups: [expect.objectContaining({ id: 'm1', title: 'Sum', screen_type: 'page', order: 0 })],
      skip_test_coverage: false,
      skip_rules_coverage: false,
      skip_trs_coverage: false,
      skip_contract_coverage: false,
      skip_decisions_coverage: false,
      skip_qualitative_validation: false,
      validation_threshold: null,
      require_task_validation: null,
      validation_min_confidence: null,
      validation_min_completeness: null,
      validation_max_drift: null,
      evaluations: [],
      changes: null,
      current_validation_id: null,
      changed_since_validated: null,
      locked: false,
      standing: false,
      status: 'draft',
      version: 1,
      rev: 1,
      archived: false,
      pre_archive_status: null,
      ideation_id: null,
      refinement_id: null,
      created_by: world.owner.id,
      created_at: expect.any(String),
      updated_at: created.created_at,
      cards: [],
      cards_total: 0,
      knowledge_bases: [],
      architecture_designs: [],
      qa_items: [],
    })
    expect(await get(created.id)).toEqual(created)
    const [entry] = await historyOf(created.id)
    expect(entry).toMatchObject({ spec_id: created.id, action: 'created', version: 1, actor_id: world.owner.id })
    expect(entry.changes).toEqual([
      { field: 'title', old: null, new: ' A spec ' },
      { field: 'status', old: null, new: 'draft' },
      { field: 'functional_requirements', old: null, new: ['It adds'] },
      { field: 'technical_requirements', old: null, new: created.technical_requirements },
      { field: 'acceptance_criteria', old: null, new: ['1 + 1 = 2'] },
    ])
    expect(logged(world, created.id)).toEqual([
      {
        activity: 'spec_created',
        details: { spec_id: created.id, title: ' A spec ', status: 'draft' },
        history: 'created',
        domain: [{ name: 'spec.created', spec_id: created.id }],
      },
    ])
  })

  test('lists are null when never set, [] when set to []', async () => {
    const { body } = await create({ acceptance_criteria: [], labels: [] })
    expect(body).toMatchObject({ acceptance_criteria: [], labels: [], test_scenarios: null, screen_mockups: null })
    expect(fieldsOf((await historyOf(body.id))[0])).toEqual(['title', 'status'])
  })

  test.each([
    [{ title: null }, 'string_type'],
    [{ title: '' }, 'string_too_short'],
    [{ title: ' ' }, 'value_error'],
    [{ title: 'x'.repeat(501) }, 'string_too_long'],
    [{ status: 'open' }, 'enum'],
    [{ labels: 'a' }, 'list_type'],
    [{ assignee_id: 'x'.repeat(256) }, 'string_too_long'],
    [{ functional_requirements: ['a', ' '] }, 'value_error'],
    [{ acceptance_criteria: [''] }, 'value_error'],
    [{ technical_requirements: [{ text: 'no id' }] }, 'missing'],
    [{ technical_requirements: [5] }, 'value_error'],
    [{ test_scenarios: [{ title: 'no id' }] }, 'missing'],
    [{ test_scenarios: [scenario({ title: ' ' })] }, 'value_error'],
    [{ test_scenarios: [scenario({ status: 'open' })] }, 'enum'],
    [{ test_scenarios: [scenario({ scenario_type: 'smoke' })] }, 'enum'],
    [{ business_rules: [{ id: 'r1', title: 'T', rule: 'R', when: 'W' }] }, 'missing'],
    [{ api_contracts: [contract({ method: ' ' })] }, 'value_error'],
    [{ decisions: [decision({ status: 'open' })] }, 'enum'],
    [{ screen_mockups: [{ id: 'm1' }] }, 'missing'],
  ])('%j is 422 %s', async (fields, type) => {
    const answer = await create(fields)
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0]).toMatchObject({ type, loc: expect.arrayContaining(['body']) })
  })

  test.each([
    [{ test_scenarios: [scenario({ linked_criteria: ['AC1'] })] }, 'test_scenarios.s1', 'linked_criteria'],
    [{ test_scenarios: [scenario({ linked_task_ids: ['x'] })] }, 'test_scenarios.s1', 'linked_task_ids'],
    [{ business_rules: [rule({ linked_requirements: ['0'] })] }, 'business_rules.r1', 'linked_requirements'],
    [{ api_contracts: [contract({ linked_rules: ['r1'] })] }, 'api_contracts.c1', 'linked_rules'],
    [{ decisions: [decision({ supersedes_decision_id: 'd1' })] }, 'decisions.d1', 'supersedes_decision_id'],
    [{ decisions: [decision(), decision()] }, 'decisions.d1', 'id'],
    [{ test_scenarios: [scenario({ id: '' })] }, 'test_scenarios.', 'id'],
    [
      {
        screen_mockups: [
          { id: 'm', title: 'a' },
          { id: 'm', title: 'b' },
        ],
      },
      'screen_mockups.m',
      'id',
    ],
  ])('%j is 400 naming %s', async (fields, owner, field) => {
    const answer = await create(fields)
    expect([answer.status, answer.body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.detail.details).toEqual([
      { owner, field, reference: expect.any(String), message: expect.any(String) },
    ])
  })

  test('requires evidence for scenarios that claim to have run (specs 4.3)', async () => {
    const test_scenarios = [
      scenario({ id: 'a', status: 'automated', evidence: { test_function: 'f' } }),
      scenario({ id: 'p', status: 'passed', evidence: {}, latest_evidence: { last_run_at: 'now' } }),
      scenario({ id: 'd' }),
    ]
    const answer = await create({ test_scenarios })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toMatchObject({
      error: 'TEST_EVIDENCE_REQUIRED',
      missing: [
        { scenario_id: 'a', status: 'automated', required: ['test_file_path'] },
        { scenario_id: 'p', status: 'passed', required: ['output_snippet or test_run_id'] },
      ],
    })
  })

  test('in another status needs the permission of the move there', async () => {
    const drafter = await world.agent({ permission_flags: { SPECS_MOVE_DONE: false } })
    await scene.admit(drafter)
    const createIn = (status: string) =>
      world.call('create_spec', { board_id: scene.boardId, title: 'x', status }, { as: drafter })
    expect((await createIn('in_progress')).body).toMatchObject({ status: 'in_progress', locked: false })
    expect((await createIn('done')).body.detail).toMatchObject({ error: 'FORBIDDEN', permission: 'SPECS_MOVE_DONE' })
    const limited = await world.agent({ permission_flags: { SPECS_WRITE_IN_DONE: false } })
    await scene.admit(limited)
    const answer = await world.call(
      'create_spec',
      { board_id: scene.boardId, title: 'x', status: 'done' },
      { as: limited },
    )
    expect(answer.body.detail).toMatchObject({ error: 'FORBIDDEN', permission: 'SPECS_WRITE_IN_DONE' })
  })

  test('its ideation and refinement must be of this board, belong together and not be archived', async () => {
    const refinement_id = await scene.refinement()
    const { ideation_id } = await world.ok('get_refinement', { refinement_id })
    const elsewhere = await (await Scene.on(world)).ideation()
    expect((await create({ ideation_id, refinement_id })).body).toMatchObject({ ideation_id, refinement_id })
    for (const [fields, field] of [
      [{ ideation_id: 'x' }, 'ideation_id'],
      [{ ideation_id: elsewhere }, 'ideation_id'],
      [{ refinement_id: 'x' }, 'refinement_id'],
      [{ ideation_id: await scene.ideation(), refinement_id }, 'refinement_id'],
    ] as const) {
      const { status, body } = await create(fields)
      expect([status, body.detail.error, body.detail.field]).toEqual([400, 'VALIDATION_ERROR', field])
    }
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'ideation', entity_id: ideation_id })
    const { status, body } = await create({ ideation_id })
    expect(status).toBe(409)
    expect(body.detail).toMatchObject({
      error: 'ARCHIVED',
      entity_type: 'ideation',
      entity_id: ideation_id,
      restore: `/api/v1/boards/${scene.boardId}/restore/ideation/${ideation_id}`,
    })
  })
})

describe('list and get (specs 3.2)', () => {
  test('lists the last changed first, filtered and in pages, archived ones only on request', async () => {
    const own = await Scene.on(world)
    const ids = [await own.spec(), await own.spec('review'), await own.spec()]
    await update(ids[0]!, { labels: ['touched'] })
    await world.ok('archive_record', { board_id: own.boardId, entity_type: 'spec', entity_id: ids[2] })
    const list = async (query: object) => {
      const answer = await world.call('list_specs', { board_id: own.boardId, ...query })
      const indices = (answer.body as { id: string }[]).map(item => ids.indexOf(item.id))
      return [indices, Number(answer.headers.get('x-total-count'))]
    }
    expect(await list({})).toEqual([[0, 1], 2])
    expect(await list({ include_archived: true })).toEqual([[2, 0, 1], 3])
    expect(await list({ status: 'review' })).toEqual([[1], 1])
    expect(await list({ limit: 1, offset: 1 })).toEqual([[1], 2])
  })

  test('an unknown status is 400, a limit out of range 422', async () => {
    const unknown = await world.call('list_specs', { board_id: scene.boardId, status: 'open' })
    expect([unknown.status, unknown.body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
    for (const limit of [0, 201])
      expect((await world.call('list_specs', { board_id: scene.boardId, limit })).status).toBe(422)
  })

  test('leaves the parts that the caller may not read empty (access 2.3)', async () => {
    const spec_id = await scene.spec()
    await world.ok('create_spec_knowledge', { spec_id, title: 'k', content: 'c' })
    await world.ok('ask_spec_question', { spec_id, question: 'Why?' })
    const blind = await world.agent({
      permission_flags: { KNOWLEDGE_READ: false, QA_READ: false, CARDS_READ: false, SPECS_READ_VALIDATIONS: false },
    })
    await scene.admit(blind)
    const view = await world.ok('get_spec', { spec_id }, { as: blind })
    expect(view).toMatchObject({ knowledge_bases: [], qa_items: [], cards: [], evaluations: [] })
    expect(await get(spec_id)).toMatchObject({ knowledge_bases: [{ title: 'k' }], qa_items: [{ question: 'Why?' }] })
  })
})

describe('update (specs 3.3)', () => {
  const gates = {
    skip_test_coverage: true,
    skip_rules_coverage: true,
    skip_trs_coverage: true,
    skip_contract_coverage: true,
    skip_decisions_coverage: true,
    skip_qualitative_validation: true,
    validation_threshold: 0,
    require_task_validation: false,
    validation_min_confidence: 1,
    validation_min_completeness: 2,
    validation_max_drift: 100,
  }

  test.each([
    [{ description: 'd', context: 'c' }, 2],
    [{ functional_requirements: ['f'] }, 2],
    [{ technical_requirements: ['t'] }, 2],
    [{ acceptance_criteria: [] }, 2],
    [{ title: 'New', labels: ['a'], assignee_id: 'x' }, 1],
    [gates, 1],
  ])('%j makes version %i', async (fields, version) => {
    const spec_id = await scene.spec()
    const { body } = await update(spec_id, { ...fields, status: 'done' })
    expect(body).toMatchObject({ ...fields, version, status: 'draft' })
    const [entry] = await historyOf(spec_id)
    expect(entry).toMatchObject({ action: 'updated', version })
    expect(fieldsOf(entry).sort()).toEqual(Object.keys(fields).sort())
    expect(logged(world, spec_id).at(-1)).toMatchObject({
      activity: 'spec_updated',
      details: { spec_id, version, fields: fieldsOf(entry) },
    })
  })

  test('lists are replaced whole, fields left out of an item keep their value (crew 1.2)', async () => {
    const spec_id = await scene.spec('draft', {
      test_scenarios: [scenario({ given: 'a', notes: 'n' }), scenario({ id: 's2' })],
      business_rules: [rule()],
    })
    const { body } = await update(spec_id, { test_scenarios: [scenario()], business_rules: null })
    const expected = { ...wholeScenario, given: 'a', notes: 'n' }
    expect(body).toMatchObject({ test_scenarios: [expected], business_rules: null, version: 1 })
    const [entry] = await historyOf(spec_id)
    expect(fieldsOf(entry)).toEqual(['test_scenarios', 'business_rules'])
    expect(entry.changes[0].new).toEqual([expected])
  })

  test.each([
    {},
    { title: 'Spec', labels: ['a'] },
    { test_scenarios: [{ title: 'It works', id: 's1', linked_task_ids: null, surplus: 1 }] },
    { technical_requirements: [{ extra: { b: 2, a: 1 }, text: 'T', id: 't' }] },
    { status: 'done', version: 7, locked: true, current_validation_id: 'x', archived: true },
  ])('%j changes nothing and writes nothing', async fields => {
    const spec_id = await scene.spec('draft', {
      labels: ['a'],
      test_scenarios: [scenario()],
      technical_requirements: [{ id: 't', text: 'T', extra: { a: 1, b: 2 } }],
    })
    const before = await get(spec_id)
    const answer = await update(spec_id, fields)
    expect([answer.status, answer.body]).toEqual([200, before])
    expect(logged(world, spec_id)).toHaveLength(1)
  })

  test.each([
    { title: null },
    { skip_test_coverage: null },
    { skip_qualitative_validation: 'yes' },
    { validation_threshold: 101 },
    { validation_max_drift: -1 },
    { validation_min_confidence: 1.5 },
    { evaluation: { overall_score: 5 } },
    { evaluation: null },
  ])('%j is 422', async fields => {
    expect((await update(await scene.spec(), fields)).status).toBe(422)
  })

  test('null clears what may be null', async () => {
    const spec_id = await scene.spec('draft', { description: 'd', labels: ['a'], acceptance_criteria: ['a'] })
    await update(spec_id, { validation_threshold: 5 })
    const { body } = await update(spec_id, {
      description: null,
      labels: null,
      acceptance_criteria: null,
      validation_threshold: null,
    })
    expect(body).toMatchObject({
      description: null,
      labels: null,
      acceptance_criteria: null,
      validation_threshold: null,
      version: 2,
    })
  })

  test('references are checked on the final state, all offenders at once (specs 4.1)', async () => {
    const spec_id = await scene.spec('draft', {
      acceptance_criteria: ['a', 'b'],
      test_scenarios: [scenario({ linked_criteria: ['1'] }), scenario({ id: 's2', linked_criteria: ['b', 'a'] })],
    })
    const before = await get(spec_id)
    const refused = await update(spec_id, { acceptance_criteria: ['a'] })
    expect(refused.status).toBe(400)
    expect(refused.body.detail.details).toMatchObject([
      { owner: 'test_scenarios.s1', field: 'linked_criteria', reference: '1' },
      { owner: 'test_scenarios.s2', field: 'linked_criteria', reference: 'b' },
    ])
    expect(await get(spec_id)).toEqual(before)
    const test_scenarios = [scenario({ linked_criteria: ['0'] }), scenario({ id: 's2', linked_criteria: ['a', 'a'] })]
    const { body } = await update(spec_id, { acceptance_criteria: ['a'], test_scenarios })
    expect(body.test_scenarios[1].linked_criteria).toEqual(['a'])
  })

  test('an active decision supersedes another, a revoked one no longer does (specs 4.2)', async () => {
    const spec_id = await scene.spec('draft', { decisions: [decision()] })
    const newer = decision({ id: 'd2', supersedes_decision_id: 'd1' })
    const statuses = async (decisions: object[]) => {
      const { body } = await update(spec_id, { decisions })
      return body.decisions.map((each: { status: string }) => each.status)
    }
    expect(await statuses([decision(), newer])).toEqual(['superseded', 'active'])
    const revoked = { ...newer, status: 'revoked' }
    expect(await statuses([{ ...decision(), status: 'active' }, revoked])).toEqual(['active', 'revoked'])
  })

  test('its origin may change under the same rules', async () => {
    const spec_id = await scene.spec()
    const refinement_id = await scene.refinement()
    expect((await update(spec_id, { refinement_id })).body).toMatchObject({
      refinement_id,
      ideation_id: null,
      version: 1,
    })
    const refused = await update(spec_id, { ideation_id: await scene.ideation() })
    expect(refused.body.detail).toMatchObject({ error: 'VALIDATION_ERROR', field: 'refinement_id' })
    expect((await update(spec_id, { refinement_id: null })).body.refinement_id).toBeNull()
  })

  test('an archived spec accepts no write but its deletion (specs 5.1)', async () => {
    const spec_id = await scene.spec('approved')
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    expect(await get(spec_id)).toMatchObject({ archived: true, pre_archive_status: 'approved', status: 'approved' })
    const detail = {
      error: 'ARCHIVED',
      entity_type: 'spec',
      entity_id: spec_id,
      restore: `/api/v1/boards/${scene.boardId}/restore/spec/${spec_id}`,
    }
    const refused = async (answer: ReturnType<typeof update>) =>
      expect((await answer).body.detail).toMatchObject(detail)
    await refused(update(spec_id, {}))
    await refused(world.call('move_spec', { spec_id, status: 'approved' }))
    await refused(world.call('create_spec_knowledge', { spec_id, title: 'k', content: 'c' }))
    await refused(world.call('ask_spec_question', { spec_id, question: 'Why?' }))
    expect((await world.call('delete_spec', { spec_id })).status).toBe(204)
  })
})

describe('scenario statuses and evidence (specs 4.3)', () => {
  const evidence = { test_file_path: 'a.test.ts', test_function: 'adds' }

  test('each change is logged; unchanged scenarios need no evidence again', async () => {
    const own = await Scene.on(world)
    const setting = (skip_test_evidence_global: boolean) =>
      world.ok('update_board', { board_id: own.boardId, settings: { skip_test_evidence_global } })
    await setting(true)
    const passing = scenario({ id: 'passed', status: 'passed' })
    const spec_id = await own.spec('draft', { test_scenarios: [passing, scenario()] })
    await setting(false)
    const automated = scenario({ status: 'automated', evidence })
    expect((await update(spec_id, { test_scenarios: [passing, automated] })).status).toBe(200)
    expect(logged(world, spec_id).at(-1)).toMatchObject({
      activity: 'test_scenario_status_changed',
      history: null,
      details: {
        spec_id,
        scenario_id: 's1',
        scenario_title: 'It works',
        from_status: 'draft',
        to_status: 'automated',
        evidence_provided: true,
        evidence_gate_skipped: false,
      },
    })
    const refused = await update(spec_id, { test_scenarios: [{ ...passing, status: 'failed' }, automated] })
    expect(refused.body.detail).toMatchObject({
      error: 'TEST_EVIDENCE_REQUIRED',
      missing: [
        { scenario_id: 'passed', status: 'failed', required: ['last_run_at', 'output_snippet or test_run_id'] },
      ],
    })
    const emptied = await update(spec_id, { test_scenarios: [passing, { ...automated, evidence: null }] })
    expect(emptied.body.detail.missing).toMatchObject([{ scenario_id: 's1' }])
    await setting(true)
    await update(spec_id, { test_scenarios: [{ ...passing, status: 'failed' }, automated] })
    expect(logged(world, spec_id).at(-1)?.details).toMatchObject({
      evidence_provided: false,
      evidence_gate_skipped: true,
    })
  })
})

describe('permissions of a PATCH (access 2.3)', () => {
  test.each([
    ['title', 'x', 'SPECS_UPDATE'],
    ['functional_requirements', [], 'SPECS_UPDATE'],
    ['decisions', [], 'SPECS_UPDATE'],
    ['assignee_id', 'x', 'SPECS_ASSIGN'],
    ['labels', [], 'SPECS_LABEL'],
    ['screen_mockups', [], 'SPECS_UPDATE_MOCKUPS'],
    ['test_scenarios', [], 'SPECS_UPDATE_SCENARIOS'],
    ['business_rules', [], 'SPECS_UPDATE_RULES'],
    ['api_contracts', [], 'SPECS_UPDATE_CONTRACTS'],
    ['skip_trs_coverage', true, 'SPECS_UPDATE_COVERAGE_FLAGS'],
    ['validation_threshold', 5, 'SPECS_UPDATE_COVERAGE_FLAGS'],
    ['require_task_validation', true, 'SPECS_UPDATE_COVERAGE_FLAGS'],
  ])('%s with %j needs only %s', async (field, value, permission) => {
    const only = await world.agent({
      permission_flags: { SPECS_UPDATE: false, SPECS_VALIDATE: false, [permission]: true },
    })
    const without = await world.agent({ permission_flags: { [permission]: false } })
    await scene.admit(only)
    await scene.admit(without)
    const spec_id = await scene.spec()
    const call = (as: typeof only) => world.call('update_spec', { spec_id, [field]: value }, { as })
    expect((await call(without)).status).toBe(403)
    expect((await call(only)).status).toBe(200)
  })

  test('evaluation needs SPECS_VALIDATE in place of SPECS_UPDATE', async () => {
    const writer = await world.agent({ permission_flags: { SPECS_VALIDATE: false } })
    await scene.admit(writer)
    const evaluation = {
      breakdown_completeness: 1,
      breakdown_justification: 'x',
      granularity: 1,
      granularity_justification: 'x',
      dependency_coherence: 1,
      dependency_justification: 'x',
      test_coverage_quality: 1,
      test_coverage_justification: 'x',
      overall_score: 1,
      overall_justification: 'x',
      recommendation: 'approve',
    }
    const call = { spec_id: await scene.spec(), evaluation }
    const refused = await world.call('update_spec', call, { as: writer })
    expect(refused.body.detail).toMatchObject({ error: 'FORBIDDEN', permission: 'SPECS_VALIDATE' })
    const judge = await world.agent({ permission_flags: { SPECS_UPDATE: false } })
    await scene.admit(judge)
    const judged = await world.call('update_spec', call, { as: judge })
    expect(judged.body.detail).toMatchObject({ error: 'SPEC_NOT_VALIDATED', status: 'draft' })
  })

  test('a state limit applies to every write to the spec itself (access 2.4)', async () => {
    const limited = await world.agent({ permission_flags: { SPECS_WRITE_IN_DRAFT: false } })
    await scene.admit(limited)
    const spec_id = await scene.spec()
    const refused = { error: 'FORBIDDEN', permission: 'SPECS_WRITE_IN_DRAFT' }
    for (const [name, args] of [
      ['update_spec', { title: 'x' }],
      ['move_spec', { status: 'review' }],
      ['delete_spec', {}],
      ['create_spec_knowledge', { title: 'k', content: 'c' }],
    ] as const)
      expect((await world.call(name, { spec_id, ...args }, { as: limited })).body.detail).toMatchObject(refused)
    expect((await world.call('ask_spec_question', { spec_id, question: 'Why?' }, { as: limited })).status).toBe(201)
  })
})

describe('concurrent writes (general)', () => {
  test('of two agents that PATCH the same list with If-Match, the second gets 412', async () => {
    const spec_id = await scene.spec()
    const { headers } = await world.call('get_spec', { spec_id })
    const ifMatch = { headers: { 'if-match': headers.get('etag')! } }
    const patch = (id: string) => world.call('update_spec', { spec_id, test_scenarios: [scenario({ id })] }, ifMatch)
    const answers = await Promise.all([patch('one'), patch('two')])
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 412])
    const won = answers.find(answer => answer.status === 200)!.body
    expect((await get(spec_id)).test_scenarios).toEqual(won.test_scenarios)
    const lost = answers.find(answer => answer.status === 412)!.body
    expect(lost.detail.error).toBe('PRECONDITION_FAILED')
  })

  test('different fields of one spec both survive', async () => {
    const spec_id = await scene.spec()
    await Promise.all([update(spec_id, { description: 'd' }), update(spec_id, { context: 'c' })])
    expect(await get(spec_id)).toMatchObject({ description: 'd', context: 'c', version: 3 })
  })
})

describe('delete (specs 3.4)', () => {
  test('deletes its parts, keeps its events, and answers 404 the second time', async () => {
    const spec_id = await scene.spec('validated')
    await world.ok('create_spec_knowledge', { spec_id, title: 'k', content: 'c' })
    await world.ok('ask_spec_question', { spec_id, question: 'Why?' })
    expect((await world.call('delete_spec', { spec_id })).status).toBe(204)
    for (const name of ['delete_spec', 'get_spec', 'list_spec_history', 'list_spec_questions'] as const)
      expect((await world.call(name, { spec_id })).body.detail).toMatchObject({
        error: 'NOT_FOUND',
        entity_type: 'spec',
        entity_id: spec_id,
      })
    const entries = logged(world, spec_id)
    expect(entries.at(-1)).toMatchObject({ activity: 'spec_deleted', details: { spec_id, title: 'Spec' } })
  })
})

describe('history (specs 2.3)', () => {
  test('is newest first, with 50 entries by default', async () => {
    const spec_id = await scene.spec()
    for (let index = 0; index < 51; index++) await update(spec_id, { title: `Title ${index}` })
    const answer = await world.call('list_spec_history', { spec_id })
    expect([answer.body.length, answer.headers.get('x-total-count')]).toEqual([50, '52'])
    expect(answer.body[0]).toEqual({
      id: expect.any(String),
      spec_id,
      action: 'updated',
      actor_type: 'person',
      actor_via: 'key',
      actor_id: world.owner.id,
      actor_name: expect.any(String),
      changes: [{ field: 'title', old: 'Title 49', new: 'Title 50' }],
      summary: expect.any(String),
      version: 1,
      created_at: expect.any(String),
    })
    const [first] = await world.ok('list_spec_history', { spec_id, offset: 51 })
    expect(first.action).toBe('created')
    for (const query of [{ limit: 0 }, { limit: 201 }, { offset: -1 }])
      expect((await world.call('list_spec_history', { spec_id, ...query })).status).toBe(422)
  })
})

describe('knowledge and questions (specs 2.4)', () => {
  test('never change the version, are not covered by the lock, and leave entries', async () => {
    const spec_id = await scene.spec('validated')
    const before = await get(spec_id)
    const item = await world.ok('create_spec_knowledge', { spec_id, title: 'Notes', content: 'c' })
    expect(item).toEqual({
      id: item.id,
      ref: expect.stringMatching(/\.k1$/),
      spec_id,
      title: 'Notes',
      description: null,
      content: 'c',
      mime_type: 'text/markdown',
      source_type: null,
      source_id: null,
      source_title: null,
      source_version: null,
      source_kb_id: null,
      created_by: world.owner.id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const knowledge_id = item.id
    expect(await world.ok('get_spec_knowledge', { spec_id, knowledge_id })).toEqual(item)
    const { content, created_by, updated_at, ...summary } = item
    expect(await world.ok('list_spec_knowledge', { spec_id })).toEqual([summary])
    const qa = await world.ok('ask_spec_question', { spec_id, question: 'Why?' })
    expect(qa.spec_id).toBe(spec_id)
    await world.ok('answer_spec_question', { spec_id, qa_id: qa.id, answer: 'Because.' })
    const after = await get(spec_id)
    expect(after).toMatchObject({ version: 1, updated_at: before.updated_at, knowledge_bases: [summary] })
    expect(after.qa_items).toMatchObject([{ answer: 'Because.', spec_id }])
    await world.call('delete_spec_question', { spec_id, qa_id: qa.id })
    await world.call('delete_spec_knowledge', { spec_id, knowledge_id })
    const actions = (await historyOf(spec_id)).map((entry: { action: string }) => entry.action)
    expect(actions.slice(0, 5)).toEqual([
      'knowledge_deleted',
      'question_deleted',
      'question_answered',
      'question_added',
      'knowledge_added',
    ])
    expect(logged(world, spec_id).at(-1)).toMatchObject({
      activity: 'spec_knowledge_deleted',
      details: { spec_id, knowledge_id, title: 'Notes' },
    })
  })

  test('of another spec are 404', async () => {
    const { knowledge_id } = await scene.knowledge('spec')
    const { qa_id } = await scene.question('spec')
    const spec_id = await scene.spec()
    for (const [name, args] of [
      ['get_spec_knowledge', { knowledge_id }],
      ['delete_spec_knowledge', { knowledge_id }],
      ['answer_spec_question', { qa_id, answer: 'x' }],
      ['delete_spec_question', { qa_id }],
    ] as const)
      expect((await world.call(name, { spec_id, ...args })).status).toBe(404)
  })
})
