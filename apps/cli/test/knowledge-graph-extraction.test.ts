import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start(graphAtWork)
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
})

interface Node {
  readonly id: string
  readonly node_type: string
  readonly source_artifact_ref: string
  readonly [attribute: string]: unknown
}

/** The graph of the scene's board, once everything queued is in it. */
async function graph() {
  await scene.consolidated()
  const board_id = scene.boardId
  const nodes: Node[] = (await world.ok('query_kg_cypher', { board_id, cypher: 'MATCH (n) RETURN n' })).rows.flat()
  const cypher = 'MATCH (a)-[r]->(b) RETURN a.source_artifact_ref, r.rule_id, b.source_artifact_ref'
  const edges: string[] = (await world.ok('query_kg_cypher', { board_id, cypher })).rows.map(
    ([from, rule, to]: string[]) => `${from} ${rule} ${to}`,
  )
  return {
    nodes,
    edges: edges.sort(),
    refs: nodes.map(node => node.source_artifact_ref).sort(),
    node: (ref: string) => nodes.find(node => node.source_artifact_ref === ref),
  }
}

describe('records enter the graph', () => {
  test('a lineage: each below its parent', async () => {
    const ideation_id = await scene.ideation('done')
    const refinement = await world.ok('create_refinement', { ideation_id, title: 'Story', in_scope: ['All'] })
    const spec_id = await scene.spec('approved', { refinement_id: refinement.id, ideation_id })
    const { sprint_id, card_id } = await scene.sprint('draft', { spec_id, expected_outcome: 'Works' })
    const { edges } = await graph()
    expect(edges).toEqual(
      [
        `refinement:${refinement.id} belongs_to/refinement_to_ideation@v1 ideation:${ideation_id}`,
        `spec:${spec_id} belongs_to/spec_to_refinement@v1 refinement:${refinement.id}`,
        `sprint:${sprint_id} belongs_to/sprint_to_spec@v1 spec:${spec_id}`,
        `sprint:${sprint_id}:outcome belongs_to/sprint_outcome@v1 sprint:${sprint_id}`,
        `card:${card_id} belongs_to/card_to_spec@v1 spec:${spec_id}`,
        `card:${card_id} belongs_to/card_to_sprint@v1 sprint:${sprint_id}`,
      ].sort(),
    )
  })

  test('a bug with its origin, tests, scenarios, violations and lesson', async () => {
    const spec_id = await scene.specWithScenarios(1, 'in_progress', {
      business_rules: [{ id: 'r1', title: 'Limit', rule: 'At most 3', when: 'always', then: 'refuse' }],
    })
    const origin = await scene.card({ spec_id })
    await world.ok('update_spec', {
      spec_id,
      business_rules: [
        { id: 'r1', title: 'Limit', rule: 'At most 3', when: 'always', then: 'refuse', linked_task_ids: [origin] },
      ],
    })
    const bug = await scene.bug({ origin_task_id: origin, severity: 'critical', action_plan: 'x'.repeat(60) })
    const testTask = await scene.card({ spec_id, card_type: 'test', test_scenario_ids: ['s1'] })
    await world.ok('link_test_task', { card_id: bug, test_task_id: testTask })
    const found = await graph()
    expect(found.node(`card:${bug}`)).toMatchObject({ node_type: 'Bug', priority_boost: 0.2 })
    expect(found.edges.filter(edge => edge.startsWith(`card:${bug} `))).toEqual(
      [
        `card:${bug} belongs_to/card_to_spec@v1 spec:${spec_id}`,
        `card:${bug} covered_by/linked_test_scenario@v1 spec:${spec_id}:test_scenario:s1`,
        `card:${bug} covered_by/linked_test_task@v1 card:${testTask}`,
        `card:${bug} originates_from/origin_task_id@v1 card:${origin}`,
        `card:${bug} violates/origin_task@v1 spec:${spec_id}:business_rule:r1`,
      ].sort(),
    )
  })

  test('a bug follows what changes on its spec and on its test tasks', async () => {
    const spec_id = await scene.specWithScenarios(2)
    const origin = await scene.card({ spec_id })
    const bug = await scene.bug({ origin_task_id: origin })
    const testTask = await scene.card({ spec_id, card_type: 'test', test_scenario_ids: ['s1'] })
    await world.ok('link_test_task', { card_id: bug, test_task_id: testTask })
    const covered = async () => (await graph()).edges.filter(edge => edge.includes('linked_test_scenario'))
    expect(await covered()).toHaveLength(1)
    await world.ok('link_task_to_scenario', { spec_id, scenario_id: 's2', card_id: testTask })
    expect(await covered()).toHaveLength(2)
    await world.ok('update_spec', {
      spec_id,
      technical_requirements: [{ id: 't1', text: 'T', linked_task_ids: [origin] }],
    })
    expect((await graph()).edges).toContain(`card:${bug} violates/origin_task@v1 spec:${spec_id}:tr:t1`)
  })

  test('a card with dependencies, its report and its verdict', async () => {
    const spec_id = await scene.spec('approved')
    const awaited = await scene.card({ spec_id })
    const card_id = await scene.card({ spec_id, priority: 'high' })
    await world.ok('add_card_dependency', { card_id, depends_on_id: awaited })
    const { node, edges } = await graph()
    expect(node(`card:${card_id}`)).toMatchObject({
      context: 'Status: not_started\nType: normal\nPriority: high',
      priority_boost: 0.1,
    })
    expect(edges).toContain(`card:${card_id} depends_on/card_dependency@v1 card:${awaited}`)
  })

  test('designs with their parent, answers with their spec', async () => {
    const { spec_id, qa_id } = await scene.question('spec')
    await world.ok('answer_spec_question', { spec_id, qa_id, answer: 'We assume one region.' })
    await world.ok('create_spec_architecture', {
      spec_id,
      title: 'Store',
      global_description: 'Keeps sessions',
      entities: [{ name: 'Cache' }],
    })
    const { node, nodes } = await graph()
    expect(node(`spec:${spec_id}:assumption:0`)).toMatchObject({
      title: 'We assume one region',
      source_confidence: 0.6,
    })
    expect(nodes.filter(each => each.source_artifact_ref.startsWith('architecture_design:'))).toHaveLength(2)
  })
})

describe('a changed record', () => {
  test('keeps the ids of its nodes; nodes that it no longer yields are deleted, decisions stay as removed', async () => {
    const { spec_id } = await scene.specInGraph({
      functional_requirements: ['A', 'B'],
      decisions: [{ id: 'd1', title: 'Use Redis', rationale: 'R' }],
    })
    const before = await graph()
    await world.ok('update_spec', { spec_id, title: 'Other', functional_requirements: ['A'], decisions: [] })
    const after = await graph()
    expect(after.node(`spec:${spec_id}`)).toMatchObject({ id: before.node(`spec:${spec_id}`)!.id, title: 'Other' })
    expect(after.node(`spec:${spec_id}:fr:1`)).toBeUndefined()
    expect(after.node(`spec:${spec_id}:decision:d1`)).toMatchObject({ revocation_reason: 'source_removed' })
    expect(after.node('tech:redis')).toBeUndefined()
    expect(after.edges).toEqual([`spec:${spec_id}:fr:0 belongs_to/fr@v1 spec:${spec_id}`])
    await world.ok('update_spec', { spec_id, decisions: [{ id: 'd1', title: 'Use Redis', rationale: 'R' }] })
    expect((await graph()).node(`spec:${spec_id}:decision:d1`)).toMatchObject({
      revocation_reason: null,
      superseded_at: null,
    })
  })

  test('without a difference records no session', async () => {
    const { spec_id } = await scene.specInGraph()
    const sessions = async () => {
      await scene.consolidated()
      return (await world.ok('list_kg_audit', { board_id: scene.boardId })).entries.length
    }
    const before = await sessions()
    await world.ok('move_spec', { spec_id, status: 'review' })
    expect(await sessions()).toBe(before)
  })

  test('cancelled and archived: its nodes are not in force until it comes back', async () => {
    const { spec_id } = await scene.specInGraph()
    const reasons = async () => {
      const { nodes } = await graph()
      return [
        ...new Set(
          nodes.filter(node => node.source_artifact_ref.startsWith('spec:')).map(node => node.revocation_reason),
        ),
      ]
    }
    const score = async () => (await graph()).node(`spec:${spec_id}`)!.relevance_score as number
    const full = await score()
    await world.ok('move_spec', { spec_id, status: 'cancelled' })
    expect(await reasons()).toEqual(['source_cancelled'])
    expect(await score()).toBeCloseTo(Math.max(0, full - 0.5), 4)
    expect((await graph()).node(`spec:${spec_id}`)!.superseded_at).not.toBeNull()
    await world.ok('move_spec', { spec_id, status: 'draft' })
    expect(await reasons()).toEqual([null])
    expect((await graph()).node(`spec:${spec_id}`)!.superseded_at).toBeNull()
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    expect(await reasons()).toEqual(['source_archived'])
    await world.ok('restore_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    expect(await reasons()).toEqual([null])
  })

  test('deleted: it leaves with everything deleted along with it, and others are extracted again', async () => {
    const spec_id = await scene.specWithScenarios(1, 'in_progress', { ideation_id: await scene.ideation('done') })
    await scene.sprint('draft', { spec_id })
    const origin = await scene.card({ spec_id })
    const bug = await scene.bug({ origin_task_id: origin })
    await graph()
    await world.ok('delete_card', { card_id: origin })
    expect((await graph()).edges.filter(edge => edge.includes(origin))).toEqual([])
    await world.ok('delete_spec', { spec_id })
    const { refs, edges } = await graph()
    expect(refs.filter(ref => ref.startsWith('spec:') || ref.startsWith('sprint:'))).toEqual([])
    expect(refs).toContain(`card:${bug}`)
    expect(edges).toEqual([])
    expect((await world.ok('list_kg_dead_letters', { board_id: scene.boardId })).total).toBe(0)
  })

  test('supersedes: the older decision names what replaced it, until the link ends', async () => {
    const decisions = (link: string | null) => [
      { id: 'old', title: 'Poll every minute', rationale: 'R' },
      { id: 'new', title: 'Push at once', rationale: 'R', supersedes_decision_id: link },
    ]
    const { spec_id, node } = await scene.specInGraph({ decisions: decisions('old') })
    const old = async () => (await graph()).node(`spec:${spec_id}:decision:old`)!
    expect(await old()).toMatchObject({ superseded_by: await node('decision:new'), revocation_reason: 'superseded' })
    const [session] = (await world.ok('list_kg_audit', { board_id: scene.boardId })).entries
    expect(session).toMatchObject({ nodes_superseded: 1, summary_text: "Consolidation of spec 'Spec'" })
    const chain = await world.ok('get_kg_supersedence', {
      board_id: scene.boardId,
      decision_id: await node('decision:new'),
    })
    expect(chain).toMatchObject({
      depth: 1,
      current_active: await node('decision:new'),
      newer: [],
      chain: [{ title: 'Poll every minute' }],
    })
    const back = await world.ok('get_kg_supersedence', {
      board_id: scene.boardId,
      decision_id: await node('decision:old'),
    })
    expect(back).toMatchObject({
      depth: 0,
      current_active: await node('decision:new'),
      newer: [{ title: 'Push at once' }],
    })
    await world.ok('update_spec', { spec_id, decisions: decisions(null).map(each => ({ ...each, status: 'active' })) })
    expect(await old()).toMatchObject({ superseded_by: null, superseded_at: null, revocation_reason: null })
  })

  test('contradicts: the later decision points at the earlier while both are in force', async () => {
    const yes = await scene.specInGraph({
      decisions: [{ id: 'd', title: 'Use Redis for session cache', rationale: 'R' }],
    })
    const no = await scene.specInGraph({
      decisions: [{ id: 'd', title: 'Do not use Redis for session cache', rationale: 'R' }],
    })
    const pairs = async () => {
      await scene.consolidated()
      return (await world.ok('list_kg_contradictions', { board_id: scene.boardId })).contradictions
    }
    expect(await pairs()).toEqual([
      {
        id_a: await no.node('decision:d'),
        title_a: 'Do not use Redis for session cache',
        id_b: await yes.node('decision:d'),
        title_b: 'Use Redis for session cache',
        confidence: 0.85,
      },
    ])
    const board_id = scene.boardId
    await world.ok('put_board_kg_settings', { board_id, contradiction_detection: false })
    expect(await pairs()).toEqual([])
    await world.ok('put_board_kg_settings', { board_id, contradiction_detection: true })
    expect(await pairs()).toHaveLength(1)
    await world.ok('move_spec', { spec_id: no.spec_id, status: 'cancelled' })
    expect(await pairs()).toEqual([])
  })
})
