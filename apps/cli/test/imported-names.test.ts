/** Names in records that belong to nobody here: merged by choice, or kept apart (people 1.6). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string
let ada: TestAgent

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  board_id = scene.boardId
  ada = await world.agent({ name: 'Ada Lovelace' })
  await scene.admit(ada)
  for (const assignee_id of ['external:ada lovelace', 'external:ada lovelace', 'ada.lovelace@example.com', 'Grace'])
    await scene.card({ assignee_id })
})

afterAll(() => world.stop())

interface Name {
  readonly id: string
  readonly [member: string]: unknown
}

const names = (): Promise<Name[]> => world.ok('list_imported_names', { board_id })
const nameOf = async (id: string) => (await names()).find(name => name.id === id)!
const put = (id: string, more: object = {}) => world.ok('put_imported_name', { board_id, id, ...more })
const refused = async (id: string, more: object) => {
  const { status, body } = await world.call('put_imported_name', { board_id, id, ...more })
  return [status, body.detail?.field]
}
const actions = async (): Promise<object[]> => {
  const { events } = await world.ok('list_board_events', { board_id, limit: 200 })
  return events.flatMap(({ action, details }: { action: string; details: object }) =>
    action.startsWith('name_') ? { action, ...details } : [],
  )
}

describe('imported names (people 1.6)', () => {
  test('those in records that are not agents are listed, with how often and who may be meant', async () => {
    expect(await names()).toMatchObject([
      { id: 'Grace', name: 'Grace', assigned: 1, authored: 0, merged_into: null, kept_apart: false, twins: [] },
      {
        id: 'external:ada lovelace',
        name: 'ada lovelace',
        assigned: 2,
        twins: [
          { id: ada.id, name: 'Ada Lovelace', kind: 'agent' },
          { id: 'ada.lovelace@example.com', kind: null },
        ],
      },
      { id: 'ada.lovelace@example.com', assigned: 1, decided_by: null, decided_at: null },
    ])
  })

  test('one is merged into an agent; those merged into it follow; and it is taken back', async () => {
    await put('ada.lovelace@example.com', { merged_into: 'external:ada lovelace' })
    const merged = await put('external:ada lovelace', { merged_into: ada.id })
    expect(merged).toMatchObject({ merged_into: { id: ada.id, name: 'Ada Lovelace' }, twins: [], assigned: 2 })
    expect(merged).toMatchObject({ decided_by: world.owner.id, decided_at: expect.any(String) })
    expect((await nameOf('ada.lovelace@example.com')).merged_into).toMatchObject({ id: ada.id })
    const members = await world.ok('list_board_members', { board_id, all: true })
    const into = new Map(members.map((member: Name) => [member.id, member.merged_into]))
    expect(into.get('external:ada lovelace')).toBe(ada.id)
    expect(into.get(ada.id)).toBeUndefined()
    await put('ada.lovelace@example.com')
    expect(await nameOf('ada.lovelace@example.com')).toMatchObject({ merged_into: null, decided_by: null })
    expect((await nameOf('external:ada lovelace')).merged_into).toMatchObject({ id: ada.id })
    expect(await actions()).toEqual([
      { action: 'name_merged', name: 'ada.lovelace@example.com', into: 'ada lovelace' },
      { action: 'name_merged', name: 'ada lovelace', into: 'Ada Lovelace' },
      { action: 'name_reopened', name: 'ada.lovelace@example.com', into: 'Ada Lovelace' },
    ])
  })

  test('one that is kept apart stays so, and is suggested to nobody', async () => {
    await scene.card({ assignee_id: 'Ada-Lovelace' })
    expect((await nameOf('ada.lovelace@example.com')).twins).toMatchObject([{ id: ada.id }, { id: 'Ada-Lovelace' }])
    const before = (await actions()).length
    expect(await put('Ada-Lovelace', { kept_apart: true })).toMatchObject({ kept_apart: true, twins: [] })
    expect(await put('Ada-Lovelace', { kept_apart: true })).toMatchObject({ kept_apart: true })
    expect((await nameOf('ada.lovelace@example.com')).twins).toMatchObject([{ id: ada.id }])
    expect((await actions()).slice(before)).toEqual([{ action: 'name_kept_apart', name: 'Ada-Lovelace', into: null }])
  })

  test('it changes no record, and gives nobody a say', async () => {
    const { items } = await world
      .ok('search_records', { board_id, assignee_id: 'external:ada lovelace' })
      .then((found: Name[]) => ({ items: found }))
    expect(items).toHaveLength(2)
    for (const { id } of items)
      expect((await world.ok('get_card', { card_id: id })).assignee_id).toBe('external:ada lovelace')
  })

  test('refuses what names nobody', async () => {
    expect(await refused(ada.id, { kept_apart: true })).toEqual([400, 'id'])
    expect(await refused('Nobody', { kept_apart: true })).toEqual([400, 'id'])
    expect(await refused('Grace', { merged_into: 'Grace' })).toEqual([400, 'merged_into'])
    expect(await refused('Grace', { merged_into: 'Nobody' })).toEqual([400, 'merged_into'])
    expect(await refused('Grace', { merged_into: 'external:ada lovelace' })).toEqual([400, 'merged_into'])
    expect(await refused('Grace', { merged_into: ada.id, kept_apart: true })).toEqual([400, 'kept_apart'])
    const stranger = await world.agent()
    expect(await refused('Grace', { merged_into: stranger.id })).toEqual([400, 'merged_into'])
  })
})
