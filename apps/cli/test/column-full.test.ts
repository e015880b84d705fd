import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let other: TestAgent

beforeAll(async () => {
  world = await World.start()
  other = await world.agent()
})

afterAll(() => world.stop())

const limited = (column_limits: object, over_column_limit: 'warn' | 'refuse' = 'refuse') =>
  world.ok('update_board', { board_id: scene.boardId, settings: { column_limits, over_column_limit } })

beforeEach(async () => {
  scene = await Scene.on(world)
  await scene.admit(other)
})

const move = (card_id: string, target_status: string, as = world.owner) =>
  world.call('move_card', { card_id, target_status }, { as })

const full = (status: string, limit: number, count = limit) => ({
  status: 409,
  body: { detail: { error: 'COLUMN_FULL', board_id: scene.boardId, status, limit, count } },
})

const countIn = async (status: string): Promise<number> =>
  (await world.ok('list_cards', { board_id: scene.boardId, status })).length

describe('a full column refuses cards where the board says so (cards 4.7)', () => {
  test('a board warns until it is told to refuse', async () => {
    await world.ok('update_board', { board_id: scene.boardId, settings: { column_limits: { started: 1 } } })
    const [one, two] = [await scene.workableCard(), await scene.workableCard()]
    expect(await move(one, 'started')).toMatchObject({ status: 200 })
    expect(await move(two, 'started')).toMatchObject({ status: 200 })
    await limited({ started: 1 })
    expect(await move(await scene.workableCard(), 'started')).toMatchObject(full('started', 1, 2))
    // Within the column, and out of it, cards move as before.
    expect(await world.call('update_card', { card_id: one, position: 9 })).toMatchObject({ status: 200 })
    expect(await move(one, 'on_hold')).toMatchObject({ status: 200 })
  })

  test('moves, updates and creations are refused, and told before', async () => {
    await limited({ started: 1, not_started: 3 })
    const [one, two] = [await scene.workableCard(), await scene.workableCard()]
    const gates = async () => {
      const { moves } = await world.ok('get_allowed_moves', { entity_type: 'card', entity_id: two, to: 'started' })
      const [{ state, blockers, gates }] = moves
      const [gate] = gates.filter(({ gate }: { gate: string }) => gate === 'column')
      return [state, blockers, gate]
    }
    expect(await gates()).toEqual(['open', [], { gate: 'column', state: 'passed', skipped_by: null }])
    await move(one, 'started')
    const refused = await move(two, 'started')
    expect(refused).toMatchObject(full('started', 1))
    expect(refused.body.next_actions[0]).toMatchObject({
      name: 'list_cards',
      arguments: { board_id: scene.boardId, status: 'started' },
    })
    const [state, [blocker], gate] = await gates()
    expect([state, gate.state]).toEqual(['blocked', 'blocked'])
    expect(blocker).toMatchObject(refused.body.detail)
    expect(await world.call('update_card', { card_id: two, status: 'started' })).toMatchObject(full('started', 1))
    expect(await world.call('claim_card', { card_id: two, start: true })).toMatchObject(full('started', 1))
    const creating = { board_id: scene.boardId, title: 'New' }
    expect(await world.call('create_card', { ...creating, claim: true })).toMatchObject(full('started', 1))
    expect(await world.call('create_card', { ...creating, status: 'started' })).toMatchObject(full('started', 1))
    for (let count = await countIn('not_started'); count < 3; count++) await scene.smallChange()
    expect(await world.call('create_card', creating)).toMatchObject(full('not_started', 3))
    // Moves into columns without a limit have no such gate.
    const { moves } = await world.ok('get_allowed_moves', { entity_type: 'card', entity_id: two, to: 'on_hold' })
    expect(moves[0].gates.map(({ gate }: { gate: string }) => gate)).not.toContain('column')
  })

  test('of two that move into the last place at once one is refused', async () => {
    await limited({ started: 2 })
    const cards = await Promise.all(Array.from({ length: 6 }, () => scene.workableCard()))
    const answers = await Promise.all(
      cards.map((card, index) => move(card, 'started', index % 2 ? other : world.owner)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409])
    expect(await countIn('started')).toBe(2)
  })

  test('archived cards make room', async () => {
    await limited({ started: 1 })
    const spec_id = await scene.spec('in_progress')
    await move(await scene.card({ spec_id }), 'started')
    const two = await scene.workableCard()
    const archived = { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id }
    await world.ok('archive_record', archived)
    expect(await move(two, 'started')).toMatchObject({ status: 200 })
    // A restore is never refused: a column may hold more cards than its limit lets in.
    await world.ok('restore_record', archived)
    expect(await countIn('started')).toBe(2)
  })

  test('claim_next_card offers begun cards alone, and says how many wait for room', async () => {
    const cards = [await scene.workableCard(), await scene.workableCard(), await scene.workableCard()]
    await limited({ started: 1 })
    await move(cards[0]!, 'started')
    const next = () => world.ok('claim_next_card', { board_id: scene.boardId, start: true }, { as: other })
    expect(await next()).toMatchObject({ card: { id: cards[0], status: 'started' }, move: null })
    await world.ok('release_claim', { card_id: cards[0]! }, { as: other })
    await world.ok('claim_card', { card_id: cards[0]! })
    const none = await next()
    expect(none).toMatchObject({ claim: null, card: null, waiting: { claimed: 1, column: 2 } })
    expect(none.waiting.cards).toContainEqual({ ref: expect.any(String), why: 'column', by: [] })
    // A claim that starts nothing needs no room.
    const claimed = await world.ok('claim_next_card', { board_id: scene.boardId }, { as: other })
    expect(claimed).toMatchObject({ card: { status: 'not_started' }, move: null })
    // Nor is it started when it is asked for again.
    expect(await next()).toMatchObject({ card: null })
    await move(cards[0]!, 'on_hold')
    expect(await next()).toMatchObject({ card: { id: claimed.card.id }, move: { to_status: 'started' } })
  })

  test('work that is there is not turned away: imported, filed as past, sent back by a validation', async () => {
    await limited({ in_progress: 1, started: 1, not_started: 1 })
    const working = await scene.workableCard({ status: 'in_progress' })
    const past = { board_id: scene.boardId, spec_id: await scene.spec('in_progress'), title: 'Past', imported: true }
    const judged = await world.ok('create_card', { ...past, status: 'validation' })
    await world.ok('create_card', { ...past, status: 'started' })
    await world.ok('create_card', { ...past, status: 'started' })
    expect([await countIn('started'), await countIn('in_progress')]).toEqual([2, 1])
    await world.ok('submit_task_validation', { card_id: judged.id, outcome: 'failed', summary: 'No.' }, { as: other })
    expect(await countIn('in_progress')).toBe(2)
    // A move by hand is also allowed, on a board where validations move nothing.
    await world.ok('update_board', { board_id: scene.boardId, settings: { auto_move: false } })
    const again = await world.ok('create_card', { ...past, status: 'validation' })
    expect(await move(again.id, 'in_progress')).toMatchObject(full('in_progress', 1, 2))
    await world.ok('submit_task_validation', { card_id: again.id, outcome: 'failed', summary: 'No.' }, { as: other })
    expect(await move(again.id, 'in_progress')).toMatchObject({ status: 200 })
    expect(await move(working, 'on_hold')).toMatchObject({ status: 200 })
  })
})
