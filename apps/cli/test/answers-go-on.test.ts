import { type AnyOperation, isReading, type OperationName, registry } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leanValue } from '../../mcp/src/calls/lean-value.ts'
import { rows } from './operations/rows.ts'
import { McpWire, toolArguments } from './support/mcp.ts'
import { normal } from './support/normal.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

/**
 * Whatever an answer over MCP leaves out can be read with the calls that it names, until everything is read (crew 1.7).
 */
let world: World
let scene: Scene
let mcp: McpWire

type Json = Record<string, unknown>

/** What is left out at one place of an answer. */
interface More {
  readonly path: string
  readonly shown: number
  readonly total: number
  readonly call: { readonly name: string; readonly arguments: Json }
}

const maxCharacters = 4_000

const nameOf = (operation: AnyOperation) => operation.name as OperationName
const listed = (operations: readonly AnyOperation[]) =>
  operations.map(operation => [operation.name, operation] as const)

beforeAll(async () => {
  world = await World.start({ ...graphAtWork, mcpAnswerCharacters: maxCharacters })
  scene = await Scene.on(world)
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

/** The value that a tool answers, checked to be no longer than allowed. */
async function answer(name: string, args: Json): Promise<Json> {
  const { value, isError, content } = await mcp.tool(name, args)
  expect([name, isError, isError ? value : undefined]).toEqual([name, false, undefined])
  expect(content[0].text.length).toBeLessThanOrEqual(maxCharacters)
  expect(value.truncated === true).toBe(value.more !== undefined)
  return value
}

/** The answer of a call that reads on, joined with those of all calls that follow it. */
async function rest({ call: { name, arguments: args } }: More): Promise<unknown> {
  const value = await whole(name, args)
  if ('text' in value) return value.text
  if ('value' in value) return value.value
  const items = value.items as Json[]
  if (name !== 'list_spec_items') return items
  return items.map(itemOf)
}

/** A row of list_spec_items in the form that it has in the spec; a joined text already has that form. */
function itemOf(row: Json | string): unknown {
  if (typeof row === 'string') return row
  const { list: _, at: __, ...item } = row
  return 'text' in item && !('id' in item) ? item.text : item
}

/** The steps of a path as answers write it. */
const stepsOf = (path: string): string[] =>
  Array.from(path.matchAll(/\["([^"]*)"\]|\[(\d+)\]|[^.[\]]+/g), ([plain, key, index]) => key ?? index ?? plain)

/** The answer of a call with everything that it leaves out. */
async function whole(name: string, args: Json): Promise<Json> {
  const { more, truncated: _, next_offset, ...value } = await answer(name, args)
  for (const one of (more ?? []) as More[]) {
    const steps = stepsOf(one.path)
    const last = steps.pop()!
    const place = steps.reduce((at: Json, step) => at[step] as Json, value)
    place[last] = joined(place[last], await rest(one), one.shown)
  }
  const isPage = Array.isArray(value.items) && next_offset !== undefined && more === undefined
  if (!isPage) return value
  const next = await whole(name, { ...args, offset: next_offset })
  return { ...value, items: [...(value.items as unknown[]), ...(next.items as unknown[])] }
}

function joined(first: unknown, rest: unknown, count: number): unknown {
  if (typeof first === 'string') return first.slice(0, count) + rest
  if (Array.isArray(first)) return [...first, ...(rest as unknown[])]
  return { ...(first as Json), ...(rest as Json) }
}

const long = (of: string) => Array.from({ length: 400 }, (_, at) => `${at} ${of} "é" 😀`).join('\n')

/** A record with more of everything than an answer holds. */
async function largeSpec(): Promise<string> {
  const spec_id = await scene.spec()
  const each = <Item>(make: (at: number) => Item) => Array.from({ length: 60 }, (_, at) => make(at))
  await world.ok('update_spec', {
    spec_id,
    description: long('described'),
    context: long('context'),
    functional_requirements: each(at => `Requirement ${at} ${'r'.repeat(60)}`),
    acceptance_criteria: each(at => `Criterion ${at} ${'c'.repeat(60)}`),
    test_scenarios: each(at => ({
      id: `s${at}`,
      title: `Scenario ${at}`,
      given: 'g'.repeat(50),
      when: 'w',
      then: 't',
    })),
    business_rules: each(at => ({
      id: `b${at}`,
      title: `Rule ${at}`,
      rule: 'r',
      when: 'w',
      then: at === 7 ? long('then') : 't',
    })),
  })
  return spec_id
}

describe('a record', () => {
  test('is the same as over HTTP when all of it is read', async () => {
    const spec_id = await largeSpec()
    const over = leanValue((await world.call('get_spec', { spec_id })).body) as Json
    const read = await whole('get_spec', { spec_id })
    for (const member of Object.keys(over)) expect([member, read[member]]).toEqual([member, over[member]])
  })

  test('that has one long text is read by it', async () => {
    const card_id = await scene.card({ details: long('details') })
    const value = await answer('get_card', { card_id })
    const { ref } = await world.ok('get_card', { card_id })
    expect(value.more).toMatchObject([
      {
        path: 'details',
        call: { name: 'read_text', arguments: { entity_type: 'card', entity_id: ref, path: 'details' } },
      },
    ])
    expect((await whole('get_card', { card_id })).details).toBe(long('details'))
  })
})

test('a list of large records goes on behind those that are shown, and inside one that is too large', async () => {
  const list = await Scene.on(world)
  for (let count = 0; count < 12; count++) await list.card({ details: count === 3 ? long('details') : 'd'.repeat(900) })
  const args = { board_id: list.boardId, full: true }
  const { items } = await whole('list_cards', args)
  const over = (await world.call('list_cards', { board_id: list.boardId, limit: 200 })).body
  expect(normal(items)).toEqual(normal(leanValue(over)))
})

test('a part that is not there is refused with those that are', async () => {
  const { value } = await mcp.tool('get_board', { board_id: scene.boardId, part: 'nothing/here' })
  expect(value.detail).toMatchObject({ error: 'VALIDATION_ERROR', field: 'part' })
})

test('a run of operations leaves out what does not fit, with the calls that read on', async () => {
  const spec_id = await largeSpec()
  const calls = [1, 2, 3].map(() => ({ name: 'get_spec', arguments: { spec_id } }))
  const { value } = await mcp.tool('run_operations', { calls })
  for (const { value: one } of value.results)
    expect(one.more[0].call.name).toMatch(/^(?:read_text|list_spec_items|get_spec)$/)
})

/** Operations whose answers change between two calls by themselves. */
const living = /^(?:get_service_status|get_health|list_kg_ticks|get_kg_metrics|stream_.*|export_.*)$/
const read = registry.filter(
  operation =>
    isReading(operation) &&
    operation.kind === undefined &&
    !living.test(operation.name) &&
    operation.caller === undefined,
)

describe('whatever an operation reads', () => {
  test.each(listed(read))('%s', async (_, operation) => {
    const args = await rows[nameOf(operation)].args(scene, world.owner)
    const asTool = toolArguments(operation, args)
    const full = operation.list === undefined ? asTool : { ...asTool, full: true, limit: 200 }
    const first = await mcp.tool(operation.name, full)
    if (first.isError || first.value.truncated !== true) return
    if (typeof first.value.more === 'boolean') return
    const over = leanValue(
      (await world.call(nameOf(operation), { ...args, ...(operation.list && { limit: 200 }) })).body,
    )
    const value = await whole(operation.name, full)
    const joinedValue = operation.list === undefined && !Array.isArray(over) ? value : value.items
    expect(normal(joinedValue)).toEqual(normal(over))
  })
})
