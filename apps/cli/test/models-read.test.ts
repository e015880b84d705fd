import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire
let key: string

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  mcp = new McpWire(world)
  key = await scene.boardKey()
})

afterAll(() => world.stop())

const lean = { query: 'toolsets=core' }
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/
const tokensOf = (value: unknown): number => countTokens(JSON.stringify(value))

const worker = async (preset: string, name: string): Promise<TestAgent> =>
  world.agent({ name, preset_id: preset, board_ids: [scene.boardId] })

describe('agents as models read them (crew 7)', () => {
  test.each(['toolsets=core', 'toolsets=all'])(
    'without permissions, with the keys of their boards: %s',
    async query => {
      const { value: created } = await mcp.tool(
        'create_agent',
        { name: query.slice(-4), preset: 'executor', board_ids: [key] },
        { query },
      )
      expect(created).toMatchObject({
        preset_name: 'Executor',
        is_active: true,
        boards: [key],
        api_key: expect.any(String),
      })
      expect(created).not.toHaveProperty('permissions')
      expect(tokensOf(created)).toBeLessThanOrEqual(120)
      for (const [name, args] of [
        ['get_agent', { agent_id: query.slice(-4) }],
        ['list_agents', {}],
        ['list_board_agents', { board_id: key }],
      ] as const) {
        const { value } = await mcp.tool(name, args, { query })
        const [agent] = value.items ?? [value]
        expect(Object.keys(agent)).not.toContain('permissions')
        expect(agent).toMatchObject({ preset_name: expect.any(String), boards: [key] })
        const { value: whole } = await mcp.tool(name, { ...args, full: true }, { query })
        expect((whole.items ?? [whole])[0]).toMatchObject({ handle: expect.any(String) })
      }
      const { value: both } = await mcp.tool('list_agents', { boards: true, full: true }, { query })
      expect(both.items[0].boards[0]).toMatchObject({ id: expect.any(String), name: expect.any(String) })
      const { value } = await mcp.tool('list_agents', {}, lean)
      expect(tokensOf(value) / value.items.length).toBeLessThanOrEqual(40)
    },
  )

  test.each(['create_agent', 'update_agent'] as const)('%s takes preset for preset_id, by every door', async name => {
    const { id } = await world.agent({ preset_id: 'Reporter' })
    const args = name === 'create_agent' ? { name: 'By its other name' } : { agent_id: id }
    expect((await world.ok(name, { ...args, preset: 'validator' })).preset_name).toBe('Validator')
    expect((await world.call(name, { ...args, preset: 'QA', preset_id: 'Solo' })).status).toBe(400)
  })

  test('lists of a board name the preset of each', async () => {
    await worker('Validator', 'Vera')
    const listed = await world.ok('list_board_agents', { board_id: scene.boardId })
    expect(listed.map(({ preset_name }: { preset_name: string }) => preset_name)).toContain('Validator')
  })
})

test('a refusal names nothing of a board that its caller does not see (crew 8.1)', async () => {
  const other = await Scene.on(world)
  const card_id = await other.smallChange()
  const executor = await worker('Executor', 'Stranger')
  const { value } = await mcp.tool('get_card', { card_id }, { ...lean, as: executor })
  expect(value).toMatchObject({ status: 404, detail: { entity_id: card_id } })
  expect(JSON.stringify(value)).not.toContain(await other.boardKey())
})

describe('refusals (crew 8.9)', () => {
  test('have references, no tag and no milliseconds', async () => {
    const card_id = await scene.smallChange()
    const executor = await worker('Executor', 'Holder')
    await world.ok('claim_card', { card_id }, { as: executor })
    const guest = await worker('Executor', 'Guest')
    const { value } = await mcp.tool('move_card', { card_id, target_status: 'started' }, { ...lean, as: guest })
    expect(value.detail.error).toBe('CLAIMED')
    const stale = await mcp.tool('update_card', { card_id, title: 'Another', expected_rev: 99 }, lean)
    expect(stale.value.detail).toMatchObject({ error: 'PRECONDITION_FAILED' })
    expect(stale.value.detail).not.toHaveProperty('etag')
    for (const text of [JSON.stringify(value), JSON.stringify(stale.value)]) {
      expect(text).not.toMatch(uuid)
      expect(text).not.toMatch(/\.\d{3}Z/)
    }
  })

  test('of a value that is none of a list name the values once', async () => {
    const { value } = await mcp.tool('move_card', { card_id: 'X-1', target_status: 'finished' })
    const text = JSON.stringify(value)
    expect(text.split('not_started').length - 1).toBe(1)
    expect(value.detail[0]).toMatchObject({ type: 'enum', expected: expect.arrayContaining(['done']) })
  })

  test.each([
    ['move_card', { target_status: 'done' }],
    ['update_card', { title: 'Another' }],
  ] as const)('%s of a former rev advises the same call, whatever it would meet (crew 2.4)', async (name, fields) => {
    const card_id = await scene.card({ spec_id: await scene.spec('approved') })
    const { body } = await world.call(name, { card_id, ...fields, expected_rev: 9 })
    expect(body.next_actions.map((action: { name: string }) => action.name)).toEqual([name, 'diff_record'])
    expect(body.next_actions[0].arguments).toMatchObject({ card_id, expected_rev: 1 })
  })

  test('a card cannot wait for itself, by its reference (crew 9.10)', async () => {
    const card_id = await scene.smallChange()
    const { ref } = await world.ok('get_card', { card_id })
    const { body } = await world.call('add_card_dependency', { card_id, depends_on_id: card_id })
    expect(body.detail.message).toContain(`${ref} → ${ref}`)
  })
})

describe('lines and answers (crew 8)', () => {
  test('columns have a line a card', async () => {
    await scene.smallChange({ title: 'On the board', description: 'Text '.repeat(50) })
    const { value } = await mcp.tool('get_board_columns', { board_id: key, status: 'not_started' }, lean)
    const { cards, total } = value.columns.not_started
    expect(total).toBeGreaterThan(0)
    for (const card of cards) expect(Object.keys(card)).not.toContain('description')
    expect(tokensOf(cards) / cards.length).toBeLessThanOrEqual(45)
  })

  test('a claim stands beside its card once', async () => {
    const executor = await worker('Executor', 'Once')
    await scene.smallChange()
    const { value } = await mcp.tool('claim_next_card', { board_id: key }, { ...lean, as: executor })
    expect(value.claim).toMatchObject({ stage: 'work' })
    expect(value.card).not.toHaveProperty('claim')
  })

  test.each([
    ['ask_question', { question: 'Which colour of the button is meant?' }, 30],
    ['create_comment', { content: 'A word on it.' }, 30],
    ['save_checkpoint', { text: 'Half of it is there.' }, 30],
  ] as const)('%s answers in few tokens', async (name, fields, max) => {
    const executor = await worker('Executor', `Brief ${name}`)
    const id = (await mcp.tool('create_card', { board_id: key, title: name, claim: true }, { ...lean, as: executor }))
      .value.id
    const args = name === 'ask_question' ? { record: id, ...fields } : { card_id: id, ...fields }
    const { value } = await mcp.tool(name, args, { ...lean, as: executor })
    expect(tokensOf(value)).toBeLessThanOrEqual(max)
  })

  test('moves that the caller may not make say which permission it lacks, and nothing else', async () => {
    const executor = await worker('Executor', 'Mover')
    const card_id = await scene.workableCard()
    const args = { entity_type: 'card', entity_id: card_id }
    const { value } = await mcp.tool('get_allowed_moves', args, { ...lean, as: executor })
    expect(tokensOf(value)).toBeLessThanOrEqual(250)
    const done = value.moves.find(({ to }: { to: string }) => to === 'done')
    expect(done).toEqual({ to: 'done', permission: 'CARDS_MOVE_DONE', state: 'forbidden' })
  })

  test('the moves of a card that another agent holds are short', async () => {
    const [holder, executor] = [await worker('Executor', 'Holder'), await worker('Executor', 'Waiter')]
    const card_id = await scene.workableCard()
    await mcp.tool('claim_card', { card_id, start: true }, { ...lean, as: holder })
    const args = { entity_type: 'card', entity_id: card_id }
    const { value } = await mcp.tool('get_allowed_moves', args, { ...lean, as: executor })
    expect(tokensOf(value)).toBeLessThanOrEqual(250)
    const { value: whole } = await mcp.tool('get_allowed_moves', args, { ...lean, as: holder })
    expect(tokensOf(whole)).toBeLessThanOrEqual(250)
  })

  test('a promoted card answers what became of it and of its spec, not their texts', async () => {
    const executor = await worker('Executor', 'Promoter')
    const card_id = await scene.smallChange({ title: 'Grew', description: 'More than was thought.' })
    const requirements = ['It works', 'It is documented']
    const options = { ...lean, as: executor }
    const { value } = await mcp.tool(
      'promote_card',
      { card_id, requirements, acceptance_criteria: ['It runs'] },
      options,
    )
    expect(value).toMatchObject({ spec: { status: 'draft' }, card: { status: 'not_started' } })
    expect(JSON.stringify(value)).not.toMatch(/Grew|thought|documented|runs/)
    expect(tokensOf(value)).toBeLessThanOrEqual(80)
  })

  test('a change of settings answers those that were sent, as stored', async () => {
    const settings = { max_attempts: 4, auto_move: true }
    const { value } = await mcp.tool('update_board', { board_id: key, settings }, lean)
    expect(value.settings).toEqual(settings)
  })

  test('searches say of what kind a hit is, and show it (crew 9.2)', async () => {
    const card_id = await scene.smallChange({ title: 'Searched', description: 'The xylophone is out of tune.' })
    await world.ok('create_comment', { card_id, content: 'A vuvuzela would do.' })
    const { value } = await mcp.tool('search_records', { q: 'xylophone' }, lean)
    expect(value.items[0]).toMatchObject({ entity_type: 'card', excerpt: expect.stringContaining('xylophone') })
    const [comment] = await world.ok('search_records', { q: 'vuvuzela' })
    expect(comment).toMatchObject({ entity_type: 'comment', ref: expect.stringMatching(/\.c1$/) })
  })

  test('waiting counts cards without an attempt left (crew 4.5)', async () => {
    const own = await Scene.on(world)
    await world.ok('update_board', { board_id: own.boardId, settings: { max_attempts: 1 } })
    const [executor, validator] = [
      await world.agent({ preset_id: 'Executor' }),
      await world.agent({ preset_id: 'Validator' }),
    ]
    for (const agent of [executor, validator])
      await world.ok('grant_board_access', { board_id: own.boardId, agent_id: agent.id })
    const card_id = await own.workableCard()
    const report = { completeness: 100, completeness_justification: 'All.', drift: 0, drift_justification: 'None.' }
    await world.ok('claim_card', { card_id, start: true }, { as: executor })
    await world.ok(
      'move_card',
      { card_id, target_status: 'validation', conclusion: 'Built.', ...report },
      { as: executor },
    )
    await world.ok('submit_task_validation', { card_id, outcome: 'failed', summary: 'No.' }, { as: validator })
    const next = await mcp.tool('claim_next_card', { board_id: own.boardId }, { ...lean, as: executor })
    expect(next.value.waiting).toMatchObject({ attempts: 1, cards: [{ why: 'attempts' }] })
  })
})

describe('parts and lists by every door', () => {
  test('read_text takes the knowledge of a card by its reference (crew 8.2)', async () => {
    const card_id = await scene.smallChange()
    const { ref } = await world.ok('create_card_knowledge', { card_id, title: 'K', content: 'Known.' })
    const read = { entity_type: 'knowledge', entity_id: ref }
    expect(await world.ok('read_text', read)).toMatchObject({ text: 'Known.', total: 6 })
    expect((await mcp.tool('read_text', { ...read, path: 'title' }, lean)).value.text).toBe('K')
  })

  test('the standing spec is renamed over MCP too, which merges lists by itself (crew 6.1)', async () => {
    const { spec_id } = await world.ok('get_card', { card_id: await scene.smallChange() })
    const { isError } = await mcp.tool('update_spec', { spec_id, title: 'Chores' })
    expect(isError).toBe(false)
  })

  test('a blank assignee is refused over MCP with the names (crew 9.4)', async () => {
    const card_id = await scene.smallChange()
    const { value } = await mcp.tool('update_card', { card_id, assignee_id: ' ' })
    expect(value).toMatchObject({ status: 400, detail: { field: 'assignee_id', available: expect.any(Array) } })
    expect((await world.call('update_card', { card_id, assignee_id: ' ' })).status).toBe(200)
  })
})

test('a bug without its test is told each way that its caller may take (crew 6.4)', async () => {
  const executor = await worker('Executor', 'Fixer')
  const bug = { card_type: 'bug', severity: 'major', expected_behavior: '1', observed_behavior: '2', claim: true }
  const { id } = await world.ok('create_card', { board_id: scene.boardId, title: 'Wrong', ...bug }, { as: executor })
  const move = { card_id: id, target_status: 'done', conclusion: 'Right now.', check: 'Looked.' }
  const { body } = await world.call('move_card', move, { as: executor })
  expect(body.detail.error).toBe('TEST_TASK_REQUIRED')
  const names = body.next_actions.map((action: { name: string }) => action.name)
  expect(names).toEqual(['link_test_task', 'update_card', 'move_card'])
})

test('a move to done of who judged it is the move to its status (crew 4.4)', async () => {
  const validator = await worker('Validator', 'Judge')
  const executor = await worker('Executor', 'Worker')
  const card_id = await scene.workableCard()
  const report = { completeness: 100, completeness_justification: 'All.', drift: 0, drift_justification: 'None.' }
  await world.ok('claim_card', { card_id, start: true }, { as: executor })
  await world.ok(
    'move_card',
    { card_id, target_status: 'validation', conclusion: 'Built.', ...report },
    { as: executor },
  )
  await world.ok('submit_task_validation', { card_id, outcome: 'success', summary: 'Ran it.' }, { as: validator })
  const { status, body } = await world.call('move_card', { card_id, target_status: 'done' }, { as: validator })
  expect([status, body.status]).toEqual([200, 'done'])
})

test.each(['small change', 'fix a typo', 'report a bug', 'chore', 'quick task', 'todo'])(
  'find_operations begins with create_card for "%s" (crew 6.8)',
  async query => {
    const { value } = await mcp.tool('find_operations', { query }, lean)
    expect(value.items[0].name).toBe('create_card')
  },
)
