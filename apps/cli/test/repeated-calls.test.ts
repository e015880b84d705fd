import { writeWithoutLock } from '@specboard/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All.',
  drift: 0,
  drift_justification: 'None.',
}

const totalOf = async (title: string): Promise<number> =>
  (await world.ok('list_cards', { board_id: scene.boardId, q: title })).length

/** Calls a tool twice, with arguments in another order the second time. */
async function twice(name: string, args: Readonly<Record<string, unknown>>, further: object = {}) {
  const first = await mcp.tool(name, args)
  const second = await mcp.tool(name, { ...Object.fromEntries(Object.entries(args).toReversed()), ...further })
  return { first: first.value, second: second.value, isError: second.isError }
}

describe('a call that is sent twice over MCP (crew 3)', () => {
  test('makes one record, and answers it again with repeated', async () => {
    const { first, second } = await twice('create_card', { board_id: scene.boardId, title: 'Once only' })
    expect(second).toEqual({ ...first, repeated: true })
    expect(first).not.toHaveProperty('repeated')
    expect(await totalOf('Once only')).toBe(1)
  })

  test('is equal whichever way its record is named', async () => {
    const card_id = await scene.card()
    const { ref } = await world.ok('get_card', { card_id })
    const first = await mcp.tool('create_comment', { card_id, content: 'Same words' })
    const second = await mcp.tool('create_comment', { card_id: ref, content: 'Same words' })
    expect(second.value).toEqual({ ...first.value, repeated: true })
    expect((await world.ok('get_card', { card_id })).comments).toHaveLength(1)
  })

  test('of two at once one writes', async () => {
    const create = () => mcp.tool('create_card', { board_id: scene.boardId, title: 'At once' })
    const answers = await Promise.all([create(), create(), create()])
    expect(answers.filter(({ value }) => value.repeated)).toHaveLength(2)
    expect(new Set(answers.map(({ value }) => value.id)).size).toBe(1)
    expect(await totalOf('At once')).toBe(1)
  })

  test('again makes a real second one', async () => {
    const { first, second } = await twice('create_card', { board_id: scene.boardId, title: 'Two' }, { again: true })
    expect(second.id).not.toBe(first.id)
    expect(second).not.toHaveProperty('repeated')
    const questions = await twice('ask_question', { record: await scene.ideation(), question: 'Why?' }, { again: true })
    expect(questions.second.id).not.toBe(questions.first.id)
  })

  test('is a new one by other words, another key, or over HTTP', async () => {
    const args = { board_id: scene.boardId, title: 'Independent' }
    await mcp.tool('create_card', args)
    await mcp.tool('create_card', { ...args, priority: 'high' })
    const other = await world.agent()
    await scene.admit(other)
    await mcp.tool('create_card', args, { as: other })
    await world.ok('create_card', args)
    await world.ok('create_card', args)
    expect(await totalOf('Independent')).toBe(5)
  })

  test('is a new one once what the first made is gone', async () => {
    const args = { board_id: scene.boardId, title: 'Gone and back' }
    const { value } = await mcp.tool('create_card', args)
    await world.ok('delete_card', { card_id: value.id })
    const again = await mcp.tool('create_card', args)
    expect([again.value.repeated, again.value.id === value.id]).toEqual([undefined, false])
  })

  test('with a report it is not refused because the first one moved the card', async () => {
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    await world.ok('move_card', { card_id, target_status: 'started' })
    const { first, second, isError } = await twice('move_card', { card_id, target_status: 'done', ...report })
    expect([isError ?? false, second]).toEqual([false, { ...first, repeated: true }])
    expect((await world.ok('get_card', { card_id })).conclusions).toHaveLength(1)
  })

  test('nor because the claim that opened the way has ended with it', async () => {
    const as = await world.agent({ preset_id: 'Executor' })
    await scene.admit(as)
    const { value } = await mcp.tool('create_card', { board_id: scene.boardId, title: 'Small', claim: true }, { as })
    const done = () =>
      mcp.tool(
        'move_card',
        { card_id: value.id, target_status: 'done', conclusion: 'Done.', check: 'Read it.' },
        { as },
      )
    const [first, second] = [await done(), await done()]
    expect(second.value).toEqual({ ...first.value, repeated: true })
    const other = { card_id: value.id, target_status: 'done', conclusion: 'Another.', check: 'Read it.' }
    expect((await mcp.tool('move_card', other, { as })).value.status).toBe(403)
  })

  test('a verdict is one verdict, until the card has moved on', async () => {
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    const submit = () => mcp.tool('submit_task_validation', { card_id, outcome: 'failed', summary: 'Not yet.' })
    const toValidation = () => world.ok('move_card', { card_id, target_status: 'validation', ...report })
    await world.ok('move_card', { card_id, target_status: 'started' })
    await toValidation()
    const [first, second] = [await submit(), await submit()]
    expect(second.value).toEqual({ ...first.value, repeated: true })
    await toValidation()
    const third = await submit()
    expect([third.value.repeated, third.value.id === first.value.id]).toEqual([undefined, false])
    expect((await world.ok('list_task_validations', { card_id })).total).toBe(2)
  })

  test('a refused call is judged anew', async () => {
    const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
    const submit = () => mcp.tool('submit_task_validation', { card_id, outcome: 'success', summary: 'Good.' })
    expect((await submit()).value.detail.error).toBe('CARD_NOT_IN_VALIDATION')
    expect((await submit()).value.detail.error).toBe('CARD_NOT_IN_VALIDATION')
  })

  test('lasts for the minutes of the setting', async () => {
    const args = { board_id: scene.boardId, title: 'Long ago' }
    await mcp.tool('create_card', args)
    await writeWithoutLock(world, db =>
      db
        .updateTable('idempotency_keys')
        .set({ created_at: new Date(Date.now() - 11 * 60_000).toISOString() })
        .where('agent_id', '=', world.owner.id)
        .execute(),
    )
    expect((await mcp.tool('create_card', args)).value).not.toHaveProperty('repeated')
    expect(await totalOf('Long ago')).toBe(2)
  })

  test('answers that show a key are never repeated', async () => {
    const make = () => mcp.tool('create_agent', { name: 'Twin', preset_id: 'Executor' })
    const [one, other] = [await make(), await make()]
    expect(one.value.id).not.toBe(other.value.id)
  })
})

test('MCP_REPEAT_MINUTES 0 repeats nothing', async () => {
  const plain = await World.start({ mcpRepeatMinutes: 0 })
  try {
    const { boardId } = await Scene.on(plain)
    const wire = new McpWire(plain)
    const create = () => wire.tool('create_card', { board_id: boardId, title: 'Each' })
    expect((await create()).value.id).not.toBe((await create()).value.id)
  } finally {
    await plain.stop()
  }
})
