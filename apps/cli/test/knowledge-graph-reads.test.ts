import { features } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string
let spec_id: string
let node: (part: string) => Promise<string>

beforeAll(async () => {
  world = await World.start(graphAtWork)
  scene = await Scene.on(world)
  board_id = scene.boardId
  ;({ spec_id, node } = await scene.specInGraph({
    title: 'Session store',
    description: 'Where sessions live',
    functional_requirements: ['Sessions survive a restart', 'Sessions expire after an hour'],
    decisions: [
      { id: 'd1', title: 'Keep sessions in Redis', rationale: 'It is fast and there', linked_requirements: ['0'] },
      { id: 'd2', title: 'Write logs as JSON', rationale: 'Machines read them', linked_requirements: ['1'] },
    ],
  }))
})

afterAll(() => world.stop())

const refused = async (...call: Parameters<World['call']>) => {
  const { status, body } = await world.call(...call)
  return { status, ...body.detail }
}

describe('list_kg_nodes', () => {
  test('pages through every node once, newest first', async () => {
    const nodes: { id: string; created_at: string }[] = []
    let cursor: string | null | undefined
    do {
      const { body, headers } = await world.call('list_kg_nodes', { board_id, limit: 2, ...(cursor && { cursor }) })
      expect(headers.get('x-total-count')).toBe(String(body.total_hint))
      expect(body.page_count).toBe(body.nodes.length)
      nodes.push(...body.nodes)
      cursor = body.next_cursor
    } while (cursor !== null)
    const { total_hint } = await world.ok('list_kg_nodes', { board_id })
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(total_hint)
    const order = nodes.map(({ created_at, id }) => `${created_at} ${id}`)
    expect(order).toEqual(order.toSorted().reverse())
  })

  test('filters by type, confidence and relevance', async () => {
    const count = async (query: object) => (await world.ok('list_kg_nodes', { board_id, ...query })).total_hint
    expect(await count({ type: 'Requirement' })).toBe(2)
    expect(await count({ type: 'Bug' })).toBe(0)
    expect(await count({ min_relevance: 1.5 })).toBe(0)
    expect(await count({ min_confidence: 1 })).toBe(await count({}))
  })

  test('refuses an unknown type, a broken cursor and numbers out of range', async () => {
    expect(await refused('list_kg_nodes', { board_id, type: 'decision' })).toMatchObject({
      status: 400,
      error: 'VALIDATION_ERROR',
      field: 'type',
    })
    expect(await refused('list_kg_nodes', { board_id, cursor: 'xyz' })).toMatchObject({
      status: 410,
      error: 'INVALID_CURSOR',
    })
    for (const query of [{ limit: 0 }, { limit: 201 }, { min_confidence: 2 }, { min_relevance: -1 }])
      expect((await world.call('list_kg_nodes', { board_id, ...query })).status).toBe(422)
  })
})

test('get_kg_node shows a node with its edges, most confident first', async () => {
  const node_id = await node('decision:d1')
  const detail = await world.ok('get_kg_node', { board_id, node_id })
  expect(detail).toMatchObject({
    id: node_id,
    node_type: 'Decision',
    title: 'Keep sessions in Redis',
    content: 'It is fast and there',
    source_confidence: 1,
    created_by_agent: 'system:consolidation',
    query_hits: 0,
    superseded_by: null,
    degree: 3,
  })
  expect(detail.edges).toHaveLength(3)
  expect(detail.edges).toContainEqual({
    edge_type: 'derives_from',
    direction: 'out',
    node_id: await node('fr:0'),
    node_type: 'Requirement',
    title: 'Sessions survive a restart',
    confidence: 1,
    rule_id: 'derives_from/explicit_link@v1',
  })
  expect(await refused('get_kg_node', { board_id, node_id: 'x' })).toMatchObject({
    status: 404,
    entity_type: 'kg_node',
  })
})

describe('get_kg_graph', () => {
  test('without a centre: a page of nodes with the edges between them', async () => {
    const whole = await world.ok('get_kg_graph', { board_id })
    expect(whole.metadata).toEqual({
      depth: 2,
      truncated: false,
      min_relevance: 0,
      edge_read_status: 'ok',
      edge_tables_scanned: 13,
      edge_tables_failed: 0,
      edge_errors: [],
      edges_returned: whole.edges.length,
    })
    const [edge] = whole.edges
    expect(edge.id).toBe(`${edge.source}-${edge.edge_type}-${edge.target}`)
    const page = await world.ok('get_kg_graph', { board_id, limit: 2 })
    expect(page.metadata.truncated).toBe(true)
    const ids = new Set(page.nodes.map(({ id }: { id: string }) => id))
    for (const each of page.edges) expect(ids.has(each.source) && ids.has(each.target)).toBe(true)
    expect((await world.ok('get_kg_graph', { board_id, limit: 2, cursor: page.next_cursor })).nodes).toHaveLength(2)
  })

  test('around a node, a reference or a record: nearest first', async () => {
    const distances = async (center: string, more = {}) =>
      (await world.ok('get_kg_graph', { board_id, center, ...more })).nodes.map(
        ({ source_artifact_ref, distance }: { source_artifact_ref: string; distance: number }) => [
          source_artifact_ref,
          distance,
        ],
      )
    const ref = `spec:${spec_id}`
    const near = await distances(spec_id, { depth: 1 })
    expect(near[0]).toEqual([ref, 0])
    expect(near.slice(1).map(([, distance]: [string, number]) => distance)).toEqual([1, 1, 1, 1])
    expect(await distances(ref, { depth: 1 })).toEqual(near)
    expect(await distances(await node(''), { depth: 1 })).toEqual(near)
    expect(await distances(spec_id)).toContainEqual(['tech:redis', 2])
    expect(await distances(spec_id, { type: 'Requirement' })).toHaveLength(3)
    const cut = await world.ok('get_kg_graph', { board_id, center: spec_id, limit: 2 })
    expect(cut).toMatchObject({ next_cursor: null, metadata: { truncated: true } })
    expect(cut.nodes).toHaveLength(2)
  })

  test('refuses what it cannot show', async () => {
    for (const query of [{ depth: 0 }, { depth: 6 }, { limit: 0 }, { limit: 501 }])
      expect(await refused('get_kg_graph', { board_id, ...query })).toMatchObject({
        status: 400,
        error: 'VALIDATION_ERROR',
      })
    expect((await world.call('get_kg_graph', { board_id, depth: 'x' })).status).toBe(422)
    expect((await refused('get_kg_graph', { board_id, center: 'nothing' })).status).toBe(404)
    expect((await refused('get_kg_graph', { board_id, cursor: '!' })).status).toBe(410)
  })
})

describe('find_similar_kg_nodes', () => {
  test('finds decisions on a topic; a node matches its own text with 1', async () => {
    const topic = 'Keep sessions in Redis\nIt is fast and there'
    const { results, total, warning } = await world.ok('find_similar_kg_nodes', { board_id, topic })
    expect(results[0]).toMatchObject({
      id: await node('decision:d1'),
      node_type: 'Decision',
      source_artifact_ref: `spec:${spec_id}:decision:d1`,
      similarity: 1,
      superseded_by: null,
    })
    expect(total).toBe(results.length)
    expect(warning).toBeUndefined()
    // 0.5 · 1 + 0.2 · ln 4 / ln 100 + 0.2 · 1 + 0.1 · 1
    expect(results[0].combined_score).toBeCloseTo(0.8 + (0.2 * Math.log(4)) / Math.log(100), 3)
  })

  test('finds one type or all, at most top_k, from min_similarity on', async () => {
    const found = async (query: object) =>
      (await world.ok('find_similar_kg_nodes', { board_id, topic: 'sessions', ...query })).results
    const types = (await found({ type: 'all', min_similarity: 0 })).map(
      (result: { node_type: string }) => result.node_type,
    )
    expect(new Set(types)).toEqual(new Set(['Entity', 'Requirement', 'Decision']))
    expect(await found({ type: 'Requirement' })).toHaveLength(2)
    expect(await found({ type: 'all', top_k: 1 })).toHaveLength(1)
    expect(await found({ min_similarity: 1 })).toEqual([])
    const scores = (await found({ type: 'all', min_similarity: 0 })).map(
      (result: { combined_score: number }) => result.combined_score,
    )
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
  })

  test.each([[{}], [{ topic: ' ' }], [{ topic: 'x'.repeat(2001) }], [{ topic: 'x', type: 'Thing' }]])(
    'refuses %j',
    async query =>
      expect(await refused('find_similar_kg_nodes', { board_id, ...query })).toMatchObject({
        status: 400,
        error: 'VALIDATION_ERROR',
      }),
  )

  test('answers the beginning of the text, and the same text once', async () => {
    const own = await Scene.on(world)
    const decisions = [{ id: 'd', title: 'Queue in SQLite', rationale: 'r'.repeat(300) }]
    for (let count = 0; count < 3; count++) await own.specInGraph({ decisions })
    const { results, total } = await world.ok('find_similar_kg_nodes', {
      board_id: own.boardId,
      topic: 'Queue in SQLite',
      top_k: 2,
    })
    expect(results).toMatchObject([
      { title: 'Queue in SQLite', excerpt: 'r'.repeat(280), record_ref: expect.stringMatching(/^[A-Z0-9]+-\d+$/) },
    ])
    expect([total, new Set([results[0].id, ...results[0].also]).size]).toEqual([1, 3])
  })

  test('finds the nearest where nothing is similar enough, unless a similarity was asked for', async () => {
    const unlike = { board_id, topic: 'zzz qqq' }
    const { results } = await world.ok('find_similar_kg_nodes', unlike)
    expect(results.length).toBeGreaterThan(0)
    expect(results.length).toBeLessThanOrEqual(3)
    for (const result of results) expect(result).toMatchObject({ below_threshold: true })
    expect((await world.ok('find_similar_kg_nodes', { ...unlike, min_similarity: 0.3 })).results).toEqual([])
    const everywhere = await world.ok('search_kg_global', { q: 'zzz qqq' })
    expect(everywhere.results).toHaveLength(3)
    expect(everywhere.results[0]).toMatchObject({ below_threshold: true, excerpt: expect.any(String) })
    expect((await world.ok('search_kg_global', { q: 'zzz qqq', min_similarity: 0.3 })).results).toEqual([])
  })

  test('leaves superseded decisions out when asked, and halves their score', async () => {
    const own = await Scene.on(world)
    await own.specInGraph({
      decisions: [
        { id: 'old', title: 'Poll the queue', rationale: 'Simple' },
        { id: 'new', title: 'Push from the queue', rationale: 'Quick', supersedes_decision_id: 'old' },
      ],
    })
    const found = async (query: object) =>
      (
        await world.ok('find_similar_kg_nodes', {
          board_id: own.boardId,
          topic: 'Poll the queue\nSimple',
          min_similarity: 0,
          ...query,
        })
      ).results
    const [first, second] = await found({})
    expect([first.title, second.title]).toEqual(['Push from the queue', 'Poll the queue'])
    expect(second).toMatchObject({ similarity: 1, superseded_by: first.id })
    expect(await found({ include_superseded: false })).toHaveLength(1)
  })
})

test('search_kg_global searches only the boards that the key reaches', async () => {
  const other = await Scene.on(world)
  await other.specInGraph({
    title: 'Elsewhere',
    decisions: [{ id: 'd1', title: 'Keep sessions in Redis', rationale: 'It is fast and there' }],
  })
  const { results, total } = await world.ok('search_kg_global', {
    q: 'Keep sessions in Redis\nIt is fast and there',
    type: 'Decision',
  })
  const [same, ...others] = results.filter((each: { similarity: number }) => each.similarity === 1)
  expect([same.also.length, others]).toEqual([1, []])
  expect(total).toBe(results.length)
  expect(results[0].digest_id).toBe(`${results[0].board_id}:${results[0].id}`)
  expect(results[0].summary).toBe('It is fast and there')
  const guest = await world.agent()
  await other.admit(guest)
  const answer = await world.ok('search_kg_global', { q: 'sessions redis' }, { as: guest })
  expect(new Set(answer.results.map((result: { board_id: string }) => result.board_id))).toEqual(
    new Set([other.boardId]),
  )
  expect(await refused('search_kg_global', { q: '' })).toMatchObject({ status: 400 })
  expect((await world.call('search_kg_global', { q: 'x', limit: 101 })).status).toBe(422)
})

test('get_kg_supersedence and list_kg_contradictions answer 404 for an id that is not a decision or node', async () => {
  expect((await refused('get_kg_supersedence', { board_id, decision_id: await node('fr:0') })).status).toBe(404)
  expect((await refused('get_kg_supersedence', { board_id, decision_id: 'x' })).status).toBe(404)
  expect((await refused('list_kg_contradictions', { board_id, node_id: 'x' })).status).toBe(404)
})

test('list_kg_contradictions: most confident first, with the total of the page and of all', async () => {
  const own = await Scene.on(world)
  const decide = (title: string) => own.specInGraph({ decisions: [{ id: 'd', title, rationale: 'R' }] })
  const subject = await decide('Cache user sessions nightly')
  await decide('Never cache user sessions weekly')
  await decide('Never cache user sessions nightly')
  const query = { board_id: own.boardId, limit: 1 }
  const { body, headers } = await world.call('list_kg_contradictions', query)
  expect(body).toMatchObject({ total: 1, contradictions: [{ confidence: 0.85 }] })
  expect(headers.get('x-total-count')).toBe('2')
  const second = await world.ok('list_kg_contradictions', {
    ...query,
    offset: 1,
    node_id: await subject.node('decision:d'),
  })
  expect(second.contradictions).toMatchObject([{ confidence: 0.71, id_b: await subject.node('decision:d') }])
})

test('get_kg_stats and get_kg_metrics count', async () => {
  const stats = await world.ok('get_kg_stats', { board_id })
  expect(stats).toMatchObject({
    schema_version: '1.0',
    node_counts_by_type: { Decision: 2, Entity: 3, Requirement: 2 },
    edge_counts_by_type: { belongs_to: 4, derives_from: 2, mentions: 2 },
    avg_confidence: 1,
    pending_queue_count: 0,
    edge_count_tables_scanned: 13,
  })
  expect(stats.last_consolidation_at).not.toBeNull()
  expect((await world.ok('get_kg_stats', { board_id, min_relevance: 2 })).node_counts_by_type).toEqual({})
  expect(await world.ok('get_kg_metrics', { board_id })).toMatchObject({
    board_id,
    kg_bootstrapped: true,
    edge_count_by_layer: { deterministic: 8, cognitive: 0, fallback: 0, legacy: 0, unknown: 0 },
    edge_count_by_rule: {
      'belongs_to/fr@v1': 2,
      'belongs_to/fdec@v1': 2,
      'derives_from/explicit_link@v1': 2,
      'mentions/tech_list@v1': 2,
    },
    deterministic_edge_ratio: 1,
    edges_total: 8,
    nodes_total: 7,
  })
  const empty = await Scene.on(world)
  expect(await world.ok('get_kg_metrics', { board_id: empty.boardId })).toMatchObject({
    kg_bootstrapped: false,
    deterministic_edge_ratio: 0,
    nodes_total: 0,
  })
  expect(await world.ok('get_kg_stats', { board_id: empty.boardId })).toMatchObject({
    avg_confidence: 0,
    avg_relevance: 0,
    last_consolidation_at: null,
  })
})

describe('relevance', () => {
  test('follows the formula', async () => {
    const { relevance_score, degree } = await world.ok('get_kg_node', { board_id, node_id: await node('decision:d2') })
    expect(relevance_score).toBeCloseTo(0.4 + (0.3 * Math.log(1 + degree)) / Math.log(100), 4)
  })

  test('a boost adds 0.3, stacks until 1.5, is audited and can be undone', async () => {
    const node_id = await node('fr:1')
    const before = (await world.ok('get_kg_node', { board_id, node_id })).relevance_score
    const boost = await world.ok('boost_kg_node', { board_id, node_id, reason: 'Matters' })
    expect(boost).toMatchObject({ node_id, node_type: 'Requirement', score_before: before, boosted_by: world.owner.id })
    expect(boost.score_after).toBeCloseTo(before + 0.3, 4)
    expect(await world.ok('get_kg_node', { board_id, node_id })).toMatchObject({ last_recomputed_at: boost.boosted_at })
    const [session] = (await world.ok('list_kg_audit', { board_id, limit: 1 })).entries
    expect(session).toMatchObject({
      artifact_type: 'node',
      artifact_id: node_id,
      agent_id: world.owner.id,
      nodes_updated: 1,
      summary_text: 'Boost +0.3: Matters',
    })
    for (let count = 0; count < 5; count++) await world.ok('boost_kg_node', { board_id, node_id })
    expect((await world.ok('get_kg_node', { board_id, node_id })).relevance_score).toBe(1.5)
    const { entries } = await world.ok('list_kg_audit', { board_id, limit: 6 })
    for (const { session_id } of entries) await world.ok('undo_kg_session', { board_id, session_id })
    expect(await world.ok('get_kg_node', { board_id, node_id })).toMatchObject({
      relevance_score: before,
      manual_boost: 0,
    })
    expect((await world.call('boost_kg_node', { board_id, node_id, reason: 'x'.repeat(501) })).status).toBe(422)
  })

  test('ten hits of a node are stored and count', async () => {
    const own = await Scene.on(world)
    const { node: ownNode } = await own.specInGraph({
      title: 'Invoices',
      functional_requirements: ['Invoices carry a number'],
    })
    const query = { board_id: own.boardId, topic: 'Invoices carry a number', type: 'Requirement' }
    const node_id = await ownNode('fr:0')
    const detail = () => world.ok('get_kg_node', { board_id: own.boardId, node_id })
    const before = await detail()
    for (let count = 0; count < 10; count++) await world.ok('find_similar_kg_nodes', query)
    await expect.poll(async () => (await detail()).query_hits).toBe(10)
    const after = await detail()
    expect(after.last_queried_at).not.toBeNull()
    expect(after.relevance_score).toBeCloseTo(before.relevance_score + (0.3 * Math.log(11)) / Math.log(100), 3)
  })
})

describe('ticks and health', () => {
  const idle = async (board: string) => {
    for (;;) {
      const health = await world.ok('get_kg_health', { board_id: board })
      if (!health.tick_in_progress) return health
    }
  }

  test('a tick recomputes what is due, and is announced', async () => {
    const own = await Scene.on(world)
    await own.specInGraph()
    expect(await idle(own.boardId)).toMatchObject({
      queue_depth: 0,
      oldest_pending_age_s: 0,
      dead_letter_count: 0,
      total_nodes: 4,
      last_decay_tick_at: null,
      last_tick_status: null,
      status: 'healthy',
      schema_version: '1.0',
      health_schema_version: '1.0',
    })
    const started = await world.ok('run_kg_tick', { board_id: own.boardId, force_full_rebuild: true })
    expect(started).toMatchObject({ status: 'running' })
    expect(await idle(own.boardId)).toMatchObject({
      last_tick_status: 'completed',
      last_tick_error: null,
      nodes_recomputed_in_last_tick: 4,
    })
    await world.ok('run_kg_tick', {})
    expect((await idle(own.boardId)).nodes_recomputed_in_last_tick).toBe(0)
    const { events } = await world.ok('stream_kg_events', { board_id: own.boardId, since: '0' })
    expect(events.at(-1)).toMatchObject({ event_type: 'kg.tick.completed', payload: { error: null } })
  })

  test('only one tick runs at a time', async () => {
    // A tick may be over before the second call comes.
    const refused = await eventually(async () => {
      await idle(board_id)
      const answers = await Promise.all([1, 2].map(() => world.call('run_kg_tick', { force_full_rebuild: true })))
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
      return answers.find(({ status }) => status === 409)!
    })
    expect(refused.body.detail.error).toBe('TICK_ALREADY_RUNNING')
    await idle(board_id)
  })

  test('the least connected nodes come first', async () => {
    const { top_disconnected_nodes, default_score_count, total_nodes, default_score_ratio } = await idle(board_id)
    const degrees = top_disconnected_nodes.map(({ degree }: { degree: number }) => degree)
    expect(degrees).toEqual(degrees.toSorted((a: number, b: number) => a - b))
    expect(default_score_ratio).toBeCloseTo(default_score_count / total_nodes, 4)
  })

  test('an unknown board is 404, a missing board_id 422', async () => {
    expect((await refused('get_kg_health', { board_id: 'x' })).status).toBe(404)
    expect((await world.call('get_kg_health', {})).status).toBe(422)
    expect((await refused('run_kg_tick', { board_id: 'x' })).status).toBe(404)
    expect((await refused('get_kg_schema', { board_id: 'x' })).status).toBe(404)
  })
})

test('get_kg_schema lists types, pairs, attributes and the Cypher subset', async () => {
  const schema = await world.ok('get_kg_schema')
  expect(schema.stable_node_types[0]).toEqual({ name: 'Decision', stable: true })
  expect(schema.stable_node_types).toHaveLength(11)
  expect(new Set(schema.stable_rel_types.map(({ name }: { name: string }) => name)).size).toBe(13)
  expect(schema.stable_rel_types).toContainEqual({ name: 'violates', from: 'Bug', to: 'Constraint' })
  expect(schema.vector_indexes[6]).toEqual({
    node_type: 'APIContract',
    attribute: 'embedding',
    dimension: 384,
    similarity_metric: 'cosine',
    index_name: 'apicontract_embedding_idx',
  })
  expect(schema.cypher).toMatchObject({ max_hops: 10, max_rows: 10_000 })
  expect(schema.internal_node_types).toBeUndefined()
})

test('get_kg_openapi describes the operations of the knowledge graph', async () => {
  const document = await world.ok('get_kg_openapi')
  expect(document.openapi).toBe('3.1.0')
  const operations = Object.values(document.paths as Record<string, object>).flatMap(path => Object.keys(path))
  expect(operations).toHaveLength(Object.keys(features['knowledge-graph']).length)
  expect(document.components.schemas.KgNode).toBeDefined()
})

test('get_kg_settings describes the embedder', async () => {
  expect(await world.ok('get_kg_settings')).toEqual({
    graph_store: 'sqlite',
    session_ttl_seconds: 3600,
    kg_base_dir: null,
    embedding_provider_name: 'builtin',
    model_name: 'builtin-lexical-v1',
    embedding_dimension: 384,
    is_loaded: true,
    is_stub: false,
    embedding_kind: 'lexical',
    schema_version: '1.0',
  })
})

describe('get_kg_path', () => {
  interface Answer {
    readonly length: number | null
    readonly nodes: readonly { readonly id: string; readonly title: string; readonly distance: number }[]
    readonly edges: readonly { readonly source: string; readonly target: string; readonly edge_type: string }[]
  }
  const path = (from: string, to: string, more = {}): Promise<Answer> =>
    world.ok('get_kg_path', { board_id, from, to, ...more })

  test('leads over edges in both directions, each between its two nodes', async () => {
    const found = await path('tech:redis', await node('decision:d2'))
    expect(found.nodes.map(({ title }) => title)).toEqual([
      'Redis',
      'Keep sessions in Redis',
      'Session store',
      'Write logs as JSON',
    ])
    expect(found.nodes.map(({ distance }) => distance)).toEqual([0, 1, 2, 3])
    expect(found.length).toBe(3)
    expect(found.edges.map(({ edge_type }) => edge_type)).toEqual(['mentions', 'belongs_to', 'belongs_to'])
    for (const [index, { source, target }] of found.edges.entries())
      expect([source, target].toSorted()).toEqual([found.nodes[index]!.id, found.nodes[index + 1]!.id].toSorted())
    const back = await path(await node('decision:d2'), 'tech:redis')
    expect(back.nodes.map(({ id }) => id)).toEqual(found.nodes.map(({ id }) => id).toReversed())
  })

  test('takes records and references for nodes; a node is next to itself', async () => {
    expect((await path(spec_id, `spec:${spec_id}:decision:d1`)).length).toBe(1)
    expect(await path(spec_id, spec_id)).toMatchObject({ length: 0, nodes: [{ title: 'Session store' }], edges: [] })
    const { ref } = await world.ok('get_spec', { spec_id })
    expect(await path(ref, ref.toLowerCase())).toMatchObject({ length: 0, nodes: [{ title: 'Session store' }] })
  })

  test('says when there is none, or none that is short enough', async () => {
    const alone = await scene.ideation()
    await scene.consolidated()
    const none = { length: null, nodes: [], edges: [] }
    expect(await path(alone, spec_id)).toEqual(none)
    expect(await path('tech:redis', await node('decision:d2'), { max_length: 2 })).toEqual(none)
  })

  test('refuses what is not there', async () => {
    expect((await refused('get_kg_path', { board_id, from: spec_id, to: 'nothing' })).status).toBe(404)
    expect((await refused('get_kg_path', { board_id, from: '', to: spec_id })).status).toBe(422)
    expect((await refused('get_kg_path', { board_id, from: spec_id, to: spec_id, max_length: 51 })).status).toBe(422)
  })
})
