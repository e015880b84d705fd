import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const draw = (entity_type: string, entity_id: string, query: object = {}, at = scene) =>
  world.call('get_lineage_graph', { board_id: at.boardId, entity_type, entity_id, ...query })
const graphOf = async (...args: Parameters<typeof draw>) => {
  const { status, body } = await draw(...args)
  expect(status).toBe(200)
  return body
}
const nodeIds = (graph: { nodes: { id: string }[] }) => graph.nodes.map(node => node.id)
const edgeIds = (graph: { edges: { id: string }[] }) => graph.edges.map(edge => edge.id)

/** An ideation with a refinement and a spec of each, a sprint, cards of every type, and what belongs to them. */
async function tree(at = scene) {
  const ideation_id = await at.ideation('done')
  const refinement_id = (await world.ok('create_refinement', { ideation_id, title: 'Story', in_scope: ['Everything'] }))
    .id
  const direct = await at.spec('draft', { ideation_id })
  const spec_id = await at.spec('in_progress', {
    ideation_id,
    refinement_id,
    test_scenarios: [{ id: 's1', title: 'Works' }],
    screen_mockups: [{ id: 'm1', title: 'Screen' }],
    technical_requirements: ['Fast'],
  })
  const { sprint_id, card_id } = await at.sprint('active', { spec_id, test_scenario_ids: ['s1'] })
  const bug_id = await at.bug({ origin_task_id: card_id })
  const test_id = await at.testCard({ spec_id })
  await world.ok('link_test_task', { card_id: bug_id, test_task_id: test_id })
  return { ideation_id, refinement_id, direct, spec_id, sprint_id, card_id, bug_id, test_id }
}

describe('the root (planning 3.1)', () => {
  test('is the same whichever record of the tree is selected', async () => {
    const t = await tree()
    const ideation = { type: 'ideation', id: t.ideation_id, node_id: `ideation:${t.ideation_id}` }
    const refinement = { type: 'refinement', id: t.refinement_id, node_id: `refinement:${t.refinement_id}` }
    const spec = { type: 'spec', id: t.spec_id, node_id: `spec:${t.spec_id}` }
    const ways = [
      ['ideation', t.ideation_id, [ideation]],
      ['Refinement', t.refinement_id, [refinement, ideation]],
      ['SPEC', t.spec_id, [spec, refinement, ideation]],
      ['spec', t.direct, [{ type: 'spec', id: t.direct, node_id: `spec:${t.direct}` }, ideation]],
      [
        'sprint',
        t.sprint_id,
        [{ type: 'sprint', id: t.sprint_id, node_id: `sprint:${t.sprint_id}` }, spec, refinement, ideation],
      ],
      [
        'card',
        t.card_id,
        [{ type: 'normal', id: t.card_id, node_id: `task:${t.card_id}` }, spec, refinement, ideation],
      ],
      ['task', t.bug_id, [{ type: 'bug', id: t.bug_id, node_id: `bug:${t.bug_id}` }, spec, refinement, ideation]],
      ['bug', t.test_id, [{ type: 'test', id: t.test_id, node_id: `test:${t.test_id}` }, spec, refinement, ideation]],
    ] as const
    const whole = await graphOf('ideation', t.ideation_id)
    for (const [type, id, resolution_path] of ways) {
      expect(await graphOf(type, id)).toEqual({
        ...whole,
        selected: { entity_type: type, entity_id: id, node_id: resolution_path[0].node_id, ref: expect.any(String) },
        resolution_path: resolution_path.map(step => ({ ...step, ref: expect.any(String) })),
      })
    }
    const { title, status } = await world.ok('get_ideation', { ideation_id: t.ideation_id })
    expect(whole).toMatchObject({
      board_id: scene.boardId,
      root_entity: { type: 'ideation', id: t.ideation_id, title, status },
      root_ideation: { id: t.ideation_id, title, status },
      warnings: [],
    })
    expect(whole.root_ideation).not.toHaveProperty('entity_type')
  })

  test('of a spec without an ideation is the spec, with a warning', async () => {
    const { spec_id, card_id } = await scene.sprint()
    const { ref } = await world.ok('get_spec', { spec_id })
    const graph = await graphOf('card', card_id)
    expect(graph.root_entity).toEqual({ type: 'spec', id: spec_id, ref, title: 'Spec', status: 'approved' })
    expect(graph.root_ideation).toEqual({ id: spec_id, ref, title: 'Spec', status: 'approved', entity_type: 'spec' })
    expect(graph.warnings).toHaveLength(1)
    expect(graph.summary).toMatchObject({ specs: 1, orphan_specs: 1, cards: 1, ideations: 0 })
  })

  test('of a board is the forest: ideation trees, then standalone specs', async () => {
    const board = await Scene.on(world)
    const alone = await board.spec()
    const { ideation_id } = await tree(board)
    const graph = await graphOf('board', board.boardId, {}, board)
    const roots = graph.nodes.filter((node: { parent_id: string | null }) => node.parent_id === null)
    expect(roots.map((node: { id: string }) => node.id)).toEqual([`ideation:${ideation_id}`, `spec:${alone}`])
    const at = { id: board.boardId, title: 'Scene', status: null }
    expect(graph).toMatchObject({
      selected: { entity_type: 'board', entity_id: board.boardId, node_id: `board:${board.boardId}` },
      root_entity: { type: 'board', ...at },
      root_ideation: { ...at, entity_type: 'board' },
      resolution_path: [{ type: 'board', id: board.boardId }],
      summary: { ideations: 1, refinements: 1, specs: 3, orphan_specs: 1, cards: 3, artifacts: 0 },
      warnings: [],
    })
  })

  test('an empty board is an empty forest', async () => {
    const board = await Scene.on(world)
    const { nodes, edges, summary } = await graphOf('board', board.boardId, {}, board)
    expect([nodes, edges, summary.by_kind]).toEqual([[], [], {}])
  })

  test('a card without a spec has none: 409', async () => {
    const card_id = await scene.card()
    await world.ok('update_card', { card_id, spec_id: null })
    const { status, body } = await draw('card', card_id)
    expect([status, body.detail.error]).toEqual([409, 'LINEAGE_ROOT_UNRESOLVED'])
  })
})

describe('the graph (planning 3.2)', () => {
  test('full: every kind, linked', async () => {
    const t = await tree()
    const graph = await graphOf('ideation', t.ideation_id, { include_artifacts: true })
    expect(nodeIds(graph)).toEqual([
      `ideation:${t.ideation_id}`,
      `spec:${t.direct}`,
      `refinement:${t.refinement_id}`,
      `spec:${t.spec_id}`,
      `mockup:${t.spec_id}/m1`,
      `sprint:${t.sprint_id}`,
      `task:${t.card_id}`,
      `test:${t.test_id}`,
      `bug:${t.bug_id}`,
      `technical_requirement:${t.spec_id}/#0`,
      `scenario:${t.spec_id}/s1`,
    ])
    expect(edgeIds(graph)).toEqual([
      `ideation:${t.ideation_id}->direct_spec->spec:${t.direct}`,
      `ideation:${t.ideation_id}->has_refinement->refinement:${t.refinement_id}`,
      `refinement:${t.refinement_id}->derived_spec->spec:${t.spec_id}`,
      `spec:${t.spec_id}->has_mockup->mockup:${t.spec_id}/m1`,
      `spec:${t.spec_id}->has_sprint->sprint:${t.sprint_id}`,
      `sprint:${t.sprint_id}->contains_card->task:${t.card_id}`,
      `spec:${t.spec_id}->has_card->test:${t.test_id}`,
      `task:${t.card_id}->originates_bug->bug:${t.bug_id}`,
      `test:${t.test_id}->regression_test->bug:${t.bug_id}`,
      `spec:${t.spec_id}->has_technical_requirement->technical_requirement:${t.spec_id}/#0`,
      `spec:${t.spec_id}->has_scenario->scenario:${t.spec_id}/s1`,
      `sprint:${t.sprint_id}->scopes->scenario:${t.spec_id}/s1`,
      `test:${t.test_id}->verifies->scenario:${t.spec_id}/s1`,
    ])
    expect(graph.summary).toEqual({
      ideations: 1,
      refinements: 1,
      specs: 2,
      orphan_specs: 0,
      cards: 3,
      nodes: 11,
      edges: 13,
      artifacts: 1,
      by_kind: {
        ideation: 1,
        spec: 2,
        refinement: 1,
        mockup: 1,
        sprint: 1,
        task: 1,
        test: 1,
        bug: 1,
        technical_requirement: 1,
        scenario: 1,
      },
    })
    expect(graph.nodes[3].summary).toEqual({ total: 3, normal: 1, test: 1, bug: 1, done: 0 })
  })

  test('workflow: only records', async () => {
    const t = await tree()
    const { nodes } = await graphOf('spec', t.spec_id, { detail: 'workflow' })
    const kinds = new Set(nodes.map((node: { entity_type: string }) => node.entity_type))
    expect([...kinds]).toEqual(['ideation', 'spec', 'refinement', 'sprint', 'task', 'test', 'bug'])
  })

  test('archived records can be left out, but the root stays', async () => {
    const t = await tree()
    const archive = (entity_type: string, entity_id: string) =>
      world.ok('archive_record', { board_id: scene.boardId, entity_type, entity_id })
    await archive('refinement', t.refinement_id)
    const expected = [`ideation:${t.ideation_id}`, `spec:${t.direct}`]
    expect(nodeIds(await graphOf('card', t.card_id, { include_archived: false }))).toEqual(expected)
    const all = await graphOf('card', t.card_id)
    expect(all.nodes.find((node: { id: string }) => node.id === `task:${t.card_id}`)).toMatchObject({ archived: true })
    await archive('ideation', t.ideation_id)
    const root = await graphOf('ideation', t.ideation_id, { include_archived: false })
    expect(nodeIds(root)).toEqual([`ideation:${t.ideation_id}`])
  })
})

describe('refusals', () => {
  test.each([
    ['no kind', { entity_type: undefined }, 422],
    ['no id', { entity_id: undefined }, 422],
    ['an empty id', { entity_id: '' }, 422],
    ['another detail', { detail: 'most' }, 422],
    ['another kind', { entity_type: 'comment' }, 400],
    ['an unknown record', { entity_id: 'x' }, 404],
    ['another board', { entity_type: 'board', entity_id: 'x' }, 404],
  ])('%s', async (_, query, status) => {
    const answer = await world.call('get_lineage_graph', {
      board_id: scene.boardId,
      entity_type: 'spec',
      entity_id: 'x',
      ...query,
    })
    expect(answer.status).toBe(status)
  })

  test('a record of another kind or board is 404', async () => {
    const spec_id = await scene.spec()
    expect((await draw('ideation', spec_id)).status).toBe(404)
    expect((await draw('spec', spec_id, {}, await Scene.on(world))).status).toBe(404)
  })
})
