import {
  type AnyOperation,
  isReading,
  type NamingField,
  namingOf,
  type OperationName,
  registry,
  withNamed,
} from '@specboard/contract'
import { namesOf, readWithoutLock, writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from './operations/rows.ts'
import { McpWire, toolArguments } from './support/mcp.ts'
import { normal } from './support/normal.ts'
import { Scene } from './support/scene.ts'
import { Stage } from './support/stage.ts'
import { graphAtWork, type TestAgent, World } from './support/world.ts'

let world: World
let mcp: McpWire
let stored: Stored

beforeAll(async () => {
  world = await World.start(graphAtWork)
  mcp = new McpWire(world)
  stored = await openStored()
})

afterAll(async () => {
  await stored.close()
  await world.stop()
})

const nameOf = (operation: AnyOperation) => operation.name as OperationName
const listed = (operations: readonly AnyOperation[]) =>
  operations.map(operation => [operation.name, operation] as const)

const partTables = [
  ...(['questions', 'comments', 'knowledge', 'attachments'] as const),
  ...(['task_validations', 'spec_validations', 'architecture_designs'] as const),
] as const

const tables = ['ideations', 'refinements', 'specs', 'sprints', 'cards'] as const

type Db = Parameters<typeof namesOf>[0]
type ById = ReadonlyMap<string, string>

/** The names by which records, boards and parts can be given, by id. */
interface Names {
  readonly keyOf: ById
  readonly refOf: ById
  /** Of the parts that have rows (crew 8.2). */
  readonly partOf: ById
}

/** What the service stored, read over one connection, because each connection reads the schema first. */
interface Stored {
  readonly db: Db
  readonly close: () => Promise<void>
}

async function openStored(): Promise<Stored> {
  const opened = Promise.withResolvers<Db>()
  const closed = Promise.withResolvers<void>()
  const reading = readWithoutLock(world, db => {
    opened.resolve(db)
    return closed.promise
  })
  const close = () => {
    closed.resolve()
    return reading
  }
  return { db: await Promise.race([opened.promise, reading.then(() => opened.promise)]), close }
}

/** The names for those ids that belong to boards, records and parts. */
async function names(ids: readonly string[]): Promise<Names> {
  const { db } = stored
  return { keyOf: await keysIn(db, ids), refOf: await refsIn(db, ids), partOf: await partsIn(db, ids) }
}

async function keysIn(db: Db, ids: readonly string[]): Promise<ById> {
  const boards = await db.selectFrom('boards').select(['id', 'key']).where('id', 'in', ids).execute()
  return new Map(boards.map(({ id, key }) => [id, key]))
}

async function refsIn(db: Db, ids: readonly string[]): Promise<ById> {
  const found = new Map<string, string>()
  for (const table of tables) {
    const records = await db
      .selectFrom(table)
      .innerJoin('boards', 'boards.id', `${table}.board_id`)
      .select([`${table}.id`, `${table}.number`, 'boards.key'])
      .where(`${table}.id`, 'in', ids)
      .execute()
    for (const { id, key, number } of records) found.set(id, `${key}-${number}`)
  }
  return found
}

async function partsIn(db: Db, ids: readonly string[]): Promise<ById> {
  const parts = await Promise.all(
    partTables.map(table => db.selectFrom(table).select('id').where('id', 'in', ids).execute()),
  )
  return namesOf(
    db,
    parts.flat().map(({ id }) => id),
  )
}

const refOf = async (id: string) => (await names([id])).refOf.get(id)!
const keyOf = async (id: string) => (await names([id])).keyOf.get(id)!

type Json = Readonly<Record<string, unknown>>

/** Every object in an answer, at any depth. */
function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inner : [value as Json, ...inner]
}

/** The records and boards in an answer, as the answer names them and as it should. */
async function named(answer: unknown) {
  const objects = objectsIn(answer).filter(({ id }) => typeof id === 'string')
  const { refOf, keyOf } = await names(objects.map(({ id }) => id as string))
  return {
    records: objects.filter(({ id }) => refOf.has(id as string)).map(({ id, ref }) => [ref, refOf.get(id as string)]),
    boards: objects
      .filter(({ id, entity_type, type }) => keyOf.has(id as string) && entity_type !== 'board' && type !== 'board')
      .map(({ id, key }) => [key, keyOf.get(id as string)]),
  }
}

const freshArguments = async (operation: AnyOperation): Promise<Json> =>
  rows[nameOf(operation)].args(await Stage.newScene(world, operation), world.owner)

const argumentsOfReads = new Map<AnyOperation, Promise<Json>>()

/** Arguments of a call, on a board of its own; all calls of a read have the same. */
function argumentsOf(operation: AnyOperation): Promise<Json> {
  if (!isReading(operation)) return freshArguments(operation)
  const args = argumentsOfReads.get(operation) ?? freshArguments(operation)
  argumentsOfReads.set(operation, args)
  return args
}

const answering = registry.filter(({ kind }) => kind === undefined)

describe('an answer that has the id of a record also has its reference, one of a board its key (work 1)', () => {
  test.each(listed(answering))('%s', async (_, operation) => {
    const answer = await world.call(nameOf(operation), await argumentsOf(operation))
    const { records, boards } = await named(answer.body)
    expect(records.map(([ref]) => ref)).toEqual(records.map(([, ref]) => ref))
    expect(boards.map(([key]) => key)).toEqual(boards.map(([, key]) => key))
  })
})

/** The places of ids in the flattened arguments of an operation. */
function namingOfArguments(operation: AnyOperation): NamingField {
  const { params, query, body } = namingOf(operation)
  const members = [params, query, body].map(part => (part !== undefined && 'members' in part ? part.members : {}))
  return { members: Object.assign({}, ...members) }
}

/** Every text in a value, at any depth. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

/** Arguments with every id of a record as its reference, and of a board as its key, in lower case. */
async function byReference(operation: AnyOperation, args: Json): Promise<Json> {
  const { refOf, keyOf, partOf } = await names(textsIn(args))
  const lower = (_: string, id: string) => (refOf.get(id) ?? keyOf.get(id) ?? partOf.get(id))?.toLowerCase() ?? id
  return withNamed(namingOfArguments(operation), args, lower) as Json
}

const naming = registry.filter(
  operation => Object.keys((namingOfArguments(operation) as { members: object }).members).length > 0,
)

/** Arguments for two calls of an operation that answer the same. */
const twice = async (operation: AnyOperation): Promise<readonly [Json, Json]> => [
  await argumentsOf(operation),
  await argumentsOf(operation),
]

describe('every id may be given by reference, also in lower case, and answers the same (work 1)', () => {
  // Two ticks at once are refused; an archive says when it was made; an import only names a board if it imports into an
  // existing one.
  const uncompared = new Set(['run_kg_tick', 'export_board', 'import_board'])
  const compared = naming.filter(({ name }) => !uncompared.has(name))

  test.each(listed(compared))('%s over HTTP', async (_, operation) => {
    const [args, others] = await twice(operation)
    const named = await byReference(operation, others)
    expect(named).not.toEqual(others)
    const byId = await world.call(nameOf(operation), args)
    const byRef = await world.call(nameOf(operation), named)
    expect([byRef.status, normal(byRef.body ?? null)]).toEqual([byId.status, normal(byId.body ?? null)])
  })

  test.each(listed(compared.filter(({ kind }) => kind !== 'file')))('%s as a tool', async (_, operation) => {
    const [args, others] = (await twice(operation)).map(input => toolArguments(operation, input))
    const byId = await mcp.tool(operation.name, args)
    const byRef = await mcp.tool(operation.name, await byReference(operation, others!))
    expect([byRef.isError, normal(byRef.value)]).toEqual([byId.isError, normal(byId.value)])
  })
})

test('every field of an input that ends in _id or _ids means a record, or a thing without a reference', () => {
  const without =
    /^(?:agent|actor|target|attachment|channel|member|comment|decision|supersedes_decision|design|diagram|guideline|intent|connection|identity|invitation|item|kb|knowledge|node|preset|qa|question|queue_entry|scenario|session|share|validation|assignee|reviewer|user|author|origin|test_run|run|business_rule|test_scenario|mockup|architecture_design|source_design|source_diagram|replace_diagram|webhook|repository|report|proof_run|change|patch|delivery|reservation|view|template|keep)_ids?$/
  const unknown = registry.flatMap(operation =>
    idFieldsOf(operation).filter(field => !without.test(field) && !isNamed(namingOfArguments(operation), field)),
  )
  expect(unknown).toEqual([])
})

/** The names of the fields of an input, at any depth, that end like ids. */
function idFieldsOf({ params, query, body }: AnyOperation): string[] {
  const found = new Set<string>()
  // biome-ignore lint/suspicious/noExplicitAny: schemas of every kind are walked by their definitions
  const walk = (schema: any): void => {
    if (schema?.def === undefined) return
    const { innerType, in: input, element, options } = schema.def
    for (const inner of [innerType, input, element, ...(options ?? [])]) walk(inner)
    for (const [name, field] of Object.entries(schema.shape ?? {})) {
      if (/_ids?$/.test(name)) found.add(name)
      walk(field)
    }
  }
  for (const [name, schema] of Object.entries({ ...params, ...query })) {
    if (/_ids?$/.test(name)) found.add(name)
    walk(schema)
  }
  walk(body)
  return [...found]
}

/** Whether a field of a name is a place of ids. */
function isNamed(place: NamingField, field: string): boolean {
  if ('kind' in place) return false
  if ('each' in place) return isNamed(place.each, field)
  return Object.entries(place.members).some(([name, inner]) => name === field || isNamed(inner, field))
}

describe('a reference that names nothing is what an unknown id would be (work 1)', () => {
  let scene: Scene
  let stranger: TestAgent

  beforeAll(async () => {
    scene = await Scene.on(world)
    stranger = await world.agent({ preset_id: null })
  })

  const detail = async (name: OperationName, args: Json, as = world.owner) => {
    const { status, body } = await world.call(name, args, { as })
    return [status, body.detail]
  }

  test('in a path: 404 with what was sent', async () => {
    const key = await keyOf(scene.boardId)
    for (const card_id of [`${key}-999999`, 'nokey-1', 'NOKEY-1'])
      expect(await detail('get_card', { card_id })).toMatchObject([
        404,
        { error: 'NOT_FOUND', entity_type: 'card', entity_id: card_id },
      ])
    expect(await detail('get_board', { board_id: 'NOKEY' })).toMatchObject([404, { entity_id: 'NOKEY' }])
  })

  test('a record of another kind is not found', async () => {
    const spec = await refOf(await scene.spec())
    expect(await detail('get_card', { card_id: spec })).toMatchObject([404, { entity_id: spec }])
    const archive = { board_id: scene.boardId, entity_type: 'ideation', entity_id: spec }
    expect(await detail('archive_record', archive)).toMatchObject([404, { entity_type: 'ideation' }])
  })

  test('in a body: 400 naming the field', async () => {
    const card_id = await scene.card()
    const ideation = await refOf(await scene.ideation())
    expect(await detail('update_card', { card_id, spec_id: ideation })).toEqual(
      JSON.parse(
        JSON.stringify(await detail('update_card', { card_id, spec_id: 'unknown' })).replaceAll('unknown', ideation),
      ),
    )
  })

  test('an invisible record is not found, and its id is not told', async () => {
    const card = await refOf(await scene.card())
    const refusal = await detail('get_card', { card_id: card }, stranger)
    expect(refusal).toMatchObject([404, { entity_type: 'card', entity_id: card }])
    const key = await keyOf(scene.boardId)
    expect(await detail('get_board', { board_id: key }, stranger)).toMatchObject([404, { entity_id: key }])
  })

  test('a record whose id looks like a reference does not take it (walls 1)', async () => {
    const card_id = await scene.card({ title: 'By reference' })
    const ref = await refOf(card_id)
    const other = await scene.card({ title: 'By id' })
    await writeWithoutLock(world, db => db.updateTable('cards').set({ id: ref }).where('id', '=', other).execute())
    expect((await world.ok('get_card', { card_id: ref })).title).toBe('By reference')
    expect((await world.ok('get_card', { card_id })).title).toBe('By reference')
  })
})

describe('resources (work 1)', () => {
  const readPage = async (params: Readonly<Record<string, unknown>>) =>
    (await mcp.modern('resources/read', params)).body.result

  test('a page has the URI of the record, whatever it was asked by', async () => {
    const scene = await Scene.on(world)
    const card = await scene.card({ title: 'Shown' })
    const uri = `specboard://cards/${(await refOf(card)).toLowerCase()}`
    const { contents } = await readPage({ uri })
    expect(contents[0].uri).toBe(`specboard://cards/${card}`)
    expect(contents[0].text).toContain(await refOf(card))
    const key = await keyOf(scene.boardId)
    const guidelines = await readPage({ uri: `specboard://boards/${key}/guidelines` })
    expect(guidelines.contents[0].uri).toBe(`specboard://boards/${scene.boardId}/guidelines`)
  })
})

describe('a record of another kind (crew 9.5)', () => {
  test.each(['http', 'mcp'])('is named by its kind and reference, over %s', async door => {
    const scene = await Scene.on(world)
    const spec_id = await scene.spec()
    const { ref } = await world.ok('get_spec', { spec_id })
    for (const card_id of [spec_id, ref, `specboard://specs/${ref}`, `specboard://specs/${spec_id}`]) {
      const args = { card_id }
      const refused =
        door === 'http' ? (await world.call('get_card', args)).body : (await mcp.tool('get_card', args)).value
      const { detail, next_actions } = refused
      expect(detail).toMatchObject({ error: 'NOT_FOUND', entity_type: 'card', is: { entity_type: 'spec', ref } })
      expect(next_actions[0]).toMatchObject({ name: 'get_spec' })
    }
  })

  test('is not told of a record that the caller does not see', async () => {
    const scene = await Scene.on(world)
    const stranger = await world.agent()
    const answer = await world.call('get_card', { card_id: await scene.spec() }, { as: stranger })
    expect(answer.body.detail).not.toHaveProperty('is')
  })
})

test('the address of a page is taken as the id of its record (crew 9.5)', async () => {
  const scene = await Scene.on(world)
  const spec_id = await scene.spec()
  const { ref } = await world.ok('get_spec', { spec_id })
  for (const id of [ref, spec_id])
    expect(await world.ok('get_spec', { spec_id: `specboard://specs/${id}` })).toMatchObject({ ref })
})

test('a number alone is refused with the form of a reference (crew 9.5)', async () => {
  const { body } = await world.call('get_card', { card_id: '#2' })
  expect(body.detail.message).toContain('as in SPE-2')
})

test('a version that is not there is not taken for a reference', async () => {
  const scene = await Scene.on(world)
  const { body } = await world.call('get_ideation_snapshot', { ideation_id: await scene.ideation(), version: 7 })
  expect(body.detail).toMatchObject({ error: 'NOT_FOUND', message: expect.not.stringContaining('SPE-2') })
})
