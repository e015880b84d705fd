import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { World } from './support/world.ts'

/** More cards than move up in one unit of work. */
const cards = 700

const file = new File(
  [`id,title\n${Array.from({ length: cards }, (_, row) => `${row},Card ${row}\n`).join('')}`],
  'plan.csv',
)

let world: World
let board_id: string

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

beforeEach(async () => {
  board_id = (await world.ok('import_board', { file })).board_id
})

/** The ids and positions of the cards that are not started, in their order. */
async function column(): Promise<(readonly [id: string, position: number])[]> {
  const found = await world.ok('list_cards', { board_id, status: 'not_started' })
  return found.map(({ id, position }: { id: string; position: number }) => [id, position] as const)
}

const move = (card_id: string, position: number) =>
  world.ok('move_card', { card_id, target_status: 'not_started', position })

test('a card is placed before many others, which move up by one (cards 4.6)', async () => {
  const before = await column()
  expect(before).toHaveLength(cards)
  const [last] = before.at(-1)!
  const { position } = await move(last, 3)
  expect(position).toBe(3)
  const moved = before.slice(0, -1).map(([id, at]) => [id, at < 3 ? at : at + 1] as const)
  expect(await column()).toEqual(moved.toSpliced(3, 0, [last, 3]))
})

test('a free position moves nobody', async () => {
  const before = await column()
  const [[first], ...others] = before as [(typeof before)[number], ...typeof before]
  await move(first, 5_000)
  await move(first, 0)
  expect(await column()).toEqual([[first, 0], ...others])
})

test('a refused move leaves the column as it is', async () => {
  const before = await column()
  const card_id = before.at(-1)![0]
  const { status } = await world.call('move_card', { card_id, target_status: 'done', position: 0 })
  expect(status).toBe(409)
  expect(await column()).toEqual(before)
})

test('moves at once keep the order of all others, each card at a position of its own', async () => {
  const before = await column()
  const movers = before.slice(-4).map(([id]) => id)
  await Promise.all(movers.map((id, place) => move(id, place % 2 === 0 ? 0 : 200)))
  const after = await column()
  expect(new Set(after.map(([, position]) => position)).size).toBe(cards)
  const others = (of: typeof after) => of.map(([id]) => id).filter(id => !movers.includes(id))
  expect(others(after)).toEqual(others(before))
})
