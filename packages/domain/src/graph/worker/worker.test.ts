import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GraphWorld } from '../../../test/graph-world.ts'
import { idSource } from '../../lib/ids.ts'
import { consolidate } from '../consolidation/consolidate.ts'
import { claimNext, finishClaim, readClaim } from '../queue/claims.ts'

let world: GraphWorld
let board_id: string

beforeEach(async () => {
  world = await GraphWorld.start()
  board_id = world.boardId
})

afterEach(() => world.stop())

const letters = () => world.ok('list_kg_dead_letters', { board_id })

const claiming = { node: 'another', timeoutSeconds: 300 }

/** Claims the next entry, as a process that then dies would. */
const claimAndDie = () =>
  world.opened.service.database.write(async db => {
    return claimNext(db, { nowMs: world.now, newId: idSource(() => world.now) }, claiming)
  })

/** The resources for consolidations in this world. */
const resources = () => ({
  database: world.opened.service.database,
  embedder: world.opened.graph.embedder,
  clock: () => world.now,
  newId: idSource(() => world.now),
  onFault: () => {},
})

describe('a record that cannot be extracted', () => {
  test('is retried, later each time, and becomes a dead letter', async () => {
    const spec_id = await world.spec()
    await world.breakSpec(spec_id)
    const waits: number[] = []
    for (let attempt = 1; attempt <= 4; attempt++) {
      expect(await world.drain()).toBe(1)
      const [entry] = await world.entries()
      expect(entry).toMatchObject({ status: 'pending', attempts: attempt, claimed_by_session_id: null })
      expect(entry.last_error).toMatch(/^SyntaxError: /)
      waits.push(Date.parse(entry.next_retry_at) - world.now)
      expect(await world.drain()).toBe(0)
      world.now = Date.parse(entry.next_retry_at)
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000])
    await world.drain()
    expect(await world.entries()).toEqual([])
    const { rows, total } = await letters()
    expect(total).toBe(1)
    expect(rows[0]).toMatchObject({ board_id, artifact_type: 'spec', artifact_id: spec_id, attempts: 5 })
    expect(rows[0].errors.map((error: { attempt: number }) => error.attempt)).toEqual([1, 2, 3, 4, 5])
    expect(rows[0].errors[0]).toMatchObject({ error_type: 'SyntaxError', traceback: null })
    expect(await world.ok('get_kg_health', { board_id })).toMatchObject({ dead_letter_count: 1, status: 'degraded' })
    const { tree, levels } = await world.ok('get_kg_pending_tree', { board_id })
    expect(tree[0].status).toBe('failed')
    expect(levels.specs.failed).toBe(1)
    const { events } = await world.ok('stream_kg_events', { board_id, since: '0' })
    expect(events.at(-1)).toMatchObject({
      event_type: 'kg.queue.dead_letter',
      payload: { dead_letter_id: rows[0].id, attempts: 5, artifact_id: spec_id },
    })
  })

  test('is consolidated once it is repaired and retried by either id of its dead letter', async () => {
    await world.ok('put_runtime_settings', { kg_queue_max_attempts: 1 })
    for (const by of ['id', 'original_queue_id'] as const) {
      const spec_id = await world.spec()
      await world.breakSpec(spec_id)
      await world.drain()
      const [letter] = (await letters()).rows
      await world.breakSpec(spec_id, false)
      const retried = await world.ok('retry_kg_pending', { board_id, queue_entry_id: letter[by] })
      expect((await letters()).total).toBe(0)
      const [entry] = await world.entries()
      expect(entry).toMatchObject({
        id: retried.queue_entry_id,
        priority: 'high',
        source: 'dead_letter_retry',
        attempts: 0,
      })
      expect(await world.drain()).toBe(1)
      expect(await world.entries()).toEqual([])
    }
  })

  test('does not keep other records of its board from being consolidated', async () => {
    await world.breakSpec(await world.spec())
    await world.spec({ title: 'Whole' })
    expect(await world.drain()).toBe(2)
    expect((await world.graph()).nodes).toHaveLength(1)
  })

  test('is pending again, not a dead letter, when it changed during its last attempt', async () => {
    await world.ok('put_runtime_settings', { kg_queue_max_attempts: 1 })
    const spec_id = await world.spec()
    const entry = await claimAndDie()
    await world.ok('update_spec', { spec_id, title: 'Mended' })
    await world.opened.graph.worker.recover()
    expect(await world.entries()).toMatchObject([
      {
        id: entry!.id,
        status: 'pending',
        attempts: 0,
        next_retry_at: null,
        last_error: expect.stringMatching(/^ProcessEnded: /),
      },
    ])
    expect((await letters()).total).toBe(0)
    expect(await world.drain()).toBe(1)
  })

  test('goes first when its dead letter is retried while it is already waiting', async () => {
    await world.ok('put_runtime_settings', { kg_queue_max_attempts: 1 })
    const spec_id = await world.spec()
    await world.breakSpec(spec_id)
    await world.drain()
    const [letter] = (await letters()).rows
    await world.breakSpec(spec_id, false)
    await world.ok('update_spec', { spec_id, title: 'Mended' })
    const [waiting] = await world.entries()
    expect(await world.ok('retry_kg_pending', { board_id, queue_entry_id: letter.id })).toMatchObject({
      reopened_ids: [waiting.id],
    })
    expect(await world.entries()).toMatchObject([{ id: waiting.id, priority: 'high', source: 'dead_letter_retry' }])
    expect((await letters()).total).toBe(0)
  })

  test('starts its attempts again when it is updated', async () => {
    const spec_id = await world.spec()
    await world.breakSpec(spec_id)
    await world.drain()
    await world.breakSpec(spec_id, false)
    await world.ok('update_spec', { spec_id, title: 'Again' })
    expect((await world.entries())[0]).toMatchObject({ attempts: 0, next_retry_at: null })
  })
})

describe('a record that yields very much', () => {
  const many = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix} ${at}`)

  test('is worked on in pieces, between which others have their turn (walls 3, rule 3)', async () => {
    await world.spec({
      functional_requirements: many('Requirement', 100),
      decisions: many('Choice', 100).map(title => ({ id: title, title, rationale: title })),
    })
    let [turns, isOver] = [0, false]
    const count = (): unknown => isOver || setImmediate(() => ++turns && count())
    count()
    await world.drain()
    isOver = true
    const { nodes, edges } = await world.graph()
    expect([nodes.length, edges.length]).toEqual([201, 10_200])
    // The edges and the recorded change of each, at most 200 in each turn.
    expect(turns).toBeGreaterThan((2 * edges.length) / 200)
  })

  test('has at most 20,000 contradictions, however many of its decisions contradict each other (walls 3, rule 4)', async () => {
    const decisions = [...many('share alpha beta', 150), ...many('never share alpha beta', 150)]
    await world.spec({ decisions: decisions.map(title => ({ id: title, title, rationale: title, status: 'active' })) })
    await world.drain()
    const { edges } = await world.graph()
    expect(edges.filter(({ edge_type }) => edge_type === 'contradicts')).toHaveLength(20_000)
  })
})

describe('a claim', () => {
  test('is made by priority, then age, then lineage, one at a time on each board', async () => {
    const normal = await world.spec()
    world.now += 1_000
    const late = await world.ok('create_ideation', { board_id, title: 'Late' })
    const high = await world.spec()
    await world.ok('update_spec', { spec_id: high, description: 'Raised' })
    const order: string[] = []
    for (let count = 0; count < 3; count++) {
      const entry = await claimAndDie()
      order.push(entry!.artifact_id)
      expect(await claimAndDie()).toBeUndefined()
      await world.opened.service.database.write(db => db.deleteFrom('kg_queue').where('id', '=', entry!.id).execute())
    }
    expect(order).toEqual([high, normal, late.id])
  })

  test('left by a process that died counts as a failed attempt at the next start', async () => {
    await world.spec()
    await claimAndDie()
    expect(await world.entries()).toMatchObject([{ status: 'claimed' }])
    await world.opened.close()
    await world.open()
    await world.opened.graph.worker.recover()
    expect(await world.entries()).toMatchObject([
      { status: 'pending', attempts: 1, last_error: 'ProcessEnded: The process ended while it worked on this record.' },
    ])
    world.now += 2_000
    expect(await world.drain()).toBe(1)
    expect((await world.graph()).nodes).toHaveLength(1)
  })

  test('keeps its entry from being retried until it times out', async () => {
    await world.spec()
    const entry = await claimAndDie()
    const retry = () => world.ok('retry_kg_pending', { board_id, queue_entry_id: entry!.id })
    await expect(retry()).rejects.toMatchObject({ code: 'ENTRY_IN_PROGRESS' })
    world.now += 300_000
    expect((await retry()).reopened_count).toBe(1)
    expect((await world.entries())[0].status).toBe('pending')
  })

  test('whose record changed leaves its entry pending again when it ends', async () => {
    const spec_id = await world.spec()
    const entry = await claimAndDie()
    await world.ok('update_spec', { spec_id, title: 'Changed' })
    expect((await world.entries())[0]).toMatchObject({ status: 'claimed' })
    await world.opened.service.database.write(async db => {
      await finishClaim(db, { nowMs: world.now, newId: () => 'x' }, (await readClaim(db, entry!))!)
    })
    expect((await world.entries())[0]).toMatchObject({ status: 'pending', attempts: 0, claimed_at: null })
    expect(await world.drain()).toBe(1)
    expect((await world.graph()).nodes[0]).toMatchObject({ title: 'Changed' })
  })

  test('that ends on a paused board leaves its entry paused', async () => {
    const spec_id = await world.spec()
    const entry = await claimAndDie()
    await world.ok('put_board_kg_settings', { board_id, consolidation_enabled: false })
    await world.ok('update_spec', { spec_id, title: 'Changed' })
    await world.opened.service.database.write(async db => {
      await finishClaim(db, { nowMs: world.now, newId: () => 'x' }, (await readClaim(db, entry!))!)
    })
    expect((await world.entries())[0]).toMatchObject({ status: 'paused' })
    expect(await world.drain()).toBe(0)
  })

  test('whose board was wiped writes nothing', async () => {
    await world.spec()
    const entry = await claimAndDie()
    await world.ok('delete_board_kg', { board_id })
    const outcome = await consolidate(resources(), {
      artifact: { boardId: board_id, type: 'spec', id: entry!.artifact_id },
      sessionId: 'x',
      compareHash: true,
      isWanted: async db => (await readClaim(db, entry!)) !== undefined,
      done: async () => {},
    })
    expect(outcome).toBe('unwanted')
    expect((await world.graph()).nodes).toEqual([])
  })

  test('whose record changes at every read is consolidated as read and queued again', async () => {
    await world.spec()
    const entry = (await claimAndDie())!
    const { id, artifact_id } = entry
    let changes = 0
    const outcome = await consolidate(resources(), {
      artifact: { boardId: board_id, type: 'spec', id: artifact_id },
      sessionId: 'x',
      compareHash: true,
      isWanted: async db => {
        const title = `Title ${++changes}`
        await db.updateTable('specs').set({ title }).where('id', '=', artifact_id).execute()
        await db.updateTable('kg_queue').set({ changed: 1 }).where('id', '=', id).execute()
        return true
      },
      done: async db => finishClaim(db, { nowMs: world.now, newId: () => 'x' }, (await readClaim(db, entry))!),
    })
    expect([outcome, changes]).toEqual(['committed', 3])
    expect((await world.graph()).nodes[0]).toMatchObject({ title: 'Title 2' })
    expect(await world.drain()).toBe(1)
    expect((await world.graph()).nodes[0]).toMatchObject({ title: 'Title 3' })
  })

  test('skips the entries that it is told to leave', async () => {
    await world.spec()
    world.now += 1_000
    const second = await world.spec()
    const [first] = (await world.entries()).filter(({ artifact_id }: { artifact_id: string }) => artifact_id !== second)
    const claimed = await world.opened.service.database.write(db =>
      claimNext(db, { nowMs: world.now, newId: () => 'x' }, { ...claiming, except: [first.id] }),
    )
    expect(claimed?.artifact_id).toBe(second)
  })
})

/** Enough turns of the event loop to finish everything that needs no timer. */
const manyTurns = 20_000

describe('the worker', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Starts the worker on a clock that the test advances: no timer fires and no time passes by itself. */
  const startByHand = async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
    await world.opened.graph.worker.start()
  }

  const isEmpty = async () => (await world.entries()).length === 0

  const turnsUntil = async (holds: () => Promise<boolean>): Promise<boolean> => {
    for (let turn = 0; turn < manyTurns; turn++) {
      if (await holds()) return true
      await new Promise(resolve => setImmediate(resolve))
    }
    return false
  }

  test('starts with the service, works on waiting entries, and stops with the service', async () => {
    await world.spec()
    await world.opened.close()
    await world.open({ workers: true })
    await expect.poll(isEmpty).toBe(true)
    expect((await world.graph()).nodes).toHaveLength(1)
  })

  test('soon works on an entry queued while it was finding nothing', async () => {
    const { database } = world.opened.service
    const write: typeof database.write = database.write.bind(database)
    const looks = vi.spyOn(database, 'write').mockImplementationOnce(async work => {
      const claimed = await write(work)
      await world.spec()
      return claimed
    })
    await startByHand()
    expect(await turnsUntil(async () => looks.mock.calls.length > 1 && !(await isEmpty()))).toBe(true)
    for (let ms = 0; ms < 100 && !(await isEmpty()); ms++) {
      await vi.advanceTimersByTimeAsync(1)
      for (let turn = 0; turn < 100; turn++) await new Promise(resolve => setImmediate(resolve))
    }
    expect((await world.graph()).nodes).toHaveLength(1)
  })

  test('works on the entries of one board one after another, without a rest in between', async () => {
    await world.opened.close()
    await world.open({ pinned: { kg_queue_min_interval_ms: 0 } })
    for (let count = 0; count < 5; count++) await world.spec()
    await startByHand()
    expect(await turnsUntil(isEmpty)).toBe(true)
  })

  test('pauses after each entry while somebody calls, and goes on while nobody does', async () => {
    await world.opened.close()
    await world.open({ pinned: { kg_queue_min_interval_ms: 1_000, kg_queue_max_concurrent_workers: 1 } })
    /** How many entries wait, read without a call. */
    const waiting = () =>
      world.opened.service.database.read(async db => (await db.selectFrom('kg_queue').select('id').execute()).length)
    const isIdle = async () => world.opened.graph.worker.stats(() => true).workers_active === 0
    await startByHand()
    for (let count = 0; count < 5; count++) await world.spec()
    await vi.advanceTimersByTimeAsync(50)
    expect(await turnsUntil(async () => (await waiting()) < 5 && (await isIdle()))).toBe(true)
    expect(await waiting()).toBe(4)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await turnsUntil(async () => (await waiting()) === 0)).toBe(true)
  })

  test('counts how often the depth of a board reached the threshold', async () => {
    await world.opened.close()
    await world.open({ pinned: { kg_queue_alert_threshold: 100, kg_queue_max_concurrent_workers: 1 } })
    await Promise.all(Array.from({ length: 110 }, () => world.ok('create_ideation', { board_id, title: 'Idea' })))
    const health = () => world.ok('get_kg_queue_health')
    expect((await health()).alert_fired_total).toBe(0)
    await startByHand()
    expect(await turnsUntil(async () => (await health()).alert_fired_total === 1)).toBe(true)
    expect(await health()).toMatchObject({ alert_active: true, alert_threshold: 100 })
  })
})
