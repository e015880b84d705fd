import { writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene
let board: { readonly board_id: string }

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  board = { board_id: scene.boardId }
  const settings = { require_task_validation: false, require_test_task_for_bug: false }
  await world.ok('update_board', { ...board, settings })
})

afterAll(() => world.stop())

const report = {
  conclusion: 'Built.',
  completeness: 100,
  completeness_justification: 'All of it.',
  drift: 0,
  drift_justification: 'None.',
}

const dayMs = 86_400_000

/** The time a number of days ago, and its day. */
const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString()
const dayAgo = (days: number): string => ago(days).slice(0, 10)

/** Moves a card, and dates that back. */
async function move(card_id: string, target_status: string, days: number): Promise<void> {
  await world.ok('move_card', { card_id, target_status, ...(target_status === 'done' && report) })
  await writeWithoutLock(world, async db => {
    const moved_at = ago(days)
    await db.updateTable('cards').set({ moved_at }).where('id', '=', card_id).execute()
    const [last] = await db
      .selectFrom('events')
      .select('id')
      .where('card_id', '=', card_id)
      .where('action', '=', 'card_moved')
      .orderBy('seq', 'desc')
      .limit(1)
      .execute()
    await db.updateTable('events').set({ created_at: moved_at }).where('id', '=', last!.id).execute()
  })
}

/** A card that was made some days ago. */
async function cardOf(days: number, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const card_id = await scene.card(fields)
  await writeWithoutLock(world, db =>
    db
      .updateTable('cards')
      .set({ created_at: ago(days), moved_at: ago(days) })
      .where('id', '=', card_id)
      .execute(),
  )
  return card_id
}

const flow = (fields: object = {}) => world.ok('get_flow_analytics', { ...board, ...fields })

describe('get_flow_analytics and get_cycle_time_analytics (insight B.16, B.17)', () => {
  let spec_id: string

  beforeAll(async () => {
    spec_id = await scene.spec('in_progress', { title: 'Flows' })
    const first = await cardOf(10, { spec_id })
    await move(first, 'started', 6)
    await move(first, 'done', 2)
    await cardOf(4, { spec_id })
    const other = await cardOf(200, { spec_id: await scene.spec('in_progress') })
    await move(other, 'done', 190)
  })

  test('counts the cards by status at the end of each day', async () => {
    const { buckets, granularity } = await flow({ granularity: 'day', from: dayAgo(11), spec_id })
    expect(granularity).toBe('day')
    expect(buckets).toHaveLength(12)
    const on = (days: number) => buckets.find(({ day }: { day: string }) => day === dayAgo(days))
    expect(on(11)).toMatchObject({ not_started: 0, started: 0, done: 0 })
    expect(on(10)).toMatchObject({ not_started: 1, started: 0, done: 0 })
    expect(on(6)).toMatchObject({ not_started: 0, started: 1, done: 0 })
    expect(on(4)).toMatchObject({ not_started: 1, started: 1, done: 0 })
    expect(on(2)).toMatchObject({ not_started: 1, started: 0, done: 1 })
    expect(on(0)).toMatchObject({ not_started: 1, started: 0, done: 1 })
  })

  test('ends with the cards as they are, by week and by day, of the board and of a spec', async () => {
    const { card_status_breakdown } = await world.ok('get_funnel_analytics', board)
    for (const granularity of ['week', 'day']) {
      const { day: _, week: __, ...now } = (await flow({ granularity })).buckets.at(-1)
      expect(now).toEqual(card_status_breakdown)
    }
    const { cards_summary } = await world.ok('get_spec_analytics', { ...board, spec_id })
    const { week: _, ...now } = (await flow({ spec_id })).buckets.at(-1)
    expect(now).toEqual(cards_summary.by_status)
  })

  test('tells how long cards took that were done in the window, as the velocity counts them', async () => {
    const times = await world.ok('get_cycle_time_analytics', board)
    const velocity = await world.ok('get_velocity_analytics', board)
    expect(times).toMatchObject({
      completed_cards: velocity.completed_cards,
      average_hours: velocity.average_cycle_time_hours,
      from_date: velocity.from_date,
      to_date: velocity.to_date,
      percentiles: { p50: 192, p85: 192, p95: 192 },
      cards: [{ cycle_hours: 192, card_type: 'normal', ref: expect.stringContaining('-') }],
    })
    const all = await world.ok('get_cycle_time_analytics', { ...board, from: dayAgo(300), limit: 1 })
    expect(all).toMatchObject({ completed_cards: 2, percentiles: { p50: 192, p85: 240, p95: 240 } })
    expect(all.cards).toHaveLength(1)
    expect(await world.ok('get_cycle_time_analytics', { ...board, spec_id, from: dayAgo(300) })).toMatchObject({
      completed_cards: 1,
    })
  })

  test('has no card of a spec of another board', async () => {
    const elsewhere = await Scene.on(world)
    const foreign = await elsewhere.spec('in_progress')
    await elsewhere.card({ spec_id: foreign })
    const { week: _, ...now } = (await flow({ spec_id: foreign })).buckets.at(-1)
    expect(Object.values(now).every(count => count === 0)).toBe(true)
    const times = await world.ok('get_cycle_time_analytics', { ...board, spec_id: foreign })
    expect(times).toMatchObject({ completed_cards: 0, average_hours: null, percentiles: { p50: null } })
  })

  test('refuses what is no granularity', async () => {
    const { status, body } = await world.call('get_flow_analytics', { ...board, granularity: 'month' })
    expect([status, body.detail.error]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('counts imported cards from their import, and their ends for nothing', async () => {
    const file = await world.archive(scene.boardId)
    const { board_id } = await world.ok('import_board', { file, keep_ids: false })
    const { buckets } = await world.ok('get_flow_analytics', { board_id, granularity: 'day' })
    const sum = ({ day: _, ...counts }: Readonly<Record<string, number>>) =>
      Object.values(counts).reduce((total, count) => total + count, 0)
    expect(buckets.slice(0, -1).map(sum)).toEqual(buckets.slice(0, -1).map(() => 0))
    expect(buckets.at(-1)).toMatchObject({ not_started: 1, done: 2 })
    const times = await world.ok('get_cycle_time_analytics', { board_id, from: dayAgo(300) })
    expect(times).toMatchObject({ completed_cards: 0, cards: [] })
  })
})

describe('get_sprint_progress (insight B.18)', () => {
  test('shows scope and done by day, what the board delivers, and what is at risk', async () => {
    const spec_id = await scene.spec('in_progress', { title: 'Sliced' })
    const sprintOf = async (title: string, card_ids: string[], dates = {}) => {
      const { id } = await world.ok('create_sprint', { ...board, spec_id, title, card_ids, ...dates })
      await world.ok('update_sprint', { sprint_id: id, skip_test_coverage: true, skip_qualitative_validation: true })
      await world.ok('move_sprint', { sprint_id: id, status: 'active' })
      return id as string
    }
    const finished = await cardOf(9, { spec_id })
    const before = await sprintOf('Before', [finished])
    await move(finished, 'done', 5)
    for (const status of ['review', 'closed']) await world.ok('move_sprint', { sprint_id: before, status })

    const [done, waiting, onHold, late] = [
      await cardOf(8, { spec_id }),
      await cardOf(8, { spec_id, title: 'Waits' }),
      await cardOf(8, { spec_id, title: 'Held' }),
      await cardOf(8, { spec_id, title: 'Left' }),
    ]
    const dates = { start_date: dayAgo(6), end_date: new Date(Date.now() + dayMs).toISOString() }
    const sprint_id = await sprintOf('Now', [done, waiting, onHold, late], dates)
    await writeWithoutLock(world, db =>
      db
        .updateTable('events')
        .set({ created_at: ago(6) })
        .where('entity_id', '=', sprint_id)
        .where('history_action', '=', 'tasks_assigned')
        .execute(),
    )
    await move(done, 'done', 3)
    await world.ok('add_card_dependency', { card_id: waiting, depends_on_id: onHold })
    await move(onHold, 'on_hold', 2)
    await world.ok('unassign_sprint_tasks', { sprint_id, card_ids: [late] })

    const progress = await world.ok('get_sprint_progress', { ...board, sprint_id })
    const on = (days: number) => progress.days.find(({ day }: { day: string }) => day === dayAgo(days))
    expect(on(7)).toBeUndefined()
    expect(on(5)).toEqual({ day: dayAgo(5), scope: 4, done: 0 })
    expect(on(3)).toEqual({ day: dayAgo(3), scope: 4, done: 1 })
    expect(on(0)).toEqual({ day: dayAgo(0), scope: 3, done: 1 })
    expect(progress.capacity).toMatchObject({
      planned: 3,
      remaining: 2,
      average: 1,
      delivered: [{ sprint_id: before, title: 'Before', done_cards: 1 }],
    })
    const risks = progress.at_risk.map(({ card_id, reasons }: { card_id: string; reasons: { type: string }[] }) => [
      card_id,
      reasons.map(({ type }) => type),
    ])
    expect(risks).toEqual([
      [waiting, ['dependency_blocked', 'unclaimed']],
      [onHold, ['on_hold']],
    ])
  })

  test('counts what an update of a card took out of the sprint until it left', async () => {
    const spec_id = await scene.spec('in_progress', { title: 'Left by updates' })
    const cards = [await cardOf(8, { spec_id }), await cardOf(8, { spec_id }), await cardOf(8, { spec_id })]
    const dates = { start_date: dayAgo(3) }
    const { id: sprint_id } = await world.ok('create_sprint', {
      ...board,
      spec_id,
      title: 'Now',
      card_ids: cards,
      ...dates,
    })
    const { id: next } = await world.ok('create_sprint', { ...board, spec_id, title: 'Next', card_ids: [] })
    await writeWithoutLock(world, db =>
      db
        .updateTable('events')
        .set({ created_at: ago(3) })
        .where('entity_id', '=', sprint_id)
        .where('history_action', '=', 'tasks_assigned')
        .execute(),
    )
    await world.ok('update_card', { card_id: cards[0]!, sprint_id: null })
    await world.ok('update_card', { card_id: cards[1]!, sprint_id: next })
    await world.ok('update_card', { card_id: cards[2]!, spec_id: await scene.spec('in_progress') })
    const { days } = await world.ok('get_sprint_progress', { ...board, sprint_id })
    expect(days.at(-2)).toEqual({ day: dayAgo(1), scope: 3, done: 0 })
    expect(days.at(-1)).toEqual({ day: dayAgo(0), scope: 0, done: 0 })
    const { days: ofNext } = await world.ok('get_sprint_progress', { ...board, sprint_id: next })
    expect(ofNext.at(-1)).toMatchObject({ scope: 1 })
  })

  test('is of its board alone', async () => {
    const elsewhere = await Scene.on(world)
    const { sprint_id } = await elsewhere.sprint('active')
    const { status } = await world.call('get_sprint_progress', { ...board, sprint_id })
    expect(status).toBe(404)
  })

  test('has no risks once it is closed', async () => {
    const { sprint_id } = await scene.sprint('closed')
    expect((await world.ok('get_sprint_progress', { ...board, sprint_id })).at_risk).toEqual([])
  })
})
