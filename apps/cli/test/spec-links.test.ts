import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validation } from './operations/specs.rows.ts'
import { logged } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const get = (spec_id: string) => world.ok('get_spec', { spec_id })
const getCard = (card_id: string) => world.ok('get_card', { card_id })
const update = (spec_id: string, fields: object) => world.call('update_spec', { spec_id, ...fields })

const scenario = (id: string, fields: object = {}) => ({ id, title: id, ...fields })
const scenarios = ['s1', 's2', 's3', 's4'].map(id => scenario(id))

/** Every linkable list with one item that names a card. */
const itemsOf = (cardId: string) => ({
  business_rules: [{ id: 'r', title: 'R', rule: 'r', when: 'w', then: 't', linked_task_ids: [cardId] }],
  api_contracts: [{ id: 'c', method: 'GET', path: '/', linked_task_ids: [cardId] }],
  decisions: [{ id: 'd', title: 'D', rationale: 'r', linked_task_ids: [cardId] }],
  technical_requirements: ['plain', { id: 't', text: 'T', linked_task_ids: [cardId] }],
})

/** The card ids of every list of a spec. */
const linkedIds = async (specId: string): Promise<string[]> => {
  const spec = await get(specId)
  const lists = ['test_scenarios', 'business_rules', 'api_contracts', 'decisions', 'technical_requirements']
  return lists.flatMap(list =>
    (spec[list] ?? []).flatMap((item: { linked_task_ids?: string[] }) => item.linked_task_ids ?? []),
  )
}

const linksOf = async (specId: string): Promise<Record<string, string[] | null>> => {
  const { test_scenarios } = await get(specId)
  return Object.fromEntries(
    test_scenarios.map(({ id, linked_task_ids }: { id: string; linked_task_ids: string[] | null }) => [
      id,
      linked_task_ids,
    ]),
  )
}

describe('scenarios and tasks (specs 8)', () => {
  test('a link is stored on both sides, with new ids at the end, and logged', async () => {
    const spec_id = await scene.spec('approved', { test_scenarios: scenarios })
    const [first, second] = [await scene.card({ spec_id }), await scene.card({ spec_id })]
    const link = (card_id: string, scenario_id: string) =>
      world.ok('link_task_to_scenario', { spec_id, scenario_id, card_id })
    expect(await link(first, 's2')).toEqual({ success: true, spec_id, scenario_id: 's2', card_id: first })
    await link(second, 's2')
    await link(first, 's1')
    expect(await linksOf(spec_id)).toEqual({ s1: [first], s2: [first, second], s3: null, s4: null })
    expect((await getCard(first)).test_scenario_ids).toEqual(['s2', 's1'])
    const before = await get(spec_id)
    expect(before.version).toBe(1)
    await link(first, 's1')
    expect(await get(spec_id)).toEqual(before)
    const [entry] = await world.ok('list_spec_history', { spec_id, limit: 1 })
    expect(entry).toMatchObject({
      action: 'task_linked',
      changes: [{ field: 'test_scenarios.s1.linked_task_ids', old: null, new: [first] }],
      version: 1,
    })
    expect(logged(world, spec_id).at(-1)).toMatchObject({
      activity: 'spec_task_linked',
      details: { spec_id, scenario_id: 's1', card_id: first },
    })
    const unlinked = await world.ok('unlink_task_from_scenario', { spec_id, scenario_id: 's2', card_id: first })
    expect(unlinked).toEqual({ success: true, spec_id, scenario_id: 's2', card_id: first })
    expect((await linksOf(spec_id)).s2).toEqual([second])
    expect((await getCard(first)).test_scenario_ids).toEqual(['s1'])
    const [broken] = await world.ok('list_spec_history', { spec_id, limit: 1 })
    expect(broken).toMatchObject({
      action: 'task_unlinked',
      changes: [{ field: 'test_scenarios.s2.linked_task_ids', old: [first, second], new: [second] }],
    })
    const entries = logged(world, spec_id).length
    await world.ok('unlink_task_from_scenario', { spec_id, scenario_id: 's2', card_id: first })
    expect(logged(world, spec_id)).toHaveLength(entries)
  })

  test('what does not exist is 404, before anything else', async () => {
    const spec_id = await scene.spec('approved', { test_scenarios: scenarios })
    const card_id = await scene.card({ spec_id })
    const blind = await world.agent({ permission_flags: { SPECS_LINK: false } })
    await scene.admit(blind)
    for (const name of ['link_task_to_scenario', 'unlink_task_from_scenario'] as const)
      for (const [args, entity_type] of [
        [{ spec_id: 'x', scenario_id: 's1', card_id }, 'spec'],
        [{ spec_id, scenario_id: 's1', card_id: 'x' }, 'card'],
        [{ spec_id, scenario_id: 's9', card_id }, 'test_scenario'],
      ] as const) {
        const { status, body } = await world.call(name, args, { as: blind })
        expect([status, body.detail.entity_type]).toEqual([404, entity_type])
      }
  })

  test('a card of another spec or of none is 409 CARD_NOT_IN_SPEC', async () => {
    const spec_id = await scene.spec('approved', { test_scenarios: scenarios })
    const card_id = await scene.card()
    const link = () => world.call('link_task_to_scenario', { spec_id, scenario_id: 's1', card_id })
    const { spec_id: other } = await getCard(card_id)
    expect((await link()).body.detail).toMatchObject({ error: 'CARD_NOT_IN_SPEC', card_id, spec_id: other })
    await world.ok('unlink_card_from_spec', { spec_id: other, card_id })
    const { status, body } = await link()
    expect(status).toBe(409)
    expect(body.detail).toMatchObject({ error: 'CARD_NOT_IN_SPEC', card_id, spec_id: null })
  })

  test('a next action never links a card of another board, which it would not find (mcp 9.5)', async () => {
    const spec_id = await scene.spec('approved', { test_scenarios: scenarios })
    const refusedFor = async (card_id: string) =>
      (await world.call('link_task_to_scenario', { spec_id, scenario_id: 's1', card_id })).body
    const near = await scene.card()
    expect((await refusedFor(near)).next_actions[0]).toMatchObject({ name: 'link_card_to_spec' })
    const far = await (await Scene.on(world)).card()
    const { detail, next_actions } = await refusedFor(far)
    expect(detail).toMatchObject({ error: 'CARD_NOT_IN_SPEC', card_id: far })
    expect(next_actions.length).toBeGreaterThan(0)
    for (const { name, arguments: args } of next_actions) expect((await world.call(name, args)).status).toBe(200)
  })

  test('an unknown card leads to the cards of the board of the spec (mcp 9.5)', async () => {
    const spec_id = await scene.spec('approved', { test_scenarios: scenarios })
    const { body } = await world.call('link_task_to_scenario', { spec_id, scenario_id: 's1', card_id: 'x' })
    expect(body.next_actions).toMatchObject([{ name: 'list_cards', arguments: { board_id: scene.boardId } }])
  })

  test('beyond the limit is 409 SCENARIO_LIMIT; a pair that exists is not refused', async () => {
    const own = await Scene.on(world)
    const spec_id = await own.spec('approved', { test_scenarios: scenarios })
    const card_id = await own.card({ spec_id, card_type: 'test', test_scenario_ids: ['s1', 's2', 's3'] })
    const refusal = { error: 'SCENARIO_LIMIT', card_id, limit: 3, count: 4 }
    const linked = await world.call('link_task_to_scenario', { spec_id, scenario_id: 's4', card_id })
    expect(linked.status).toBe(409)
    expect(linked.body.detail).toMatchObject(refusal)
    const all = scenarios.map(each => ({ ...each, linked_task_ids: [card_id] }))
    expect((await update(spec_id, { test_scenarios: all })).body.detail).toMatchObject(refusal)
    await world.ok('update_board', { board_id: own.boardId, settings: { max_scenarios_per_card: 1 } })
    await world.ok('link_task_to_scenario', { spec_id, scenario_id: 's3', card_id })
    expect((await update(spec_id, { test_scenarios: all.slice(0, 3).reverse() })).status).toBe(200)
  })

  test('while locked may be created but not removed', async () => {
    const own = await Scene.on(world)
    await world.ok('update_board', { board_id: own.boardId, settings: { skip_test_coverage_global: true } })
    const spec_id = await own.spec('approved', { test_scenarios: scenarios })
    const card_id = await own.card({ spec_id })
    await world.ok('submit_spec_validation', { spec_id, ...validation })
    await world.ok('link_task_to_scenario', { spec_id, scenario_id: 's1', card_id })
    const { status, body } = await world.call('unlink_task_from_scenario', { spec_id, scenario_id: 's1', card_id })
    expect(status).toBe(409)
    expect(body.detail).toMatchObject({ error: 'SPEC_LOCKED', spec_id, spec_status: 'validated' })
    expect(body.detail).not.toHaveProperty('fields')
    const more = [
      scenario('s1', { linked_task_ids: [card_id] }),
      scenario('s2', { linked_task_ids: [card_id] }),
      ...scenarios.slice(2),
    ]
    expect((await update(spec_id, { test_scenarios: more })).status).toBe(200)
    expect((await getCard(card_id)).test_scenario_ids).toEqual(['s1', 's2'])
    const unlinked = scenarios.map(one => ({ ...one, linked_task_ids: null }))
    const fewer = await update(spec_id, { test_scenarios: unlinked })
    expect(fewer.body.detail).toMatchObject({ error: 'SPEC_LOCKED', fields: ['test_scenarios'] })
  })
})

describe('PATCH of the lists (specs 3.3, 8)', () => {
  test('keeps the cards in step, removed scenarios included', async () => {
    const spec_id = await scene.spec('approved', { test_scenarios: scenarios })
    const [first, second] = [await scene.card({ spec_id }), await scene.card({ spec_id })]
    await update(spec_id, {
      test_scenarios: [
        scenario('s1', { linked_task_ids: [first, second, first] }),
        scenario('s2', { linked_task_ids: [first] }),
      ],
    })
    expect((await linksOf(spec_id)).s1).toEqual([first, second])
    expect((await getCard(first)).test_scenario_ids).toEqual(['s1', 's2'])
    expect((await getCard(second)).test_scenario_ids).toEqual(['s1'])
    await update(spec_id, {
      test_scenarios: [scenario('s2', { linked_task_ids: [second, first] })],
      allow_removal: true,
    })
    expect((await getCard(first)).test_scenario_ids).toEqual(['s2'])
    expect((await getCard(second)).test_scenario_ids).toEqual(['s2'])
    await update(spec_id, { test_scenarios: null, allow_removal: true })
    expect((await getCard(first)).test_scenario_ids).toEqual([])
  })

  test('leaves links as they are when it changes something else', async () => {
    const spec_id = await scene.spec('approved', { test_scenarios: scenarios })
    const card_id = await scene.card({ spec_id, card_type: 'test', test_scenario_ids: ['s1'] })
    await update(spec_id, itemsOf(card_id))
    const { status, body } = await update(spec_id, { title: 'New', description: 'd', skip_test_coverage: true })
    expect([status, body.title, await linkedIds(spec_id)]).toEqual([200, 'New', Array(5).fill(card_id)])
  })

  test('accepts only cards of this spec', async () => {
    const spec_id = await scene.spec('approved', { test_scenarios: scenarios })
    const stranger = await scene.card()
    const { status, body } = await update(spec_id, itemsOf(stranger))
    expect(status).toBe(400)
    expect(
      body.detail.details.map((each: { owner: string; reference: string }) => [each.owner, each.reference]),
    ).toEqual([
      ['business_rules.r', stranger],
      ['api_contracts.c', stranger],
      ['decisions.d', stranger],
      ['technical_requirements.t', stranger],
    ])
  })

  test('a difference only in links of technical requirements keeps the version', async () => {
    const technical_requirements = [{ id: 't', text: 'T' }]
    const spec_id = await scene.spec('approved', { technical_requirements })
    const card_id = await scene.card({ spec_id })
    const { body } = await update(spec_id, {
      technical_requirements: [{ id: 't', text: 'T', linked_task_ids: [card_id] }],
    })
    expect(body).toMatchObject({ version: 1, technical_requirements: [{ linked_task_ids: [card_id] }] })
  })
})

describe('cards and specs (specs 8)', () => {
  test.each(['draft', 'review', 'cancelled'] as const)('a %s spec accepts no card', async status => {
    const spec_id = await scene.spec(status)
    const answer = await world.call('link_card_to_spec', { spec_id, card_id: await scene.card() })
    expect(answer.status).toBe(409)
    expect(answer.body.detail).toMatchObject({
      error: 'SPEC_NOT_READY',
      spec_id,
      spec_status: status,
      allowed: ['approved', 'validated', 'in_progress', 'done'],
    })
  })

  test('a card that moves to another spec keeps no trace of its former one', async () => {
    const former = await scene.spec('approved', { test_scenarios: scenarios })
    const card_id = await scene.card({ spec_id: former, card_type: 'test', test_scenario_ids: ['s1'] })
    await update(former, itemsOf(card_id))
    expect(await linkedIds(former)).toHaveLength(5)
    const spec_id = await scene.spec('done')
    const link = () => world.ok('link_card_to_spec', { spec_id, card_id })
    expect(await link()).toEqual({ success: true, spec_id, card_id })
    expect(await linkedIds(former)).toEqual([])
    expect((await get(former)).technical_requirements[0]).toBe('plain')
    expect(await getCard(card_id)).toMatchObject({ spec_id, sprint_id: null, test_scenario_ids: [] })
    expect((await get(spec_id)).cards).toMatchObject([{ id: card_id, card_type: 'test', archived: false }])
    const [unlinkEntry] = await world.ok('list_spec_history', { spec_id: former, limit: 1 })
    expect(unlinkEntry).toMatchObject({
      action: 'card_unlinked',
      changes: [{ field: 'cards', old: card_id, new: null }],
    })
    const [linkEntry] = await world.ok('list_spec_history', { spec_id, limit: 1 })
    expect(linkEntry).toMatchObject({ action: 'card_linked', changes: [{ field: 'cards', old: null, new: card_id }] })
    expect(logged(world, spec_id).at(-1)).toMatchObject({
      activity: 'spec_card_linked',
      details: { spec_id, card_id },
      domain: [{ name: 'card.linked_to_spec', card_id }],
    })
    const entries = logged(world, spec_id).length
    await link()
    expect(logged(world, spec_id)).toHaveLength(entries)
  })

  test('unlinking works in any status, locked or not, and clears the card', async () => {
    const spec_id = await scene.spec('approved')
    const card_id = await scene.card({ spec_id })
    await update(spec_id, itemsOf(card_id))
    await world.ok('submit_spec_validation', { spec_id, ...validation })
    const version = (await get(spec_id)).version
    expect(await world.ok('unlink_card_from_spec', { spec_id, card_id })).toEqual({ success: true, spec_id, card_id })
    expect(await linkedIds(spec_id)).toEqual([])
    expect(await get(spec_id)).toMatchObject({ locked: true, version, cards: [] })
    expect(await getCard(card_id)).toMatchObject({ spec_id: null, sprint_id: null, test_scenario_ids: [] })
    const again = await world.call('unlink_card_from_spec', { spec_id, card_id })
    expect([again.status, again.body.detail.entity_type]).toEqual([404, 'card'])
    expect(logged(world, spec_id).at(-1)).toMatchObject({
      activity: 'spec_card_unlinked',
      details: { spec_id, card_id },
    })
  })

  test('a card of another board is 404', async () => {
    const card_id = await (await Scene.on(world)).card()
    const answer = await world.call('link_card_to_spec', { spec_id: await scene.spec('approved'), card_id })
    expect([answer.status, answer.body.detail.entity_type]).toEqual([404, 'card'])
  })

  test('an archived spec or card is 409 ARCHIVED', async () => {
    const spec_id = await scene.spec('approved', { test_scenarios: scenarios })
    const card_id = await scene.card({ spec_id })
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    const restore = `/api/v1/boards/${scene.boardId}/restore/spec/${spec_id}`
    for (const name of ['link_card_to_spec', 'unlink_card_from_spec'] as const) {
      const { body } = await world.call(name, { spec_id, card_id })
      expect(body.detail).toMatchObject({ error: 'ARCHIVED', entity_type: 'spec', entity_id: spec_id, restore })
    }
    const other = await scene.spec('approved')
    const { body } = await world.call('link_card_to_spec', { spec_id: other, card_id })
    expect(body.detail).toMatchObject({ error: 'ARCHIVED', entity_type: 'card', entity_id: card_id, restore })
  })

  test('links of cards and links of scenarios have separate permissions', async () => {
    const linker = await world.agent({ permission_flags: { SPECS_LINK: false, SPECS_LINK_SCENARIOS: true } })
    await scene.admit(linker)
    const spec_id = await scene.spec('approved', { test_scenarios: scenarios })
    const card_id = await scene.card({ spec_id })
    await world.ok('link_task_to_scenario', { spec_id, scenario_id: 's1', card_id }, { as: linker })
    const { body } = await world.call('unlink_card_from_spec', { spec_id, card_id }, { as: linker })
    expect(body.detail).toMatchObject({ error: 'FORBIDDEN', permission: 'SPECS_LINK_CARDS' })
  })
})

describe('deletion', () => {
  test('of a card removes it from every list of its spec (specs 8)', async () => {
    const spec_id = await scene.spec('approved', { test_scenarios: scenarios })
    const card_id = await scene.card({ spec_id, card_type: 'test', test_scenario_ids: ['s1'] })
    await update(spec_id, itemsOf(card_id))
    const { version } = await get(spec_id)
    await world.call('delete_card', { card_id })
    expect(await linkedIds(spec_id)).toEqual([])
    expect((await get(spec_id)).version).toBe(version)
  })

  test('of a spec leaves its cards without spec, sprint and scenarios (specs 3.4)', async () => {
    const spec_id = await scene.spec('approved', { test_scenarios: scenarios })
    const card_id = await scene.card({ spec_id, card_type: 'test', test_scenario_ids: ['s1'] })
    const { id: sprint_id } = await world.ok('create_sprint', {
      board_id: scene.boardId,
      spec_id,
      title: 'Sprint',
      card_ids: [card_id],
    })
    await world.call('delete_spec', { spec_id })
    expect(await getCard(card_id)).toMatchObject({ spec_id: null, sprint_id: null, test_scenario_ids: [] })
    expect((await world.call('get_sprint', { sprint_id })).status).toBe(404)
  })
})
