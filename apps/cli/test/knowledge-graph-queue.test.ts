import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string

beforeAll(async () => {
  world = await World.start(graphAtWork)
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
  board_id = scene.boardId
})

const pause = () => world.ok('put_board_kg_settings', { board_id, consolidation_enabled: false })
const entries = async () => (await world.ok('list_kg_pending', { board_id })).entries
const refused = async (...call: Parameters<World['call']>) => {
  const { status, body } = await world.call(...call)
  return { status, ...body.detail }
}

describe('the queue', () => {
  test('holds the waiting records, newest first, each once', async () => {
    await pause()
    const ideation = await scene.ideation()
    const spec = await scene.spec()
    await world.ok('move_ideation', { ideation_id: ideation, status: 'review' })
    const listed = await entries()
    expect(listed.map((entry: { artifact_id: string }) => entry.artifact_id)).toEqual([spec, ideation])
    expect(listed[1]).toEqual({
      id: listed[1].id,
      board_id,
      artifact_id: ideation,
      artifact_type: 'ideation',
      priority: 'normal',
      source: 'event:ideation.created',
      status: 'paused',
      triggered_at: listed[1].triggered_at,
      triggered_by_event: 'ideation.created',
      claimed_by_session_id: null,
      claimed_at: null,
      claim_timeout_at: null,
      next_retry_at: null,
      attempts: 0,
      last_error: null,
    })
    const { body, headers } = await world.call('list_kg_pending', { board_id, limit: 1, offset: 1 })
    expect(body).toMatchObject({ count: 1, entries: [{ artifact_id: ideation }] })
    expect(headers.get('x-total-count')).toBe('2')
    expect((await world.call('list_kg_pending', { board_id, limit: 0 })).status).toBe(422)
  })

  test('gives a raised version and a cancelled card a higher priority', async () => {
    await pause()
    const spec_id = await scene.spec('draft')
    await world.ok('update_spec', { spec_id, description: 'More' })
    const card_id = await scene.card()
    await world.ok('move_card', { card_id, target_status: 'cancelled' })
    const priority = async (id: string) =>
      (await entries()).find((entry: { artifact_id: string }) => entry.artifact_id === id).priority
    expect(await priority(spec_id)).toBe('high')
    expect(await priority(card_id)).toBe('high')
  })

  test('receives both ends of a scenario link, whichever end creates or removes it', async () => {
    const spec_id = await scene.specWithScenarios()
    const card_id = await scene.card({ spec_id })
    const pair = { spec_id, scenario_id: 's1', card_id }
    for (const link of [
      () => world.ok('link_task_to_scenario', pair),
      () => world.ok('unlink_task_from_scenario', pair),
      () => world.ok('update_card', { card_id, test_scenario_ids: ['s1'] }),
      () => world.ok('update_card', { card_id, test_scenario_ids: [] }),
    ]) {
      await scene.consolidated()
      await pause()
      await link()
      const waiting = (await entries()).map((entry: { artifact_id: string }) => entry.artifact_id)
      expect(new Set(waiting)).toEqual(new Set([spec_id, card_id]))
    }
  })

  test('receives what is deleted with a record, and what loses its link to it', async () => {
    const ideation_id = await scene.ideation('done')
    const refinement_id = await scene.refinement('draft', { ideation_id })
    const spec_id = await scene.spec('approved', { ideation_id, refinement_id })
    const { sprint_id, card_id } = await scene.sprint('draft', { spec_id })
    for (const [remove, waiting] of [
      [() => world.ok('delete_ideation', { ideation_id }), [ideation_id, refinement_id, spec_id]],
      [() => world.ok('delete_spec', { spec_id }), [spec_id, sprint_id, card_id]],
    ] as const) {
      await scene.consolidated()
      await pause()
      await remove()
      expect((await entries()).map((entry: { artifact_id: string }) => entry.artifact_id).sort()).toEqual(
        [...waiting].sort(),
      )
    }
  })

  test('is processed when consolidation is switched on again', async () => {
    await pause()
    await scene.ideation()
    expect((await world.ok('get_kg_stats', { board_id })).pending_queue_count).toBe(1)
    await scene.consolidated()
    expect((await world.ok('get_kg_stats', { board_id })).node_counts_by_type).toEqual({ Entity: 1 })
  })

  test('its health counts only the boards of the caller', async () => {
    await scene.ideation()
    await scene.consolidated()
    const after = await world.ok('get_kg_queue_health')
    expect(after.claims_per_min_1m).toBeGreaterThan(0)
    expect(after).toMatchObject({
      queue_depth: 0,
      claimed_count: 0,
      claimed_boards: [],
      alert_threshold: 5000,
      alert_active: false,
      workers_draining_count: 0,
    })
    expect(after.workers_active + after.workers_idle).toBe(4)
    const stranger = await world.agent()
    expect(await world.ok('get_kg_queue_health', {}, { as: stranger })).toMatchObject({
      claims_per_min_1m: 0,
      queue_depth: 0,
    })
  })

  test('follows the runtime settings at once', async () => {
    await world.ok('put_runtime_settings', { kg_queue_max_concurrent_workers: 2, kg_queue_alert_threshold: 100 })
    const { workers_idle, alert_threshold } = await world.ok('get_kg_queue_health')
    expect({ workers_idle, alert_threshold }).toEqual({ workers_idle: 2, alert_threshold: 100 })
    await world.ok('put_runtime_settings', { kg_queue_max_concurrent_workers: 4, kg_queue_alert_threshold: 5000 })
  })
})

describe('get_kg_pending_tree', () => {
  test('shows records below their parents, each with its state', async () => {
    const ideation_id = await scene.ideation('done')
    const refinement = await world.ok('create_refinement', { ideation_id, title: 'Story', in_scope: ['All'] })
    const spec_id = await scene.spec('approved', { refinement_id: refinement.id, ideation_id })
    const { sprint_id, card_id } = await scene.sprint('draft', { spec_id })
    await scene.consolidated()
    await pause()
    const direct = await scene.card({ spec_id, title: 'Direct' })
    const root = await scene.spec('draft', { title: 'Root' })
    const { tree, levels, total_pending } = await world.ok('get_kg_pending_tree', { board_id })
    const short = (nodes: { type: string; id: string; status: string; children: never[] }[]): unknown =>
      nodes.map(({ type, id, status, children }) => [type, id, status, short(children)])
    expect(short(tree)).toEqual([
      [
        'ideation',
        ideation_id,
        'done',
        [
          [
            'refinement',
            refinement.id,
            'done',
            [
              [
                'spec',
                spec_id,
                'done',
                [
                  ['sprint', sprint_id, 'done', [['card', card_id, 'done', []]]],
                  ['card', direct, 'paused', []],
                ],
              ],
            ],
          ],
        ],
      ],
      ['spec', root, 'paused', []],
    ])
    expect(tree[1]).toMatchObject({ title: 'Root', retry_count: 0, layer: 'event:spec.created', last_error: null })
    expect(tree[1].queued_age_seconds).toBeGreaterThanOrEqual(0)
    expect(tree[0]).toMatchObject({ layer: null, queue_entry_id: null, queued_age_seconds: null })
    expect(levels.cards).toEqual({ pending: 0, in_progress: 0, done: 1, failed: 0, paused: 1, not_queued: 0 })
    expect(total_pending).toBe(2)
    const depths = async (depth: number) =>
      JSON.stringify((await world.ok('get_kg_pending_tree', { board_id, depth })).tree)
    expect(await depths(1)).not.toContain(refinement.id)
    expect(await depths(2)).toContain(refinement.id)
    expect(await depths(2)).not.toContain(spec_id)
    expect(await depths(3)).not.toContain(sprint_id)
    expect(await depths(4)).toContain(direct)
    expect(await depths(4)).not.toContain(card_id)
    expect((await world.call('get_kg_pending_tree', { board_id, depth: 6 })).status).toBe(422)
  })
})

describe('retry_kg_pending', () => {
  test('resets the attempts of an entry', async () => {
    await pause()
    await scene.ideation()
    const [entry] = await entries()
    const { status, body } = await world.call('retry_kg_pending', { board_id, queue_entry_id: entry.id })
    expect(status).toBe(202)
    expect(body).toEqual({
      board_id,
      queue_entry_id: entry.id,
      recursive: false,
      reopened_count: 1,
      reopened_ids: [entry.id],
    })
    expect((await entries())[0]).toMatchObject({ status: 'paused', source: 'retry_from_ui', attempts: 0 })
  })

  test('recursive: with everything below the record, the requested entry first', async () => {
    const ideation_id = await scene.ideation('done')
    const refinement = await world.ok('create_refinement', { ideation_id, title: 'Story', in_scope: ['All'] })
    const spec_id = await scene.spec('approved', { refinement_id: refinement.id, ideation_id })
    const straight = await scene.spec('draft', { ideation_id })
    const { sprint_id, card_id } = await scene.sprint('draft', { spec_id })
    await scene.consolidated()
    await pause()
    await world.ok('move_ideation', { ideation_id, status: 'draft' })
    const [entry] = await entries()
    const { reopened_ids } = await world.ok('retry_kg_pending', { board_id, queue_entry_id: entry.id, recursive: true })
    expect(reopened_ids[0]).toBe(entry.id)
    const queued = await entries()
    expect(queued.map((each: { artifact_id: string }) => each.artifact_id).sort()).toEqual(
      [ideation_id, refinement.id, spec_id, straight, sprint_id, card_id].sort(),
    )
    expect(reopened_ids).toHaveLength(6)
    expect(queued.filter((each: { source: string }) => each.source === 'retry_from_ui_recursive')).toHaveLength(5)
  })

  test('an unknown entry is not found', async () =>
    expect((await refused('retry_kg_pending', { board_id, queue_entry_id: 'x' })).status).toBe(404))
})

describe('a backfill', () => {
  const progress = () => world.ok('get_kg_backfill_progress', { board_id })

  test('queues every record that is neither archived nor cancelled, once, and can be cancelled', async () => {
    await pause()
    const ideation = await scene.ideation()
    await scene.spec('cancelled')
    const archived = await scene.spec()
    await world.ok('archive_record', { board_id, entity_type: 'spec', entity_id: archived })
    await world.ok('delete_board_kg', { board_id })
    expect(await progress()).toMatchObject({ enabled: false, status: 'inactive', total: 0, started_at: null })
    const first = await world.call('start_kg_backfill', { board_id })
    expect([first.status, first.body]).toEqual([202, { status: 'queueing', board_id, total_artifacts: 1 }])
    const again = await world.call('start_kg_backfill', { board_id })
    expect([again.status, again.body]).toEqual([200, { status: 'already_in_progress', board_id }])
    expect(await entries()).toMatchObject([
      { artifact_id: ideation, priority: 'low', source: 'historical_backfill', status: 'paused' },
    ])
    expect(await progress()).toMatchObject({
      enabled: true,
      status: 'paused',
      total: 1,
      progress: 0,
      paused: 1,
      finished_at: null,
    })
    expect(await world.ok('cancel_kg_backfill', { board_id })).toEqual({ status: 'cancelled', board_id, removed: 1 })
    expect(await progress()).toMatchObject({ status: 'cancelled', total: 1, progress: 0, paused: 0 })
    expect((await world.ok('cancel_kg_backfill', { board_id })).removed).toBe(0)
  })

  test('restores everything after a wipe; a second one records nothing', async () => {
    const { spec_id } = await scene.specInGraph()
    const snapshot = async () => {
      const { rows } = await world.ok('query_kg_cypher', {
        board_id,
        cypher: 'MATCH (n) RETURN n.id, n.title, n.relevance_score',
      })
      const edges = await world.ok('query_kg_cypher', {
        board_id,
        cypher: 'MATCH ()-[r]->() RETURN r.id, r.confidence',
      })
      return { nodes: rows, edges: edges.rows }
    }
    const before = await snapshot()
    expect((await world.call('delete_board_kg', { board_id })).status).toBe(204)
    expect((await snapshot()).nodes).toEqual([])
    expect(await world.ok('list_kg_audit', { board_id })).toEqual({ entries: [], next_cursor: null })
    await world.ok('start_kg_backfill', { board_id })
    await scene.consolidated()
    expect(await snapshot()).toEqual(before)
    expect(await progress()).toMatchObject({
      enabled: true,
      status: 'completed',
      total: 1,
      progress: 1,
      failed: 0,
      stale: false,
    })
    expect((await progress()).finished_at).not.toBeNull()
    await world.ok('start_kg_backfill', { board_id })
    await scene.consolidated()
    expect((await world.ok('list_kg_audit', { board_id })).entries).toHaveLength(1)
    const { events } = await world.ok('stream_kg_events', { board_id, since: '0' })
    expect(events.map((event: { event_type: string }) => event.event_type)).toEqual([
      'kg.board.cleared',
      'kg.backfill.started',
      'consolidation_committed',
      'kg.backfill.completed',
      'kg.backfill.started',
      'kg.backfill.completed',
    ])
    await world.ok('delete_board_kg', { board_id })
    expect(spec_id).toBeDefined()
  })

  test('of an empty board is done at once; one whose graph was wiped by hand is stale', async () => {
    expect(await world.ok('start_kg_backfill', { board_id })).toMatchObject({ total_artifacts: 0 })
    expect(await progress()).toMatchObject({ enabled: false, status: 'inactive', total: 0 })
    await scene.ideation()
    await scene.consolidated()
    await world.ok('start_kg_backfill', { board_id })
    await scene.consolidated()
    for (const { session_id } of (await world.ok('list_kg_audit', { board_id })).entries)
      await world.ok('undo_kg_session', { board_id, session_id })
    expect(await progress()).toMatchObject({ enabled: false, status: 'inactive', stale: true, total: 0, progress: 0 })
  })
})

describe('put_board_kg_settings', () => {
  test('sets what is sent and shows in the activity', async () => {
    const settings = await world.ok('put_board_kg_settings', { board_id, audit_retention_days: 30, other: 1 })
    expect(settings).toMatchObject({
      success: true,
      audit_retention_days: 30,
      consolidation_enabled: true,
      contradiction_detection: true,
      kg_initialized: false,
      embedding_provider: 'builtin',
      enable_historical_consolidation: false,
    })
    expect(
      (await world.ok('put_board_kg_settings', { board_id, audit_retention_days: null })).audit_retention_days,
    ).toBeNull()
    const { success, ...rest } = await world.ok('put_board_kg_settings', { board_id })
    expect(await world.ok('get_board_kg_settings', { board_id })).toEqual(rest)
  })

  test.each([
    [{ audit_retention_days: 0 }],
    [{ audit_retention_days: 3651 }],
    [{ consolidation_enabled: 'no' }],
    [{ contradiction_detection: null }],
  ])('refuses %j', async body =>
    expect((await world.call('put_board_kg_settings', { board_id, ...body })).status).toBe(422),
  )
})

test('migrate_kg_schema extracts everything again; ids, hits and boosts survive', async () => {
  const { node } = await scene.specInGraph()
  const node_id = await node('decision:d1')
  await world.ok('boost_kg_node', { board_id, node_id })
  const before = await world.ok('get_kg_node', { board_id, node_id })
  const migrated = await world.ok('migrate_kg_schema', { board_id })
  expect(migrated).toMatchObject({
    board_id,
    migrated: true,
    columns_added: {},
    errors: [],
    from_version: '1.0',
    to_version: '1.0',
    nodes_reindexed: 4,
    nodes_reembedded: 0,
  })
  const { last_recomputed_at, relevance_score, ...after } = await world.ok('get_kg_node', { board_id, node_id })
  expect(before).toMatchObject(after)
  expect(relevance_score).toBeCloseTo(before.relevance_score, 3)
})

test('list_kg_dead_letters needs a visible board', async () => {
  const { body, headers } = await world.call('list_kg_dead_letters', { board_id })
  expect(body).toEqual({ rows: [], total: 0, limit: 50, offset: 0 })
  expect(headers.get('x-total-count')).toBe('0')
  expect((await world.call('list_kg_dead_letters', {})).status).toBe(422)
  expect((await refused('list_kg_dead_letters', { board_id: 'x' })).status).toBe(404)
})
