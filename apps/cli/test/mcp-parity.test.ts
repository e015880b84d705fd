import { type AnyOperation, ItemChanges, type OperationName, registry } from '@specboard/contract'
import { addressesRecord } from '@specboard/domain'
import { compact, leanValue, moved } from '@specboard/mcp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from './operations/rows.ts'
import { eventually } from './support/eventually.ts'
import { McpWire, type ToolAnswer, toolArguments } from './support/mcp.ts'
import { normal } from './support/normal.ts'
import { Stage } from './support/stage.ts'
import { graphAtWork, type TestAgent, type TestAnswer, World } from './support/world.ts'

const nameOf = (operation: AnyOperation) => operation.name as OperationName
const isRead = ({ effect }: AnyOperation) => effect === 'read' || effect === 'live'
/**
 * The document of the graph operations is larger than a result may be, and operations for persons are not available
 * over MCP (people).
 */
const plain = registry.filter(
  ({ name, kind, caller }) =>
    name !== 'get_kg_openapi' && caller === undefined && (kind === undefined || kind === 'events'),
)
const listed = (operations: readonly AnyOperation[]) =>
  operations.map(operation => [operation.name, operation] as const)

let world: World
let stage: Stage
let mcp: McpWire
let stranger: TestAgent

beforeAll(async () => {
  world = await World.start({ ...graphAtWork, mcpAnswerCharacters: 200_000 })
  stage = await Stage.on(world)
  mcp = new McpWire(world)
  stranger = await world.agent({ preset_id: null })
})

afterAll(() => world.stop())

/** What a tool must answer when the API answers this (mcp 9.1-9.3): lean, writes compact, arrays as pages. */
function toolForm(operation: AnyOperation, answer: TestAnswer, args: Readonly<Record<string, unknown>>): unknown {
  if (answer.status >= 300) return { status: answer.status, detail: answer.body.detail }
  if (answer.body === undefined) {
    const last = [...operation.path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1]
    return { ok: true, operation: operation.name, id: args[last!] }
  }
  const lean = leanValue(answer.body)
  if (Array.isArray(lean)) {
    const total = Number(answer.headers.get('x-total-count') ?? lean.length)
    return { items: isRead(operation) ? lean : lean.map(compact), total, offset: args.offset ?? 0 }
  }
  if (operation.name === 'list_my_inbox') return withoutZeros(lean as Record<string, unknown>)
  if (isRead(operation)) return lean
  if (operation.response === ItemChanges) return lean
  return (operation.name.startsWith('move_') ? moved : compact)(lean as Record<string, unknown>)
}

const withoutZeros = ({ counts, ...inbox }: Record<string, unknown>) => {
  const some = Object.entries(counts as object).filter(([, count]) => count !== 0)
  return { ...inbox, ...(some.length > 0 && { counts: Object.fromEntries(some) }) }
}

/** The tools that answer in short unless they are asked for more (mcp 9.3, crew 7). */
const isShortened = ({ name }: AnyOperation): boolean =>
  ['get_my_permissions', 'get_agent', 'create_agent'].includes(name)

const withoutTier = ({ tier: _, tier_reason: __, ...rest }: Record<string, unknown>) => rest

/** Repeats a call that found the service's only tick still running, because the call before had started it. */
const idle = (call: () => Promise<ToolAnswer>): Promise<ToolAnswer> =>
  eventually(async () => {
    const answer = await call()
    if (answer.value.detail?.error === 'TICK_ALREADY_RUNNING') throw new Error('A tick is running.')
    return answer
  })

describe('reads answer the same as over the API', () => {
  test.each(listed(plain.filter(isRead)))('%s', async (_, operation) => {
    const args = await rows[nameOf(operation)].args(await Stage.newScene(world, operation), world.owner)
    const uncut = isShortened(operation) ? { ...args, full: true } : args
    const whole = operation.list === undefined ? uncut : { ...args, full: true, limit: 200 }
    const http = await world.call(nameOf(operation), operation.list === undefined ? args : { ...args, limit: 200 })
    const tool = await mcp.tool(operation.name, whole)
    expect(normal(tool.value)).toEqual(normal(toolForm(operation, http, args)))
    if (!tool.isError) expect(tool.structured).toEqual(tool.value)
  })
})

describe('writes answer the same as over the API, on equal records', () => {
  test.each(listed(plain.filter(operation => !isRead(operation))))('%s', async (_, operation) => {
    const [one, other] = [await Stage.newScene(world, operation), await Stage.newScene(world, operation)]
    const httpArgs = await rows[nameOf(operation)].args(one, world.owner)
    const toolArgs = await rows[nameOf(operation)].args(other, world.owner)
    const http = await world.call(nameOf(operation), httpArgs)
    const input = toolArguments(operation, isShortened(operation) ? { ...toolArgs, full: true } : toolArgs)
    const tool = await idle(() => mcp.tool(operation.name, input))
    // `next`, which says who has the next part, is answered over MCP only, except for a judged card (crew 4.1, 4.4).
    const { next, next_actions, work: _work, ...answered } = tool.value
    // What is reported over MCP is a claim (evidence 1).
    const result = withoutTier(answered)
    // The card's spec is only approved here (crew 4.7).
    const value = operation.name === 'submit_task_validation' ? { ...result, _warnings: undefined } : result
    const { next: overHttp = next, ...form } = toolForm(operation, http, httpArgs) as Record<string, unknown>
    expect(normal(value)).toEqual(normal(withoutTier(form)))
    expect(next).toBe(overHttp)
    expect(tool.isError).toBe(http.status >= 300)
    const isLed = http.status === 202 || String(next).startsWith('you: ')
    if (!tool.isError) expect(next_actions?.length).toBe(isLed ? 1 : undefined)
  })
})

const keyed = registry.filter(({ permission }) => permission !== 'public')

test.each(listed(keyed.filter(addressesRecord)))('%s on a foreign board answers 404', async (_, operation) => {
  const args = await stage.refusedArgumentsOf(operation)
  const { value } = await mcp.tool(operation.name, toolArguments(operation, args), { as: stranger })
  expect(value).toMatchObject({ status: 404, detail: { error: 'NOT_FOUND' } })
})

const permitted = keyed.filter(
  ({ name, permission }) => permission !== '-' && rows[name as OperationName].permissionTestedBy === undefined,
)

test.each(listed(permitted))('%s without its permission answers 403 naming it', async (_, operation) => {
  const limited = await world.agent({ permission_flags: { [operation.permission]: false } })
  await stage.admit(limited, operation)
  const args = await stage.refusedArgumentsOf(operation, limited)
  const { value } = await mcp.tool(operation.name, toolArguments(operation, args), { as: limited })
  expect(value).toMatchObject({ status: 403, detail: { error: 'FORBIDDEN', permission: operation.permission } })
  expect(value.next_actions).toEqual([{ name: 'get_my_permissions', arguments: {}, reason: expect.any(String) }])
})
