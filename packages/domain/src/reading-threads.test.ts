import { type OperationName, operationByName, registry } from '@specboard/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { GraphWorld, ownerKey } from '../test/graph-world.ts'
import { runnerOf } from './features.ts'
import { ReadingThreads } from './reading-threads.ts'

let world: GraphWorld
let args: Readonly<Record<string, unknown>>
/** The arguments of single operations whose names mean something else in other operations. */
let ownArgs: Readonly<Partial<Record<OperationName, object>>>

/** What a call answers, or the detail of its refusal. */
const outcome = async (name: OperationName, extra: object = {}) =>
  world.ok(name, { ...args, ...ownArgs[name], ...extra }).catch(error => error.detail ?? error)

beforeAll(async () => {
  world = await GraphWorld.start()
  const { boardId: board_id } = world
  const { id: ideation_id } = await world.ok('create_ideation', { board_id, title: 'Idea “ünï”' })
  const { id: spec_id } = await world.ok('create_spec', { board_id, title: 'Spec', functional_requirements: ['one'] })
  await world.opened.service.database.write(db => db.updateTable('specs').set({ status: 'approved' }).execute())
  const { id: sprint_id } = await world.ok('create_sprint', { board_id, spec_id, title: 'Sprint' })
  const { id: card_id } = await world.ok('create_card', { board_id, spec_id, title: 'Card' })
  args = { board_id, ideation_id, spec_id, sprint_id, card_id, entity_type: 'spec', entity_id: spec_id, type: 'specs' }
  ownArgs = { get_kg_path: { from: `spec:${spec_id}`, to: `ideation:${ideation_id}` } }
  await world.drain()
})

afterAll(() => world.stop())

const named = registry.filter(({ reads }) => reads === 'board')
const lists = registry.filter(
  ({ reads, params, permission }) =>
    reads === 'page' &&
    permission !== 'public' &&
    Object.keys(params).every(param => ['board_id', 'ideation_id', 'spec_id', 'card_id'].includes(param)),
)

test('what reads a board only reads, in one unit of work', async () => {
  for (const operation of named) {
    const runner = await runnerOf(operation)
    const reads = operation.method === 'GET' || (!runner.steps && runner.answer !== undefined)
    // Operations that may wait run in steps, but read in one unit of work if they do not wait.
    expect([operation.name, runner.steps, reads]).toEqual([operation.name, 'wait_ms' in operation.query, true])
  }
})

test('every answer from a thread is the answer that the service itself gives', async () => {
  const names = [...named, ...lists].map(({ name }) => name as OperationName)
  const atOnce = new Map<OperationName, unknown>()
  for (const name of names) atOnce.set(name, await outcome(name))
  const missing = await outcome('get_board', { board_id: 'missing' })
  await world.opened.close()
  await world.open({ readBesideFrom: 0 })
  const beside = vi.spyOn(ReadingThreads.prototype, 'perform')
  for (const name of names) expect([name, await outcome(name)]).toEqual([name, atOnce.get(name)])
  expect(await outcome('get_board', { board_id: 'missing' })).toEqual(missing)
  const called = () => beside.mock.calls.map(([{ operation }]) => operation.name)
  expect(called()).toEqual(expect.arrayContaining([...named.map(({ name }) => name), 'list_ideations']))
  beside.mockClear()
  await outcome('list_ideations', { limit: 50 })
  expect(called()).toEqual([])
})

test('a record with many parts is read in a thread, by its id and by its reference; others are not', async () => {
  const { boardId: board_id } = world
  const few = await world.ok('create_ideation', { board_id, title: 'With few specs' })
  const many = await world.ok('create_ideation', { board_id, title: 'With many specs' })
  const { database } = world.opened.service
  await database.write(async db => {
    const [spec] = await db.selectFrom('specs').selectAll().limit(1).execute()
    for (let number = 1_001; number <= 1_201; number++)
      await db
        .insertInto('specs')
        .values({ ...spec!, id: `spec-${number}`, number, ideation_id: many.id })
        .execute()
  })
  const beside = vi.spyOn(ReadingThreads.prototype, 'perform')
  await world.ok('get_ideation', { ideation_id: few.id })
  await world.ok('get_ideation', { ideation_id: few.ref })
  expect(beside).not.toHaveBeenCalled()
  const whole = await world.ok('get_ideation', { ideation_id: many.id })
  expect(whole.specs).toHaveLength(201)
  expect(await world.ok('get_ideation', { ideation_id: many.ref })).toEqual(whole)
  expect(beside).toHaveBeenCalledTimes(2)
})

test('what a caller makes of an answer is made in the thread that has read it', async () => {
  const { service } = world.opened
  const operation = operationByName.get('get_board')!
  const params = { board_id: world.boardId }
  const caller = (await service.authenticate(ownerKey))!
  const module = new URL('../test/title-of.ts', import.meta.url).href
  const reduce = { module, parameters: 'From' }
  const answer = await service.perform({ operation, input: { params, query: {}, body: undefined }, caller, reduce })
  expect(answer.body).toBeUndefined()
  const { name } = await world.ok('get_board', params)
  expect(JSON.parse(Buffer.from(answer.json!).toString())).toBe(`From get_board: ${name}`)
})
