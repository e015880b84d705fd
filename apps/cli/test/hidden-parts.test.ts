import { type OperationName, permissionNames, registry } from '@specboard/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from './operations/rows.ts'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

/** A part that the caller may not read is empty over HTTP, and MCP says that it is hidden (crew 9.11). */
let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const cases = registry.flatMap(({ name, parts = {} }) =>
  Object.entries(parts).map(
    ([part, permission]) => [`${name} ${part}`, name as OperationName, part, permission] as const,
  ),
)

test.each(cases)('%s', async (_, name, part, permission) => {
  const flags = Object.fromEntries(permissionNames.map(flag => [flag, flag !== permission]))
  const agent = await world.agent({ permission_flags: flags })
  await scene.admit(agent)
  const args = await rows[name].args(scene, world.owner)
  const { body } = await world.call(name, args, { as: agent })
  expect(body[part] ?? []).toEqual([])
  const mcp = new McpWire(world)
  const { value } = await mcp.tool(name, args, { as: agent })
  expect(value.hidden).toContain(part)
  expect((await mcp.tool(name, args)).value).not.toHaveProperty('hidden')
})

test('get_my_permissions says how many cards the caller holds, and names boards by their key (crew 9.13)', async () => {
  const mcp = new McpWire(world)
  const agent = await world.agent()
  await world.ok('create_board_share', { board_id: scene.boardId, user_id: agent.id, permission: 'viewer' })
  const { key } = await world.ok('get_board', { board_id: scene.boardId })
  const answer = await mcp.tool('get_my_permissions', {}, { as: agent })
  expect(answer.value).toMatchObject({ cards_held: 0, boards: [{ key, access: 'share (viewer)' }] })
  await world.ok('claim_card', { card_id: await scene.card() })
  expect((await mcp.tool('get_my_permissions', {})).value.cards_held).toBe(1)
})
