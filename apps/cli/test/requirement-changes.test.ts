import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let ben: TestAgent
let val: TestAgent

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
  ben = await world.agent()
  val = await world.agent()
  for (const agent of [ben, val]) await scene.admit(agent)
})

const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All.',
  drift: 0,
  drift_justification: 'None.',
}

const scenario = (id: string, fields: object = {}) => ({ id, title: id, given: 'g', when: 'w', then: 't', ...fields })

/** A spec in progress with two scenarios, and two cards: the first linked to t1, which names the first criterion. */
async function underWay() {
  const spec_id = await scene.spec('in_progress', {
    acceptance_criteria: ['It opens', 'It shuts'],
    test_scenarios: [scenario('t1', { linked_criteria: ['It opens'] }), scenario('t2')],
  })
  const linked = await scene.card({ spec_id })
  const other = await scene.card({ spec_id })
  await world.ok('link_task_to_scenario', { spec_id, scenario_id: 't1', card_id: linked })
  await world.ok('claim_card', { card_id: linked }, { as: ben })
  return { spec_id, linked, other }
}

const changedOf = async (card_id: string, as = val) =>
  ((await world.ok('get_card', { card_id }, { as })).changed_since_claimed ?? []).map(
    ({ field, item }: { field: string; item: string | null }) => [field, item],
  )

const inbox = async (as: TestAgent) => world.ok('list_my_inbox', { board_id: scene.boardId }, { as })

describe('what is changed under somebody (crew 4.7)', () => {
  test('a scenario marks its linked cards alone, until the holder reads them', async () => {
    const { spec_id, linked, other } = await underWay()
    await world.ok('put_spec_items', { spec_id, test_scenarios: [{ id: 't1', then: 'it is open' }] })
    expect(await changedOf(linked)).toEqual([['test_scenarios', 't1']])
    expect(await changedOf(other)).toEqual([])
    const { holding, items } = await inbox(ben)
    expect(holding[0].changed).toEqual([
      { field: 'test_scenarios', item: 't1', by: world.owner.id, at: expect.any(String) },
    ])
    const item = items.find(({ kind }: { kind: string }) => kind === 'card_changed')
    expect(item.data.changes).toMatchObject([{ field: 'test_scenarios', item: 't1', by: world.owner.id }])
    expect((await world.call(item.operation, item.arguments, { as: ben })).status).toBe(200)
    expect(await changedOf(linked, ben)).toHaveLength(1)
    expect(await changedOf(linked, ben)).toEqual([])
    expect((await inbox(ben)).items.filter(({ kind }: { kind: string }) => kind === 'card_changed')).toEqual([])
  })

  test('a criterion marks the cards linked to items that name it; one that nobody names marks every open card', async () => {
    const { spec_id, linked, other } = await underWay()
    await world.ok('put_spec_items', { spec_id, acceptance_criteria: [{ was: 'It opens', text: 'It opens wide' }] })
    expect(await changedOf(linked)).toContainEqual(['acceptance_criteria', 'It opens wide'])
    expect((await changedOf(other)).filter(([field]: string[]) => field === 'acceptance_criteria')).toEqual([])
    await world.ok('put_spec_items', { spec_id, acceptance_criteria: [{ was: 'It shuts', text: 'It shuts well' }] })
    expect(await changedOf(other)).toContainEqual(['acceptance_criteria', 'It shuts well'])
  })

  test('a field marks every open card, with one entry for each write; done cards and own changes are left out', async () => {
    const { spec_id, linked, other } = await underWay()
    const closed = await scene.card({ spec_id, status: 'cancelled' })
    await world.ok('update_spec', { spec_id, description: 'Another text', context: 'Another one' }, { as: ben })
    expect(await changedOf(linked)).toEqual([])
    expect((await changedOf(other)).map(([field]: string[]) => field).toSorted()).toEqual(['context', 'description'])
    expect(await changedOf(closed)).toEqual([])
    const { events } = await world.ok('list_board_events', { board_id: scene.boardId, entity_id: spec_id, limit: 500 })
    const notices = events.filter(({ action }: { action: string }) => action === 'card_requirement_changed')
    expect(notices.map(({ details }: { details: object }) => details)).toEqual([
      { spec_id, fields: expect.arrayContaining(['context', 'description']), items: [], card_ids: [other] },
    ])
  })

  test('links, labels and results are no changes of what is to be done', async () => {
    const { spec_id, linked, other } = await underWay()
    await world.ok('update_spec', { spec_id, labels: ['new'] })
    await world.ok('link_task_to_scenario', { spec_id, scenario_id: 't2', card_id: other })
    expect([await changedOf(linked), await changedOf(other)]).toEqual([[], []])
  })

  test('texts of the card itself are told to who holds it, and to the assignee', async () => {
    const { linked } = await underWay()
    await world.ok('update_card', { card_id: linked, assignee_id: val.id })
    await world.ok('update_card', { card_id: linked, description: 'Another text' })
    for (const agent of [ben, val]) {
      const item = (await inbox(agent)).items.find(({ kind }: { kind: string }) => kind === 'card_changed')
      expect(item.data.changes).toMatchObject([{ field: 'description', item: null }])
      expect((await world.call(item.operation, item.arguments, { as: agent })).status).toBe(200)
    }
    expect(await changedOf(linked)).toEqual([['description', null]])
  })

  test('a validation after a change of what was reported on asks for seen_changes', async () => {
    const { spec_id, linked } = await underWay()
    await world.ok('move_card', { card_id: linked, target_status: 'started' }, { as: ben })
    await world.ok('move_card', { card_id: linked, target_status: 'validation', ...report }, { as: ben })
    await world.ok('put_spec_items', { spec_id, test_scenarios: [{ id: 't1', then: 'it is open' }] })
    const verdict = { card_id: linked, outcome: 'success', summary: 'Good.' }
    const refused = await world.call('submit_task_validation', verdict, { as: val })
    expect([refused.status, refused.body.detail.error]).toEqual([409, 'CHANGED_MEANWHILE'])
    expect(refused.body.detail.changes).toMatchObject([{ field: 'test_scenarios', item: 't1' }])
    const [diff, again] = refused.body.detail.next_actions ?? []
    if (diff !== undefined) expect((await world.call(diff.operation, diff.arguments, { as: val })).status).toBe(200)
    if (again !== undefined) expect(again.arguments.seen_changes).toBe(true)
    const answer = await world.call('submit_task_validation', { ...verdict, seen_changes: true }, { as: val })
    expect(answer.status).toBe(201)
  })

  test('a validation while the spec went back warns, and is not refused', async () => {
    const { spec_id, linked } = await underWay()
    await world.ok('move_card', { card_id: linked, target_status: 'started' }, { as: ben })
    await world.ok('move_card', { card_id: linked, target_status: 'validation', ...report }, { as: ben })
    const verdict = { card_id: linked, outcome: 'failed', summary: 'Not yet.', auto_move: false }
    const mcp = new McpWire(world)
    const before = await mcp.tool('submit_task_validation', verdict, { as: val })
    expect([before.isError, before.value._warnings]).toEqual([false, undefined])
    await world.ok('update_spec', { spec_id, skip_test_coverage: true })
    await world.ok('move_spec', { spec_id, status: 'validated' })
    await world.ok('move_spec', { spec_id, status: 'draft' })
    const { isError, value } = await mcp.tool(
      'submit_task_validation',
      { ...verdict, summary: 'Still not.' },
      { as: val },
    )
    expect([isError, value._warnings]).toEqual([false, [expect.stringMatching(/is draft, below in_progress/)]])
  })
})
