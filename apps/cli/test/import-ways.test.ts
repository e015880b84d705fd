import { features } from '@specboard/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { foreignFormats, sourceOf } from './support/sources.ts'
import { World } from './support/world.ts'

/** One small source of each format, through HTTP and through MCP (exchange 1.3, mcp 10). */
let world: World
let mcp: McpWire

beforeAll(async () => {
  world = await World.start()
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

const reportFields = Object.keys(features.exchange.import_board.response.shape).join()

/** A report without the values that differ in each import, and without empty members, which tools leave out (mcp 9). */
const lasting = ({ import_id, board_id, key, duration_ms, ...report }: Readonly<Record<string, unknown>>) =>
  filled(report)

function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, filled(member)] as const)
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)))
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value as object).length === 0)

/** Imports a file by the tool, which answers lists as their lengths unless their names are asked for. */
async function byMcp(file: File, query: object = {}) {
  const content_base64 = Buffer.from(await file.arrayBuffer()).toString('base64')
  const args = { filename: file.name, content_base64, fields: reportFields, ...query }
  const { isError, value } = await mcp.tool('import_board', args)
  expect([isError, value.detail]).toEqual([false, undefined])
  return value
}

/** The contents of a board, without ids: only what its records say themselves. */
async function contents(board_id: string) {
  const cards: { id: string; spec_id: string }[] = await world.ok('list_cards', { board_id, limit: 200 })
  const specs: { id: string; title: string }[] = await world.ok('list_specs', { board_id, limit: 200 })
  const titles = new Map(specs.map(({ id, title }) => [id, title]))
  const whole = await Promise.all(
    cards.map(async ({ id, spec_id }) => {
      const card = await world.ok('get_card', { card_id: id })
      const { title, status, priority, labels, description, details, archived, comments } = card
      const waits: { title: string }[] = await world.ok('list_card_dependencies', { card_id: id })
      const texts = comments.map(({ content }: { content: string }) => content)
      const links = waits.map(other => other.title)
      return {
        title,
        status,
        priority,
        labels,
        description,
        details,
        archived,
        said: texts,
        links,
        spec: titles.get(spec_id),
      }
    }),
  )
  return whole.toSorted((a, b) => (a.title < b.title ? -1 : 1))
}

test.each(foreignFormats)('%s', async format => {
  const file = await sourceOf(format)
  const dry = await world.ok('import_board', { file, dry_run: true })
  const http = await world.ok('import_board', { file })
  const tool = await byMcp(file)
  expect(lasting(tool)).toEqual(lasting(http))
  expect(lasting({ ...dry, dry_run: false })).toEqual(lasting(http))
  expect(http).toMatchObject({ format, created: { board: 1, card: 12 } })
  expect(await contents(tool.board_id)).toEqual(await contents(http.board_id))

  // Each way recognizes what the other one imported.
  const again = await byMcp(file, { board_id: http.board_id })
  expect([again.created, again.updated]).toEqual([undefined, undefined])
  expect(lasting(await world.ok('import_board', { file, board_id: tool.board_id }))).toEqual(lasting(again))
})

test('specboard', async () => {
  const { board_id } = await world.ok('import_board', { file: await sourceOf('beads') })
  const file = await world.archive(board_id)
  const http = await world.ok('import_board', { file, keep_ids: false })
  const tool = await byMcp(file, { keep_ids: false })
  expect(lasting(tool)).toEqual(lasting(http))
  expect(await contents(tool.board_id)).toEqual(await contents(board_id))
})

test('what is refused is refused by both in the same words', async () => {
  const file = new File(['Resumen,Estado\nPintar,Finalizada\n'], 'table.csv')
  const { status, body } = await world.call('import_board', { file })
  const { isError, value } = await mcp.tool('import_board', { filename: file.name, text: await file.text() })
  expect([status, isError]).toEqual([400, true])
  expect(value.detail).toMatchObject({ error: body.detail.error, message: body.detail.message })
})
