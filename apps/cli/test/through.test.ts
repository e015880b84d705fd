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

/** The statuses that a record was moved to, in order. */
async function movedTo(id: string, action: string): Promise<string[]> {
  const { events } = await world.ok('list_board_events', { board_id: scene.boardId, entity_id: id, limit: 500 })
  return events
    .filter((event: { action: string }) => event.action === action)
    .map((event: { details: { to_status: string } }) => event.details.to_status)
}

describe('a move through several statuses (crew 4.7)', () => {
  test('takes the shortest way, with an event for each step, and answers the last', async () => {
    const ideation_id = await scene.ideation()
    const moved = await world.ok('move_ideation', { ideation_id, status: 'evaluating', through: true })
    expect(moved.status).toBe('evaluating')
    expect(await movedTo(ideation_id, 'ideation_moved')).toEqual(['review', 'approved', 'evaluating'])
  })

  test('leads back out of a locked spec in one call', async () => {
    const spec_id = await scene.spec('in_progress')
    const moved = await world.ok('move_spec', { spec_id, status: 'draft', through: true })
    expect(moved.status).toBe('draft')
    expect((await movedTo(spec_id, 'spec_moved')).slice(-2)).toEqual(['validated', 'draft'])
  })

  test('stays where the last step that passed has brought it, and says where', async () => {
    const spec_id = await scene.spec()
    const { status, body } = await world.call('move_spec', { spec_id, status: 'in_progress', through: true })
    expect([status, body.detail.error, body.detail.reached]).toEqual([409, 'EVALUATION_REQUIRED', 'validated'])
    expect((await world.ok('get_spec', { spec_id })).status).toBe('validated')
  })

  test('a first step that is refused has reached nothing', async () => {
    const ideation_id = await scene.ideation()
    const blind = await world.agent({ permission_flags: { IDEATIONS_MOVE_REVIEW: false } })
    await scene.admit(blind)
    const refused = await world.call('move_ideation', { ideation_id, status: 'approved', through: true }, { as: blind })
    expect([refused.status, refused.body.detail.error]).toEqual([403, 'FORBIDDEN'])
    expect(refused.body.detail).not.toHaveProperty('reached')
  })

  test('asks the permission of each step', async () => {
    const ideation_id = await scene.ideation()
    const half = await world.agent({ permission_flags: { IDEATIONS_MOVE_APPROVED: false } })
    await scene.admit(half)
    const refused = await world.call(
      'move_ideation',
      { ideation_id, status: 'evaluating', through: true },
      { as: half },
    )
    expect([refused.status, refused.body.detail.reached]).toEqual([403, 'review'])
  })

  test('compares what the caller began from before the first step alone', async () => {
    const ideation_id = await scene.ideation()
    const move = (expected_rev: number) =>
      world.call('move_ideation', { ideation_id, status: 'approved', through: true, expected_rev })
    expect((await move(7)).status).toBe(412)
    expect((await move(1)).status).toBe(200)
  })

  test('where no way leads there it is refused as a single step', async () => {
    const ideation_id = await scene.ideation()
    await world.ok('move_ideation', { ideation_id, status: 'cancelled' })
    const { status, body } = await world.call('move_ideation', { ideation_id, status: 'cancelled', through: true })
    expect([status, body.detail.error]).toEqual([409, 'INVALID_TRANSITION'])
  })

  test('under an Idempotency-Key it is one move', async () => {
    const ideation_id = await scene.ideation()
    const headers = { 'idempotency-key': 'through' }
    const move = () => world.call('move_ideation', { ideation_id, status: 'approved', through: true }, { headers })
    const [first, second] = [await move(), await move()]
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body])
    expect(await movedTo(ideation_id, 'ideation_moved')).toEqual(['review', 'approved'])
  })

  test('what is not there is 404', async () => {
    expect((await world.call('move_spec', { spec_id: 'none', status: 'done', through: true })).status).toBe(404)
  })
})
