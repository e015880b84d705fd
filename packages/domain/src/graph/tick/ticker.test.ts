import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'
import type { Steps } from '../../kernel/implement.ts'
import { streamAnswer } from '../streams/stream.ts'

const dayMs = 86_400_000

let world: GraphWorld
let board_id: string

beforeEach(async () => {
  world = await GraphWorld.start()
  board_id = world.boardId
})

afterEach(() => world.stop())

const health = () => world.ok('get_kg_health', { board_id })

describe('a tick', () => {
  test('recomputes scores older than a week, so that boosts decay', async () => {
    await world.spec()
    await world.drain()
    const [{ id: node_id }] = (await world.ok('list_kg_nodes', { board_id })).nodes
    const { score_after, score_before } = await world.ok('boost_kg_node', { board_id, node_id })
    const score = async () => (await world.ok('get_kg_node', { board_id, node_id })).relevance_score
    world.now += 6 * dayMs
    await world.tick()
    expect(await score()).toBe(score_after)
    world.now += 24 * dayMs
    await world.tick()
    expect((await health()).nodes_recomputed_in_last_tick).toBe(1)
    expect(await score()).toBeCloseTo(score_before + 0.15, 4)
  })

  test('recomputes old nodes every time if set, and all nodes when forced', async () => {
    await world.spec()
    await world.drain()
    const recomputed = async (all = false) => {
      await world.tick(all)
      return (await health()).nodes_recomputed_in_last_tick
    }
    expect(await recomputed()).toBe(0)
    expect(await recomputed(true)).toBe(1)
    await world.ok('put_runtime_settings', { kg_decay_tick_max_age_days: 2 })
    world.now += dayMs
    expect(await recomputed()).toBe(0)
    world.now += 2 * dayMs
    expect(await recomputed()).toBe(1)
  })

  test('deletes expired sessions except the latest of each record, and events after seven days', async () => {
    const spec_id = await world.spec()
    await world.drain()
    world.now += dayMs
    await world.ok('update_spec', { spec_id, title: 'Second' })
    await world.drain()
    await world.ok('put_board_kg_settings', { board_id, audit_retention_days: 1 })
    world.now += 8 * dayMs
    await world.tick()
    const { entries } = await world.ok('list_kg_audit', { board_id })
    expect(entries).toMatchObject([{ nodes_updated: 1 }])
    const { events } = await world.ok('stream_kg_events', { board_id, since: '0' })
    expect(events.map((event: { event_type: string }) => event.event_type)).toEqual(['kg.tick.completed'])
  })

  test('that failed is shown in the health', async () => {
    await world.spec()
    await world.drain()
    await world.opened.service.database.write(db => db.updateTable('kg_nodes').set({ boosted_at: null }).execute())
    await world.opened.service.database.write(db =>
      db
        .insertInto('kg_ticks')
        .values({
          id: 'z',
          board_id,
          owner_id: null,
          started_at: new Date(world.now).toISOString(),
          completed_at: new Date(world.now).toISOString(),
          nodes_recomputed: 0,
          boards_processed: 1,
          duration_ms: 0,
          error: 'broken',
        })
        .execute(),
    )
    expect(await health()).toMatchObject({ last_tick_status: 'failed', last_tick_error: 'broken', status: 'degraded' })
    world.now += 1
    await world.tick()
    expect(await health()).toMatchObject({ last_tick_status: 'completed', status: 'healthy' })
  })

  test('continues after a failed batch and reports it', async () => {
    await world.spec({ functional_requirements: Array.from({ length: 201 }, (_, number) => `Requirement ${number}`) })
    await world.drain()
    await world.opened.graph.ticker.begin({ boardId: board_id, ownerId: null, all: true }, async insert => {
      await world.opened.service.database.write(insert)
      vi.spyOn(world.opened.service.database, 'write').mockRejectedValueOnce(new Error('disk'))
    })
    await world.opened.graph.ticker.settled()
    expect(await health()).toMatchObject({
      last_tick_status: 'failed',
      last_tick_error: 'disk',
      nodes_recomputed_in_last_tick: 2,
    })
    expect(world.faults).toMatchObject([{ message: 'disk' }])
  })

  test('from before a board existed does not count for it', async () => {
    await world.opened.graph.ticker.begin({ boardId: null, ownerId: null, all: false })
    await world.opened.graph.ticker.settled()
    world.now += 1
    const later = await world.ok('create_board', { name: 'Later', description: '' })
    expect(await world.ok('get_kg_health', { board_id: later.id })).toMatchObject({
      last_decay_tick_at: null,
      last_tick_status: null,
    })
  })

  test('of another owner does not count for this board', async () => {
    await world.opened.graph.ticker.begin({ boardId: null, ownerId: 'someone', all: false })
    await world.opened.graph.ticker.settled()
    expect((await health()).last_decay_tick_at).toBeNull()
    await world.opened.graph.ticker.begin({ boardId: null, ownerId: null, all: false })
    await world.opened.graph.ticker.settled()
    expect((await health()).last_decay_tick_at).not.toBeNull()
  })

  test('tells a stream that starts before the stored events to start again', async () => {
    await world.spec()
    await world.drain()
    world.now += 8 * dayMs
    await world.tick()
    await world.spec()
    await world.drain()
    const { service } = world.opened
    const caller = await service.authenticate(`dash_${'0123456789abcdef'.repeat(3)}`)
    const abort = new AbortController()
    const steps: Steps = {
      read: run => service.read(caller, run),
      write: run => service.write(caller, run),
      writePiece: run => service.write(caller, run),
      finish: run => service.write(caller, run),
      compensate: run => service.database.write(run),
      signal: () => abort.signal,
      environment: service.environment,
      following: { live: true, lastEventId: '1' },
    }
    const { events } = await streamAnswer(board_id, { wait_ms: 0 }, steps)
    const names: (string | undefined)[] = []
    for await (const message of events) {
      names.push('event' in message ? message.event : 'comment')
      if (names.length === 5) abort.abort()
    }
    expect(names).toEqual([
      'hello',
      'kg.queue.progress',
      'kg.stream.reset',
      'kg.tick.completed',
      'consolidation_committed',
    ])
  })
})
