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
  key = (await mcp.tool('get_board', { board_id: scene.boardId })).value.key
})

afterAll(() => world.stop())

const lean = { query: 'toolsets=core' }
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

const small = async (title: string): Promise<string> =>
  (await mcp.tool('create_card', { board_id: key, title }, lean)).value.id

describe('the form of answers (crew 8)', () => {
  test.each([
    ['toolsets=core', true],
    ['toolsets=executor', true],
    ['toolsets=core,meta', true],
    ['toolsets=core&answers=whole', false],
    ['toolsets=core,cards', false],
    ['toolsets=cards', false],
    ['toolsets=all&answers=lean', true],
    ['tools=create_card', false],
    ['', false],
  ])('%s', async (query, isLean) => {
    const { value, structured } = await mcp.tool('create_card', { board_id: key, title: `By ${query}` }, { query })
    expect(value.ref === undefined).toBe(isLean)
    expect(uuid.test(value.id)).toBe(!isLean)
    expect(structured === undefined).toBe(isLean)
  })

  test('by a header, and as structured content where the client asked for schemas', async () => {
    const { value } = await mcp.tool(
      'create_card',
      { board_id: key, title: 'By header' },
      { headers: { 'X-MCP-Answers': 'lean' } },
    )
    expect(value).toEqual({ id: expect.stringMatching(new RegExp(`^${key}-\\d+$`)), status: 'not_started', rev: 1 })
    const both = await mcp.tool('get_card', { card_id: value.id }, { query: 'toolsets=core&schemas=output' })
    expect(both.structured).toEqual(both.value)
  })

  test('another form is refused with the ones there are', async () => {
    const { status, body } = await mcp.legacy('tools/list', undefined, { query: 'answers=short' })
    expect([status, body.error.code]).toEqual([400, -32602])
    expect(body.error.message).toContain('lean, whole')
  })
})

describe('references, not ids (crew 8.1)', () => {
  test('what an answer calls id goes back as card_id', async () => {
    const card_id = await small('There and back')
    const { value } = await mcp.tool('get_card', { card_id }, lean)
    expect(value.id).toBe(card_id)
    expect(value).not.toHaveProperty('ref')
    expect(value).not.toHaveProperty('board_id')
    expect(value.spec_id).toMatch(new RegExp(`^${key}-\\d+$`))
    expect(value).not.toHaveProperty('spec_ref')
  })

  test('questions and comments are called by their references, wherever their ids stand (crew 8.2)', async () => {
    const record = await small('Asked about')
    const { value } = await mcp.tool('ask_question', { record, question: 'Which colour?' }, lean)
    expect(value).toMatchObject({ id: `${record}.q1` })
    expect(value).not.toHaveProperty('ref')
    const answer = { question_id: value.id, answer: 'Blue' }
    expect((await mcp.tool('answer_question', answer, lean)).value).toMatchObject({ id: `${record}.q1` })
    const comment = await mcp.tool('create_comment', { card_id: record, content: 'Blue it is.' }, lean)
    expect(comment.value).toMatchObject({ id: `${record}.c1` })
    const read = await mcp.tool('get_card', { card_id: record }, lean)
    expect([read.value.qa_items[0].id, read.value.comments[0].id]).toEqual([`${record}.q1`, `${record}.c1`])
  })

  test('agents are called by name, and apart from others of their name', async () => {
    const [first, twin] = [await grantee('Twin'), await grantee('Twin')]
    const alone = await grantee('Alone')
    const assigned = async ({ id: assignee_id }: TestAgent) => {
      const card_id = await small(`For ${assignee_id}`)
      await mcp.tool('update_card', { card_id, assignee_id }, lean)
      return (await mcp.tool('get_card', { card_id }, lean)).value.assignee_id
    }
    expect(await assigned(alone)).toBe('Alone')
    expect(await assigned(first)).toBe(`Twin ${first.id.slice(-4)}`)
    expect(await assigned(twin)).toBe(`Twin ${twin.id.slice(-4)}`)
  })

  test('an agent is taken by name wherever its id is', async () => {
    const agent = await grantee('Named')
    const { value } = await mcp.tool('get_agent', { agent_id: 'Named' })
    expect(value.id).toBe(agent.id)
    const unknown = await mcp.tool('get_agent', { agent_id: 'Nobody' })
    expect(unknown.value).toMatchObject({
      status: 400,
      detail: { error: 'VALIDATION_ERROR', field: 'agent_id', available: expect.arrayContaining(['Named']) },
    })
    await grantee('Shared')
    const { id } = await grantee('Shared')
    expect((await mcp.tool('get_agent', { agent_id: 'Shared' })).value.status).toBe(400)
    expect((await mcp.tool('get_agent', { agent_id: `Shared ${id.slice(-4)}` })).value.id).toBe(id)
    const events = await mcp.tool('list_board_events', { board_id: key, actor_id: 'me', limit: 1 })
    expect(events.isError).toBe(false)
  })

  test('a refused name comes with names that are taken, also where several agents have it', async () => {
    const twins = [await grantee('Double'), await grantee('Double')].map(({ id }) => `Double ${id.slice(-4)}`)
    const card_id = await small('For one of two')
    for (const [tool, args] of [
      ['get_agent', { agent_id: 'Double' }],
      ['update_card', { card_id, assignee_id: 'Double' }],
    ] as const) {
      const { available } = (await mcp.tool(tool, args, lean)).value.detail
      expect(available).toEqual(expect.arrayContaining(twins))
      expect(available).not.toContain('Double')
    }
    expect((await mcp.tool('get_agent', { agent_id: twins[0] }, lean)).value.id).toBe(twins[0])
  })

  test('an agent that is on no board, or was switched off, is called as its answer calls it', async () => {
    const made = await mcp.tool('create_agent', { name: 'Fresh', preset_id: 'Executor' }, lean)
    expect(made.value.id).toBe('Fresh')
    const agent = { agent_id: 'Fresh' }
    expect((await mcp.tool('grant_board_access', { board_id: key, ...agent }, lean)).isError).toBe(false)
    expect((await mcp.tool('update_agent', { ...agent, is_active: false }, lean)).value.id).toBe('Fresh')
    expect((await mcp.tool('update_agent', { ...agent, is_active: true }, lean)).isError).toBe(false)
    await mcp.tool('create_agent', { name: 'Fresh', preset_id: 'Executor' }, lean)
    expect((await mcp.tool('get_agent', agent, lean)).value.status).toBe(400)
  })

  test('events are short lines (crew 5.6)', async () => {
    const card_id = await small('Told of in events')
    await world.ok('claim_card', { card_id })
    await world.ok('move_card', { card_id, target_status: 'started' })
    await world.ok('create_comment', { card_id, content: 'A long remark. '.repeat(40) })
    await world.ok('update_card', { card_id, description: 'What it is about' })
    const { value } = await mcp.tool('list_board_events', { board_id: key, order: 'desc', limit: 50 }, lean)
    const lines: Record<string, unknown>[] = value.events
    expect(lines.find(({ what }) => what === 'card_moved')).toMatchObject({
      seq: expect.any(Number),
      who: expect.any(String),
      ref: card_id,
      from: 'not_started',
      to: 'started',
    })
    const texts = lines
      .filter(({ ref, title }) => ref !== undefined && title === undefined)
      .map(line => JSON.stringify(line))
    expect(texts.filter(text => uuid.test(text))).toEqual([])
    const costs = lines.map(line => countTokens(JSON.stringify(line))).toSorted((one, other) => one - other)
    expect(costs[Math.floor(costs.length / 2)]).toBeLessThanOrEqual(40)
    expect(costs[Math.floor(costs.length * 0.95)]).toBeLessThanOrEqual(80)
  })

  test('in refusals and next actions too', async () => {
    const card_id = await small('To be refused')
    const { isError, value } = await mcp.tool('move_card', { card_id, target_status: 'done' }, lean)
    expect(isError).toBe(true)
    expect(JSON.stringify(value)).not.toMatch(uuid)
  })

  test('where a member is called by an id, or its name does not say that it holds one', async () => {
    const [worker, waitsFor] = [await grantee('Involved'), await small('Before it')]
    const board = { board_id: scene.boardId }
    const settings = { require_separate_reviewer: true }
    await world.ok('update_board', { ...board, settings })
    const { value: card } = await mcp.tool(
      'create_card',
      { board_id: key, title: 'Own', claim: true },
      { ...lean, as: worker },
    )
    const { value: asked } = await mcp.tool('ask_question', { record: card.id, question: 'Which?' }, lean)
    const report = { conclusion: 'Done.', check: 'By hand.' }
    await mcp.tool('move_card', { card_id: card.id, target_status: 'validation', ...report }, { ...lean, as: worker })
    const verdict = { card_id: card.id, outcome: 'success', summary: 'Mine.' }
    const { value: refused } = await mcp.tool('submit_task_validation', verdict, { ...lean, as: worker })
    expect(refused.detail).toMatchObject({
      error: 'REVIEWER_NOT_SEPARATE',
      agents: ['Involved'],
      roles: { Involved: expect.arrayContaining(['claimed']) },
    })
    await world.ok('update_board', { ...board, settings: { require_separate_reviewer: false } })
    await mcp.tool('add_card_dependency', { card_id: card.id, depends_on_id: waitsFor }, lean)
    expect((await mcp.tool('get_card', { card_id: card.id }, lean)).value.dependencies).toEqual([waitsFor])
    const { value: seen } = await mcp.tool('get_card_seen', { card_id: card.id }, lean)
    expect(Object.keys(seen.items)).toEqual([asked.id])
  })

  test('a run of operations takes the id of an earlier call', async () => {
    const { value } = await mcp.tool(
      'run_operations',
      {
        calls: [
          { as: 'one', name: 'create_card', arguments: { board_id: key, title: 'Of a run' } },
          // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of run_operations
          { name: 'update_card', arguments: { card_id: '${one.id}', priority: 'high' } },
        ],
      },
      lean,
    )
    expect(value.results.map((result: { ok: boolean }) => result.ok)).toEqual([true, true])
    expect(value.results[1].value.id).toBe(value.results[0].value.id)
  })
})

const grantee = (name: string): Promise<TestAgent> => world.agent({ name, board_ids: [scene.boardId] })

describe('no echo, and nothing constant (crew 8.3, 8.4)', () => {
  test('a write answers what its caller could not know', async () => {
    const card_id = await small('To be changed')
    const updated = await mcp.tool('update_card', { card_id, title: 'Changed', labels: ['a'], priority: 'high' }, lean)
    expect(updated.value).toEqual({ id: card_id, status: 'not_started', rev: 2 })
    const comment = await mcp.tool('create_comment', { card_id, content: 'Seen.' }, lean)
    expect(Object.keys(comment.value)).toEqual(['id'])
  })

  test('new items of a spec answer their ids alone', async () => {
    const { value: spec } = await mcp.tool('create_spec', { board_id: key, title: 'A spec' }, lean)
    const { value } = await mcp.tool(
      'put_spec_items',
      { spec_id: spec.id, functional_requirements: ['One'], test_scenarios: [{ title: 'It works' }] },
      lean,
    )
    expect(value).toEqual({ ref: spec.id, rev: 2, status: 'draft', added: ['t1'] })
  })

  test('a read leaves out what has its usual value, and milliseconds', async () => {
    const { value } = await mcp.tool('get_card', { card_id: await small('Usual') }, lean)
    for (const name of ['archived', 'priority', 'card_type', 'type', 'position', 'attempts'])
      expect(value).not.toHaveProperty(name)
    expect(value.created_at).toMatch(/:\d\dZ$/)
  })

  test('what was asked for by fields is answered as asked', async () => {
    const card_id = await small('By fields')
    const { value } = await mcp.tool('get_card', { card_id, fields: 'priority,archived' }, lean)
    expect(value).toEqual({ id: card_id, priority: 'none', archived: false })
  })
})

describe('lines, claims and moves (crew 8.5, 8.7)', () => {
  test('a list has a line a card', async () => {
    const card_id = await small('x'.repeat(150))
    await mcp.tool('update_card', { card_id, description: 'Long.', labels: ['line'] }, lean)
    const { value } = await mcp.tool('list_cards', { board_id: key, label: 'line' }, lean)
    expect(value.items).toEqual([
      { id: card_id, title: `${'x'.repeat(120)}…[+30]`, status: 'not_started', labels: ['line'] },
    ])
    const whole = await mcp.tool('list_cards', { board_id: key, label: 'line', full: true }, lean)
    expect(whole.value.items[0].title).toBe('x'.repeat(150))
  })

  test('a claim says until when, and who where that is another', async () => {
    const card_id = await small('Held')
    const own = await mcp.tool('claim_card', { card_id }, lean)
    expect(own.value).toEqual({
      until: expect.any(String),
      stage: 'work',
      work: expect.any(Object),
    })
    const other = { ...lean, as: await grantee('Onlooker') }
    const { value } = await mcp.tool('get_card', { card_id }, other)
    expect(value.claim).toEqual({ until: expect.any(String), stage: 'work', who: 'Local Owner' })
    const { value: listed } = await mcp.tool('list_cards', { board_id: key }, other)
    const line = listed.items.find(({ id }: { id: string }) => id === card_id)
    expect(line).toMatchObject({ who: 'Local Owner', until: expect.any(String) })
  })

  test('what begins an overlap says who works there, and a list of claims on what', async () => {
    const other = { ...lean, as: await grantee('Neighbour') }
    const card = async (paths: string[]) =>
      (await mcp.tool('create_card', { board_id: key, title: 'Wide', paths }, lean)).value.id
    const claimedCard = await card(['held/**'])
    await mcp.tool('claim_card', { card_id: claimedCard }, lean)
    const path = 'held/a.ts'
    const overlap = {
      ref: claimedCard,
      title: 'Wide',
      who: 'Local Owner',
      mine: [path],
      theirs: ['held/**'],
      example: path,
    }
    const overlaps = [{ ...overlap, until: expect.any(String) }]
    const args = { board_id: key, title: 'Quick', paths: [path], claim: true }
    expect((await mcp.tool('create_card', args, other)).value.overlaps).toEqual(overlaps)
    const card_id = await card([path])
    expect((await mcp.tool('claim_card', { card_id }, other)).value.overlaps).toEqual(overlaps)
    expect((await mcp.tool('update_card', { card_id, add_paths: ['b.ts'] }, other)).value.overlaps).toEqual(overlaps)
    expect((await mcp.tool('update_card', { card_id, description: 'Longer.' }, other)).value.overlaps).toBeUndefined()
    const { value: pairs } = await mcp.tool('list_overlaps', { board_id: key, card_id }, lean)
    expect(pairs.items).toMatchObject([{ a: { ref: claimedCard }, b: { ref: card_id } }])
    const { value: claims } = await mcp.tool('list_claims', { board_id: key }, other)
    expect(claims.items.find((claim: { card_id: string }) => claim.card_id === card_id)).toMatchObject({ overlaps })
    const { value: workers } = await mcp.tool('list_workers', { board_id: key }, lean)
    const cards = workers.items.flatMap((worker: { cards?: { ref: string }[] }) => worker.cards ?? [])
    expect(cards.find(({ ref }: { ref: string }) => ref === card_id)).toMatchObject({
      overlaps: [{ ref: claimedCard }],
    })
  })

  test('an item of the inbox holds its call whole, and what it is about', async () => {
    const title =
      'A rule with a title so long that the call which makes its card, and the gaps of the spec, are long too. '
    const rules = [1, 2, 3].map(at => ({
      title: title.repeat(3) + at,
      rule: 'r',
      when: 'w',
      then: 't',
      linked_requirements: ['0'],
    }))
    const { value: spec } = await mcp.tool(
      'create_spec',
      { board_id: key, title: title.repeat(3), functional_requirements: ['Only one'] },
      lean,
    )
    await mcp.tool('put_spec_items', { spec_id: spec.id, business_rules: rules }, lean)
    await mcp.tool('move_spec', { spec_id: spec.id, status: 'approved', through: true }, lean)
    const { value } = await mcp.tool('list_my_inbox', { kind: 'spec_coverage' }, lean)
    const item = value.items.find(({ record }: { record?: { id: string } }) => record?.id === spec.id)
    expect(item).toMatchObject({ operation: 'create_card', data: { gate: 'rule_tasks', missing: { rule_tasks: 3 } } })
    expect(item).not.toHaveProperty('_omitted')
    expect((await mcp.tool(item.operation, item.arguments, lean)).isError).toBe(false)
  })

  test('a blocker of several moves stands once', async () => {
    const card_id = await small('Blocked')
    const waitsFor = await small('First')
    await mcp.tool('add_card_dependency', { card_id, depends_on_id: waitsFor }, lean)
    const { value } = await mcp.tool('get_allowed_moves', { entity_type: 'card', entity_id: card_id }, lean)
    const named = value.moves.flatMap(({ blockers = [] }: { blockers?: string[] }) => blockers)
    const [most] = [...new Set<string>(named)].filter(id => named.filter((other: string) => other === id).length > 1)
    expect(value.blockers[most!]).toMatchObject({ error: 'DEPENDENCIES_NOT_MET' })
    expect(JSON.stringify(value)).not.toContain('"gates"')
    const whole = await mcp.tool('get_allowed_moves', { entity_type: 'card', entity_id: card_id, full: true }, lean)
    expect(whole.value.moves[0].gates).toBeInstanceOf(Array)
  })
})

describe('the lists of tools (crew 8)', () => {
  test('those made for models write every shape out, and leave aside what few calls need', async () => {
    const { body } = await mcp.legacy('tools/list', undefined, lean)
    const text = JSON.stringify(body.result.tools)
    expect(text).not.toMatch(/"as [a-z_]+"/)
    const properties = (name: string) =>
      Object.keys(body.result.tools.find((tool: { name: string }) => tool.name === name).inputSchema.properties)
    expect(properties('update_spec')).not.toContain('skip_test_coverage')
    const card_id = await small('Aside')
    const moved = await mcp.tool('update_card', { card_id, action_plan: 'As any argument.' }, lean)
    expect(moved.value._warnings).toBeUndefined()
  })
})
