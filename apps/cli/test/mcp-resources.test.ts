import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { McpWire } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

const read = async (uri: string, as: TestAgent = world.owner) => {
  const { body } = await mcp.legacy('resources/read', { uri }, { as })
  return body.result === undefined ? body.error : body.result.contents[0]
}

describe('lists', () => {
  test('the caller, the guides and one entry for each board', async () => {
    const { body } = await mcp.legacy('resources/list')
    const uris = body.result.resources.map((resource: { uri: string }) => resource.uri)
    expect(uris.slice(0, 2)).toEqual(['specboard://me', 'specboard://guides/overview'])
    expect(uris).toContain(`specboard://boards/${scene.boardId}`)
    for (const resource of body.result.resources)
      expect(resource).toMatchObject({
        mimeType: 'text/markdown',
        annotations: { audience: ['assistant'], priority: expect.any(Number) },
      })
  })

  test('in a view of one board, only that one', async () => {
    const other = await Scene.on(world)
    const options = { query: `board_id=${scene.boardId}` }
    const { body } = await mcp.legacy('resources/read', { uri: 'specboard://me' }, options)
    const keyOf = async (board_id: string) => (await world.ok('get_board', { board_id })).key
    const { text } = body.result.contents[0]
    expect(text).toContain(`- \`${await keyOf(scene.boardId)}\` "Scene"`)
    expect(text).not.toContain(`\`${await keyOf(other.boardId)}\``)
  })

  test('no invisible board', async () => {
    const stranger = await world.agent()
    const { body } = await mcp.legacy('resources/list', undefined, { as: stranger })
    expect(JSON.stringify(body)).not.toContain(scene.boardId)
  })

  test('templates by permission', async () => {
    const agent = await world.agent({ permission_flags: { SPECS_READ: false } })
    const names = async (as: TestAgent) =>
      (await mcp.legacy('resources/templates/list', undefined, { as })).body.result.resourceTemplates.map(
        (template: { name: string }) => template.name,
      )
    expect(await names(world.owner)).toEqual([
      'board',
      'guidelines',
      'ideation',
      'refinement',
      'spec',
      'sprint',
      'card',
      'attachment',
      'operation',
      'guide',
    ])
    expect(await names(agent)).not.toContain('spec')
  })

  test('a cursor is refused', async () => {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])
      expect((await mcp.legacy(method, { cursor: 'x' })).body.error.code).toBe(-32602)
  })
})

describe('pages', () => {
  test('the caller', async () => {
    const { text } = await read('specboard://me')
    expect(text).toMatch(/^# Agent "Local Owner"/)
    expect(text).toContain(`\`${world.owner.id}\``)
    expect(text).toContain('- CARDS: read')
    expect(text).toContain('- cards held: 0')
    const { key } = await world.ok('get_board', { board_id: scene.boardId })
    expect(text).toContain(`\`${key}\` "Scene"`)
  })

  test('a board: columns, gates', async () => {
    const card_id = await scene.card({ title: 'On the board' })
    const { text } = await read(`specboard://boards/${scene.boardId}`)
    expect(text).toContain(`\`${card_id}\` "On the board" (not_started)`)
    expect(text).toContain('## Gates in force\n- spec coverage: test, rules')
  })

  test('the guidelines of a board', async () => {
    await world.ok('add_board_guideline', { board_id: scene.boardId, title: 'Commits', content: 'Small ones.' })
    const { text } = await read(`specboard://boards/${scene.boardId}/guidelines`)
    expect(text).toContain('- "Commits" (inline, priority 0): content "Small ones."')
  })

  test('an ideation, with its allowed moves', async () => {
    const { ideation_id } = await scene.question('ideation')
    const { ref } = await world.ok('get_ideation', { ideation_id })
    const { text } = await read(`specboard://ideations/${ideation_id}`)
    expect(text).toMatch(/^# Ideation "Idea" \(draft, v1\)/)
    expect(text).toContain(`## Open questions\n- \`${ref}.q1\` open: question "Why?"`)
    expect(text).toContain('## Allowed moves\n- review\n- cancelled')
  })

  test('a refinement and a sprint', async () => {
    expect((await read(`specboard://refinements/${await scene.refinement()}`)).text).toMatch(
      /^# Refinement ".*" \(draft, v1\)/,
    )
    const { sprint_id, card_id } = await scene.sprint()
    const { text } = await read(`specboard://sprints/${sprint_id}`)
    expect(text).toMatch(/^# Sprint "Sprint" \(draft, v1\)/)
    const { ref } = await world.ok('get_card', { card_id })
    expect(text).toContain(`## Cards not_started\n- \`${ref}\``)
    expect(text).toContain('## Allowed moves\n- active\n- cancelled')
  })

  test('a spec, with its coverage and what blocks its moves', async () => {
    const spec_id = await scene.specWithScenarios()
    const { text } = await read(`specboard://specs/${spec_id}`)
    expect(text).toContain('## Test scenarios\n- `s1`')
    expect(text).toContain('## Coverage\n- scenarios: 0 of')
    expect(text).toContain('## Allowed moves')
  })

  test('a card: its part of the spec and what blocks each move', async () => {
    const spec_id = await scene.specWithScenarios()
    const card_id = await scene.testCard({ spec_id })
    const blocker = await scene.card({ title: 'First', spec_id })
    await world.ok('add_card_dependency', { card_id, depends_on_id: blocker })
    const { text } = await read(`specboard://cards/${card_id}`)
    expect(text).toContain('## Its test scenarios\n- `s1`')
    const { ref } = await world.ok('get_card', { card_id: blocker })
    expect(text).toContain(`## Waits for\n- \`${ref}\` "First" (not_started)`)
    expect(text).toMatch(/- started: blocked by [A-Z_]+: /)
    expect(text).toContain('- on_hold')
    expect((await world.ok('get_card', { card_id })).status).toBe('not_started')
  })

  test('a text is signed by who last wrote it, not by who made the record (crew 9.9)', async () => {
    const writer = await world.agent({ name: 'Writer', board_ids: [scene.boardId] })
    const spec_id = await scene.spec('draft', {
      description: 'By the owner.',
      context: 'By the owner too.',
      test_scenarios: [
        { id: 's1', title: 'One', given: `${'g'.repeat(250)}` },
        { id: 's2', title: 'Two', given: `${'h'.repeat(250)}` },
      ],
    })
    await world.ok('update_spec', { spec_id, context: 'By the writer.' }, { as: writer })
    await world.ok(
      'put_spec_items',
      { spec_id, test_scenarios: [{ id: 's2', given: 'w'.repeat(250) }] },
      { as: writer },
    )
    const { text } = await read(`specboard://specs/${spec_id}`)
    const authorOf = (words: string) =>
      new RegExp(`by "([^"]+)" \\((\\w+)\\), [^\n]+:\n\`+\n${words}`).exec(text)?.slice(1)
    expect(authorOf('By the owner')).toEqual(['Local Owner', 'person'])
    expect(authorOf('By the writer')).toEqual(['Writer', 'agent'])
    expect(authorOf('ggg')).toEqual(['Local Owner', 'person'])
    expect(authorOf('www')).toEqual(['Writer', 'agent'])
  })

  test('a card says what binds it, and that its reader holds it (crew 8.8)', async () => {
    const spec_id = await scene.spec('in_progress', {
      functional_requirements: ['r'.repeat(600), 's'.repeat(600)],
      acceptance_criteria: ['It is seen.'],
    })
    const card_id = await scene.card({ spec_id })
    await world.ok('claim_card', { card_id })
    const { text } = await read(`specboard://cards/${card_id}`)
    expect(text).toContain('- claimed_by: you')
    expect(text).toContain('## Acceptance criteria\n- [0]: text "It is seen."')
    expect(text).toContain('… 1 more; get_spec has the rest')
    expect(text).not.toContain('s'.repeat(600))
  })

  test('an operation and a guide', async () => {
    expect((await read('specboard://operations/move_card')).text).toContain('- 409 VALIDATION_REQUIRED')
    expect((await read('specboard://guides/gates')).text).toMatch(/^# Guide Gates/)
  })

  test('are cut with a pointer to the rest', async () => {
    const ideation_id = await scene.ideation('draft', { description: 'long '.repeat(20_000) })
    const { text } = await read(`specboard://ideations/${ideation_id}`)
    expect(text.length).toBeLessThanOrEqual(24_000)
    expect(text).toContain('… cut; get_ideation has the rest')
    expect(text).toContain('## Allowed moves')
  })
})

describe('an unknown resource', () => {
  test.each([
    'specboard://nope/x',
    'specboard://cards/nope',
    'specboard://guides/nope',
    'https://example.com',
    'specboard://operations/nope',
  ])('%s', async uri => {
    expect(await read(uri)).toEqual({ code: -32002, message: expect.any(String), data: { uri } })
    const { body } = await mcp.modern('resources/read', { uri })
    expect(body.error).toEqual({ code: -32602, message: expect.any(String), data: { uri } })
  })

  test('is also one that others own or that the key may not read', async () => {
    const ideation_id = await scene.ideation()
    const uri = `specboard://ideations/${ideation_id}`
    expect((await read(uri, await world.agent())).code).toBe(-32002)
    const limited = await world.agent({ permission_flags: { IDEATIONS_READ: false } })
    await scene.admit(limited)
    expect((await read(uri, limited)).code).toBe(-32002)
  })
})

describe('prompts', () => {
  test('are listed when their operations may be used', async () => {
    const { body } = await mcp.legacy('prompts/list')
    expect(body.result.prompts.map((prompt: { name: string }) => prompt.name)).toEqual([
      'onboard',
      'plan_idea',
      'refine_idea',
      'write_spec',
      'review_spec',
      'plan_sprint',
      'implement_card',
      'validate_card',
      'triage_bug',
      'board_digest',
    ])
    const executor = await world.agent({ permission_flags: { CARDS_VALIDATE: false } })
    expect(JSON.stringify((await mcp.legacy('prompts/list', undefined, { as: executor })).body)).not.toContain(
      'validate_card',
    )
  })

  test('answer the steps and the record', async () => {
    const card_id = await scene.card()
    const { body } = await mcp.legacy('prompts/get', { name: 'implement_card', arguments: { card_id } })
    const [steps, record] = body.result.messages
    expect(steps).toMatchObject({ role: 'user', content: { type: 'text', text: expect.stringContaining('move_card') } })
    expect(record.content.resource).toMatchObject({ uri: `specboard://cards/${card_id}`, mimeType: 'text/markdown' })
  })

  test('a prompt that the key may not use is not suggested', async () => {
    const executor = await world.agent({ permission_flags: { CARDS_VALIDATE: false } })
    const params = { name: 'validate_card', arguments: { card_id: 'x' } }
    const { error } = (await mcp.legacy('prompts/get', params, { as: executor })).body
    expect([error.code, error.message]).toEqual([-32602, expect.not.stringContaining("did you mean 'validate_card'")])
  })

  test.each([
    ['an unknown prompt', { name: 'implement_crd', arguments: {} }],
    ['a missing argument', { name: 'implement_card', arguments: {} }],
    ['an invisible record', { name: 'implement_card', arguments: { card_id: 'x' } }],
  ])('%s is -32602', async (_, params) => {
    expect((await mcp.legacy('prompts/get', params)).body.error.code).toBe(-32602)
  })
})

describe('completions', () => {
  const complete = async (ref: object, name: string, value: string, context?: object) =>
    (await mcp.legacy('completion/complete', { ref, argument: { name, value }, ...(context && { context }) })).body

  const template = (uri: string) => ({ type: 'ref/resource', uri })

  test('ids by prefix and by words of the title, newest change first', async () => {
    const own = await Scene.on(world)
    const first = await own.ideation('draft', { title: 'Payment by card' })
    const second = await own.ideation('draft', { title: 'Card payment' })
    const ref = template('specboard://ideations/{ideation_id}')
    const context = { arguments: { board_id: own.boardId } }
    expect((await complete(ref, 'ideation_id', 'PAYMENT card', context)).result.completion).toEqual({
      values: [second, first],
      total: 2,
      hasMore: false,
    })
    const { key } = await world.ok('get_board', { board_id: own.boardId })
    const byKey = { arguments: { board_id: key } }
    expect((await complete(ref, 'ideation_id', 'payment', byKey)).result.completion.total).toBe(2)
    expect((await complete(ref, 'ideation_id', first)).result.completion.values).toEqual([first])
    expect((await complete(ref, 'ideation_id', '%', context)).result.completion.total).toBe(0)
  })

  test('only what is visible', async () => {
    const stranger = await world.agent()
    const params = { ref: template('specboard://boards/{board_id}'), argument: { name: 'board_id', value: '' } }
    expect((await mcp.legacy('completion/complete', params, { as: stranger })).body.result.completion.values).toEqual(
      [],
    )
  })

  test('names of operations, topics of guides, arguments of prompts', async () => {
    expect(
      (await complete(template('specboard://operations/{name}'), 'name', 'move_c')).result.completion.values,
    ).toEqual(['move_card', 'remove_card_dependency'])
    expect((await complete(template('specboard://guides/{topic}'), 'topic', 'ga')).result.completion.values).toEqual([
      'gates',
    ])
    const prompt = { type: 'ref/prompt', name: 'board_digest' }
    expect((await complete(prompt, 'board_id', scene.boardId)).result.completion.values).toEqual([scene.boardId])
  })

  test('an unknown reference is -32602', async () => {
    expect((await complete(template('specboard://nope/{x}'), 'x', '')).error.code).toBe(-32602)
    expect((await complete({ type: 'ref/prompt', name: 'nope' }, 'x', '')).error.code).toBe(-32602)
  })
})
