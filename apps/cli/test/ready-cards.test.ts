import { SpecStatus, SprintStatus } from '@specboard/contract'
import { writeWithoutLock } from '@specboard/domain'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
/** An agent that may move cards but not change the board. */
let mover: TestAgent
let other: TestAgent

beforeAll(async () => {
  world = await World.start()
  mover = await world.agent({ name: 'Mover', permission_flags: { BOARDS_UPDATE: false } })
  other = await world.agent({ permission_flags: { BOARDS_UPDATE: false } })
})

afterAll(() => world.stop())

async function newBoard(): Promise<Scene> {
  const scene = await Scene.on(world)
  await scene.admit(mover)
  await scene.admit(other)
  return scene
}

const readyOn = (scene: Scene, fields: object = {}) =>
  world.ok('list_ready_cards', { board_id: scene.boardId, ...fields }, { as: mover })
const idsOf = (cards: readonly { id: string }[]) => cards.map(card => card.id)

describe('list_ready_cards for start agrees with move_card (work 2)', () => {
  const claims = ['none', 'own', 'foreign', 'expired'] as const
  const rarely = fc.integer({ min: 0, max: 5 }).map(number => number === 0)
  const arbitrary = fc.record({
    specs: fc.array(
      fc.record({
        status: fc.constantFrom(...SpecStatus.options),
        skip_test_coverage: fc.boolean(),
        sprints: fc.array(fc.record({ status: fc.constantFrom(...SprintStatus.options), archived: fc.boolean() }), {
          maxLength: 2,
        }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    cards: fc.array(
      fc.record({
        spec: fc.nat(),
        withoutSpec: rarely,
        sprint: fc.option(fc.nat()),
        card_type: fc.constantFrom('normal', 'test', 'bug'),
        status: fc.constantFrom(
          'not_started',
          'not_started',
          'not_started',
          'started',
          'validation',
          'done',
          'cancelled',
        ),
        archived: rarely,
        claim: fc.constantFrom(...claims),
        awaits: fc.array(fc.nat(), { maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 7 },
    ),
  })
  type Drawn = typeof arbitrary extends fc.Arbitrary<infer Value> ? Value : never

  /** Creates a generated board. Statuses that gates would refuse are written directly. */
  async function made({ specs, cards }: Drawn): Promise<{ scene: Scene; cards: string[] }> {
    const scene = await newBoard()
    const madeSpecs: { id: string; sprints: string[] }[] = []
    for (const spec of specs) {
      const id = await scene.specWithScenarios(1, 'approved', { skip_test_coverage: spec.skip_test_coverage })
      const sprints: string[] = []
      for (const _ of spec.sprints)
        sprints.push((await world.ok('create_sprint', { board_id: scene.boardId, spec_id: id, title: 'Sprint' })).id)
      madeSpecs.push({ id, sprints })
    }
    const origin = await scene.card({ spec_id: madeSpecs[0]!.id, status: 'done' })
    const ids: string[] = []
    for (const card of cards) {
      const spec = madeSpecs[card.spec % madeSpecs.length]!
      const sprint_id = card.sprint === null ? null : (spec.sprints[card.sprint % spec.sprints.length] ?? null)
      const fields = { spec_id: spec.id, sprint_id }
      const id =
        card.card_type === 'bug'
          ? await scene.bug({ origin_task_id: origin })
          : await (card.card_type === 'test' ? scene.testCard(fields) : scene.card(fields))
      for (const awaited of card.awaits.map(at => ids[at % ids.length]))
        if (awaited !== undefined) await world.call('add_card_dependency', { card_id: id, depends_on_id: awaited })
      if (card.claim !== 'none')
        await world.ok('claim_card', { card_id: id }, { as: card.claim === 'own' ? mover : other })
      ids.push(id)
    }
    await writeWithoutLock(world, async db => {
      for (const [at, { status, sprints }] of specs.entries()) {
        const { id, sprints: sprintIds } = madeSpecs[at]!
        await db.updateTable('specs').set({ status }).where('id', '=', id).execute()
        for (const [number, sprint] of sprints.entries()) {
          const set = { status: sprint.status, archived: sprint.archived ? 1 : 0 } as const
          await db.updateTable('sprints').set(set).where('id', '=', sprintIds[number]!).execute()
        }
      }
      for (const [at, { status, archived, claim, withoutSpec }] of cards.entries()) {
        const loose = withoutSpec && { spec_id: null, sprint_id: null }
        const set = { status, archived: archived ? 1 : 0, ...loose } as const
        await db.updateTable('cards').set(set).where('id', '=', ids[at]!).execute()
        if (claim === 'expired') {
          const past = { expires_at: '2026-01-01T00:00:00.000Z' }
          await db.updateTable('claims').set(past).where('card_id', '=', ids[at]!).execute()
        }
      }
    })
    return { scene, cards: ids }
  }

  test('on drawn boards', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async board => {
        const { scene, cards } = await made(board)
        const offered = await readyOn(scene)
        const listed = idsOf(offered.filter(({ status }: { status: string }) => status === 'not_started'))
        const movable: string[] = []
        for (const [at, card_id] of cards.entries()) {
          if (board.cards[at]!.status !== 'not_started') continue
          const { status } = await world.call('move_card', { card_id, target_status: 'started' }, { as: mover })
          if (status === 200) movable.push(card_id)
        }
        expect(listed.toSorted()).toEqual(movable.toSorted())
      }),
      { numRuns: 30 },
    )
  }, 120_000)
})

describe('list_ready_cards (work 2)', () => {
  test('answers what an agent needs to choose', async () => {
    const scene = await newBoard()
    const spec_id = await scene.spec('in_progress', { title: 'Baskets' })
    const fields = { priority: 'high', labels: ['api'], due_date: '2026-05-01', assignee_id: 'Mover' }
    const id = await scene.card({ spec_id, title: 'Merge', ...fields })
    const after = await scene.card({ spec_id })
    const last = await scene.card({ spec_id })
    const finished = await scene.card({ spec_id, status: 'done' })
    for (const [card_id, depends_on_id] of [
      [after, id],
      [last, after],
      [finished, id],
    ])
      await world.ok('add_card_dependency', { card_id, depends_on_id })
    const [card, ...others] = await readyOn(scene)
    expect(others).toEqual([])
    expect(card).toEqual({
      id,
      ref: (await world.ok('get_card', { card_id: id })).ref,
      title: 'Merge',
      status: 'not_started',
      priority: 'high',
      card_type: 'normal',
      labels: ['api'],
      paths: [],
      overlaps: null,
      due_date: '2026-05-01T00:00:00.000Z',
      spec_id,
      spec_ref: (await world.ok('get_spec', { spec_id })).ref,
      spec_title: 'Baskets',
      sprint_id: null,
      assignee_id: mover.id,
      why: 'ready',
      unblocks: 2,
      claim: null,
      updated_at: expect.any(String),
      proof: null,
    })
  })

  test('orders by own claim, priority, due date, what it unblocks, and position', async () => {
    const scene = await newBoard()
    const spec_id = await scene.spec('in_progress')
    const card = (fields: object = {}) => scene.card({ spec_id, ...fields })
    const plain = await card()
    const second = await card()
    const unblocking = await card()
    const waiting = await card()
    await world.ok('add_card_dependency', { card_id: waiting, depends_on_id: unblocking })
    const late = await card({ due_date: '2026-06-02' })
    const soon = await card({ due_date: '2026-06-01' })
    const critical = await card({ priority: 'critical' })
    const low = await card({ priority: 'low' })
    const mine = await card()
    await world.ok('claim_card', { card_id: mine }, { as: mover })
    const foreign = await card({ priority: 'critical' })
    await world.ok('claim_card', { card_id: foreign }, { as: other })
    const order = [mine, critical, low, soon, late, unblocking, plain, second]
    expect(idsOf(await readyOn(scene))).toEqual(order)
    const page = await world.call('list_ready_cards', { board_id: scene.boardId, limit: 2, offset: 1 }, { as: mover })
    expect([idsOf(page.body), page.headers.get('x-total-count')]).toEqual([order.slice(1, 3), '8'])
  })

  test('filters like list_cards', async () => {
    const scene = await newBoard()
    const { spec_id, sprint_id, card_id } = await scene.sprint('active')
    await writeWithoutLock(world, db =>
      db.updateTable('specs').set({ status: 'in_progress' }).where('id', '=', spec_id).execute(),
    )
    const other_spec = await scene.specWithScenarios()
    const labelled = await scene.card({ spec_id: other_spec, labels: ['a', 'b'], assignee_id: mover.id })
    const tested = await scene.testCard({ spec_id: other_spec, labels: ['b'], assignee_id: 'Mover' })
    const found = async (fields: object) => idsOf(await readyOn(scene, fields)).toSorted()
    expect(await found({ spec_id })).toEqual([card_id])
    expect(await found({ sprint_id })).toEqual([card_id])
    expect(await found({ card_type: 'test' })).toEqual([tested])
    expect(await found({ label: 'a, b' })).toEqual([labelled])
    expect(await found({ label: 'b' })).toEqual([labelled, tested].toSorted())
    expect(await found({ assignee_id: 'me' })).toEqual([labelled, tested].toSorted())
    expect(await found({ assignee_id: 'Mover' })).toEqual([labelled, tested].toSorted())
    expect(await found({ assignee_id: 'none' })).toEqual([card_id])
    expect((await world.call('list_ready_cards', { board_id: scene.boardId, for: 'fun' })).status).toBe(422)
  })

  test('for continue: what the caller has begun, by claim or as assignee', async () => {
    const scene = await newBoard()
    const spec_id = await scene.spec('in_progress')
    const startedCard = (fields: object = {}) => scene.card({ spec_id, status: 'started', ...fields })
    const claimed = await startedCard()
    await world.ok('claim_card', { card_id: claimed }, { as: mover })
    const byId = await startedCard({ assignee_id: mover.id })
    const byName = await startedCard({ assignee_id: 'Mover', status: 'in_progress' })
    await startedCard()
    await startedCard({ assignee_id: mover.id, status: 'on_hold' })
    await scene.card({ spec_id, assignee_id: mover.id })
    expect(idsOf(await readyOn(scene, { for: 'continue' })).toSorted()).toEqual([claimed, byId, byName].toSorted())
  })

  test('for validation: normal and bug cards that no validation of their stay speaks of', async () => {
    const scene = await newBoard()
    const spec_id = await scene.specWithScenarios()
    const waiting = await scene.card({ spec_id, status: 'validation' })
    await scene.testCard({ spec_id, status: 'validation' })
    const foreign = await scene.card({ spec_id, status: 'validation' })
    await world.ok('claim_card', { card_id: foreign }, { as: other })
    const judged = await scene.card({ spec_id, status: 'validation' })
    await world.ok('submit_task_validation', { card_id: judged, outcome: 'failed', summary: 'No.' })
    expect(idsOf(await readyOn(scene, { for: 'validation' }))).toEqual([waiting])
    const report = { conclusion: 'Done.', completeness: 100, completeness_justification: 'All.', drift: 0 }
    await world.ok('move_card', { card_id: judged, target_status: 'in_progress' })
    const again = { target_status: 'validation', ...report, drift_justification: 'None.' }
    await world.ok('move_card', { card_id: judged, ...again })
    expect(idsOf(await readyOn(scene, { for: 'validation' }))).toEqual([waiting, judged])
  })

  test('lists after each change what then waits for none', async () => {
    const scene = await newBoard()
    const spec_id = await scene.spec('in_progress')
    const [first, second, third] = [
      await scene.card({ spec_id }),
      await scene.card({ spec_id }),
      await scene.card({ spec_id }),
    ]
    const move = (card_id: string, target_status: string) => world.ok('move_card', { card_id, target_status })
    const listed = async () => idsOf(await readyOn(scene))
    for (const [card_id, depends_on_id] of [
      [second, first],
      [third, first],
      [third, second],
    ])
      await world.ok('add_card_dependency', { card_id, depends_on_id })
    expect(await listed()).toEqual([first])
    const late = await scene.card({ spec_id })
    expect(await listed()).toEqual([first, late])
    await move(first, 'cancelled')
    expect(await listed()).toEqual([second, late])
    await move(second, 'cancelled')
    expect(await listed()).toEqual([third, late])
    await move(first, 'not_started')
    expect(await listed()).toEqual([first, late])
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    expect(await listed()).toEqual([])
    await world.ok('restore_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    expect((await listed()).toSorted()).toEqual([first, late].toSorted())
    await writeWithoutLock(world, db =>
      db.updateTable('cards').set({ status: 'done' }).where('id', '=', first).execute(),
    )
    expect((await listed()).toSorted()).toEqual([third, late].toSorted())
  })

  test('counts what cards unblock anew after every change of dependencies and statuses', async () => {
    const scene = await newBoard()
    const spec_id = await scene.spec('in_progress')
    const cards = [await scene.card({ spec_id }), await scene.card({ spec_id }), await scene.card({ spec_id })] as const
    const unblocks = async () => {
      const [first] = await readyOn(scene, { limit: 1 })
      return [cards.indexOf(first.id), first.unblocks]
    }
    const link = (at: number, awaited: number) => ({ card_id: cards[at]!, depends_on_id: cards[awaited]! })
    const move = (at: number, target_status: string) => world.ok('move_card', { card_id: cards[at]!, target_status })
    expect(await unblocks()).toEqual([0, 0])
    await world.ok('add_card_dependency', link(1, 0))
    expect(await unblocks()).toEqual([0, 1])
    await world.ok('add_card_dependency', link(2, 1))
    expect(await unblocks()).toEqual([0, 2])
    await move(1, 'cancelled')
    expect(await unblocks()).toEqual([0, 0])
    await move(1, 'not_started')
    expect(await unblocks()).toEqual([0, 2])
    await move(2, 'cancelled')
    expect(await unblocks()).toEqual([0, 1])
    await move(0, 'cancelled')
    expect(await unblocks()).toEqual([1, 0])
    await world.ok('remove_card_dependency', link(1, 0))
    await move(0, 'not_started')
    expect(await unblocks()).toEqual([1, 0])
    await world.ok('add_card_dependency', link(2, 0))
    await move(2, 'not_started')
    expect(await unblocks()).toEqual([1, 1])
    await world.ok('delete_card', { card_id: cards[2] })
    expect(await unblocks()).toEqual([1, 0])
  })
})
