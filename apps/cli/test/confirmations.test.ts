import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from './support/free-port.ts'
import { McpWire, modernMeta, type RpcAnswer, type RpcOptions } from './support/mcp.ts'
import { OauthClient } from './support/oauth-client.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire

beforeAll(async () => {
  const port = await freePort()
  world = await World.start({ port, publicUrl: `http://127.0.0.1:${port}`, mcpRepeatMinutes: 0 })
  scene = await Scene.on(world)
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

const accepted = { action: 'accept', content: { confirm: true } }

interface Sent extends RpcOptions {
  readonly state?: string
  readonly response?: unknown
  readonly capabilities?: object
}

/** Calls a tool as a client that can show a form to its person. */
function call(name: string, args: object, options: Sent = {}): Promise<RpcAnswer> {
  const {
    state,
    response,
    capabilities = { elicitation: { form: {} } },
    query = 'confirm=destructive',
    ...rest
  } = options
  const params = {
    name,
    arguments: args,
    ...(state !== undefined && { requestState: state }),
    ...(response !== undefined && { inputResponses: { confirm: response } }),
    _meta: { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': capabilities },
  }
  return mcp.modern('tools/call', params, { query, ...rest })
}

/** The state and message of a question. */
function questionOf({ body }: RpcAnswer): { readonly state: string; readonly message: string } {
  expect(body.result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) })
  const { method, params } = body.result.inputRequests.confirm
  expect(method).toBe('elicitation/create')
  expect(params).toMatchObject({ mode: 'form', requestedSchema: { type: 'object', required: ['confirm'] } })
  expect(Object.values(params.requestedSchema.properties)).toMatchObject([{ type: 'boolean' }])
  return { state: body.result.requestState, message: params.message }
}

const errorOf = ({ body }: RpcAnswer) => {
  expect(body.result.isError).toBe(true)
  return JSON.parse(body.result.content[0].text)
}

const isThere = async (specId: string) => (await world.call('get_spec', { spec_id: specId })).status === 200

/** Everything that is confirmed, with a record to call it on. */
const confirmed: readonly (readonly [string, () => Promise<object>])[] = [
  ['delete_board', async () => ({ board_id: (await Scene.on(world)).boardId })],
  ['delete_card', async () => ({ card_id: await scene.card() })],
  ['delete_spec', async () => ({ spec_id: await scene.spec() })],
  ['delete_ideation', async () => ({ ideation_id: await scene.ideation() })],
  ['delete_refinement', async () => ({ refinement_id: await scene.refinement() })],
  ['delete_sprint', async () => ({ sprint_id: (await scene.sprint()).sprint_id })],
  ['delete_agent', async () => ({ agent_id: (await world.agent()).id })],
  ['regenerate_agent_key', async () => ({ agent_id: (await world.agent()).id })],
  ['delete_board_kg', async () => ({ board_id: scene.boardId })],
  [
    'delete_webhook',
    async () => {
      const url = 'https://hooks.example.com/secret-path'
      const { id } = await world.ok('create_webhook', { board_id: scene.boardId, url, events: ['*'] })
      return { board_id: scene.boardId, webhook_id: id }
    },
  ],
  [
    'archive_record',
    async () => {
      const spec = await scene.spec('approved')
      for (let card = 0; card < 20; card++)
        await world.ok('create_card', { board_id: scene.boardId, title: `Card ${card}`, spec_id: spec })
      return { board_id: scene.boardId, entity_type: 'spec', entity_id: spec }
    },
  ],
]

describe.each(confirmed)('%s', (name, make) => {
  test('asks first, and runs once it is confirmed', async () => {
    const args = await make()
    const { state, message } = questionOf(await call(name, args))
    expect(message).toContain(`${name}: `)
    expect(message).not.toContain('secret-path')
    const done = await call(name, args, { state, response: accepted })
    expect(done.body.result).toMatchObject({ content: [{ type: 'text' }] })
    expect(done.body.result.isError).toBeFalsy()
  })
})

describe('import_board into a board', () => {
  test('asks with what the file brings, and not without the ids of the file', async () => {
    const { boardId } = await Scene.on(world)
    const file = { filename: 'a.csv', text: 'Title\nOne\nTwo\n', board_id: boardId }
    const { state, message } = questionOf(await call('import_board', file))
    expect(message).toMatch(/import_board: board \S+ "Scene", with 3 records from the file/)
    expect(await world.ok('list_cards', { board_id: boardId })).toEqual([])
    const done = await call('import_board', file, { state, response: accepted })
    expect(done.body.result.isError).toBeFalsy()
    const again = await call('import_board', file, { state, response: accepted })
    questionOf(again)
    expect((await call('import_board', { ...file, dry_run: true })).body.result.resultType).not.toBe('input_required')
    expect((await call('import_board', { ...file, keep_ids: false })).body.result.resultType).not.toBe('input_required')
  })
})

describe('who is asked', () => {
  const silentCases: readonly (readonly [string, Sent])[] = [
    ['no view that asks for it', { query: '' }],
    ['a view that turns it off', { query: 'confirm=off' }],
    ['a client without forms', { capabilities: {} }],
    ['a client with addresses alone', { capabilities: { elicitation: { url: {} } } }],
  ]
  test.each(silentCases)('nobody by %s', async (_, options) => {
    const { body } = await call('delete_spec', { spec_id: await scene.spec() }, options)
    expect(body.result.resultType).not.toBe('input_required')
    expect(body.result.isError).toBeFalsy()
  })

  test('who sends the header, and whoever declares elicitation without a form', async () => {
    const args = { spec_id: await scene.spec() }
    const headers = { 'x-mcp-confirm': 'destructive' }
    questionOf(await call('delete_spec', args, { query: '', headers }))
    questionOf(await call('delete_spec', args, { capabilities: { elicitation: {} } }))
    expect((await call('delete_spec', args, { query: 'confirm=off', headers })).body.result.isError).toBeFalsy()
  })

  test('the person of a connection, unless it chose not to be', async () => {
    const owner = await Person.owner(world)
    for (const confirm of [true, false]) {
      const client = new OauthClient(world.running.url)
      await client.register()
      const new_agent = { name: 'Helper', preset_id: 'Full Control' }
      const token = (await client.connected(owner, { allow: true, new_agent, confirm })).access_token
      const headers = { authorization: `Bearer ${token}` }
      const { body } = await call('delete_spec', { spec_id: await scene.spec() }, { query: '', as: null, headers })
      expect(body.result.resultType === 'input_required').toBe(confirm)
    }
  })

  test('whoever the setting says', async () => {
    const other = await World.start({ mcpConfirm: 'destructive' })
    try {
      const { boardId } = await Scene.on(other)
      const wire = new McpWire(other)
      const _meta = { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } }
      const params = { name: 'delete_board', arguments: { board_id: boardId }, _meta }
      questionOf(await wire.modern('tools/call', params))
      expect((await wire.modern('tools/call', params, { query: 'confirm=off' })).body.result.isError).toBeFalsy()
    } finally {
      await other.stop()
    }
  })

  test('nobody in the handshake revisions', async () => {
    const { isError } = await mcp.tool('delete_spec', { spec_id: await scene.spec() }, { query: 'confirm=destructive' })
    expect(isError).toBe(false)
  })

  test('a view may ask for what is known alone', async () => {
    const { status, body } = await call('delete_spec', {}, { query: 'confirm=all' })
    expect([status, body.error.code]).toEqual([400, -32602])
  })
})

describe('a question', () => {
  test('quotes the title in one line, and says how much goes with the record', async () => {
    const { boardId } = await Scene.on(world)
    await world.ok('update_board', { board_id: boardId, name: 'A\u202e\n"name"' })
    await world.ok('create_ideation', { board_id: boardId, title: 'Idea' })
    const { message } = questionOf(await call('delete_board', { board_id: boardId }))
    expect(message).toMatch(/^delete_board: board \S+ "A \\"name\\"", with 1 ideations\. Go ahead\?$/)
  })

  test.each([
    [{ action: 'decline' }],
    [{ action: 'cancel' }],
    [{ action: 'accept', content: { confirm: false } }],
    [{ action: 'accept' }],
    [undefined],
  ])('answered by %j changes nothing, and may be answered again', async response => {
    const args = { spec_id: await scene.spec() }
    const { state } = questionOf(await call('delete_spec', args))
    const refused = errorOf(await call('delete_spec', args, { state, response }))
    expect(refused).toMatchObject({ status: 409, detail: { error: 'NOT_CONFIRMED' } })
    expect(await isThere(args.spec_id)).toBe(true)
    expect((await call('delete_spec', args, { state, response: accepted })).body.result.isError).toBeFalsy()
    expect(await isThere(args.spec_id)).toBe(false)
  })

  test('is asked anew once the record has changed', async () => {
    const args = { spec_id: await scene.spec() }
    const { state } = questionOf(await call('delete_spec', args))
    await world.ok('update_spec', { ...args, title: 'Another' })
    const { state: next, message } = questionOf(await call('delete_spec', args, { state, response: accepted }))
    expect(message).toContain('"Another"')
    expect((await call('delete_spec', args, { state: next, response: accepted })).body.result.isError).toBeFalsy()
  })

  test('runs a call once', async () => {
    const { id } = await world.agent()
    const args = { agent_id: id }
    const { state } = questionOf(await call('regenerate_agent_key', args))
    const both = await Promise.all([0, 1].map(() => call('regenerate_agent_key', args, { state, response: accepted })))
    expect(both.filter(({ body }) => body.result.resultType === 'input_required')).toHaveLength(1)
  })

  test('holds for its call and caller alone', async () => {
    const spec_id = await scene.spec()
    const other = await world.agent()
    const { state } = questionOf(await call('delete_spec', { spec_id }))
    const reply = { state, response: accepted }
    for (const answer of [
      await call('delete_spec', { spec_id: await scene.spec() }, reply),
      await call('delete_board', { board_id: scene.boardId }, reply),
      await call('delete_spec', { spec_id }, { ...reply, as: other }),
      await call('delete_spec', { spec_id }, { ...reply, state: `${state.slice(0, -2)}AA` }),
      await call('delete_spec', { spec_id }, { ...reply, state: 'forged' }),
    ])
      expect(answer.body.error.code).toBe(-32602)
    expect(await isThere(spec_id)).toBe(true)
  })

  test('comes after what refuses the call', async () => {
    const spec_id = await scene.spec()
    const nobody = await world.agent({ permission_flags: { SPECS_DELETE: false } })
    await scene.admit(nobody)
    expect(errorOf(await call('delete_spec', { spec_id: 'nothing' }))).toMatchObject({ status: 404 })
    expect(errorOf(await call('delete_spec', { spec_id }, { as: nobody }))).toMatchObject({ status: 403 })
    expect(errorOf(await call('delete_spec', {}))).toMatchObject({ status: 422 })
    await world.ok('archive_record', { board_id: scene.boardId, entity_type: 'spec', entity_id: spec_id })
    const { body } = await call('archive_record', { board_id: scene.boardId, entity_type: 'x', entity_id: spec_id })
    expect(JSON.parse(body.result.content[0].text)).toMatchObject({ status: 400 })
  })

  test('is told in the entry of the call', async () => {
    const { boardId } = await Scene.on(world)
    const { id: spec_id } = await world.ok('create_spec', { board_id: boardId, title: 'Gone' })
    const { state } = questionOf(await call('delete_spec', { spec_id }))
    await call('delete_spec', { spec_id }, { state, response: accepted })
    const { events } = await world.ok('list_board_events', { board_id: boardId })
    const entry = events.at(-1)
    expect(entry).toMatchObject({ action: 'spec_deleted', details: { confirmed: 'client' } })
    const { id: agent_id } = await world.agent()
    const { state: next } = questionOf(await call('delete_agent', { agent_id }))
    await call('delete_agent', { agent_id }, { state: next, response: accepted })
    const [audited] = await world.ok('list_audit')
    expect(audited).toMatchObject({ action: 'agent_deleted', details: { confirmed: 'client' } })
  })
})

describe('a call inside another', () => {
  test('of call_operation is confirmed', async () => {
    const args = { name: 'delete_spec', arguments: { spec_id: await scene.spec() } }
    const { state } = questionOf(await call('call_operation', args))
    expect(await isThere(args.arguments.spec_id)).toBe(true)
    expect((await call('call_operation', args, { state, response: accepted })).body.result.isError).toBeFalsy()
    expect(await isThere(args.arguments.spec_id)).toBe(false)
  })

  test('of run_operations is confirmed with all others, before the first', async () => {
    const [one, two] = [await scene.spec(), await scene.spec()]
    const calls = [
      { as: 'made', name: 'create_spec', arguments: { board_id: scene.boardId, title: 'Made by the run' } },
      { name: 'update_spec', arguments: { spec_id: one, title: 'Changed by the run' } },
      { name: 'delete_spec', arguments: { spec_id: one } },
      { name: 'delete_spec', arguments: { spec_id: two } },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference to a value of the first call
      { name: 'delete_spec', arguments: { spec_id: '${made.id}' } },
    ]
    const { state, message } = questionOf(await call('run_operations', { calls }))
    expect(message.match(/delete_spec/g)).toHaveLength(3)
    const titles = (await world.ok('list_specs', { board_id: scene.boardId })).map(
      ({ title }: { title: string }) => title,
    )
    expect(titles).not.toContain('Made by the run')
    const declined = await call('run_operations', { calls }, { state, response: { action: 'decline' } })
    expect(errorOf(declined)).toMatchObject({ detail: { error: 'NOT_CONFIRMED' } })
    const { body } = await call('run_operations', { calls }, { state, response: accepted })
    expect(JSON.parse(body.result.content[0].text)).toMatchObject({ failed: 0 })
    expect([await isThere(one), await isThere(two)]).toEqual([false, false])
  })

  test('of run_operations that is refused anyway asks nothing', async () => {
    const calls = [{ name: 'delete_spec', arguments: { spec_id: 'nothing' } }]
    const { results } = errorOf(await call('run_operations', { calls }))
    expect(results).toMatchObject([{ ok: false, error: { status: 404 } }])
  })

  test('that archives few records runs at once', async () => {
    const args = { board_id: scene.boardId, entity_type: 'spec', entity_id: await scene.spec() }
    expect((await call('archive_record', args)).body.result.isError).toBeFalsy()
    const [next] = [{ ...args, entity_id: await scene.spec() }]
    const { body } = await call('run_operations', { calls: [{ name: 'archive_record', arguments: next }] })
    expect(body.result.resultType).not.toBe('input_required')
    expect(body.result.isError).toBeFalsy()
  })
})
