import { type AnyOperation, type OperationName, permissionNames, registry } from '@specboard/contract'
import { addressesRecord } from '@specboard/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rows } from './operations/rows.ts'
import { McpWire } from './support/mcp.ts'
import { Person } from './support/person.ts'
import { Stage } from './support/stage.ts'
import { graphAtWork, type TestAgent, World } from './support/world.ts'

const nameOf = (operation: AnyOperation) => operation.name as OperationName
const keyed = registry.filter(operation => operation.permission !== 'public')
const permitted = keyed.filter(operation => operation.permission !== '-')

let world: World
let stage: Stage
let stranger: TestAgent

beforeAll(async () => {
  world = await World.start(graphAtWork)
  stage = await Stage.on(world)
  stranger = await world.agent({ preset_id: null })
})

afterAll(() => world.stop())

/** The schema of an answer's body. */
const bodySchema = (operation: AnyOperation) =>
  operation.list === undefined ? operation.response : z.array(operation.list)

describe.each(registry.map(operation => [operation.name, operation] as const))('%s', (_, operation) => {
  const name = nameOf(operation)

  test('answers what its schema says, and no other key', async () => {
    const args = await stage.argumentsOf(operation)
    const answer = await (operation.caller === undefined
      ? world.call(name, args)
      : (await Person.owner(world)).call(name, args))
    expect(answer.body?.detail ?? answer.status).toBe(operation.status)
    const schema = bodySchema(operation)
    if (schema === undefined) return
    expect(schema.parse(answer.body)).toStrictEqual(answer.body)
    if (operation.list !== undefined)
      expect(Number(answer.headers.get('x-total-count'))).toBeGreaterThanOrEqual(answer.body.length)
  })
})

test.each(keyed.map(operation => [operation.name, operation] as const))(
  '%s without a key answers 401',
  async (_, operation) => {
    const anything = Object.fromEntries(Object.keys(operation.params).map(param => [param, 'x']))
    const answer = await world.call(nameOf(operation), anything, { as: null })
    expect(answer.status).toBe(401)
    expect(answer.body.detail.error).toBe('UNAUTHORIZED')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  },
)

test.each(keyed.filter(addressesRecord).map(operation => [operation.name, operation] as const))(
  '%s on a foreign board answers 404',
  async (_, operation) => {
    const name = nameOf(operation)
    const answer = await world.call(name, await stage.refusedArgumentsOf(operation), { as: stranger })
    expect(answer.body?.detail?.error).toBe('NOT_FOUND')
    expect(answer.status).toBe(404)
  },
)

test.each(
  permitted
    .filter(operation => rows[nameOf(operation)]?.permissionTestedBy === undefined)
    .map(operation => [operation.name, operation] as const),
)('%s without its permission answers 403 naming it', async (_, operation) => {
  const name = nameOf(operation)
  const limited = await world.agent({ permission_flags: { [operation.permission]: false } })
  await stage.admit(limited, operation)
  const answer = await world.call(name, await stage.refusedArgumentsOf(operation, limited), { as: limited })
  expect(answer.body?.detail).toMatchObject({
    error: 'FORBIDDEN',
    permission: operation.permission,
    denied_by: 'agent',
  })
  expect(answer.status).toBe(403)
})

test.each(keyed.filter(({ caller }) => caller !== undefined).map(operation => [operation.name, operation] as const))(
  '%s is for persons alone, whatever else somebody may (people)',
  async (_, operation) => {
    const name = nameOf(operation)
    const robot = await world.agent()
    const { status, body } = await world.call(name, await stage.refusedArgumentsOf(operation, robot), { as: robot })
    const gate = operation.permission === '-' ? null : operation.permission
    expect([status, body.detail]).toMatchObject([409, { error: 'PERSON_REQUIRED', needs: operation.caller, gate }])
  },
)

test.each(keyed.filter(({ caller }) => caller !== undefined).map(operation => [operation.name, operation] as const))(
  '%s is for nobody over MCP, with the key of a person neither (people)',
  async (_, operation) => {
    const { value } = await new McpWire(world).tool(operation.name, await stage.refusedArgumentsOf(operation))
    expect(value).toMatchObject({ status: 409, detail: { error: 'PERSON_REQUIRED', needs: operation.caller } })
  },
)

describe('404 comes before 403', () => {
  let powerless: TestAgent

  beforeAll(async () => {
    powerless = await world.agent({ permission_flags: Object.fromEntries(permissionNames.map(name => [name, false])) })
    await stage.admit(powerless)
  })

  const namesRecords = (argument: string) => /_id$|^(?:center|version)$/.test(argument)

  test.each(permitted.map(operation => [operation.name, operation] as const))('%s', async (_, operation) => {
    const name = nameOf(operation)
    const args = await stage.refusedArgumentsOf(operation)
    for (const argument of Object.keys(args).filter(namesRecords)) {
      const unknown = { ...args, [argument]: typeof args[argument] === 'number' ? 999_999 : 'names-nothing' }
      const { status } = await world.call(name, unknown)
      if (status === 404)
        expect([argument, (await world.call(name, unknown, { as: powerless })).status]).toEqual([argument, 404])
    }
  })
})
