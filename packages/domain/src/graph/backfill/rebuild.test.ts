import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'
import { claimNext } from '../queue/claims.ts'

let world: GraphWorld
let board_id: string

beforeEach(async () => {
  world = await GraphWorld.start()
  board_id = world.boardId
})

afterEach(() => world.stop())

/** Creates and changes records of every kind that refer to each other, and consolidates them along the way. */
async function history(decision = 'Do not use Redis for session cache'): Promise<void> {
  const ideation = await world.ok('create_ideation', { board_id, title: 'Idea', description: 'Why' })
  for (const status of ['review', 'approved', 'evaluating', 'done'])
    await world.ok('move_ideation', { ideation_id: ideation.id, status })
  await world.drain()
  const refinement = await world.ok('create_refinement', {
    ideation_id: ideation.id,
    title: 'Story',
    in_scope: ['All'],
    decisions: ['Use Redis for session cache', 'Write logs as JSON'],
  })
  const spec_id = await world.spec({
    status: 'in_progress',
    refinement_id: refinement.id,
    ideation_id: ideation.id,
    functional_requirements: ['A', 'B'],
    acceptance_criteria: ['C'],
    test_scenarios: [{ id: 's1', title: 'S', linked_criteria: ['0'] }],
    business_rules: [{ id: 'r1', title: 'R', rule: 'R', when: 'w', then: 't' }],
    decisions: [
      { id: 'd1', title: decision, rationale: 'R' },
      { id: 'd2', title: 'Poll', rationale: 'R', linked_requirements: ['1'] },
      { id: 'd3', title: 'Push', rationale: 'R', supersedes_decision_id: 'd2', alternatives_considered: ['Pull'] },
    ],
  })
  await world.drain()
  const card = async (fields: object) =>
    (await world.ok('create_card', { board_id, title: 'Card', spec_id, ...fields })).id
  const origin = await card({})
  const bug = await card({
    card_type: 'bug',
    origin_task_id: origin,
    severity: 'major',
    expected_behavior: 'Works',
    observed_behavior: 'Fails',
    action_plan: 'Look at what the cache does when it is full, and test for that.',
  })
  const testTask = await card({ card_type: 'test', test_scenario_ids: ['s1'] })
  await world.ok('link_test_task', { card_id: bug, test_task_id: testTask })
  await world.ok('create_sprint', { board_id, spec_id, title: 'Sprint', card_ids: [origin], expected_outcome: 'Works' })
  await world.drain()
  await world.ok('update_spec', {
    spec_id,
    functional_requirements: ['A'],
    business_rules: [{ id: 'r1', title: 'R', rule: 'R', when: 'w', then: 't', linked_task_ids: [origin] }],
    decisions: [
      { id: 'd1', title: decision, rationale: 'R' },
      { id: 'd2', title: 'Poll', rationale: 'R', linked_requirements: [] },
      { id: 'd3', title: 'Push', rationale: 'R', supersedes_decision_id: 'd2' },
    ],
  })
  await world.ok('create_spec_architecture', {
    spec_id,
    title: 'Design',
    global_description: 'All of it',
    entities: [{ name: 'Cache' }],
  })
  await world.drain()
}

test('after a wipe, a backfill restores the same graph, with the same ids and scores', async () => {
  await history()
  const before = await world.graph()
  expect(before.nodes.length).toBeGreaterThan(15)
  await world.ok('delete_board_kg', { board_id })
  expect(await world.graph()).toEqual({ nodes: [], edges: [] })
  await world.ok('start_kg_backfill', { board_id })
  await world.drain()
  expect(await world.graph()).toEqual(before)
})

test('a backfill interrupted at any point continues after the next start and does nothing twice', async () => {
  // No contradiction: which of two decisions is the later depends on when each was added to the graph.
  await history('Keep sessions in PostgreSQL')
  const before = await world.graph()
  for (const entries of [1, 3, 5]) {
    await world.ok('delete_board_kg', { board_id })
    await world.ok('start_kg_backfill', { board_id })
    let remaining = entries
    const cut = new AbortController()
    const onEntry = () => {
      if (--remaining === 0) cut.abort()
    }
    await expect(world.opened.graph.worker.drain({ signal: cut.signal, onEntry })).rejects.toThrow()
    await world.opened.service.database.write(async db => {
      await claimNext(
        db,
        { nowMs: world.now, newId: () => `dead claim ${entries}` },
        { node: 'dead', timeoutSeconds: 300 },
      )
    })
    await world.opened.close()
    await world.open()
    await world.opened.graph.worker.recover()
    await world.drain()
    world.now += 2_000
    await world.drain()
    expect(await world.graph()).toEqual(before)
    expect(await world.ok('get_kg_backfill_progress', { board_id })).toMatchObject({ status: 'completed', failed: 0 })
  }
})

describe('a rebuild', () => {
  test('repairs what is wrong, keeps what is right, and reports its progress', async () => {
    await history()
    const before = await world.graph()
    await world.opened.service.database.write(async db => {
      await db.deleteFrom('kg_edges').where('edge_type', '=', 'belongs_to').execute()
      await db.deleteFrom('kg_nodes').where('node_type', '=', 'Requirement').execute()
      await db
        .updateTable('kg_nodes')
        .set({ title: 'Wrong', relevance_score: 0 })
        .where('node_type', '=', 'Bug')
        .execute()
      await db.deleteFrom('kg_vectors').execute()
      await db.updateTable('kg_nodes').set({ embedding_model: '' }).execute()
    })
    const progress: number[] = []
    const rebuilt = await world.opened.graph.rebuild(board_id, {
      onProgress: ({ done, total }) => progress.push(done / total),
    })
    expect(await world.graph()).toEqual(before)
    expect(rebuilt).toMatchObject({ records: 7, errors: [], nodes_reindexed: before.nodes.length, from_version: '1.0' })
    expect([progress[0], progress.at(-1)]).toEqual([0, 1])
    const { results } = await world.ok('find_similar_kg_nodes', { board_id, topic: 'Push\nR' })
    expect(results[0]).toMatchObject({ title: 'Push', similarity: 1 })
  })

  test('can be stopped between records and started again', async () => {
    await history()
    const before = await world.graph()
    await world.ok('delete_board_kg', { board_id })
    const stop = new AbortController()
    const onProgress = ({ done }: { done: number }) => {
      if (done === 3) stop.abort()
    }
    await expect(world.opened.graph.rebuild(board_id, { signal: stop.signal, onProgress })).rejects.toThrow()
    await world.opened.graph.rebuild(board_id)
    expect(await world.graph()).toEqual(before)
  })

  test('reports records that fail and processes the rest; only one runs at a time', async () => {
    await world.breakSpec(await world.spec())
    await world.spec({ title: 'Whole' })
    const [first, second] = await Promise.all([1, 2].map(() => world.opened.graph.rebuild(board_id)))
    expect(second).toBeNull()
    expect(first!.errors).toHaveLength(1)
    expect((await world.graph()).nodes).toHaveLength(1)
  })
})
