import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logged } from './support/event-log.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  board_id = scene.boardId
})

afterAll(() => world.stop())

type Root = 'ideation' | 'refinement' | 'spec'

const none = { ideations: 0, refinements: 0, specs: 0, sprints: 0, cards: 0 }
const archive = (entity_type: Root, entity_id: string) =>
  world.ok('archive_record', { board_id, entity_type, entity_id })
const restore = (entity_type: Root, entity_id: string) =>
  world.ok('restore_record', { board_id, entity_type, entity_id })

/**
 * A chain from an ideation down to cards; on a foreign spec, a bug that originates in one of the cards and a card that
 * is not a bug.
 */
async function chain() {
  const ideation = await scene.ideation('done', { complexity: 'small' })
  const direct = (await world.ok('derive_spec_from_ideation', { ideation_id: ideation })).id
  const created = await world.ok('create_refinement', { ideation_id: ideation, title: 'Story', in_scope: ['x'] })
  const refinement = created.id
  for (const status of ['review', 'approved', 'done'])
    await world.ok('move_refinement', { refinement_id: refinement, status })
  const spec = (await world.ok('derive_spec_from_refinement', { refinement_id: refinement })).id
  for (const status of ['review', 'approved']) await world.ok('move_spec', { spec_id: spec, status })
  const sprint = (await world.ok('create_sprint', { board_id, spec_id: spec, title: 'Sprint' })).id
  const card = await scene.card({ spec_id: spec })
  const foreign = await scene.spec('approved')
  const bug = await scene.bug({ origin_task_id: card })
  await world.ok('update_card', { card_id: bug, spec_id: foreign })
  const followUp = await scene.card({ spec_id: foreign, origin_task_id: card })
  return { ideation, direct, refinement, spec, sprint, card, foreign, bug, followUp }
}

const getters = {
  ideation: 'get_ideation',
  refinement: 'get_refinement',
  spec: 'get_spec',
  sprint: 'get_sprint',
  card: 'get_card',
} as const

const get = (kind: keyof typeof getters, id: string) => world.ok(getters[kind], { [`${kind}_id`]: id })

describe('the tree of a record (access 6)', () => {
  test('of an ideation is its refinements, all their specs, sprints, cards, and the cards’ bugs', async () => {
    const { ideation, direct, refinement, spec, sprint, card, foreign, bug, followUp } = await chain()
    const archived_count = { ideations: 1, refinements: 1, specs: 2, sprints: 1, cards: 2 }
    expect(await archive('ideation', ideation)).toStrictEqual({ success: true, archived_count })
    const members = [
      ['ideation', ideation, 'done'],
      ['refinement', refinement, 'done'],
      ['spec', direct, 'draft'],
      ['spec', spec, 'approved'],
      ['sprint', sprint, 'draft'],
      ['card', card, 'not_started'],
      ['card', bug, 'not_started'],
    ] as const
    for (const [kind, id, status] of members)
      expect(await get(kind, id)).toMatchObject({ archived: true, pre_archive_status: status, status })
    expect((await get('spec', foreign)).archived).toBe(false)
    expect((await get('card', followUp)).archived).toBe(false)
    expect(await archive('ideation', ideation)).toStrictEqual({ success: true, archived_count: none })

    expect(await restore('ideation', ideation)).toStrictEqual({ success: true, restored_count: archived_count })
    for (const [kind, id, status] of members)
      expect(await get(kind, id)).toMatchObject({ archived: false, pre_archive_status: null, status })
    expect(await restore('ideation', ideation)).toStrictEqual({ success: true, restored_count: none })
  })

  test('of a refinement and of a spec is what lies below them', async () => {
    const { ideation, refinement, spec } = await chain()
    expect((await archive('spec', spec)).archived_count).toStrictEqual({ ...none, specs: 1, sprints: 1, cards: 2 })
    expect((await archive('refinement', refinement)).archived_count).toStrictEqual({ ...none, refinements: 1 })
    expect((await archive('ideation', ideation)).archived_count).toStrictEqual({ ...none, ideations: 1, specs: 1 })
    expect((await restore('spec', spec)).restored_count).toStrictEqual({ ...none, specs: 1, sprints: 1, cards: 2 })
    expect(await get('ideation', ideation)).toMatchObject({ archived: true })
    expect(await get('refinement', refinement)).toMatchObject({ archived: true })
  })

  test('is determined at the time of the call; records that were archived before keep their status', async () => {
    const { spec, card } = await chain()
    await archive('spec', spec)
    await restore('spec', spec)
    const later = await scene.card({ spec_id: spec })
    expect((await archive('spec', spec)).archived_count.cards).toBe(3)
    for (const id of [card, later]) expect((await get('card', id)).pre_archive_status).toBe('not_started')
  })
})

test('versions, positions and history stay; updated_at of each changed record moves on (access 6)', async () => {
  const { spec, sprint, card } = await chain()
  const before = { spec: await get('spec', spec), sprint: await get('sprint', sprint), card: await get('card', card) }
  await archive('spec', spec)
  for (const [kind, id] of [
    ['spec', spec],
    ['sprint', sprint],
    ['card', card],
  ] as const) {
    const after = await get(kind, id)
    expect([after.version, after.position]).toStrictEqual([before[kind].version, before[kind].position])
    expect(after.updated_at > before[kind].updated_at).toBe(true)
  }
})

describe('the entries of an archiving (access 14)', () => {
  test('one activity entry on the root, a history entry on each record, an activity entry on each card', async () => {
    const { ideation, refinement, sprint, spec, card } = await chain()
    await archive('ideation', ideation)
    await restore('ideation', ideation)
    const counts = { ideations: 1, refinements: 1, specs: 2, sprints: 1, cards: 2 }
    const last = (id: string) => logged(world, id).slice(-2)
    const details = { entity_id: ideation, title: 'Idea', counts }
    expect(last(ideation)).toMatchObject([
      { activity: 'ideation_archived', details, history: 'archived' },
      { activity: 'ideation_restored', details, history: 'restored' },
    ])
    for (const id of [refinement, spec, sprint])
      expect(last(id)).toMatchObject([
        { activity: null, history: 'archived' },
        { activity: null, history: 'restored' },
      ])
    const root = { root_type: 'ideation', root_id: ideation }
    expect(await world.ok('list_card_activity', { card_id: card, limit: 2 })).toMatchObject([
      { action: 'card_restored', details: root },
      { action: 'card_archived', details: root },
    ])
    const [, entry] = await world.ok('list_ideation_history', { ideation_id: ideation })
    expect(entry).toMatchObject({
      action: 'archived',
      changes: [{ field: 'archived', old: false, new: true }],
      version: 1,
    })
  })

  test('nothing when nothing is left to do', async () => {
    const ideation = await scene.ideation()
    await restore('ideation', ideation)
    expect(logged(world, ideation).map(({ activity }) => activity)).toStrictEqual(['ideation_created'])
  })

  test('only the activity when only members change', async () => {
    const { refinement, spec } = await chain()
    await archive('refinement', refinement)
    await restore('spec', spec)
    await archive('refinement', refinement)
    expect(logged(world, refinement).slice(-2)).toMatchObject([
      { activity: 'refinement_archived', history: 'archived' },
      {
        activity: 'refinement_archived',
        history: null,
        details: { counts: { ...none, specs: 1, sprints: 1, cards: 2 } },
      },
    ])
  })
})

describe('refusals (access 6)', () => {
  test('a type that is not a root is 400 with the allowed ones', async () => {
    for (const entity_type of ['card', 'sprint', 'ideations']) {
      const { status, body } = await world.call('archive_record', { board_id, entity_type, entity_id: 'x' })
      expect([status, body.detail]).toMatchObject([
        400,
        { error: 'VALIDATION_ERROR', field: 'entity_type', allowed: ['ideation', 'refinement', 'spec'] },
      ])
    }
  })

  test('a record that does not exist or is not on this board is 404, before 403', async () => {
    const elsewhere = await (await Scene.on(world)).ideation()
    const viewer = await world.agent()
    await world.ok('create_board_share', { board_id, user_id: viewer.id })
    for (const name of ['archive_record', 'restore_record'] as const) {
      for (const entity_id of ['none', elsewhere]) {
        const { status, body } = await world.call(
          name,
          { board_id, entity_type: 'ideation', entity_id },
          { as: viewer },
        )
        expect([status, body.detail]).toMatchObject([404, { entity_type: 'ideation', entity_id }])
      }
      const word = await world.call(name, { board_id, entity_type: 'card', entity_id: 'x' }, { as: viewer })
      expect(word.status).toBe(403)
    }
  })

  test('an archived record refuses writes on and below it, and says how to restore it', async () => {
    const { ideation, refinement, spec, sprint, card } = await chain()
    await archive('ideation', ideation)
    const path = (type: Root, id: string) => `/api/v1/boards/${board_id}/restore/${type}/${id}`
    const refused = [
      [
        await world.call('update_ideation', { ideation_id: ideation, title: 'x' }),
        'ideation',
        ideation,
        path('ideation', ideation),
      ],
      [
        await world.call('create_refinement', { ideation_id: ideation, title: 'x' }),
        'ideation',
        ideation,
        path('ideation', ideation),
      ],
      [
        await world.call('move_refinement', { refinement_id: refinement, status: 'draft' }),
        'refinement',
        refinement,
        path('refinement', refinement),
      ],
      [await world.call('update_spec', { spec_id: spec, title: 'x' }), 'spec', spec, path('spec', spec)],
      [await world.call('create_card', { board_id, title: 'x', spec_id: spec }), 'spec', spec, path('spec', spec)],
      [await world.call('update_sprint', { sprint_id: sprint, title: 'x' }), 'sprint', sprint, path('spec', spec)],
      [await world.call('update_card', { card_id: card, title: 'x' }), 'card', card, path('spec', spec)],
      [await world.call('create_comment', { card_id: card, content: 'x' }), 'card', card, path('spec', spec)],
    ] as const
    for (const [{ status, body }, entity_type, entity_id, way] of refused)
      expect([status, body.detail]).toMatchObject([409, { error: 'ARCHIVED', entity_type, entity_id, restore: way }])
    expect((await world.call('delete_ideation', { ideation_id: ideation })).status).toBe(204)
  })
})

test('two at once count each record once', async () => {
  const { ideation } = await chain()
  const answers = await Promise.all([archive('ideation', ideation), archive('ideation', ideation)])
  expect(answers.map(({ archived_count }) => archived_count.cards).toSorted()).toStrictEqual([0, 2])
})
