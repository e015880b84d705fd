import { afterAll, beforeAll, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string
/** Agents that may do everything on the board but change it. */
let ada: TestAgent
let ben: TestAgent

const joining = async () => {
  const agent = await world.agent({ permission_flags: { BOARDS_UPDATE: false } })
  await scene.admit(agent)
  return agent
}

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  board_id = scene.boardId
  await world.ok('update_board', { board_id, settings: { overlap: 'refuse' } })
  ada = await joining()
  ben = await joining()
})

afterAll(() => world.stop())

/** A folder that only one test works in. */
let folders = 0
const folder = () => `src/f${++folders}`

const scoped = async (...paths: string[]): Promise<string> => scene.workableCard({ paths })

const refusal = { status: 409, body: { detail: { error: 'PATHS_OVERLAP', overlaps: expect.any(Array) } } }

test('a claim that would overlap is refused and writes nothing, but one on other paths (harness 5.5)', async () => {
  const src = folder()
  const [first, second, other] = [await scoped(`${src}/**`), await scoped(`${src}/x.ts`), await scoped(folder())]
  await world.ok('claim_card', { card_id: first }, { as: ada })
  const refused = await world.call('claim_card', { card_id: second }, { as: ben })
  expect(refused).toMatchObject(refusal)
  const { ref } = await world.ok('get_card', { card_id: first })
  expect(refused.body.detail.overlaps).toMatchObject([{ ref, agent_id: ada.id, example: `${src}/x.ts` }])
  expect(refused.body.detail.message).toContain(ref)
  expect((await world.ok('get_card', { card_id: second })).claim).toBeNull()
  const events = await world.ok('list_board_events', { board_id, limit: 500 })
  expect(events.events.filter(({ action }: { action: string }) => action === 'overlap_began')).toEqual([])
  expect((await world.call('claim_card', { card_id: other }, { as: ben })).status).toBe(200)
  // The holder renews, and may hold both.
  expect((await world.call('claim_card', { card_id: first }, { as: ada })).status).toBe(200)
  expect((await world.call('claim_card', { card_id: second }, { as: ada })).status).toBe(200)
})

test('so is a claim at the creation, a reservation, and a change of the paths of a card that is held', async () => {
  const src = folder()
  await world.ok('claim_card', { card_id: await scoped(`${src}/**`) }, { as: ada })
  const paths = [`${src}/y.ts`]
  const input = { board_id, title: 'Small', paths, claim: true }
  expect(await world.call('create_card', input, { as: ben })).toMatchObject(refusal)
  expect((await world.ok('search_records', { q: 'Small', board_id })).items ?? []).toEqual([])
  expect((await world.call('create_card', { ...input, claim: false }, { as: ben })).status).toBe(201)
  expect(await world.call('reserve_paths', { board_id, paths }, { as: ben })).toMatchObject(refusal)
  expect(await world.ok('list_reservations', { board_id })).toEqual([])
  const claimedId = await scoped(folder())
  await world.ok('claim_card', { card_id: claimedId }, { as: ben })
  expect(await world.call('update_card', { card_id: claimedId, paths }, { as: ben })).toMatchObject(refusal)
  expect(await world.call('update_card', { card_id: claimedId, add_paths: paths }, { as: ben })).toMatchObject(refusal)
  // A card that nobody holds begins nothing.
  const free = await scoped(folder())
  expect((await world.call('update_card', { card_id: free, paths }, { as: ben })).status).toBe(200)
})

test('such cards are not offered, and are counted in waiting', async () => {
  const src = folder()
  await world.ok('claim_card', { card_id: await scoped(`${src}/**`) }, { as: ada })
  const blockedId = await scoped(`${src}/z.ts`)
  const only = { board_id, assignee_id: ben.id }
  await world.ok('update_card', { card_id: blockedId, assignee_id: ben.id })
  const { ref } = await world.ok('get_card', { card_id: blockedId })
  expect(await world.ok('list_ready_cards', only, { as: ben })).toEqual([])
  const { card, waiting } = await world.ok('claim_next_card', only, { as: ben })
  expect(card).toBeNull()
  expect(waiting).toMatchObject({ overlap: 1, cards: [{ ref, why: 'overlap', by: [] }], more: 0 })
  const own = await world.ok('list_ready_cards', { board_id, assignee_id: ben.id }, { as: ada })
  expect(own.map(({ id }: { id: string }) => id)).toEqual([blockedId])
})

test('who may change the board passes it by allow_overlap, nobody else', async () => {
  const src = folder()
  const [first, second] = [await scoped(`${src}/**`), await scoped(`${src}/x.ts`)]
  await world.ok('claim_card', { card_id: first }, { as: ada })
  const request = { card_id: second, allow_overlap: true }
  expect(await world.call('claim_card', request, { as: ben })).toMatchObject(refusal)
  expect(await world.call('claim_card', { card_id: second })).toMatchObject(refusal)
  expect((await world.call('claim_card', request)).status).toBe(200)
  // An existing claim stays, and may be renewed.
  expect((await world.call('claim_card', { card_id: second })).status).toBe(200)
  const claimedId = await scoped(folder())
  await world.ok('claim_card', { card_id: claimedId })
  const change = { card_id: claimedId, add_paths: [`${src}/y.ts`] }
  expect(await world.call('update_card', change)).toMatchObject(refusal)
  expect((await world.ok('update_card', { ...change, allow_overlap: true })).overlaps).toHaveLength(1)
  const plan = { board_id, paths: [`${src}/z.ts`], allow_overlap: true }
  expect(await world.call('reserve_paths', plan, { as: ben })).toMatchObject(refusal)
  expect((await world.call('reserve_paths', plan)).status).toBe(201)
  const input = { ...plan, title: 'Small', claim: true }
  expect(await world.call('create_card', input, { as: ben })).toMatchObject(refusal)
  expect((await world.call('create_card', input)).status).toBe(201)
})

test('of two claims at once one is refused', async () => {
  const src = folder()
  const cards = [await scoped(`${src}/**`), await scoped(`${src}/x.ts`)]
  const claims = await Promise.all(
    cards.map((card_id, index) => world.call('claim_card', { card_id }, { as: index === 0 ? ada : ben })),
  )
  expect(claims.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('over MCP the refusal says what to take instead, and whom to ask', async () => {
  const src = folder()
  const [first, second] = [await scoped(`${src}/**`), await scoped(`${src}/x.ts`)]
  await world.ok('claim_card', { card_id: first }, { as: ada })
  const { ref } = await world.ok('get_card', { card_id: first })
  const { value } = await new McpWire(world).tool('claim_card', { card_id: second }, { as: ben })
  expect(value.detail.error).toBe('PATHS_OVERLAP')
  const [next, list, ask] = value.next_actions
  expect([next.name, list.name]).toEqual(['claim_next_card', 'list_overlaps'])
  expect(ask).toMatchObject({ name: 'ask_question', arguments: { record: ref } })
})
