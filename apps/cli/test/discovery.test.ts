import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let other: TestAgent

beforeAll(async () => {
  world = await World.start(graphAtWork)
  other = await world.agent({ name: 'Ödön' })
})

beforeEach(async () => {
  scene = await Scene.on(world)
  await scene.admit(other)
})

afterAll(() => world.stop())

const ask = (intent_id: string, fields: object = {}, as = world.owner) =>
  world.call('execute_discovery_intent', { intent_id, board_id: scene.boardId, ...fields }, { as })
const answer = async (...args: Parameters<typeof ask>) => {
  const { status, body } = await ask(...args)
  expect(body.detail ?? status).toBe(200)
  return body
}
const detail = async (...args: Parameters<typeof ask>) => {
  const { status, body } = await ask(...args)
  return [status, body.detail]
}
const refusal = (error: string, extra: object = {}) => expect.objectContaining({ error, ...extra })
// biome-ignore lint/suspicious/noExplicitAny: rows of all questions
type Rows = any[]

test('over MCP a tool answers the rows too, and how to read those that do not fit (mcp 9.3, crew 1.7)', async () => {
  const mcp = new McpWire(world)
  const board_id = scene.boardId
  const spec_id = await scene.spec('draft', { functional_requirements: ['f'.repeat(150)] })
  const question = { intent_id: 'uncovered_requirements', board_id }
  for (const query of ['answers=whole', 'answers=lean']) {
    const { value } = await mcp.tool('execute_discovery_intent', question, { query })
    expect(value).toMatchObject({ total: 1, rows: [{ type: 'UncoveredFR' }] })
    expect(value).not.toHaveProperty('rows_count')
  }
  const functional_requirements = Array.from({ length: 120 }, (_, index) => `${index} ${'f'.repeat(150)}`)
  await world.ok('update_spec', { spec_id, functional_requirements })
  const { value } = await mcp.tool('execute_discovery_intent', question)
  const { path, shown, total, call } = value.more[0]
  expect([path, value.rows.length, total]).toEqual(['rows', shown, 120])
  const rest = await mcp.tool(call.name, call.arguments)
  expect(rest.isError).toBe(false)
  expect(JSON.stringify(rest.value)).toContain(`:fr:${shown}`)
})

describe('the catalogue (planning 4.1)', () => {
  test('is fixed, ordered by category, then label', async () => {
    const intents = await world.ok('list_discovery_intents')
    expect(intents).toHaveLength(12)
    const keys = intents.map(({ category, label }: Record<string, string>) => `${category}|${label}`)
    expect(keys).toEqual(keys.toSorted())
    const byName = new Map<string, object>(intents.map((intent: { name: string }) => [intent.name, intent]))
    expect(byName.get('coverage_for_fr')).toMatchObject({
      category: 'coverage_tracing',
      label: 'Coverage of one requirement',
      tool_binding: 'list_test_scenarios',
      params_schema: { fr_id: { type: 'text', required: true, label: expect.any(String) } },
      renderer: 'table',
      min_permission: 'DISCOVERY_EXECUTE',
      active: true,
      is_seed: true,
    })
    for (const name of ['recent_activity', 'learning_from_bugs'])
      expect(byName.get(name)).toMatchObject({ params_schema: null })
    expect(byName.get('decisions_by_topic')).toMatchObject({ min_permission: 'KG_READ', category: 'decisions_history' })
  })

  test('is filtered by category and paged', async () => {
    const { body, headers } = await world.call('list_discovery_intents', { category: 'coverage_tracing', limit: 1 })
    expect([body.length, body[0].name, headers.get('x-total-count')]).toEqual([1, 'coverage_for_fr', '3'])
    expect(await world.ok('list_discovery_intents', { category: 'x' })).toEqual([])
  })
})

describe('execute (planning 4.2): the order of checks', () => {
  test('board_id missing, then the intent, then the board, then the permission, then the params', async () => {
    const denied = await world.agent({ permission_flags: { DISCOVERY_EXECUTE: false } })
    const intent = 'dependencies_of_card'
    for (const board_id of [undefined, ''])
      expect(await detail('x', { board_id }, denied)).toEqual([400, refusal('VALIDATION_ERROR', { field: 'board_id' })])
    expect(await detail('x', {}, denied)).toEqual([
      404,
      refusal('NOT_FOUND', { entity_type: 'intent', entity_id: 'x' }),
    ])
    expect(await detail(intent, {}, denied)).toEqual([404, refusal('NOT_FOUND', { entity_type: 'board' })])
    await scene.admit(denied)
    expect(await detail(intent, {}, denied)).toEqual([403, refusal('FORBIDDEN', { permission: 'DISCOVERY_EXECUTE' })])
    for (const card_id of [undefined, ' ', 1])
      expect(await detail(intent, { params: { card_id } })).toEqual([
        400,
        refusal('VALIDATION_ERROR', { missing: ['card_id'] }),
      ])
    expect((await detail(intent, { params: { card_id: 'x' } }))[1]).toMatchObject({ error: 'VALIDATION_ERROR' })
    expect(await world.ok('list_search_history', { board_id: scene.boardId })).toEqual([])
  })

  test.each([[{ params: [] }], [{ params: 'x' }], [{ save_as: ' ' }], [{ save_as: 'x'.repeat(201) }]])(
    '%j is 422',
    async fields => {
      expect((await ask('my_mentions', fields)).status).toBe(422)
    },
  )

  test('answers the same by id and by name', async () => {
    const card_id = await scene.card()
    const params = { card_id: ` ${card_id} `, other: 'x' }
    const byName = await answer('dependencies_of_card', { params })
    expect(byName).toEqual({
      rows: [],
      columns: ['Dependent Card', 'Status'],
      total: 0,
      tool_binding: 'get_card_dependencies',
      params_echo: { card_id },
      execution: 'real_tool',
      intent_id: expect.any(String),
      intent_name: 'dependencies_of_card',
    })
    expect(await answer(byName.intent_id, { params })).toEqual(byName)
  })
})

describe('recent_activity', () => {
  test('newest 50 first, each with its record', async () => {
    const card_id = await scene.card({ title: 'Log in' })
    await world.ok('move_card', { card_id, target_status: 'cancelled' })
    const { rows, total, columns } = await answer('recent_activity')
    expect(columns).toEqual(['Entity', 'Action', 'Actor', 'When'])
    expect(rows[0]).toMatchObject({
      type: 'card_moved',
      title: 'Log in',
      meta: {
        entity_type: 'card',
        entity_id: card_id,
        entity_title: 'Log in',
        action: 'card_moved',
        card_id,
        actor_id: world.owner.id,
        actor_type: 'person',
        actor_via: 'key',
        actor_name: 'Local Owner',
        from_status: 'not_started',
        to_status: 'cancelled',
        details: { from_status: 'not_started', to_status: 'cancelled' },
      },
    })
    const [first] = rows.slice(-1)
    expect(first).toMatchObject({
      type: 'board_created',
      title: 'Board created',
      meta: { entity_type: null, entity_id: null },
    })
    expect(total).toBe(rows.length)
  })

  test('names the record of each kind, and keeps deleted ones', async () => {
    const { sprint_id } = await scene.sprint()
    const ideation_id = await scene.ideation()
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'ideation', entity_id: ideation_id })
    await world.ok('delete_sprint', { sprint_id })
    const { rows }: { rows: Rows } = await answer('recent_activity')
    const meta = (action: string) => rows.find(row => row.type === action)?.meta
    expect(meta('sprint_created')).toMatchObject({ entity_type: null, entity_id: sprint_id, entity_title: null })
    expect(meta('ideation_archived')).toMatchObject({
      entity_type: 'ideation',
      entity_id: ideation_id,
      entity_title: 'Idea',
    })
    expect(meta('spec_created')).toMatchObject({ entity_type: 'spec', entity_title: 'Spec' })
  })

  test('total counts beyond the cap', async () => {
    for (let count = 0; count < 55; count++) await scene.ideation()
    const { rows, total } = await answer('recent_activity')
    expect([rows.length, total]).toEqual([50, 57])
  })
})

describe('my_mentions', () => {
  test('by id or name in any letter case, newest first, archived records left out', async () => {
    const card_id = await scene.card({ title: 'Log in' })
    const comment = (content: string) => world.ok('create_comment', { card_id, content })
    const byName = await comment('Please look, @ÖDÖN')
    await comment('Ödön has no at sign')
    const spec_id = await scene.spec()
    const { id: qa_id } = await world.ok('ask_spec_question', { spec_id, question: 'Who?' })
    await world.ok('answer_spec_question', { spec_id, qa_id, answer: `@${other.id} does` })
    const archived = await scene.ideation()
    await world.ok('ask_ideation_question', { ideation_id: archived, question: '@Ödön?' })
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'ideation', entity_id: archived })
    const { rows, total, columns } = await answer('my_mentions', {}, other)
    expect([total, columns]).toEqual([2, ['Where', 'Comment']])
    expect(rows).toMatchObject([
      {
        id: qa_id,
        type: 'Mention',
        title: 'Spec',
        summary: `@${other.id} does`,
        meta: { entity_type: 'spec', entity_id: spec_id, card_id: null, qa_id, author_id: world.owner.id },
      },
      {
        id: byName.id,
        title: 'Log in',
        summary: 'Please look, @ÖDÖN',
        meta: { entity_type: 'card', card_id, comment_id: byName.id, created_at: byName.created_at },
      },
    ])
    expect((await answer('my_mentions')).rows).toEqual([])
  })
})

describe('coverage', () => {
  const scenario = (id: string, fields: object = {}) => ({ id, title: `Scenario ${id}`, ...fields })

  test('coverage_for_fr searches entries and what they resolve to', async () => {
    const fields = {
      acceptance_criteria: ['FR-7: a user logs in', 'FR-8: out'],
      test_scenarios: [
        scenario('s1', { linked_criteria: ['0'] }),
        scenario('s2', { linked_criteria: ['FR-8: out'] }),
        scenario('s3'),
      ],
    }
    const spec_id = await scene.spec('approved', fields)
    const archived = await scene.spec('draft', fields)
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: archived })
    const { rows, columns } = await answer('coverage_for_fr', { params: { fr_id: 'fr-7' } })
    expect(columns).toEqual(['Scenario', 'Spec', 'Linked tasks'])
    expect(rows).toEqual([
      {
        id: 's1',
        type: 'TestScenario',
        title: 'Scenario s1',
        summary: expect.any(String),
        meta: {
          entity_type: 'spec',
          entity_id: spec_id,
          ref: (await world.ok('get_spec', { spec_id })).ref,
          entity_title: 'Spec',
          spec_id,
          scenario_id: 's1',
          scenario_type: 'integration',
          scenario_status: 'draft',
          linked_task_ids: null,
          linked_criteria: ['0'],
        },
      },
    ])
    expect((await answer('coverage_for_fr', { params: { fr_id: 'out' } })).rows).toHaveLength(1)
  })

  test('scenarios_without_tasks', async () => {
    const spec_id = await scene.specWithScenarios(2)
    await scene.testCard({ spec_id })
    const { rows }: { rows: Rows } = await answer('scenarios_without_tasks')
    expect(rows.map(row => [row.id, row.meta.spec_id])).toEqual([['s2', spec_id]])
  })

  test('uncovered_requirements: by spec, then kind, with what the validation skips', async () => {
    const cancelled = { functional_requirements: ['Never'] }
    await scene.spec('cancelled', cancelled)
    const spec_id = await scene.spec('done', {
      functional_requirements: ['Log in', 'x'.repeat(200)],
      acceptance_criteria: ['Seen'],
      technical_requirements: ['Fast', { id: 'tr1', text: 'Small' }],
      business_rules: [{ id: 'r1', title: 'R', rule: 'x', when: 'y', then: 'z', linked_requirements: ['0'] }],
    })
    await world.ok('update_spec', { spec_id, skip_trs_coverage: true })
    await world.ok('update_board', { board_id: scene.boardId, settings: { skip_rules_coverage_global: true } })
    const { rows, columns } = await answer('uncovered_requirements')
    expect(columns).toEqual(['Kind', 'Text', 'Spec', 'Status', 'Skip at validation'])
    const meta = { entity_type: 'spec', spec_id, spec_status: 'done', in_flight: false }
    expect(rows).toMatchObject([
      {
        id: `${spec_id}:fr:1`,
        type: 'UncoveredFR',
        title: 'x'.repeat(160),
        meta: { ...meta, kind: 'functional_requirement', index: 1, skipped_at_validation: true },
      },
      {
        id: `${spec_id}:ac:0`,
        type: 'UncoveredAC',
        title: 'Seen',
        meta: { ...meta, kind: 'acceptance_criterion', index: 0, skipped_at_validation: false },
      },
      {
        id: 'tr1',
        type: 'UncoveredTR',
        title: 'Small',
        meta: { ...meta, kind: 'technical_requirement', index: 1, skipped_at_validation: true },
      },
    ])
  })
})

test('decisions_superseded: one row per chain, newest first', async () => {
  const decision = (id: string, fields: object = {}) => ({ id, title: `Use ${id}`, rationale: 'x', ...fields })
  const decisions = [decision('a'), decision('b', { supersedes_decision_id: 'a' }), decision('c')]
  const spec_id = await scene.spec('draft', { decisions })
  const { rows } = await answer('decisions_superseded')
  const of = { spec_id, spec_title: 'Spec' }
  expect(rows).toMatchObject([
    {
      id: 'b',
      type: 'SupersedenceChain',
      title: 'Use b',
      meta: {
        entity_type: 'spec',
        entity_id: spec_id,
        head_decision_id: 'b',
        length: 2,
        chain: [
          { id: 'b', title: 'Use b', status: 'active', ...of },
          { id: 'a', title: 'Use a', status: 'superseded', ...of },
        ],
      },
    },
  ])
})

describe('dependencies', () => {
  test('blockers_current_sprint', async () => {
    expect(await answer('blockers_current_sprint')).toMatchObject({
      rows: [],
      summary: {},
      active_sprint_ids: [],
      message: expect.any(String),
    })
    const { sprint_id, spec_id, card_id } = await scene.sprint('active', { spec_id: await scene.spec('in_progress') })
    const outside = await scene.card({ spec_id, title: 'Outside' })
    await world.ok('add_card_dependency', { card_id, depends_on_id: outside })
    await world.ok('move_card', { card_id, target_status: 'on_hold' })
    const { rows, summary, active_sprint_ids, message } = await answer('blockers_current_sprint')
    expect([summary, active_sprint_ids, message]).toEqual([
      { blocked_card: 1, on_hold_card: 1 },
      [sprint_id],
      undefined,
    ])
    expect(rows).toMatchObject([
      {
        id: card_id,
        type: 'blocked_card',
        meta: {
          entity_type: 'card',
          card_id,
          card_status: 'on_hold',
          sprint_id,
          sprint_title: 'Sprint',
          blocking_cards: [{ id: outside, title: 'Outside', status: 'not_started' }],
        },
      },
      { type: 'on_hold_card', meta: { card_id, updated_at: expect.any(String) } },
    ])
    await world.ok('move_card', { card_id: outside, target_status: 'cancelled' })
    expect((await answer('blockers_current_sprint')).summary).toEqual({ on_hold_card: 1 })
  })

  test('dependencies_of_card: by time of the dependency', async () => {
    const spec_id = await scene.spec('approved')
    const [card_id, first, second] = [
      await scene.card({ spec_id }),
      await scene.card({ spec_id }),
      await scene.card({ spec_id }),
    ]
    for (const id of [second, first]) await world.ok('add_card_dependency', { card_id: id, depends_on_id: card_id })
    const { rows }: { rows: Rows } = await answer('dependencies_of_card', { params: { card_id } })
    expect(rows.map(row => row.id)).toEqual([second, first])
    expect(rows[0]).toMatchObject({ type: 'Card', meta: { card_id: second, card_status: 'not_started' } })
    const elsewhere = await (await Scene.on(world)).card()
    expect((await ask('dependencies_of_card', { params: { card_id: elsewhere } })).status).toBe(400)
  })
})

describe('the knowledge graph', () => {
  const decision = (id: string, title: string) => ({ id, title, rationale: 'Because' })

  test('decisions_by_topic and similar_nodes_to_text answer as find_similar_kg_nodes does', async () => {
    const { node } = await scene.specInGraph()
    const id = await node('decision:d1')
    const topic = 'keep sessions in redis'
    const { results } = await world.ok('find_similar_kg_nodes', { board_id: scene.boardId, topic })
    const { rows, columns, total, params_echo } = await answer('decisions_by_topic', { params: { topic } })
    expect([columns, total, params_echo]).toEqual([['Decision', 'Score'], results.length, { topic }])
    const { source_artifact_ref, similarity, combined_score } = results[0]
    expect(rows[0]).toEqual({
      id,
      type: 'Decision',
      title: 'Keep sessions in Redis',
      summary: expect.any(String),
      meta: {
        entity_type: 'kg_node',
        entity_id: id,
        ref: null,
        entity_title: 'Keep sessions in Redis',
        source_artifact_ref,
        similarity,
        combined_score,
      },
    })
    const all = await answer('similar_nodes_to_text', { params: { query: 'sessions' } })
    expect(all.columns).toEqual(['Type', 'Title', 'Similarity'])
    expect(all.rows.map((row: { type: string }) => row.type)).toContain('Requirement')
    expect(all.rows[0].meta).toMatchObject({ node_id: all.rows[0].id, node_type: all.rows[0].type })
    const [entry] = await world.ok('list_search_history', { board_id: scene.boardId })
    expect(entry.query).toBe('sessions')
  })

  test('contradictions_in_kg', async () => {
    const decisions = [
      decision('d1', 'Use Redis for session cache'),
      decision('d2', 'Do not use Redis for session cache'),
    ]
    await scene.specInGraph({ decisions })
    const { contradictions } = await world.ok('list_kg_contradictions', { board_id: scene.boardId })
    const [pair] = contradictions
    const { rows, total, columns } = await answer('contradictions_in_kg')
    expect([total, columns]).toEqual([1, ['Pair', 'Confidence']])
    expect(rows).toMatchObject([
      {
        id: `${pair.id_a}__${pair.id_b}`,
        type: 'ContradictionPair',
        meta: {
          entity_type: 'kg_node',
          ...pair,
          counterpart_id: pair.id_b,
          counterpart_title: pair.title_b,
        },
      },
    ])
  })

  test('learning_from_bugs, in an area', async () => {
    await world.ok('update_board', { board_id: scene.boardId, settings: { require_test_task_for_bug: false } })
    const spec_id = await scene.spec('in_progress')
    const origin_task_id = await scene.card({ spec_id })
    const action_plan = 'Check the clock of the machine before every token is signed, and log the drift.'
    const card_id = await scene.bug({ origin_task_id, title: 'Tokens expire early', action_plan })
    const report = { conclusion: 'Fixed', completeness: 100, completeness_justification: 'All', drift: 0 }
    await world.ok('move_card', { card_id, target_status: 'done', ...report, drift_justification: 'None' })
    await scene.consolidated()
    const { rows, total, columns } = await answer('learning_from_bugs')
    expect([total, columns]).toEqual([1, ['Learning', 'Source bug']])
    expect(rows).toMatchObject([
      {
        type: 'Learning',
        title: 'Learning: Tokens expire early',
        meta: {
          entity_type: 'kg_node',
          entity_id: rows[0].id,
          node_type: 'Learning',
          learning_id: rows[0].id,
          learning_title: 'Learning: Tokens expire early',
          learning_content: action_plan,
          justification: expect.any(String),
          source_confidence: 0.9,
          bug_title: 'Tokens expire early',
          source_bug_title: 'Tokens expire early',
        },
      },
    ])
    expect((await answer('learning_from_bugs', { params: { area: 'TOKENS' } })).total).toBe(1)
    expect((await answer('learning_from_bugs', { params: { area: 'payments' } })).total).toBe(0)
  })

  test('needs KG_READ too; a topic has at most 2000 characters', async () => {
    const agent = await world.agent({ permission_flags: { KG_READ: false } })
    await scene.admit(agent)
    expect(await detail('contradictions_in_kg', {}, agent)).toEqual([
      403,
      refusal('FORBIDDEN', { permission: 'KG_READ' }),
    ])
    const topic = 'x'.repeat(2_001)
    expect((await ask('decisions_by_topic', { params: { topic } })).status).toBe(400)
  })

  test('an empty graph is an empty table', async () => {
    for (const intent of ['contradictions_in_kg', 'learning_from_bugs'])
      expect(await answer(intent)).toMatchObject({ rows: [], total: 0 })
  })
})

describe('history (planning 4.3)', () => {
  const history = (as = world.owner) => world.ok('list_search_history', { board_id: scene.boardId }, { as })

  test('is the caller’s own on the board, newest first', async () => {
    const card_id = await scene.card()
    const { intent_id } = await answer('dependencies_of_card', { params: { card_id } })
    await answer('recent_activity', {}, other)
    const { total } = await answer('recent_activity')
    const [newest, oldest, ...more] = await history()
    expect(more).toEqual([])
    expect(newest).toMatchObject({ query: null, result_count: total, user_id: world.owner.id })
    expect(oldest).toEqual({
      id: expect.any(String),
      board_id: scene.boardId,
      user_id: world.owner.id,
      query: card_id,
      intent_id,
      result_count: 0,
      searched_at: expect.any(String),
    })
    expect(await history(other)).toHaveLength(1)
    expect((await world.call('list_search_history', { board_id: 'x' })).status).toBe(404)
  })

  test('keeps 50', async () => {
    for (let count = 0; count < 52; count++) await answer('my_mentions')
    const page = await world.call('list_search_history', { board_id: scene.boardId, limit: 2 })
    expect([page.body.length, page.headers.get('x-total-count')]).toEqual([2, '50'])
  })
})

describe('saved searches (planning 4.4)', () => {
  const saved = () => world.ok('list_saved_searches', { board_id: scene.boardId })

  test('are visible to everybody, newest first; an agent can overwrite its own', async () => {
    const card_id = await scene.card()
    const { saved_search } = await answer('dependencies_of_card', { params: { card_id }, save_as: ' Waiting ' })
    expect(saved_search).toEqual({
      id: expect.any(String),
      board_id: scene.boardId,
      name: 'Waiting',
      query: card_id,
      intent_id: expect.any(String),
      filters_json: { params: { card_id } },
      created_by: world.owner.id,
      created_at: expect.any(String),
    })
    await answer('recent_activity', { save_as: 'waiting' }, other)
    expect(await saved()).toMatchObject([{ name: 'waiting', query: null, created_by: other.id }, saved_search])
    const again = (await answer('my_mentions', { save_as: 'Waiting' })).saved_search
    expect(again).toMatchObject({ id: saved_search.id, query: null })
    expect(await saved()).toMatchObject([{ id: again.id, created_at: again.created_at }, { name: 'waiting' }])
    expect((await world.call('list_saved_searches', { board_id: 'x' })).status).toBe(404)
  })

  test('a name that another agent uses is 409 NAME_TAKEN, and nothing is executed', async () => {
    await answer('recent_activity', { save_as: 'Mine' })
    expect(await detail('recent_activity', { save_as: 'Mine' }, other)).toEqual([409, refusal('NAME_TAKEN')])
    expect(await world.ok('list_search_history', { board_id: scene.boardId }, { as: other })).toEqual([])
  })

  test('a board holds at most 200', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, index) => answer('my_mentions', { save_as: `Search ${index}` })))
    expect(await detail('my_mentions', { save_as: 'One more' })).toEqual([409, refusal('LIMIT_REACHED')])
    await answer('my_mentions', { save_as: 'Search 7' })
    expect(await saved()).toHaveLength(200)
  })
})
