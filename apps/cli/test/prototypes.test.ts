import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let mcp: McpWire
/** An agent with an empty preset. */
let none: TestAgent

beforeAll(async () => {
  world = await World.start()
  mcp = new McpWire(world)
  const preset = await world.ok('create_preset', { name: 'Nothing', description: '', flags: {} })
  none = await world.agent({ preset_id: preset.id })
})

afterAll(() => world.stop())

describe('a key without rights reaches no prototype (walls 2, rule 1)', () => {
  const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype]
  const membersOfPrototypes = () => prototypes.map(prototype => Reflect.ownKeys(prototype).length)
  const before = membersOfPrototypes()

  const stillThere = async () => {
    expect(membersOfPrototypes()).toEqual(before)
    await world.ok('list_boards')
  }

  test.each([
    ['get_my_permissions', { full: true, fields: 'flags.__proto__.zz' }, ['fields']],
    ['get_my_permissions', { fields: ['constructor.prototype.zz'] }, ['fields']],
    ['read_operation', { name: 'get_my_permissions', fields: 'flags.__proto__.zz' }, ['fields']],
    [
      'call_operation',
      { name: 'list_boards', arguments: JSON.parse('{"__proto__":{"zz":1}}') },
      ['arguments', '__proto__'],
    ],
    ['call_operation', { name: 'list_boards', arguments: '{"constructor":{"zz":1}}' }, ['arguments', 'constructor']],
    [
      'run_operations',
      { calls: [{ name: 'list_boards', arguments: JSON.parse('{"__proto__":{"zz":1}}') }] },
      ['calls', 0, 'arguments', '__proto__'],
    ],
    ['run_operations', { calls: [{ name: 'list_boards', fields: 'a.__proto__.zz' }] }, ['calls', 0, 'fields']],
    ['list_boards', { constructor: { prototype: { zz: 1 } } }, ['constructor']],
    ['update_preset', { preset_id: 'x', flags: JSON.parse('{"__proto__":true}') }, ['flags', '__proto__']],
  ])('%s of %j', async (name, args, loc) => {
    const { isError, value } = await mcp.tool(name, args, { as: none })
    expect([isError, value]).toMatchObject([true, { status: 422, detail: [{ loc, type: 'value_error' }] }])
    await stillThere()
  })

  test('an argument __proto__, which the library would drop, is a malformed call', async () => {
    const { status, body } = await mcp.legacy(
      'tools/call',
      { name: 'list_boards', arguments: JSON.parse('{"__proto__":{"zz":1}}') },
      { as: none },
    )
    expect([status, body.error]).toMatchObject([400, { code: -32602, message: expect.stringContaining('__proto__') }])
    await stillThere()
  })
})
