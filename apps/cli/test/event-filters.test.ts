import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EventStream } from './support/event-stream.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let ada: TestAgent

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
  ada = await world.agent()
  await scene.admit(ada)
})

const list = (query: object = {}, as = ada) =>
  world.ok('list_board_events', { board_id: scene.boardId, limit: 500, ...query }, { as })

const actions = async (query: object) =>
  (await list(query)).events.map(({ action, entity_id }: { action: string; entity_id: string }) => [action, entity_id])

describe('concerns=me (crew 5.6)', () => {
  test('tells of what others do to records that one holds, keeps, is assigned to, or asked or answered on', async () => {
    const [claimed, assigned, questioned, other] = [
      await scene.card(),
      await scene.card({ assignee_id: ada.id }),
      await scene.card(),
      await scene.card(),
    ]
    const ideation = (await world.ok('create_ideation', { board_id: scene.boardId, title: 'Mine' }, { as: ada })).id
    await world.ok('claim_card', { card_id: claimed }, { as: ada })
    await world.ok('ask_card_question', { card_id: questioned, question: 'Why?' }, { as: ada })
    const { last_sequence } = await list()
    for (const card_id of [claimed, assigned, questioned, other])
      await world.ok('create_comment', { card_id, content: 'Look.' })
    await world.ok('update_ideation', { ideation_id: ideation, description: 'More' })
    await world.ok('create_comment', { card_id: claimed, content: 'My own.' }, { as: ada })
    expect(await actions({ after: last_sequence, concerns: 'me' })).toEqual([
      ['comment_added', claimed],
      ['comment_added', assigned],
      ['comment_added', questioned],
      ['ideation_updated', ideation],
    ])
  })

  test('filters the stream of all boards too, with entity_type and action', async () => {
    const card_id = await scene.card({ assignee_id: ada.id })
    const other = await scene.card()
    const path = '/api/v1/me/events/stream?concerns=me&entity_type=card&action=comment_added,card_moved'
    const stream = await EventStream.open(world, path, { as: ada })
    try {
      await stream.next()
      await world.ok('create_comment', { card_id: other, content: 'Not yours.' })
      await world.ok('update_card', { card_id, priority: 'high' })
      await world.ok('create_comment', { card_id, content: 'Yours.' })
      const { data } = await stream.nextOf('board.event')
      expect([data.action, data.entity_id]).toEqual(['comment_added', card_id])
    } finally {
      stream.close()
    }
    const { cursor } = await world.ok('stream_my_events', {}, { as: ada })
    await world.ok('create_comment', { card_id: other, content: 'Not yours.' })
    await world.ok('create_comment', { card_id, content: 'Yours.' })
    const { events } = await world.ok(
      'stream_my_events',
      { after: cursor, concerns: 'me', wait_ms: 20_000 },
      { as: ada },
    )
    expect(events.map(({ entity_id }: { entity_id: string }) => entity_id)).toEqual([card_id])
  })
})

describe('digest=true (crew 5.6)', () => {
  test('is a line per record, newest first, with what it went through', async () => {
    const spec_id = await scene.spec('in_progress')
    const card_id = await scene.card({ spec_id })
    const { ref } = await world.ok('get_card', { card_id })
    const { last_sequence } = await list()
    await world.ok('move_card', { card_id, target_status: 'started' })
    await world.ok('move_card', { card_id, target_status: 'in_progress' }, { as: ada })
    await world.ok('update_spec', { spec_id, labels: ['x'] })
    const { events } = await list({ after: last_sequence, digest: true })
    expect(events).toEqual([
      { ref: expect.any(String), title: expect.any(String), from: null, to: null, who: ['Local Owner'], events: 1 },
      {
        ref,
        title: expect.any(String),
        from: 'not_started',
        to: 'in_progress',
        who: [expect.stringMatching(/^Agent/), 'Local Owner'],
        events: 2,
      },
    ])
  })

  test('goes on before the last sequence that it saw, and keeps what is deleted without a title', async () => {
    const card_id = await scene.card()
    await world.ok('delete_card', { card_id })
    const [first] = (await list({ digest: true, limit: 1 })).events
    expect(first).toMatchObject({ title: null, events: 1 })
    const { last_sequence, more } = await list({ digest: true, limit: 1 })
    expect(more).toBe(true)
    const rest = await list({ digest: true, before: last_sequence })
    expect(rest.events.length).toBeGreaterThan(0)
  })
})
