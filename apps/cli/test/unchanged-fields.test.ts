import {
  type AnyOperation,
  bare,
  freeJsonLimits,
  type OperationName,
  operationByName,
  readOf,
  registry,
} from '@specboard/contract'
import { leanValue } from '@specboard/mcp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rows } from './operations/rows.ts'
import { altered } from './support/event-log.ts'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire

beforeAll(async () => {
  world = await World.start(graphAtWork)
  scene = await Scene.on(world)
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

/** A value that is longer than a schema allows, and the type of the item that says so. */
type Long = readonly [type: string, value: unknown]

/** The shortest value that a schema takes, with all its fields. */
function least(schema: z.core.$ZodType): unknown {
  const inner = bare(schema as z.ZodType)
  if (inner instanceof z.ZodObject)
    return inner.parse(
      Object.fromEntries(
        Object.entries(inner.shape)
          .filter(([name, field]) => !z.safeParse(z.object({ [name]: field }), {}).success)
          .map(([name, field]) => [name, least(field)]),
      ),
    )
  if (inner instanceof z.ZodUnion) return least(inner.options[0]!)
  if (inner instanceof z.ZodEnum) return inner.options[0]
  if (inner instanceof z.ZodArray) return []
  return inner instanceof z.ZodNumber ? 1 : 'x'
}

const element = (schema: z.core.$ZodType, index: number): unknown => {
  const value = least(schema)
  return typeof value === 'object' ? { ...value, id: `e${index}` } : `e${index}`
}

const { depth, members, characters } = freeJsonLimits

/** What the scene of a diagram has at least. */
const elements = [{ id: 'e', type: 'text' }]

const tooFree: readonly Long[] = [
  ['too_deep', { elements, a: JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) }],
  ['too_long', { elements, a: Array.from({ length: members + 1 }, (_, index) => index) }],
  ['string_too_long', { elements, a: 'x'.repeat(characters + 1) }],
]

/** Values that are too long for a field of an update; empty for a field without arrays and free JSON. */
function longValues(field: z.ZodType): readonly Long[] {
  const schema = bare(field)
  if (schema instanceof z.ZodArray) {
    const max = schema.def.checks?.map(check => check._zod.def as { maximum?: number }).find(({ maximum }) => maximum)
    return [['too_long', Array.from({ length: max!.maximum! + 1 }, (_, index) => element(schema.element, index))]]
  }
  const isFree = schema instanceof z.ZodRecord && schema.def.valueType instanceof z.ZodUnknown
  return isFree || schema instanceof z.ZodUnion ? tooFree : []
}

/** Arrays whose maximum is older than the others, so that none can be stored longer (insight A.2, work 6). */
const everLimited = [
  'entities',
  'interfaces',
  'diagrams',
  'add_labels',
  'remove_labels',
  'add_paths',
  'remove_paths',
  'recognise',
  'tests',
  'required_checks',
  'authors',
  'events',
  'muted_boards',
  'kinds',
]

const updates = registry.filter(operation => readOf(operation) !== undefined)

const fieldsOf = ({ body }: AnyOperation): [string, z.ZodType][] =>
  body === undefined ? [] : (Object.entries((bare(body) as z.ZodObject).shape) as [string, z.ZodType][])

const cases = updates.flatMap(operation =>
  fieldsOf(operation)
    .filter(([field]) => !everLimited.includes(field))
    .flatMap(([field, schema]) =>
      longValues(schema).map(([type, value]) => [operation.name as OperationName, field, type, value] as const),
    ),
)

/** The table of what an update changes; the columns have the names of the fields. */
const tables = {
  update_card: 'cards',
  update_guideline: 'guidelines',
  update_ideation: 'ideations',
  update_refinement: 'refinements',
  update_spec: 'specs',
  update_sprint: 'sprints',
  put_diagram_payload: 'architecture_payloads',
} as const

/** Stores a value like a version without limits did. */
async function store(name: OperationName, params: Readonly<Record<string, unknown>>, field: string, value: unknown) {
  const isPayload = name === 'put_diagram_payload'
  const table = tables[name as keyof typeof tables]
  const [column, owner] = isPayload ? ['content', 'design_id'] : [field, 'id']
  const id = String(Object.values(params)[0])
  const statement = `update ${table} set ${column} = ? where ${owner} = ?`
  expect(await altered(world, statement, JSON.stringify(value), id)).toBe(1)
}

/** A record that an update can change, by the parameters of its path, and what else is required. */
async function target(name: OperationName) {
  const operation = operationByName.get(name)!
  const args = await rows[name].args(scene, world.owner)
  return Object.fromEntries(Object.entries(args).filter(([given]) => given in operation.params))
}

/** A value of the same type that differs in its last place. */
const changed = (value: unknown): unknown =>
  Array.isArray(value) ? [...value.slice(0, -1), 'changed'] : { ...(value as object), changed: true }

test('every update with arrays or free JSON is tried', () => {
  expect([...new Set(cases.map(([name]) => name))].toSorted()).toStrictEqual(Object.keys(tables).toSorted())
})

describe.each(cases)('%s of %s, stored %s', (name, field, type, value) => {
  const read = readOf(operationByName.get(name)!)!.name as OperationName

  test('may be sent back unchanged and not otherwise, through both doors (trust 1)', async () => {
    const params = await target(name)
    await store(name, params, field, value)
    const stored = (await world.ok(read, params))[field]
    const response = await world.call(name, { ...params, [field]: stored })
    expect(response.body).not.toHaveProperty('detail')
    // As text, because a message of MCP may be nested no deeper than free JSON.
    const tool = (fieldValue: unknown) => mcp.tool(name, { ...params, [field]: JSON.stringify(fieldValue) })
    expect((await tool(leanValue(stored))).value).not.toHaveProperty('detail')
    expect((await world.ok(read, params))[field]).toStrictEqual(stored)

    const refused = await world.call(name, { ...params, [field]: changed(stored) })
    expect([refused.status, refused.body.detail]).toMatchObject([422, [{ loc: ['body', field], type }]])
    expect((await tool(changed(stored))).value).toMatchObject({ status: 422, detail: [{ loc: [field], type }] })
    expect((await world.ok(read, params))[field]).toStrictEqual(stored)
  })
})

describe('beside a long field that is sent back', () => {
  const labels = Array.from({ length: 501 }, (_, index) => `label ${index}`)

  const long = async () => {
    const params = await target('update_ideation')
    await store('update_ideation', params, 'labels', labels)
    return params
  }

  test('other fields are changed', async () => {
    const params = await long()
    expect(await world.ok('update_ideation', { ...params, labels, title: 'New' })).toMatchObject({
      title: 'New',
      labels,
    })
  })

  test('a fault of another field is refused with it', async () => {
    const params = await long()
    const { status, body } = await world.call('update_ideation', { ...params, labels, title: 1 })
    expect(status).toBe(422)
    expect(body.detail.map(({ loc }: { loc: unknown }) => loc)).toStrictEqual([
      ['body', 'title'],
      ['body', 'labels'],
    ])
  })

  test('a stale tag is told, after the 422 of what has changed', async () => {
    const params = await long()
    const headers = { 'if-match': '"stale"' }
    expect((await world.call('update_ideation', { ...params, labels }, { headers })).status).toBe(412)
    const other = { ...params, labels: [...labels, 'one more'] }
    expect((await world.call('update_ideation', other, { headers })).status).toBe(422)
  })

  test('whoever cannot see the record is told of the length alone, whatever is stored', async () => {
    const params = await long()
    const stranger = await world.agent()
    const { status, body } = await world.call('update_ideation', { ...params, labels }, { as: stranger })
    expect([status, body.detail]).toMatchObject([422, [{ type: 'too_long' }]])
  })
})
