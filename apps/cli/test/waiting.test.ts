import type { OperationName } from '@specboard/contract'
import { writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let ada: TestAgent
let ben: TestAgent

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
  ada = await world.agent({ permission_flags: { BOARDS_UPDATE: false } })
  ben = await world.agent({ permission_flags: { BOARDS_UPDATE: false } })
  for (const agent of [ada, ben]) await scene.admit(agent)
})

/** The card as its agent reads it. */
const card = (card_id: string, as = ada) => world.ok('get_card', { card_id }, { as })

const startable = async (fields: object = {}) => scene.card({ spec_id: await scene.spec('in_progress'), ...fields })

/** A card that ada holds. */
async function heldCard(fields: object = {}, cardFields: object = {}): Promise<string> {
  const card_id = await startable(cardFields)
  await world.ok('claim_card', { card_id, ...fields }, { as: ada })
  return card_id
}

/** Sets the times of a claim, as if it had been made earlier. */
const setTimes = (card_id: string, renewed_at: number, expires_at: number) =>
  writeWithoutLock(world, db =>
    db
      .updateTable('claims')
      .set({ renewed_at: new Date(renewed_at).toISOString(), expires_at: new Date(expires_at).toISOString() })
      .where('card_id', '=', card_id)
      .execute(),
  )

describe('a checkpoint (crew 5.4)', () => {
  test('is saved by the holder, and stays with the card through release and another claim', async () => {
    const card_id = await heldCard()
    const saved = await world.ok('save_checkpoint', { card_id, text: 'Half way.', data: { file: 'a.ts' } }, { as: ada })
    expect(saved).toMatchObject({ card_id, text: 'Half way.', data: { file: 'a.ts' }, agent_id: ada.id })
    expect((await card(card_id)).checkpoint).toEqual(saved)
    await world.ok('release_claim', { card_id }, { as: ada })
    await world.ok('claim_card', { card_id }, { as: ben })
    expect((await card(card_id, ben)).checkpoint).toEqual(saved)
  })

  test('is refused to others and without a claim', async () => {
    const card_id = await heldCard()
    const save = (as: TestAgent) => world.call('save_checkpoint', { card_id, text: 'Mine.' }, { as })
    const claimed = await save(ben)
    expect([claimed.status, claimed.body.detail.error]).toEqual([409, 'CLAIMED'])
    await world.ok('release_claim', { card_id }, { as: ada })
    const free = await save(ada)
    expect([free.status, free.body.detail.error]).toEqual([409, 'NOT_CLAIMED'])
  })

  test.each([
    ['an empty text', { text: '' }],
    ['a long text', { text: 'x'.repeat(4_001) }],
    ['much data', { text: 'x', data: { long: 'x'.repeat(2_048) } }],
  ])('of %s is 422', async (_, fields) => {
    const card_id = await heldCard()
    expect((await world.call('save_checkpoint', { card_id, ...fields }, { as: ada })).status).toBe(422)
  })

  test('is what a claim says too', async () => {
    const card_id = await heldCard({ note: 'The parser first' })
    expect((await card(card_id)).checkpoint).toMatchObject({ text: 'The parser first', data: null, agent_id: ada.id })
  })

  test('ends when the card is cancelled; its activity keeps the texts of the last 20', async () => {
    const card_id = await heldCard()
    for (let n = 1; n <= 22; n++) await world.ok('save_checkpoint', { card_id, text: `Step ${n}` }, { as: ada })
    await world.ok('move_card', { card_id, target_status: 'cancelled' }, { as: ada })
    expect((await card(card_id)).checkpoint).toBeNull()
    const activity = await world.ok('list_card_activity', { card_id, limit: 100 })
    const texts = activity
      .filter((entry: { action: string }) => entry.action === 'checkpoint_saved')
      .map((entry: { details: { text?: string } }) => entry.details.text)
    expect(texts).toHaveLength(22)
    expect(texts.filter(Boolean).sort()).toEqual(Array.from({ length: 20 }, (_, n) => `Step ${n + 3}`).sort())
  })

  test('is told to who has lost the card', async () => {
    const card_id = await heldCard({ note: 'Half way' })
    await world.ok('move_card', { card_id, target_status: 'on_hold' })
    const { items } = await world.ok('list_my_inbox', { board_id: scene.boardId, kind: 'claim_lost' }, { as: ada })
    expect(items[0].data.checkpoint).toMatchObject({ text: 'Half way' })
  })
})

describe('every write of the holder renews its claim by its length (crew 5.3)', () => {
  const hour = 3_600_000

  const anyhow = { allow_removal: true }
  const decisions = [{ id: 'd1', title: 'Keep it', rationale: 'It works.' }]
  const linked = (name: Parameters<World['ok']>[0], of: Readonly<Record<string, unknown>>) =>
    world.ok(name, of, { as: ada })

  /** How long before now the claim was renewed, and how much is left of it, in minutes. */
  async function leftAfter(write: (card_id: string) => Promise<unknown>) {
    const card_id = await heldCard({}, { spec_id: await scene.specWithScenarios(1, 'in_progress', { decisions }) })
    await setTimes(card_id, Date.now() - hour / 2, Date.now() + hour / 2)
    await write(card_id)
    const { claim } = await card(card_id)
    return Math.round((Date.parse(claim.expires_at) - Date.now()) / 60_000)
  }

  test.each<[string, (card_id: string) => Promise<unknown>]>([
    ['of a field', card_id => world.ok('update_card', { card_id, details: 'More.' }, { as: ada })],
    ['of a comment', card_id => world.ok('create_comment', { card_id, content: 'Hm.' }, { as: ada })],
    ['of a question', card_id => world.ok('ask_card_question', { card_id, question: 'Which?' }, { as: ada })],
    ['of a status', card_id => world.ok('move_card', { card_id, target_status: 'started' }, { as: ada })],
    ['of a checkpoint', card_id => world.ok('save_checkpoint', { card_id, text: 'So far.' }, { as: ada })],
  ])('%s', async (_, write) => {
    expect(await leftAfter(write)).toBe(60)
  })

  type Of = { readonly card_id: string; readonly spec_id: string; readonly scenario_id: string }
  const rewritten = (fields: object) => ({ test_scenarios: [{ id: 's1', title: 'Works', ...fields }] })
  test.each<[string, (of: Of) => Promise<unknown>]>([
    [
      'a result',
      ids => world.ok('record_scenario_result', { ...ids, card_id: undefined, status: 'ready' }, { as: ada }),
    ],
    ['its tests', ids => world.ok('set_scenario_tests', { ...ids, card_id: undefined, tests: ['a.ts'] }, { as: ada })],
    ['its text', ({ spec_id }) => world.ok('put_spec_items', { spec_id, ...rewritten({ notes: 'n' }) }, { as: ada })],
    ['its removal', ({ spec_id }) => world.ok('update_spec', { spec_id, test_scenarios: [], ...anyhow }, { as: ada })],
    ['the link', ids => world.ok('unlink_task_from_scenario', ids, { as: ada })],
  ])('of its scenario: %s', async (_, write) => {
    const minutes = await leftAfter(async card_id => {
      const ids = { spec_id: (await card(card_id)).spec_id, scenario_id: 's1', card_id }
      await world.ok('link_task_to_scenario', ids)
      await setTimes(card_id, Date.now() - hour / 2, Date.now() + hour / 2)
      await write(ids)
    })
    expect(minutes).toBe(60)
  })

  test.each<[string, (card_id: string, spec_id: string) => Promise<unknown>]>([
    ['a scenario', (card_id, spec_id) => linked('link_task_to_scenario', { spec_id, card_id, scenario_id: 's1' })],
    ['an item', (card_id, spec_id) => linked('link_task_to_item', { spec_id, card_id, item_id: 'd1' })],
    ['no spec', (card_id, spec_id) => linked('unlink_card_from_spec', { spec_id, card_id })],
    [
      'a sprint',
      async (card_id, spec_id) => {
        const { id: sprint_id } = await world.ok('create_sprint', { board_id: scene.boardId, spec_id, title: 'Sprint' })
        await linked('assign_sprint_tasks', { sprint_id, card_ids: [card_id] })
      },
    ],
  ])('of its link to %s', async (_, write) => {
    expect(await leftAfter(async card_id => write(card_id, (await card(card_id)).spec_id))).toBe(60)
  })

  test('reading does not, nor does a write of another', async () => {
    const minutes = await leftAfter(async card_id => {
      await card(card_id)
      await world.ok('create_comment', { card_id, content: 'Hm.' }, { as: ben })
    })
    expect(minutes).toBe(30)
  })
})

describe('list_my_inbox begins with what the caller holds (crew 5.2)', () => {
  const holding = async (as: TestAgent) =>
    (await world.ok('list_my_inbox', { board_id: scene.boardId }, { as })).holding

  test('with what it needs, and what it waits for', async () => {
    const card_id = await heldCard({ note: 'Half way' })
    const other = await startable()
    await world.ok('add_card_dependency', { card_id, depends_on_id: other })
    const { ref, claim, title } = await card(card_id)
    expect(await holding(ada)).toEqual([
      {
        ref,
        title,
        status: 'not_started',
        stage: 'work',
        until: claim.expires_at,
        checkpoint: 'Half way',
        needs: 'move_card started',
        blocked_by: [(await card(other)).ref],
      },
    ])
    expect(await holding(ben)).toEqual([])
  })

  test('and that an archived card waits for its restoration', async () => {
    const card_id = await heldCard()
    const { spec_id } = await card(card_id)
    const spec = { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id }
    await world.ok('archive_record', spec)
    expect((await holding(ada))[0].needs).toBe('wait for restore_record')
    await world.ok('restore_record', spec)
    expect((await holding(ada))[0].needs).toBe('move_card started')
  })

  test('until the work is over', async () => {
    const card_id = await heldCard()
    await world.ok('move_card', { card_id, target_status: 'started' }, { as: ada })
    expect((await holding(ada))[0].needs).toMatch(/^move_card (done|validation): conclusion, /)
  })

  test('a test card is done without a validation, also where review is separate', async () => {
    await world.ok('update_board', { board_id: scene.boardId, settings: { require_separate_reviewer: true } })
    const card_id = await scene.testCard({ spec_id: await scene.specWithScenarios(1) })
    await world.ok('claim_card', { card_id }, { as: ada })
    await world.ok('move_card', { card_id, target_status: 'started' }, { as: ada })
    expect((await holding(ada))[0].needs).toMatch(/^record_scenario_result SCE\d*-\d+\/s1: status, evidence$/)
    const { spec_id } = await world.ok('get_card', { card_id })
    const evidence = { test_run_id: 'run' }
    await world.ok('record_scenario_result', { spec_id, scenario_id: 's1', status: 'passed', evidence }, { as: ada })
    expect((await holding(ada))[0].needs).toMatch(/^move_card done: conclusion, /)
  })

  test('and a failed card that is reserved for it', async () => {
    const card_id = await heldCard()
    await world.ok('move_card', { card_id, target_status: 'started' }, { as: ada })
    await world.ok(
      'move_card',
      {
        card_id,
        target_status: 'validation',
        conclusion: 'Done.',
        completeness: 100,
        completeness_justification: 'All.',
        drift: 0,
        drift_justification: 'None.',
      },
      { as: ada },
    )
    await world.ok('claim_card', { card_id }, { as: ben })
    expect((await holding(ben))[0]).toMatchObject({
      stage: 'validation',
      needs: 'submit_task_validation: outcome, summary',
    })
    await world.ok(
      'submit_task_validation',
      { card_id, outcome: 'failed', summary: 'It is not done at all.' },
      { as: ben },
    )
    expect((await holding(ada))[0]).toMatchObject({ stage: 'reserved', needs: 'claim_card' })
  })
})

describe('a call that waits (crew 5.1)', () => {
  const longMs = 20_000
  const inbox = (fields: object, as = ada) =>
    world.ok('list_my_inbox', { board_id: scene.boardId, wait_ms: longMs, ...fields }, { as })
  const next = (fields: object = {}, as = ada) =>
    world.ok('claim_next_card', { board_id: scene.boardId, wait_ms: longMs, ...fields }, { as })

  const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

  /** Whether a call is still waiting after a while. */
  const isWaiting = async (call: Promise<unknown>) =>
    (await Promise.race([call.then(() => 'answered'), pause(300).then(() => 'waiting')])) === 'waiting'

  test('for the inbox is answered when an item of its kinds appears', async () => {
    const card_id = await startable()
    const question = await world.ok('ask_card_question', { card_id, question: 'Which?' }, { as: ada })
    const waiting = inbox({ kind: 'answer' })
    expect(await isWaiting(waiting)).toBe(true)
    await world.ok('create_comment', { card_id, content: 'Hm.' }, { as: ben })
    await world.ok('update_card', { card_id, title: 'Another title' }, { as: ben })
    expect(await isWaiting(waiting)).toBe(true)
    await world.ok('answer_card_question', { qa_id: question.id, answer: 'The left one.' }, { as: ben })
    expect((await waiting).items).toMatchObject([{ kind: 'answer', data: { answer: 'The left one.' } }])
  })

  test('is answered at once when there is something', async () => {
    const card_id = await startable()
    await world.ok('ask_card_question', { card_id, question: 'Which?' }, { as: ada })
    expect((await inbox({ kind: 'question' }, ben)).items).toHaveLength(1)
  })

  test('that ends empty says how much there is of other kinds', async () => {
    const { items, counts, holding } = await inbox({ kind: 'answer', wait_ms: 1 })
    expect([items, holding, counts.answer]).toEqual([[], [], 0])
  })

  test('for the inbox is answered when a claim of the caller ends, or is near its end', async () => {
    const card_id = await heldCard()
    const waiting = inbox({ kind: 'answer' })
    expect(await isWaiting(waiting)).toBe(true)
    await world.ok('move_card', { card_id, target_status: 'on_hold' })
    expect((await waiting).holding).toEqual([])

    const another = await heldCard()
    await setTimes(another, Date.now() - 50_000, Date.now() + 6_000)
    const nearer = await inbox({ kind: 'answer' })
    expect(nearer.holding).toHaveLength(1)
    expect(Date.parse(nearer.holding[0].until) - Date.now()).toBeLessThan(5_700)
  })

  test('for the next card takes it when it becomes free, by what another does or by the clock', async () => {
    const first = await startable()
    const second = await startable()
    await world.ok('add_card_dependency', { card_id: second, depends_on_id: first })
    await world.ok('claim_card', { card_id: first }, { as: ben })
    const waiting = next()
    expect(await isWaiting(waiting)).toBe(true)
    await world.ok('release_claim', { card_id: first }, { as: ben })
    expect((await waiting).claim.card_id).toBe(first)

    await setTimes(first, Date.now() - 10_000, Date.now() + 700)
    expect((await next({}, ben)).claim.card_id).toBe(first)
  })

  test('gives each of many a card of its own', async () => {
    const spec_id = await scene.spec('in_progress')
    const crew = await Promise.all(Array.from({ length: 6 }, () => world.agent({ permission_flags: {} })))
    for (const agent of crew) await scene.admit(agent)
    const waiting = crew.map(agent => next({}, agent))
    await pause(200)
    for (let n = 0; n < 6; n++) await scene.card({ spec_id })
    const cards = (await Promise.all(waiting)).map(({ claim }) => claim.card_id)
    expect(new Set(cards).size).toBe(6)
  })

  test('ends when its agent loses the board, and sees a board that it gets', async () => {
    const other = await Scene.on(world)
    const waiting = world.ok('list_my_inbox', { wait_ms: longMs, kind: 'spec_review' }, { as: ada })
    await other.spec('review')
    expect(await isWaiting(waiting)).toBe(true)
    await other.admit(ada)
    expect((await waiting).items).toMatchObject([{ kind: 'spec_review', board_id: other.boardId }])

    const call = world.call('list_my_inbox', { board_id: scene.boardId, wait_ms: longMs, kind: 'answer' }, { as: ben })
    await pause(100)
    await world.ok('update_agent', { agent_id: ben.id, is_active: false })
    expect((await call).status).toBe(401)
  })

  test('over MCP says nothing where there is nothing, and no zeros', async () => {
    const mcp = new McpWire(world)
    const tool = async (name: OperationName, args: object) =>
      (await mcp.tool(name, { board_id: scene.boardId, wait_ms: 1, ...args }, { as: ada })).value
    expect(await tool('list_my_inbox', {})).toEqual({})
    const card_id = await startable()
    await world.ok('claim_card', { card_id }, { as: ben })
    expect(await tool('claim_next_card', {})).toEqual({ waiting: { claimed: 1 } })
    await world.ok('ask_card_question', { card_id, question: 'Which?' }, { as: ben })
    expect((await tool('list_my_inbox', {})).counts).toEqual({ question: 1 })
  })
})
