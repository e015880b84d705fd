import type { OperationName } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire
let other: TestAgent

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  mcp = new McpWire(world)
  other = await world.agent({ name: 'Other' })
  await scene.admit(other)
})

afterAll(() => world.stop())

interface Kind {
  readonly make: () => Promise<Readonly<Record<string, string>>>
  readonly get: OperationName
  readonly update: OperationName
  /** A text field that is set when it is created. */
  readonly field: string
  /** A call that changes a part of it, but none of its own fields. */
  readonly part?: readonly [OperationName, Readonly<Record<string, unknown>>]
  readonly move?: readonly [OperationName, string]
  /** Set if only its owner changes it; the log has nothing about one that is on no board. */
  readonly ofOwner?: 'logged' | 'unlogged'
}

const question = { question: 'Why?' }

const kinds: Readonly<Record<string, Kind>> = {
  ideation: {
    make: async () => ({ ideation_id: await scene.ideation() }),
    get: 'get_ideation',
    update: 'update_ideation',
    field: 'title',
    part: ['ask_ideation_question', question],
    move: ['move_ideation', 'review'],
  },
  refinement: {
    make: async () => ({ refinement_id: await scene.refinement() }),
    get: 'get_refinement',
    update: 'update_refinement',
    field: 'title',
    part: ['ask_refinement_question', question],
    move: ['move_refinement', 'review'],
  },
  spec: {
    make: async () => ({ spec_id: await scene.spec() }),
    get: 'get_spec',
    update: 'update_spec',
    field: 'title',
    part: ['ask_spec_question', question],
    move: ['move_spec', 'review'],
  },
  sprint: {
    make: async () => ({ sprint_id: (await scene.sprint()).sprint_id }),
    get: 'get_sprint',
    update: 'update_sprint',
    field: 'title',
    move: ['move_sprint', 'active'],
  },
  card: {
    make: async () => ({ card_id: await scene.workableCard() }),
    get: 'get_card',
    update: 'update_card',
    field: 'title',
    part: ['create_comment', { content: 'Hm' }],
    move: ['move_card', 'started'],
  },
  'inline guideline': {
    make: async () => {
      const input = { title: 'Old', content: 'c', scope: 'inline', board_id: scene.boardId }
      return { guideline_id: (await world.ok('create_guideline', input)).id }
    },
    get: 'get_guideline',
    update: 'update_guideline',
    field: 'content',
    ofOwner: 'logged',
  },
  'global guideline': {
    make: async () => ({ guideline_id: (await world.ok('create_guideline', { title: 'Old', content: 'c' })).id }),
    get: 'get_guideline',
    update: 'update_guideline',
    field: 'content',
    ofOwner: 'unlogged',
  },
  design: {
    make: async () => {
      const input = { card_id: await scene.card(), title: 'Old', global_description: 'Old' }
      return { design_id: (await world.ok('create_card_architecture', input)).id }
    },
    get: 'get_architecture',
    update: 'update_architecture',
    field: 'title',
  },
}

describe.each(Object.entries(kinds))('rev of a %s (crew 2)', (_, { make, get, update, field, part, move, ofOwner }) => {
  const revOf = async (at: object): Promise<number> => (await world.ok(get, { ...at })).rev
  const moving = (status: string) => ({ status, target_status: status })

  test('is 1 at creation and rises with every change of own fields', async () => {
    const at = await make()
    expect(await revOf(at)).toBe(1)
    expect((await world.ok(update, { ...at, [field]: 'New' })).rev).toBe(2)
    expect((await world.ok(update, { ...at, [field]: 'New' })).rev).toBe(2)
    if (part !== undefined) await world.ok(part[0], { ...at, ...part[1] })
    expect(await revOf(at)).toBe(2)
    if (move === undefined) return
    expect((await world.ok(move[0], { ...at, ...moving(move[1]) })).rev).toBe(3)
    expect(await revOf(at)).toBe(3)
  })

  test('is the first part of the tag', async () => {
    const at = await make()
    await world.ok(update, { ...at, [field]: 'New' })
    expect((await world.call(get, { ...at })).headers.get('etag')).toMatch(/^"2-[0-9a-f]+"$/)
  })

  test('guards a write, which says what changed and how to go on', async () => {
    const at = await make()
    const { [field]: before } = await world.ok(get, { ...at })
    await world.ok(update, { ...at, [field]: 'Theirs' }, { as: ofOwner ? world.owner : other })
    const { status, body } = await world.call(update, { ...at, [field]: 'Mine', expected_rev: 1 })
    const author =
      ofOwner === 'unlogged'
        ? { before: null, actor_name: null, at: null }
        : { before, actor_name: ofOwner ? 'Local Owner' : 'Other', at: expect.stringMatching(/^\d{4}-.*Z$/) }
    expect([status, body.detail]).toMatchObject([
      412,
      { error: 'PRECONDITION_FAILED', rev: 2, changed: [{ field, current: 'Theirs', ...author }] },
    ])
    expect(body.next_actions[0]).toMatchObject({ name: update, arguments: { ...at, [field]: 'Mine', expected_rev: 2 } })
    expect((await world.ok(get, { ...at }))[field]).toBe('Theirs')
    expect(await world.ok(update, { ...at, [field]: 'Mine', expected_rev: 2 })).toMatchObject({
      [field]: 'Mine',
      rev: 3,
    })
  })

  test.runIf(move)('guards a move', async () => {
    const at = await make()
    await world.ok(update, { ...at, [field]: 'New' })
    const { status, body } = await world.call(move![0], { ...at, ...moving(move![1]), expected_rev: 1 })
    expect([status, body.detail.rev, body.detail.changed]).toStrictEqual([412, 2, []])
    expect(body.next_actions).toContainEqual(
      expect.objectContaining({ name: 'diff_record', arguments: expect.objectContaining({ from: 'r1' }) }),
    )
    expect((await world.ok(move![0], { ...at, ...moving(move![1]), expected_rev: 2 })).rev).toBe(3)
  })

  test('does not contradict If-Match', async () => {
    const at = await make()
    const tag = (await world.call(get, { ...at })).headers.get('etag')!
    const call = (expected_rev: number) =>
      world.call(update, { ...at, [field]: 'New', expected_rev }, { headers: { 'if-match': tag } })
    expect([await call(2), await call(1)]).toMatchObject([
      { status: 400, body: { detail: { error: 'VALIDATION_ERROR', field: 'expected_rev' } } },
      { status: 200, body: { rev: 2 } },
    ])
  })

  test.each(['expected_version', 'expected_rev_', 'if_match', 'if_unmodified_since'])('%s is refused', async name => {
    const at = await make()
    const { status, body } = await world.call(update, { ...at, [field]: 'New', [name]: 1 })
    expect([status, body.detail]).toMatchObject([
      422,
      [{ loc: ['body', name], type: 'unknown_member', did_you_mean: 'expected_rev' }],
    ])
    const { value } = await mcp.tool(update, { ...at, [field]: 'New', [name]: 1 })
    expect(value).toMatchObject({
      status: 422,
      detail: [{ loc: [name], type: 'unknown_member', did_you_mean: 'expected_rev' }],
    })
    expect(await revOf(at)).toBe(1)
  })

  test('guards a tool', async () => {
    const at = await make()
    await world.ok(update, { ...at, [field]: 'New' })
    const { value } = await mcp.tool(update, { ...at, [field]: 'Mine', expected_rev: 1 })
    expect(value).toMatchObject({
      status: 412,
      detail: { error: 'PRECONDITION_FAILED', rev: 2 },
    })
    expect(value.next_actions[0]).toMatchObject({ name: update, arguments: { expected_rev: 2 } })
  })
})

test('a guard of another operation is refused as well', async () => {
  const { status, body } = await world.call('update_board', { board_id: scene.boardId, name: 'N', expected_rev: 1 })
  expect([status, body.detail]).toMatchObject([422, [{ type: 'unknown_member', loc: ['body', 'expected_rev'] }]])
})

test('changes of links raise the rev of the records whose fields they are', async () => {
  const spec_id = await scene.specWithScenarios()
  const card_id = await scene.card({ spec_id })
  const revs = async () => [
    (await world.ok('get_spec', { spec_id })).rev,
    (await world.ok('get_card', { card_id })).rev,
  ]
  expect(await revs()).toStrictEqual([1, 1])
  await world.ok('link_task_to_scenario', { spec_id, scenario_id: 's1', card_id })
  expect(await revs()).toStrictEqual([2, 2])
  await world.ok('link_task_to_scenario', { spec_id, scenario_id: 's1', card_id })
  expect(await revs()).toStrictEqual([2, 2])
  await world.ok('unlink_card_from_spec', { spec_id, card_id })
  expect(await revs()).toStrictEqual([3, 3])
})

test('a bug begins at 1 though it inherits links, and cards that make room stay as they are', async () => {
  const spec_id = await scene.specWithScenarios()
  const origin = await scene.testCard({ spec_id })
  const bug = await scene.bug({ origin_task_id: origin })
  expect(await world.ok('get_card', { card_id: bug })).toMatchObject({ rev: 1, test_scenario_ids: ['s1'] })
  await world.ok('move_card', { card_id: bug, target_status: 'not_started', position: 0 })
  expect((await world.ok('get_card', { card_id: origin })).rev).toBe(1)
})

test('before is cut like every text of a 412', async () => {
  const long = 'x'.repeat(500)
  const card_id = await scene.card({ description: long })
  await world.ok('update_card', { card_id, description: `${long}y` })
  const { body } = await world.call('update_card', { card_id, description: 'z', expected_rev: 1 })
  expect(body.detail.changed).toMatchObject([
    { field: 'description', before: `${'x'.repeat(200)}…[+300]`, current: `${'x'.repeat(200)}…[+301]` },
  ])
})

test('diff_record takes the points of revs', async () => {
  const spec_id = await scene.spec('draft', { description: 'one' })
  await world.ok('update_spec', { spec_id, description: 'two' })
  await world.ok('ask_spec_question', { spec_id, question: 'Why?' })
  await world.ok('update_spec', { spec_id, description: 'three' })
  const at = { entity_type: 'spec', entity_id: spec_id }
  expect(await world.ok('diff_record', { ...at, from: 'r1', to: 'r2' })).toMatchObject({
    from: { rev: 1 },
    to: { rev: 2 },
    fields: [{ field: 'description', old: 'one', new: 'two' }],
  })
  expect(await world.ok('diff_record', { ...at, from: 'r2' })).toMatchObject({
    to: { rev: 3 },
    fields: [{ field: 'description', old: 'two', new: 'three' }],
  })
  expect((await world.call('diff_record', { ...at, from: 'r9' })).body.detail.field).toBe('from')
})

describe('a fresh text of another, over MCP (crew 2.3)', () => {
  const long = (text: string) => `${text} ${'x'.repeat(40)}`
  const theirs = (name: OperationName, args: object) => world.ok(name, { ...args }, { as: other })

  test('is not replaced unseen', async () => {
    const card_id = await scene.card({ description: long('old'), details: 'short' })
    await theirs('update_card', { card_id, description: long('theirs'), details: 'brief' })
    const mine = { card_id, description: long('mine') }
    const { value } = await mcp.tool('update_card', mine)
    expect(value).toMatchObject({
      status: 412,
      detail: {
        error: 'PRECONDITION_FAILED',
        rev: 2,
        changed: [{ field: 'description', before: long('old'), current: long('theirs'), actor_name: 'Other' }],
      },
    })
    expect(value.next_actions[0]).toMatchObject({ name: 'update_card', arguments: { ...mine, expected_rev: 2 } })
    expect((await world.ok('get_card', { card_id })).description).toBe(long('theirs'))
    expect((await mcp.tool('update_card', { card_id, details: 'other' })).isError).toBe(false)
    expect((await mcp.tool('update_card', { card_id, description: long('theirs') })).isError).toBe(false)
    expect((await mcp.tool('update_card', { ...mine, expected_rev: 3 })).isError).toBe(false)
    expect((await mcp.tool('update_card', { card_id, description: long('again') })).isError).toBe(false)
  })

  test('over HTTP, and of a new record, it may be', async () => {
    const card_id = await scene.card({ description: long('old') })
    expect((await mcp.tool('update_card', { card_id, description: long('b') }, { as: other })).isError).toBe(false)
    await world.ok('update_card', { card_id, description: long('c') })
  })

  test('of a text list and of an item', async () => {
    const decision = { id: 'd', title: 'T', rationale: long('old') }
    const spec_id = await scene.spec('draft', { acceptance_criteria: ['one'], decisions: [decision] })
    await theirs('put_spec_items', {
      spec_id,
      acceptance_criteria: [{ was: 'one', text: 'uno' }],
      decisions: [{ id: 'd', rationale: long('theirs') }],
    })
    const refused = [
      ['put_spec_items', { acceptance_criteria: [{ was: 'uno', text: 'eins' }] }],
      ['put_spec_items', { remove: ['uno'] }],
      ['put_spec_items', { decisions: [{ id: 'd', rationale: long('mine') }] }],
      ['update_spec', { acceptance_criteria: ['eins'], lists: 'replace' }],
      ['update_spec', { decisions: [{ id: 'd', rationale: long('mine') }] }],
    ] as const
    for (const [name, args] of refused) {
      const { value } = await mcp.tool(name, { spec_id, ...args })
      expect([name, args, value.status]).toEqual([name, args, 412])
    }
    const passing = [
      ['put_spec_items', { acceptance_criteria: ['two'], decisions: [{ id: 'd', title: 'New' }] }],
      ['update_spec', { acceptance_criteria: ['three'] }],
    ] as const
    for (const [name, args] of passing)
      expect([name, (await mcp.tool(name, { spec_id, ...args })).isError]).toEqual([name, false])
  })
})
