import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

type Fields = Readonly<Record<string, unknown>>
type Name = Parameters<World['call']>[0]

let world: World
/** A board with the cards, validations and sprints that are created below. */
let scene: Scene
let board: { readonly board_id: string }
let reviewer: TestAgent
const ids: Record<string, string> = {}

const ask = (name: Name, fields: Fields = {}) => world.ok(name, { ...board, ...fields })
const future = '2999-01-01'

/** A new agent on the board that lacks a permission. */
async function without(permission: string): Promise<TestAgent> {
  const agent = await world.agent({ permission_flags: { [permission]: false } })
  await scene.admit(agent)
  return agent
}

const report = (completeness: number, drift: number) => ({
  conclusion: 'Built as planned.',
  completeness,
  completeness_justification: 'All of it.',
  drift,
  drift_justification: 'None.',
})

const scored = (completeness: number, drift: number, fields: Fields = {}) => ({
  summary: 'Read and run.',
  confidence: 90,
  confidence_justification: 'Tests pass.',
  estimated_completeness: completeness,
  completeness_justification: 'Checked.',
  estimated_drift: drift,
  drift_justification: 'Checked.',
  recommendation: 'approve',
  ...fields,
})

const move = (card_id: string, target_status: string, fields: Fields = {}) =>
  world.ok('move_card', { card_id, target_status, ...fields })

/**
 * One spec in progress with two scenarios, a rule and a contract. Its sprint in review has an impl card done at the
 * second attempt, an impl card on hold that waits for another, and a done test card; there is also a bug.
 */
async function work(): Promise<void> {
  scene = await Scene.on(world)
  board = { board_id: scene.boardId }
  reviewer = await world.agent({ name: 'Rex' })
  await scene.admit(reviewer)
  ids.spec = await scene.spec('in_progress', {
    title: 'Orders',
    functional_requirements: ['Take orders', 'Bill orders'],
    acceptance_criteria: ['An order is kept', 'An order is billed', 'An order is shipped'],
    test_scenarios: [
      { id: 's1', title: 'Keeps', linked_criteria: ['0'], status: 'ready' },
      { id: 's2', title: 'Bills', linked_criteria: ['An order is billed'] },
    ],
    business_rules: [{ id: 'r1', title: 'R', rule: 'r', when: 'w', then: 't', linked_requirements: ['1'] }],
    api_contracts: [{ id: 'c1', method: 'POST', path: '/orders', linked_requirements: ['0'] }],
    technical_requirements: ['plain', { id: 't1', text: 'Fast' }],
    decisions: [{ id: 'd1', title: 'D', rationale: 'r' }],
  })
  const card = (title: string, fields: Fields = {}) => scene.card({ title, spec_id: ids.spec, ...fields })
  ids.done = await card('Done')
  ids.held = await card('=Held')
  ids.test = await card('Test', { card_type: 'test', test_scenario_ids: ['s1'] })
  ids.open = await card('Open')
  ids.bug = await scene.bug({ title: 'Bug', severity: 'major', origin_task_id: ids.done })
  ids.gone = await card('Gone')
  const sprint = {
    spec_id: ids.spec,
    title: 'First',
    card_ids: [ids.done, ids.held, ids.test],
    test_scenario_ids: ['s1', 's2'],
  }
  ids.sprint = (await ask('create_sprint', sprint)).id
  await world.ok('move_sprint', { sprint_id: ids.sprint, status: 'active' })

  await move(ids.done, 'validation', report(95, 5))
  const validate = (fields: Fields) =>
    world.ok('submit_task_validation', { card_id: ids.done, ...fields }, { as: reviewer })
  const autoMove = (auto_move: boolean) =>
    world.ok('update_board', { board_id: scene.boardId, settings: { auto_move } })
  await autoMove(false)
  await validate(scored(60, 60))
  await autoMove(true)
  await validate(scored(90, 10))
  await world.ok('update_spec', {
    spec_id: ids.spec,
    test_scenarios: [
      {
        id: 's1',
        title: 'Keeps',
        linked_criteria: ['0'],
        status: 'passed',
        linked_task_ids: [ids.test],
        evidence: { last_run_at: '2026-01-01', test_run_id: '1' },
      },
      { id: 's2', title: 'Bills', linked_criteria: ['An order is billed'] },
    ],
  })
  await move(ids.test, 'done', report(100, 0))
  await world.ok('add_card_dependency', { card_id: ids.held, depends_on_id: ids.open })
  await move(ids.held, 'on_hold')
  await world.ok('delete_card', { card_id: ids.gone })
  await world.ok('update_sprint', { sprint_id: ids.sprint, skip_test_coverage: true })
  await world.ok('move_sprint', { sprint_id: ids.sprint, status: 'review' })
  await world.ok('submit_sprint_evaluation', {
    sprint_id: ids.sprint,
    overall_score: 80,
    recommendation: 'approve',
    granularity: 70,
    granularity_justification: 'Fine.',
  })
  ids.draft = await scene.ideation()
}

beforeAll(async () => {
  world = await World.start()
  await work()
})

afterAll(() => world.stop())

const gate = {
  total_submitted: 2,
  total_success: 1,
  total_failed: 1,
  success_rate: 50,
  avg_attempts_per_card: 2,
  first_pass_rate: 0,
  avg_scores: { confidence: 90, completeness: 75, drift: 35 },
  rejection_reasons: { confidence_below: 0, completeness_below: 1, drift_above: 1, reject_recommendation: 0 },
  cards_with_validation: 1,
}
const cardStatuses = { not_started: 2, started: 0, in_progress: 0, validation: 0, on_hold: 1, done: 2, cancelled: 0 }
const today = () => new Date().toISOString().slice(0, 10)

describe('velocity', () => {
  test('counts completed work in weeks that start on Monday', async () => {
    const answer = await ask('get_velocity_analytics')
    expect(answer).toMatchObject({
      ...board,
      to_date: today(),
      sprints: 1,
      completed_cards: 2,
      average_cycle_time_hours: 0,
      trend: 'up',
      granularity: 'week',
    })
    expect(answer.buckets).toHaveLength(12)
    expect(answer.from_date).toBe(answer.buckets[0].week)
    for (const { week } of answer.buckets) expect(new Date(week).getUTCDay()).toBe(1)
    expect(answer.buckets.at(-1)).toMatchObject({
      impl: 1,
      test: 1,
      bug: 0,
      validation_bounce: 1,
      spec_done: 0,
      sprint_done: 0,
    })
  })

  test('counts in days on request, over the given number of them', async () => {
    const answer = await ask('get_velocity_analytics', { granularity: 'day', days: 3, weeks: 9 })
    expect(answer.buckets).toHaveLength(3)
    expect(answer.buckets.at(-1)).toMatchObject({ day: today(), impl: 1 })
  })

  test('of a past window is empty', async () => {
    const answer = await ask('get_velocity_analytics', { from_date: '2020-01-01', to_date: '2020-01-31' })
    expect(answer).toMatchObject({
      from_date: '2020-01-01',
      to_date: '2020-01-31',
      sprints: 0,
      completed_cards: 0,
      trend: 'stable',
    })
    expect(answer.buckets.map((bucket: { week: string }) => bucket.week)).toStrictEqual([
      '2019-12-30',
      '2020-01-06',
      '2020-01-13',
      '2020-01-20',
      '2020-01-27',
    ])
  })

  test('counts each move of a spec to done and of a sprint to closed', async () => {
    const other = await Scene.on(world)
    const { spec_id } = await other.sprint('closed', { spec_id: await other.spec('in_progress') })
    await world.ok('update_spec', { spec_id, skip_qualitative_validation: true })
    const [{ id: card_id }] = (await world.ok('get_spec', { spec_id })).cards
    await world.ok('move_card', { card_id, target_status: 'cancelled' })
    for (const status of ['done', 'draft']) await world.ok('move_spec', { spec_id, status })
    const { buckets } = await world.ok('get_velocity_analytics', { board_id: other.boardId, weeks: 1 })
    expect(buckets).toMatchObject([{ spec_done: 1, sprint_done: 1, impl: 0 }])
  })
})

test('agents are ranked with both of their roles', async () => {
  const [owner, rex] = await ask('get_agent_analytics')
  expect(owner).toMatchObject({
    actor_id: world.owner.id,
    total_cards: 5,
    done_cards: 2,
    avg_completeness: 97.5,
    avg_drift: 2.5,
    task_validations_submitted: 0,
    task_validation_success_rate: null,
    first_pass_acceptance: 0,
    first_pass_acceptance_rate: 0,
  })
  expect(rex).toMatchObject({
    actor_id: reviewer.id,
    actor_name: 'Rex',
    total_cards: 0,
    task_validations_submitted: 2,
    task_validation_success_rate: 50,
    first_pass_acceptance: null,
  })
  expect(await ask('get_agent_analytics', { from: future })).toStrictEqual([])
})

describe('blockers', () => {
  test('have their evidence, and are counted before paging', async () => {
    const answer = await world.call('get_blockers_analytics', { ...board })
    expect(answer.headers.get('x-total-count')).toBe('3')
    expect(answer.body).toMatchObject({
      ...board,
      total: 3,
      stale_hours_threshold: 72,
      filter_type: null,
      summary: { dependency_blocked: 1, on_hold: 1, uncovered_scenario: 1 },
      blockers: [
        {
          type: 'dependency_blocked',
          card_id: ids.held,
          card_status: 'on_hold',
          evidence: { blocking_cards: [{ id: ids.open, title: 'Open', status: 'not_started' }] },
        },
        { type: 'on_hold', card_id: ids.held },
        {
          type: 'uncovered_scenario',
          spec_id: ids.spec,
          spec_title: 'Orders',
          scenario_id: 's2',
          scenario_title: 'Bills',
          evidence: { scenario_status: 'draft' },
        },
      ],
    })
    const page = await ask('get_blockers_analytics', { limit: 1, offset: 1 })
    expect(page).toMatchObject({ total: 3, blockers: [{ type: 'on_hold' }] })
  })

  test('can be filtered by type; an empty type filters nothing, an unknown one is 400', async () => {
    const only = await ask('get_blockers_analytics', { filter_type: 'on_hold' })
    expect(only).toMatchObject({ filter_type: 'on_hold', total: 1, summary: { on_hold: 1 } })
    expect((await ask('get_blockers_analytics', { filter_type: '' })).filter_type).toBeNull()
    const unknown = await world.call('get_blockers_analytics', { ...board, filter_type: 'x' })
    expect(unknown.body.detail).toMatchObject({ error: 'VALIDATION_ERROR', field: 'filter_type' })
    expect((await world.call('get_blockers_analytics', { ...board, stale_hours: 0 })).status).toBe(422)
  })

  test('are stale after any given number of hours', async () => {
    const stale_hours = Number.MAX_SAFE_INTEGER
    expect(await ask('get_blockers_analytics', { stale_hours, filter_type: 'stale' })).toMatchObject({
      stale_hours_threshold: stale_hours,
      total: 0,
    })
  })

  test('of specs: approved without validation, validated without cards', async () => {
    const other = await Scene.on(world)
    const approved = await other.spec('approved')
    const validated = await other.spec('validated')
    const { blockers } = await world.ok('get_blockers_analytics', { board_id: other.boardId })
    expect(blockers).toMatchObject([
      { type: 'spec_pending_validation', spec_id: approved, evidence: { total_evaluations: 0 } },
      { type: 'spec_no_cards', spec_id: validated, evidence: { status: 'validated' } },
    ])
  })
})

test('the funnel counts from idea to done', async () => {
  expect(await ask('get_funnel_analytics')).toMatchObject({
    ideations: 1,
    refinements: 0,
    specs: 1,
    sprints: 1,
    cards: 5,
    done: 2,
    cards_impl: 3,
    cards_test: 1,
    cards_bug: 1,
    rules_count: 1,
    contracts_count: 1,
    specs_with_tests: 1,
    bugs_total: 1,
    bugs_open: 1,
    bugs_by_severity: { critical: 0, major: 1, minor: 0 },
    card_status_breakdown: cardStatuses,
    avg_cycle_hours: 0,
    cycle_time_by_phase: { ideation: null, refinement: null, spec: null, sprint: null, card: 0 },
  })
  expect(await ask('get_funnel_analytics', { from: future })).toMatchObject({ cards: 0, avg_cycle_hours: null })
})

test('quality compares reported values with the validations', async () => {
  const { ref } = await world.ok('get_card', { card_id: ids.done })
  expect(await ask('get_quality_analytics')).toStrictEqual({
    conclusion_reported: [
      { card_id: ids.done, ref, title: 'Done', card_type: 'normal', completeness: 95, drift: 5 },
      { card_id: ids.test, ref: expect.any(String), title: 'Test', card_type: 'test', completeness: 100, drift: 0 },
    ],
    validation_reported: [
      {
        card_id: ids.done,
        ref,
        title: 'Done',
        card_type: 'normal',
        confidence: 90,
        completeness: 90,
        drift: 10,
        outcome: 'success',
      },
    ],
  })
})

test('coverage has one row per spec', async () => {
  const answer = await world.call('get_coverage_analytics', { ...board, limit: 1 })
  expect(answer.headers.get('x-total-count')).toBe('1')
  expect(answer.body).toStrictEqual([
    {
      spec_id: ids.spec,
      ref: (await world.ok('get_spec', { spec_id: ids.spec })).ref,
      title: 'Orders',
      total_ac: 3,
      covered_ac: 2,
      total_scenarios: 2,
      scenario_status_counts: { passed: 1, draft: 1 },
      business_rules_count: 1,
      api_contracts_count: 1,
      fr_with_rules_pct: 50,
      fr_with_contracts_pct: 50,
      ac_coverage_pct: 66.7,
      fr_coverage_pct: 50,
      decisions_coverage_pct: 0,
      decisions_total: 1,
      tr_task_linkage_pct: 0,
      trs_total: 1,
    },
  ])
})

test('validations show how specs and cards pass their gates', async () => {
  const answer = await ask('get_validation_analytics')
  expect(answer.task_validation_gate).toStrictEqual({
    ...gate,
    per_card: [
      {
        card_id: ids.done,
        ref: (await world.ok('get_card', { card_id: ids.done })).ref,
        title: 'Done',
        card_type: 'normal',
        spec_id: ids.spec,
        sprint_id: ids.sprint,
        status: 'done',
        attempts: 2,
        last_outcome: 'success',
        last_confidence: 90,
        last_completeness: 90,
        last_drift: 10,
        success_count: 1,
        failed_count: 1,
        rejection_reasons: gate.rejection_reasons,
      },
    ],
  })
  expect(answer.spec_validation_gate).toMatchObject({ total_submitted: 0, success_rate: null, per_spec: [] })
  expect(answer.sprint_evaluation).toStrictEqual({
    total_submitted: 1,
    total_approve: 1,
    total_reject: 0,
    approve_rate: 100,
    avg_overall_score: 80,
    avg_dimension_scores: { granularity: 70 },
    sprints_with_evaluation: 1,
  })
})

test('sprints are compared', async () => {
  const { summary, sprints } = await ask('get_sprints_analytics')
  expect(summary).toMatchObject({ total_sprints: 1, status_breakdown: { review: 1 }, avg_completion_rate: 66.7 })
  expect(sprints).toMatchObject([
    {
      sprint_id: ids.sprint,
      total_cards: 3,
      done_cards: 2,
      completion_rate: 66.7,
      avg_completeness: 97.5,
      evaluations_count: 1,
      last_evaluation: { overall_score: 80, recommendation: 'approve' },
      task_validation_gate: { total_submitted: 2, first_pass_rate: 0 },
    },
  ])
})

describe('one spec, one sprint', () => {
  test('a spec', async () => {
    expect(await ask('get_spec_analytics', { spec_id: ids.spec })).toMatchObject({
      spec_id: ids.spec,
      status: 'in_progress',
      gate_status: { current_validation_id: null, locked: false, total_submissions: 0 },
      task_validation_summary: gate,
      coverage_summary: {
        ac_covered: 2,
        ac_uncovered_indices: [2],
        scenarios_linked: 1,
        decisions_uncovered_ids: ['d1'],
      },
      cards_summary: { total: 5, by_status: cardStatuses, by_type: { normal: 3, test: 1, bug: 1 } },
    })
  })

  test('the validations of a spec over time', async () => {
    const spec_id = await scene.spec('approved')
    const validate = (fields: Fields) =>
      world.ok('submit_spec_validation', {
        spec_id,
        completeness: 90,
        completeness_justification: 'All is there.',
        assertiveness: 90,
        assertiveness_justification: 'It says what is.',
        ambiguity: 10,
        ambiguity_justification: 'It means one thing.',
        general_justification: 'Ready to be built by anyone.',
        recommendation: 'approve',
        ...fields,
      })
    await validate({ completeness: 10, recommendation: 'reject' })
    const last = await validate({})
    const answer = await ask('get_spec_analytics', { spec_id })
    expect(answer.gate_status).toStrictEqual({ current_validation_id: last.id, locked: true, total_submissions: 2 })
    expect(answer.validation_timeline).toMatchObject([
      { outcome: 'failed', rejection_reasons: ['completeness_below', 'reject_recommendation'], active: false },
      { outcome: 'success', rejection_reasons: [], active: true, reviewer_id: world.owner.id },
    ])
    const agent = await without('SPECS_READ_VALIDATIONS')
    const blind = await world.ok('get_spec_analytics', { ...board, spec_id }, { as: agent })
    expect(blind).toStrictEqual({ ...answer, validation_timeline: [] })
    await world.ok('delete_spec', { spec_id })
  })

  test('a sprint', async () => {
    const answer = await ask('get_sprint_analytics', { sprint_id: ids.sprint })
    expect(answer).toMatchObject({
      kanban_distribution: { ...cardStatuses, not_started: 0 },
      cards_summary: { total: 3, done: 2, completion_rate: 66.7, by_type: { normal: 2, test: 1, bug: 0 } },
      task_validation_gate: gate,
      evaluation_timeline: [{ overall_score: 80, stale: false }],
    })
    expect(answer.velocity).toHaveLength(4)
    expect(answer.velocity[3]).toMatchObject({ impl: 1, test: 1, validation_bounce: 1 })
  })

  test('evaluations are hidden from agents that may not read them', async () => {
    const agent = await without('SPRINTS_READ_EVALUATIONS')
    const at = { ...board, sprint_id: ids.sprint }
    expect(await world.ok('get_sprint_analytics', at, { as: agent })).toMatchObject({ evaluation_timeline: [] })
  })

  test('of another board is 404', async () => {
    const elsewhere = await Scene.on(world)
    const at = { board_id: elsewhere.boardId }
    const answers = [
      await world.call('get_spec_analytics', { ...at, spec_id: ids.spec }),
      await world.call('get_sprint_analytics', { ...at, sprint_id: ids.sprint }),
      await world.call('get_entity_analytics', { ...at, entity_type: 'card', entity_id: ids.done }),
      await world.call('export_entity_analytics', { ...at, entity_type: 'card', entity_id: ids.done }),
    ]
    expect(answers.map(answer => answer.status)).toStrictEqual([404, 404, 404, 404])
  })
})

describe('entities', () => {
  test.each<[string, Fields]>([
    ['ideation', { complexity: null, refinement_count: 0, spec_count: 0 }],
    ['spec', { ac_count: 3, scenario_count: 2, card_count: 5, rules_count: 1, contracts_count: 1 }],
    ['sprint', { card_count: 3, done_count: 2 }],
  ])('a list of %ss has their figures', async (type, figures) => {
    const answer = await ask('list_entity_analytics', { type })
    expect(answer).toMatchObject({ total: 1, offset: 0, limit: 50, items: [figures] })
  })

  test('a list is newest first and can be searched and paged', async () => {
    const cards = await ask('list_entity_analytics', { type: 'card', limit: 2, offset: 1 })
    expect(cards).toMatchObject({ total: 5, offset: 1, limit: 2 })
    expect(cards.items.map((item: Fields) => item.title)).toStrictEqual(['Open', 'Test'])
    expect(cards.items[1]).toMatchObject({ is_test: true, card_type: 'test', completeness: 100, drift: 0 })
    const found = await ask('list_entity_analytics', { type: 'card', search: 'hELd', from: future })
    expect(found).toMatchObject({ total: 1, items: [{ title: '=Held', is_test: false, completeness: null }] })
    expect(await ask('list_entity_analytics', { type: 'card', search: '%' })).toMatchObject({ total: 0 })
    expect(await ask('list_entity_analytics', { type: 'card', from: future })).toMatchObject({ total: 0 })
  })

  test.each<[string, Fields, number]>([
    ['list_entity_analytics', {}, 422],
    ['list_entity_analytics', { type: 'board' }, 400],
    ['get_entity_analytics', { entity_type: 'board', entity_id: 'x' }, 400],
    ['get_entity_analytics', { entity_type: 'card', entity_id: 'x' }, 404],
    ['export_entity_analytics', { entity_type: 'board', entity_id: 'x' }, 400],
  ])('%s %j answers %i', async (name, fields, status) => {
    expect((await world.call(name as Name, { ...board, ...fields })).status).toBe(status)
  })

  const figures = (entity_type: string, entity_id: string) => ask('get_entity_analytics', { entity_type, entity_id })

  test('a spec', async () => {
    const answer = await figures('spec', ids.spec!)
    expect(answer).toMatchObject({
      total_ac: 3,
      covered_ac: 2,
      ac_details: [
        { index: 0, covered: true },
        { covered: true },
        { index: 2, text: 'An order is shipped', covered: false },
      ],
      fr_details: [
        { text: 'Take orders', has_rule: false, has_contract: true },
        { text: 'Bill orders', has_rule: true, has_contract: false },
      ],
      scenario_statuses: [{ id: 's1', title: 'Keeps', status: 'passed' }, { status: 'draft' }],
      avg_cycle_hours: 0,
      rules_coverage: 50,
      contracts_coverage: 50,
      bugs_count: 1,
      sprints: [
        {
          sprint_id: ids.sprint,
          tasks_total: 3,
          tasks_done: 2,
          progress: 66.7,
          avg_completeness: 97.5,
          avg_drift: 2.5,
          evaluations_count: 1,
        },
      ],
    })
    expect(answer.cards.map((card: Fields) => card.title)).toStrictEqual(['Done', '=Held', 'Test', 'Open', 'Bug'])
  })

  test('a card with its report and its validations', async () => {
    const answer = await figures('card', ids.done!)
    expect(answer).toMatchObject({ completeness: 95, drift: 5, cycle_hours: 0, sprint_id: ids.sprint })
    expect(answer.conclusions).toHaveLength(1)
    expect(answer.validations.map((record: Fields) => record.outcome)).toStrictEqual(['failed', 'success'])
    expect(await figures('card', ids.open!)).toMatchObject({
      completeness: null,
      cycle_hours: null,
      conclusions: [],
      validations: [],
    })
  })

  test('a sprint, compared with the others of its spec', async () => {
    expect(await figures('sprint', ids.sprint!)).toMatchObject({
      tasks_total: 3,
      tasks_done: 2,
      tasks_cancelled: 0,
      tasks_in_progress: 1,
      progress: 66.7,
      avg_completeness: 97.5,
      evaluations_total: 1,
      evaluations_non_stale: 1,
      approvals: 1,
      avg_eval_score: 80,
      scoped_scenarios: [{ id: 's1', status: 'passed' }, { id: 's2' }],
      scenario_coverage: 50,
      comparison: [{ sprint_id: ids.sprint, is_current: true, tasks_total: 3 }],
    })
  })

  test('an ideation and a refinement, archived ones too', async () => {
    const other = await Scene.on(world)
    const at = { board_id: other.boardId }
    const refinement_id = await other.refinement('done')
    const { ideation_id } = await world.ok('get_refinement', { refinement_id })
    const spec = await world.ok('derive_spec_from_refinement', { refinement_id })
    const read = (entity_type: string, entity_id: string) =>
      world.ok('get_entity_analytics', { ...at, entity_type, entity_id })
    expect(await read('ideation', ideation_id)).toMatchObject({
      status: 'done',
      refinement_count: 1,
      spec_count: 1,
      qa_count: 0,
    })
    expect(await read('refinement', refinement_id)).toMatchObject({
      ideation_id,
      in_scope: ['Everything'],
      knowledge_base_count: 0,
      derived_specs: [{ id: spec.id, title: 'Story', status: 'draft' }],
    })
    await world.ok('archive_record', { ...at, entity_type: 'ideation', entity_id: ideation_id })
    expect(await read('ideation', ideation_id)).toMatchObject({ refinement_count: 0, spec_count: 0 })
    expect(await world.ok('list_entity_analytics', { ...at, type: 'spec' })).toMatchObject({ total: 0 })
  })
})

describe('overview', () => {
  test('of an agent without boards has zeros, nulls and empty lists', async () => {
    const answer = await world.ok('get_analytics_overview', {}, { as: await world.agent() })
    expect(answer).toMatchObject({
      total_specs: 0,
      avg_completeness: null,
      boards: [],
      bug_rate_per_spec: [],
      avg_triage_hours: null,
    })
    expect(answer.velocity).toHaveLength(12)
  })

  test('covers the boards that the caller can see', async () => {
    const answer = await world.ok('get_analytics_overview', {}, { as: reviewer })
    expect(answer).toMatchObject({
      total_ideations: 1,
      total_specs: 1,
      total_cards_impl: 3,
      avg_completeness: 97.5,
      task_validation_gate: gate,
      funnel: { ideations: 1, refinements: 0, specs: 1, sprints: 1, cards: 5, tests: 1, bugs: 1, done: 2 },
      boards: [{ ...board, board_name: 'Scene', cards: 5, cards_done: 2, bugs: 1 }],
      total_bugs: 1,
      bugs_open: 1,
      bugs_done: 0,
      bug_rate_per_spec: [{ spec_id: ids.spec, spec_title: 'Orders', total_tasks: 5, bugs: 1, rate: 20 }],
      avg_triage_hours: null,
    })
  })

  test('leaves out boards on which analytics are denied', async () => {
    const agent = await world.agent()
    const grant = { agent_id: agent.id, ...board }
    await world.ok('grant_board_access', grant)
    expect((await world.ok('get_analytics_overview', {}, { as: agent })).boards).toHaveLength(1)
    await world.ok('update_board_access', { ...grant, permission_overrides: { ANALYTICS_READ: false } })
    expect((await world.ok('get_analytics_overview', {}, { as: agent })).boards).toStrictEqual([])
  })

  test('shows how long bugs wait for their test', async () => {
    const other = await Scene.on(world)
    const card_id = await other.bug()
    const { spec_id } = await world.ok('get_card', { card_id })
    await world.ok('link_test_task', { card_id, test_task_id: await other.testCard({ spec_id }) })
    expect((await world.ok('get_analytics_overview')).avg_triage_hours).toBe(0)
  })
})

describe('time ranges', () => {
  const ranged: Name[] = [
    'get_analytics_overview',
    'get_funnel_analytics',
    'get_quality_analytics',
    'get_velocity_analytics',
    'get_coverage_analytics',
    'get_validation_analytics',
    'get_sprints_analytics',
    'get_agent_analytics',
    'list_entity_analytics',
    'export_analytics_overview',
    'export_board_analytics',
  ]

  test.each(ranged)('%s refuses unreadable dates and an end before the start', async name => {
    const call = (fields: Fields) => world.call(name, { ...board, type: 'card', ...fields })
    expect((await call({ from: 'yesterday' })).status).toBe(422)
    expect((await call({ to_date: '2026-02-30' })).status).toBe(422)
    const swapped = await call({ from: '2026-02-02', to: '2026-02-01' })
    expect(swapped.body.detail).toMatchObject({ error: 'VALIDATION_ERROR', field: 'from_date' })
  })

  test('are inclusive; from_date wins over from', async () => {
    const { created_at } = await world.ok('get_card', { card_id: ids.done })
    const count = async (fields: Fields) => (await ask('get_funnel_analytics', fields)).cards
    expect(await count({ from: created_at, to: created_at })).toBe(1)
    expect(await count({ from: today(), to: today() })).toBe(5)
    expect(await count({ from: future, from_date: '2020-01-01' })).toBe(5)
    expect(await count({ to_date: '2020-01-01' })).toBe(0)
  })
})

describe('exports', () => {
  const rowsOf = (text: string) => text.split('\r\n')

  test('a board: funnel, quality, velocity', async () => {
    const { headers, body } = await world.call('export_board_analytics', board)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(`attachment; filename="analytics-board-${today()}.csv"`)
    const [funnel, quality, velocity] = body.split('\r\n\r\n').map(rowsOf)
    expect(funnel.slice(0, 7)).toStrictEqual([
      'Funnel Stage,Count',
      'ideations,1',
      'refinements,0',
      'specs,1',
      'sprints,1',
      'cards,5',
      'done,2',
    ])
    expect(funnel).toContain('bugs_by_severity.major,1')
    expect(funnel.at(-1)).toBe('cycle_time_by_phase.card,0')
    expect(quality).toStrictEqual([
      'Card ID,Title,Completeness,Drift,Source',
      `${ids.done},Done,95,5,conclusion`,
      `${ids.test},Test,100,0,conclusion`,
      `${ids.done},Done,90,10,validation`,
    ])
    expect(velocity[0]).toBe('Week,Impl,Test,Bug,Validation Bounce,Spec Done,Sprint Done')
    expect(velocity).toHaveLength(14)
    expect(velocity[12]).toMatch(/^\d{4}-\d\d-\d\d,1,1,0,1,0,0$/)
  })

  test('the overview', async () => {
    const { headers, body } = await world.call('export_analytics_overview', {}, { as: reviewer })
    expect(headers.get('content-disposition')).toBe(`attachment; filename="analytics-overview-${today()}.csv"`)
    const [metrics, funnel, velocity, boards] = body.split('\r\n\r\n').map(rowsOf)
    expect(metrics).toStrictEqual([
      'Metric,Value',
      'Total Ideations,1',
      'Total Specs,1',
      'Total Cards (Impl),3',
      'Total Cards (Test),1',
      'Avg Completeness,97.5',
      'Avg Drift,2.5',
      'Total Cards (Bug),1',
      'Total Sprints,1',
      'Avg Cycle Hours,0',
    ])
    expect(funnel).toHaveLength(9)
    expect(velocity).toHaveLength(13)
    expect(boards).toStrictEqual([
      'Board ID,Board Name,Ideations,Specs,Cards,Cards Done,Refinements,Sprints,Bugs',
      `${scene.boardId},Scene,1,1,5,2,0,1,1`,
      '',
    ])
  })

  test('an entity, safe against formulas', async () => {
    const { headers, body } = await world.call('export_entity_analytics', {
      ...board,
      entity_type: 'card',
      entity_id: ids.held,
    })
    expect(headers.get('content-disposition')).toBe(`attachment; filename="analytics-entity-${today()}.csv"`)
    const rows = rowsOf(body)
    expect(rows.slice(0, 4)).toStrictEqual(['Field,Value', `card_id,${ids.held}`, "title,'=Held", 'status,on_hold'])
    expect(rows).toContain('conclusions,[]')
    expect(rows).toContain('cycle_hours,')
  })
})

test('archived records are left out everywhere', async () => {
  const other = await Scene.on(world)
  const { spec_id } = await other.sprint('active', { spec_id: await other.specWithScenarios() })
  const at = { board_id: other.boardId }
  await world.ok('archive_record', { ...at, entity_type: 'spec', entity_id: spec_id })
  expect(await world.ok('get_funnel_analytics', at)).toMatchObject({ specs: 0, sprints: 0, cards: 0 })
  expect(await world.ok('get_blockers_analytics', at)).toMatchObject({ total: 0, summary: {} })
  expect(await world.ok('get_velocity_analytics', at)).toMatchObject({ sprints: 0 })
  expect(await world.ok('get_agent_analytics', at)).toStrictEqual([])
  expect(await world.ok('get_coverage_analytics', at)).toStrictEqual([])
})
