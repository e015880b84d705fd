import { writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EventStream } from './support/event-stream.ts'
import { eventually } from './support/eventually.ts'
import { HttpSink } from './support/http-sink.ts'
import { McpWire } from './support/mcp.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let ada: TestAgent
let ben: TestAgent
/** The card of a question by ben, and the id of ada's item about it. */
let card_id: string
let item: string

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
  ada = await world.agent({})
  ben = await world.agent({})
  for (const agent of [ada, ben]) await scene.admit(agent)
  card_id = await scene.workableCard()
  item = await askQuestion()
})

const askQuestion = async (question = 'Which colour?'): Promise<string> =>
  `question:${(await world.ok('ask_card_question', { card_id, question }, { as: ben })).id}`

const day = 24 * 3_600_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const tomorrow = () => inMs(day)

const inbox = (query: Readonly<Record<string, unknown>> = {}) =>
  world.ok('list_my_inbox', { board_id: scene.boardId, kind: 'question', ...query }, { as: ada })

const idsOf = async (query: Readonly<Record<string, unknown>> = {}) =>
  (await inbox(query)).items.map(({ id }: { id: string }) => id)

const snooze = (fields: object) => world.ok('snooze_inbox_items', { ids: [item], ...fields }, { as: ada })

const mark = (fields: Readonly<Record<string, unknown>> = {}) => world.ok('mark_inbox_items', fields, { as: ada })

/** Lets the time of ada's snooze be over. */
const timeIsOver = () =>
  writeWithoutLock(world, db =>
    db
      .updateTable('inbox_marks')
      .set({ until: inMs(-1_000) })
      .where('agent_id', '=', ada.id)
      .execute(),
  )

describe('what is snoozed (board 1.1)', () => {
  test('is away from list, counts and total until its time comes; others have it as before', async () => {
    const other = await askQuestion('And which size?')
    expect(await snooze({ until: tomorrow() })).toEqual({ snoozed: [item], not_waiting: [] })
    const answer = await world.call('list_my_inbox', { board_id: scene.boardId, kind: 'question' }, { as: ada })
    expect(answer.body).toMatchObject({ items: [{ id: other }], counts: { question: 1 } })
    expect(answer.headers.get('x-total-count')).toBe('1')
    expect((await inbox({ snoozed: 'only' })).counts.question).toBe(1)
    expect(await idsOf({ snoozed: 'only' })).toEqual([item])
    expect(await idsOf({ snoozed: 'with', order: 'oldest' })).toEqual([item, other])
    expect((await world.ok('list_my_inbox', { board_id: scene.boardId })).counts.question).toBe(2)
    await timeIsOver()
    expect(await idsOf({ order: 'oldest' })).toEqual([item, other])
    expect(await idsOf({ snoozed: 'only' })).toEqual([])
  })

  test('comes back when somebody else writes about its record, not by what its reader does', async () => {
    await snooze({ until_change: true, until: tomorrow() })
    await world.ok('create_comment', { card_id, content: 'Let me think.' }, { as: ada })
    expect(await idsOf()).toEqual([])
    await world.ok('create_comment', { card_id, content: 'Any news?' }, { as: ben })
    expect(await idsOf()).toEqual([item])
    // From now on, with no end time.
    await snooze({ until_change: true })
    expect(await idsOf()).toEqual([])
    await world.ok('create_comment', { card_id, content: 'Now?' }, { as: ben })
    expect(await idsOf()).toEqual([item])
  })

  test('is taken back by neither time nor change', async () => {
    await snooze({ until: tomorrow() })
    expect(await snooze({})).toEqual({ snoozed: [item], not_waiting: [] })
    expect(await idsOf()).toEqual([item])
  })

  test('says until when, and how many are away, to whoever asks for marks', async () => {
    const until = tomorrow()
    expect((await inbox()).items[0]).not.toHaveProperty('snoozed_until')
    await snooze({ until })
    expect(await inbox({ marks: true })).toMatchObject({ items: [], unread: 0, snoozed: 1 })
    expect(await inbox({ marks: true, snoozed: 'only' })).toMatchObject({
      items: [{ id: item, snoozed_until: until, until_change: false, unread: true }],
      snoozed: 1,
    })
    await snooze({ until_change: true })
    expect((await inbox({ marks: true, snoozed: 'only' })).items).toMatchObject([
      { snoozed_until: null, until_change: true },
    ])
  })

  test('goes with what is settled; what comes anew waits', async () => {
    await snooze({ until: tomorrow() })
    await world.ok('answer_card_question', { qa_id: item.split(':')[1]!, answer: 'Red.' }, { as: ada })
    expect(await idsOf({ snoozed: 'only' })).toEqual([])
    item = await askQuestion('Still red?')
    // The next snooze removes the marks of items that are gone.
    await snooze({ until: tomorrow() })
    const rows = await writeWithoutLock(world, db =>
      db.selectFrom('inbox_marks').select('item_id').where('agent_id', '=', ada.id).execute(),
    )
    expect(rows).toEqual([{ item_id: item }])
  })

  test('is named where it does not wait, and for times that are none', async () => {
    expect(await snooze({ ids: ['question:none', 'nothing', item], until: tomorrow() })).toEqual({
      snoozed: [item],
      not_waiting: ['question:none', 'nothing'],
    })
    for (const until of [inMs(-day), inMs(400 * day)])
      expect(await world.call('snooze_inbox_items', { ids: [item], until }, { as: ada })).toMatchObject({
        status: 400,
        body: { detail: { field: 'until' } },
      })
  })

  test('are at most 500', async () => {
    await snooze({ until: tomorrow() })
    await writeWithoutLock(world, async db => {
      const row = await db.selectFrom('inbox_marks').selectAll().where('item_id', '=', item).executeTakeFirstOrThrow()
      // On a board that ada does not see, so that nothing shows that these items are gone.
      const rows = Array.from({ length: 499 }, (_, at) => ({
        ...row,
        item_id: `question:${at}`,
        board_id: 'elsewhere',
      }))
      await db.insertInto('inbox_marks').values(rows).execute()
    })
    const next = await askQuestion('One more?')
    expect(await world.call('snooze_inbox_items', { ids: [next], until: tomorrow() }, { as: ada })).toMatchObject({
      status: 409,
      body: { detail: { error: 'LIMIT_REACHED', limit: 500, what: 'snoozed items' } },
    })
    // An item that is already snoozed may be snoozed for longer, or brought back.
    expect(await snooze({ until: inMs(2 * day) })).toMatchObject({ snoozed: [item] })
    await snooze({})
    expect(await snooze({ ids: [next], until: tomorrow() })).toMatchObject({ snoozed: [next] })
  })

  test('is gone with its board and its agent', async () => {
    await snooze({ until: tomorrow() })
    const marksIn = (board: string) =>
      writeWithoutLock(world, db =>
        db.selectFrom('inbox_marks').select('item_id').where('board_id', '=', board).execute(),
      )
    expect(await marksIn(scene.boardId)).toHaveLength(1)
    await world.ok('delete_agent', { agent_id: ada.id })
    expect(await marksIn(scene.boardId)).toEqual([])
    const [own] = (await world.ok('list_my_inbox', { board_id: scene.boardId, kind: 'question' })).items
    await world.ok('mark_inbox_items', { ids: [own.id] })
    await world.ok('delete_board', { board_id: scene.boardId })
    await eventually(async () => expect(await marksIn(scene.boardId)).toEqual([]))
  })

  test('is nothing for a view bound to another board', async () => {
    const other = await Scene.on(world)
    await other.admit(ada)
    const { value } = await new McpWire(world).tool(
      'snooze_inbox_items',
      { ids: [item], until: tomorrow() },
      { as: ada, query: `board_id=${other.boardId}` },
    )
    expect(value).toMatchObject({ not_waiting: [item] })
    expect(await idsOf()).toEqual([item])
  })
})

describe('what comes back by the clock is noticed (board 1.1)', () => {
  test('by a call that waits', async () => {
    await snooze({ until: inMs(1_200) })
    expect((await inbox({ wait_ms: 60_000 })).items).toMatchObject([{ id: item }])
  })

  test('by a stream, which tells at once what its reader puts away', async () => {
    const stream = await EventStream.open(world, '/api/v1/me/events/stream', { as: ada })
    const counted = async () => (await stream.nextOf('inbox')).data.counts.question
    expect(await counted()).toBe(1)
    await snooze({ until: inMs(2_500) })
    expect(await counted()).toBe(0)
    expect(await counted()).toBe(1)
    stream.close()
  })

  test('by the channels of a person, also what it did itself', async () => {
    const chat = await HttpSink.start()
    const person = await Person.owner(world)
    const { id: channel } = await person.ok('create_notification_channel', { type: 'slack', url: `${chat.url}/hook` })
    const itemId = await askQuestion('Told?')
    await chat.taken(1)
    await person.ok('snooze_inbox_items', { ids: [itemId], until: inMs(1_500) })
    await chat.taken(2)
    await person.ok('delete_notification_channel', { channel_id: channel })
    await chat.stop()
  })
})

describe('what was read (board 1.1)', () => {
  const unread = async () => {
    const { items, unread } = await inbox({ marks: true, order: 'oldest' })
    return [unread, items.map((entry: { unread: boolean }) => entry.unread)]
  }

  test('is all that was marked, one by one or together, until it is marked as unread', async () => {
    const other = await askQuestion('And which size?')
    expect(await unread()).toEqual([2, [true, true]])
    expect(await mark({ ids: [other, 'question:none'] })).toEqual({ marked: 1, not_waiting: ['question:none'] })
    expect(await unread()).toEqual([1, [true, false]])
    await mark()
    expect(await unread()).toEqual([0, [false, false]])
    await mark({ ids: [item], unread: true })
    expect(await unread()).toEqual([1, [true, false]])
    expect((await world.ok('list_my_inbox', { board_id: scene.boardId, kind: 'question', marks: true })).unread).toBe(2)
  })

  test('is unread again once it comes back', async () => {
    await mark({ ids: [item] })
    await snooze({ until: tomorrow() })
    expect(await mark({ ids: [item] })).toEqual({ marked: 0, not_waiting: [] })
    await timeIsOver()
    expect(await unread()).toEqual([1, [true]])
    await mark({ ids: [item] })
    expect(await unread()).toEqual([0, [false]])
  })
})
