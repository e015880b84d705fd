import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { evaluation, validation } from './operations/specs.rows.ts'
import { logged } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
})

beforeEach(async () => {
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const run = { last_run_at: '2026-01-02T03:04:05Z', test_run_id: 'run 7' }
const code = { test_file_path: 'a.test.ts', test_function: 'works' }
const scenarios = [
  { id: 's1', title: 'Adds' },
  { id: 's2', title: 'Subtracts' },
]
const record = (spec_id: string, status: string, more: object = {}, scenario_id = 's1') =>
  world.call('record_scenario_result', { spec_id, scenario_id, status, ...more })
const spec = (status: Parameters<Scene['spec']>[0] = 'approved', fields: object = {}) =>
  scene.spec(status, { test_scenarios: scenarios, ...fields })

describe('record_scenario_result (specs 3.5)', () => {
  test('changes the scenario alone, with evidence, history and activity', async () => {
    const spec_id = await spec()
    const { status, body } = await record(spec_id, 'passed', { evidence: run, note: 'All green' })
    expect([status, body]).toMatchObject([200, { id: 's1', status: 'passed', evidence: null, latest_evidence: run }])
    const stored = await world.ok('get_spec', { spec_id })
    expect(stored).toMatchObject({ version: 1, test_scenarios: [body, { id: 's2', status: 'draft' }] })
    const [entry] = await world.ok('list_spec_history', { spec_id, limit: 1 })
    expect(entry).toMatchObject({
      action: 'updated',
      summary: 'All green',
      changes: [{ field: 'test_scenarios.s1.status', old: 'draft', new: 'passed' }],
    })
    expect(logged(world, spec_id).at(-1)).toMatchObject({
      activity: 'test_scenario_status_changed',
      details: { scenario_id: 's1', from_status: 'draft', to_status: 'passed', evidence_provided: true },
    })
  })

  test('what is stored counts where no evidence is sent; what is sent counts alone', async () => {
    const spec_id = await spec('approved', { test_scenarios: [{ ...scenarios[0], evidence: code }] })
    expect((await record(spec_id, 'automated')).status).toBe(200)
    expect((await record(spec_id, 'passed')).body.detail).toMatchObject({
      error: 'TEST_EVIDENCE_REQUIRED',
      missing: [{ scenario_id: 's1', status: 'passed', required: ['last_run_at', 'output_snippet or test_run_id'] }],
    })
    expect((await record(spec_id, 'passed', { evidence: run })).body).toMatchObject({
      evidence: code,
      latest_evidence: run,
    })
    expect((await record(spec_id, 'failed', { evidence: code })).body.detail.error).toBe('TEST_EVIDENCE_REQUIRED')
    expect((await record(spec_id, 'ready')).body.status).toBe('ready')
  })

  test('that says no time has the one of the service, and says so (crew 9.7)', async () => {
    const spec_id = await spec('approved')
    const before = new Date().toISOString()
    const { latest_evidence } = (await record(spec_id, 'passed', { evidence: { test_run_id: 'run 8' } })).body
    expect(latest_evidence).toMatchObject({ test_run_id: 'run 8', last_run_at_by: 'service' })
    expect(latest_evidence.last_run_at >= before).toBe(true)
    const latest = (await record(spec_id, 'failed', { evidence: run })).body.latest_evidence
    expect(latest).not.toHaveProperty('last_run_at_by')
  })

  test('a board may skip the evidence', async () => {
    await world.ok('update_board', { board_id: scene.boardId, settings: { skip_test_evidence_global: true } })
    expect((await record(await spec(), 'passed')).status).toBe(200)
  })

  test('works on a locked spec, and makes no evaluation stale', async () => {
    const spec_id = await spec('approved', { skip_test_coverage: true })
    await world.ok('update_spec', { spec_id, skip_test_coverage: true })
    await world.ok('submit_spec_validation', { spec_id, ...validation })
    await world.ok('submit_spec_evaluation', { spec_id, ...evaluation() })
    expect((await record(spec_id, 'passed', { evidence: run })).status).toBe(200)
    expect(await world.ok('get_spec', { spec_id })).toMatchObject({
      locked: true,
      evaluations: [{ stale: false }],
      changed_since_validated: [],
    })
  })

  test('two at once on different scenarios both hold', async () => {
    const spec_id = await spec()
    await Promise.all(['s1', 's2'].map(id => record(spec_id, 'passed', { evidence: run }, id)))
    const { test_scenarios } = await world.ok('get_spec', { spec_id })
    expect(test_scenarios.map((scenario: { status: string }) => scenario.status)).toEqual(['passed', 'passed'])
  })

  test.each(['draft', 'review', 'cancelled'] as const)('in %s it is 409 INVALID_STATE', async status => {
    expect((await record(await spec(status), 'ready')).body.detail).toMatchObject({ error: 'INVALID_STATE', status })
  })

  test.each(['approved', 'validated', 'in_progress', 'done'] as const)('in %s it is open', async status => {
    expect((await record(await spec(status), 'ready')).status).toBe(200)
  })

  test.each([{ status: 'draft' }, { status: 'open' }, {}, { status: 'ready', note: 'x'.repeat(2_001) }])(
    'a body %j is 422',
    async body => {
      const args = { spec_id: await spec(), scenario_id: 's1', ...body }
      expect((await world.call('record_scenario_result', args)).status).toBe(422)
    },
  )

  test('an unknown scenario is 404, an archived spec 409', async () => {
    const spec_id = await spec()
    expect((await record(spec_id, 'ready', {}, 'gone')).body.detail).toMatchObject({
      error: 'NOT_FOUND',
      entity_type: 'test_scenario',
    })
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    expect((await record(spec_id, 'ready')).body.detail.error).toBe('ARCHIVED')
  })
})

describe('submit_spec_evaluation (specs 6.2)', () => {
  const submit = (spec_id: string, ...of: Parameters<typeof evaluation>) =>
    world.call('submit_spec_evaluation', { spec_id, ...evaluation(...of) })

  test('stores the evaluation and answers the gate', async () => {
    const spec_id = await spec('validated')
    const low = await submit(spec_id, 'approve', 69)
    expect([low.status, low.body]).toMatchObject([
      201,
      {
        evaluation: { spec_id, overall_score: 69, stale: false },
        gate: { can_start: false, approvals: 1, rejections: 0, average: 69, threshold: 70 },
      },
    ])
    const rejected = await submit(spec_id, 'reject')
    expect(rejected.body.gate).toEqual({ can_start: false, approvals: 0, rejections: 1, average: null, threshold: 70 })
    const approved = await submit(spec_id, 'approve', 71)
    expect(approved.body.gate).toEqual({ can_start: true, approvals: 1, rejections: 0, average: 71, threshold: 70 })
    const { evaluations } = await world.ok('get_spec', { spec_id })
    expect(evaluations.at(-1)).toEqual(approved.body.evaluation)
    expect(evaluations.map(({ stale }: { stale: boolean }) => stale)).toEqual([true, true, false])
  })

  test.each(['draft', 'approved', 'in_progress', 'done'] as const)('in %s it is 409', async status => {
    expect((await submit(await spec(status))).body.detail).toMatchObject({ error: 'SPEC_NOT_VALIDATED', status })
  })
})

describe('links of items (specs 8)', () => {
  const rule = (id: string) => ({ id, title: 'Rule', rule: 'r', when: 'w', then: 't' })
  const items = {
    business_rules: [rule('x'), rule('r1')],
    api_contracts: [{ id: 'c1', method: 'GET', path: '/' }],
    decisions: [{ id: 'x', title: 'D', rationale: 'R' }],
    technical_requirements: ['plain', { id: 't1', text: 'Fast' }],
  }
  const link = (spec_id: string, item_id: string, card_id: string, more: object = {}) =>
    world.call('link_task_to_item', { spec_id, item_id, card_id, ...more })
  const unlink = (spec_id: string, item_id: string, card_id: string) =>
    world.call('unlink_task_from_item', { spec_id, item_id, card_id })

  test.each([
    ['r1', 'business_rule', 'business_rules'],
    ['c1', 'api_contract', 'api_contracts'],
    ['t1', 'technical_requirement', 'technical_requirements'],
  ])('%s is linked and unlinked, again without effect', async (item_id, item_type, list) => {
    const spec_id = await spec('approved', items)
    const card_id = await scene.card({ spec_id })
    const answer = { success: true, spec_id, item_id, item_type, card_id }
    for (const _ of [1, 2])
      expect((await link(spec_id, item_id, card_id)).body).toEqual({ ...answer, linked_task_ids: [card_id] })
    const linked = (await world.ok('get_spec', { spec_id }))[list].find((item: { id?: string }) => item.id === item_id)
    expect(linked.linked_task_ids).toEqual([card_id])
    const [entry] = await world.ok('list_spec_history', { spec_id, limit: 1 })
    expect(entry).toMatchObject({
      action: 'task_linked',
      changes: [{ field: `${list}.${item_id}.linked_task_ids`, old: null, new: [card_id] }],
      version: 1,
    })
    for (const _ of [1, 2])
      expect((await unlink(spec_id, item_id, card_id)).body).toEqual({ ...answer, linked_task_ids: [] })
  })

  test('an id in several lists needs its item_type; one in another list is 404', async () => {
    const spec_id = await spec('approved', items)
    const card_id = await scene.card({ spec_id })
    const several = await link(spec_id, 'x', card_id)
    expect([several.status, several.body.detail]).toMatchObject([
      400,
      { error: 'VALIDATION_ERROR', item_types: ['business_rule', 'decision'] },
    ])
    const decision = await link(spec_id, 'x', card_id, { item_type: 'decision' })
    expect(decision.body).toMatchObject({ item_type: 'decision', linked_task_ids: [card_id] })
    for (const [id, more] of [
      ['gone', {}],
      ['c1', { item_type: 'decision' }],
      ['s1', {}],
    ] as const)
      expect((await link(spec_id, id, card_id, more)).status).toBe(404)
    expect((await link(spec_id, 'c1', card_id, { item_type: 'scenario' })).status).toBe(422)
  })

  test('a card of another spec is refused; a locked spec allows new links and no broken ones', async () => {
    const spec_id = await spec('approved', { ...items, test_scenarios: [], decisions: [], api_contracts: [] })
    const card_id = await scene.card({ spec_id })
    const other = await scene.card()
    expect((await link(spec_id, 'r1', other)).body.detail).toMatchObject({ error: 'CARD_NOT_IN_SPEC', card_id: other })
    expect((await unlink(spec_id, 'r1', other)).status).toBe(200)
    for (const id of ['t1', 'x']) await link(spec_id, id, card_id)
    await world.ok('submit_spec_validation', { spec_id, ...validation })
    expect((await link(spec_id, 'r1', card_id)).status).toBe(200)
    expect((await unlink(spec_id, 'r1', card_id)).body.detail.error).toBe('SPEC_LOCKED')
  })

  test('without the permission, an unknown item is still 404', async () => {
    const spec_id = await spec('approved', items)
    const card_id = await scene.card({ spec_id })
    const as = await world.agent({ permission_flags: { SPECS_LINK_ITEMS: false } })
    await scene.admit(as)
    const call = (item_id: string, more: object = {}) =>
      world.call('link_task_to_item', { spec_id, item_id, card_id, ...more }, { as })
    expect((await call('gone')).status).toBe(404)
    expect((await call('c1', { item_type: 'decision' })).status).toBe(404)
    expect((await call('c1')).body.detail).toMatchObject({ error: 'FORBIDDEN', permission: 'SPECS_LINK_ITEMS' })
  })
})

describe('late changes of a spec (specs 3.3, 5.2)', () => {
  const since = async (spec_id: string) => (await world.ok('get_spec', { spec_id })).changed_since_validated
  const update = (spec_id: string, fields: object) => world.ok('update_spec', { spec_id, ...fields })

  test('are named from the last validation on', async () => {
    const spec_id = await spec('draft')
    expect(await since(spec_id)).toBeNull()
    for (const status of ['review', 'approved', 'validated'])
      await world.ok('move_spec', { spec_id, status }).catch(() => {})
    await update(spec_id, { skip_test_coverage: true })
    await world.ok('move_spec', { spec_id, status: 'validated' })
    expect(await since(spec_id)).toEqual([])
    await update(spec_id, { labels: ['free'], assignee_id: 'a' })
    expect(await since(spec_id)).toEqual([])
    await update(spec_id, { title: 'Other', context: 'new' })
    await update(spec_id, { decisions: [] })
    expect(await since(spec_id)).toEqual(['context', 'decisions', 'title'])
    await world.ok('move_spec', { spec_id, status: 'draft' })
    expect(await since(spec_id)).toEqual(['context', 'decisions', 'title'])
  })

  test('are none of a spec created as validated, and null of one created beyond', async () => {
    expect(await since(await spec('validated'))).toEqual([])
    expect(await since(await spec('done'))).toBeNull()
  })

  test('of content make the evaluations of an open spec stale; other changes do not', async () => {
    for (const status of ['validated', 'in_progress'] as const) {
      const spec_id = await scene.spec('validated')
      await world.ok('submit_spec_evaluation', { spec_id, ...evaluation() })
      if (status === 'in_progress') await world.ok('move_spec', { spec_id, status })
      const stale = async () => (await world.ok('get_spec', { spec_id })).evaluations[0].stale
      await update(spec_id, { title: 'Other' })
      expect(await stale()).toBe(false)
      await update(spec_id, { description: 'Late' })
      expect(await stale()).toBe(true)
    }
  })

  test('a requirement that moved takes its references along; one whose place another took is refused', async () => {
    const rule = { id: 'r1', title: 'R', rule: 'r', when: 'w', then: 't', linked_requirements: ['0'] }
    const spec_id = await spec('draft', { functional_requirements: ['a', 'b'], business_rules: [rule] })
    const moved = await update(spec_id, { functional_requirements: ['b', 'a'] })
    expect(moved.business_rules[0].linked_requirements).toEqual(['1'])
    const refused = await world.call('update_spec', { spec_id, functional_requirements: ['c', 'b'] })
    expect(refused.body.detail).toMatchObject({
      error: 'VALIDATION_ERROR',
      details: [{ owner: 'business_rules.r1', field: 'linked_requirements', reference: '1' }],
    })
  })
})

describe('done (specs 6.3)', () => {
  test('asks for coverage after criteria, and for every scenario last', async () => {
    const spec_id = await spec('in_progress', { decisions: [{ id: 'd1', title: 'D', rationale: 'R' }] })
    const move = () => world.call('move_spec', { spec_id, status: 'done' })
    expect((await move()).body.detail).toMatchObject({
      error: 'COVERAGE_REQUIRED',
      gate: 'test',
      missing: [
        { gate: 'test', id: 's1' },
        { gate: 'test', id: 's2' },
        { gate: 'decisions', id: 'd1' },
      ],
    })
    const card_id = await scene.testCard({ spec_id, test_scenario_ids: ['s1', 's2'] })
    await world.ok('link_task_to_item', { spec_id, item_id: 'd1', card_id })
    expect((await move()).body.detail).toMatchObject({
      error: 'TASKS_OPEN',
      missing: [{ id: card_id, title: 'Card', status: 'not_started', card_type: 'test' }],
    })
    await record(spec_id, 'passed', { evidence: run })
    await record(spec_id, 'failed', { evidence: run }, 's2')
    const report = {
      conclusion: 'Done.',
      completeness: 100,
      completeness_justification: 'All.',
      drift: 0,
      drift_justification: 'None.',
    }
    await world.ok('move_card', { card_id, status: 'in_progress' })
    await world.ok('move_card', { card_id, status: 'validation', ...report })
    await world.ok('move_card', { card_id, status: 'done' })
    expect((await move()).body.detail).toMatchObject({
      error: 'SCENARIOS_OPEN',
      missing: [{ scenario_id: 's2', title: 'Subtracts', status: 'failed', linked_task_ids: [card_id] }],
    })
    await record(spec_id, 'automated', { evidence: code }, 's2')
    expect((await move()).body.status).toBe('done')
    await world.ok('move_card', { card_id, status: 'started' })
    expect((await world.call('move_card', { card_id, status: 'done' })).body.detail.error).toBe('CONCLUSION_REQUIRED')
  })
})
