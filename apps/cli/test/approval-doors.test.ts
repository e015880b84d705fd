/** Every door through which somebody without presence could try to give an approval (people 1.2, 1.3, 4). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { validation } from './operations/specs.rows.ts'
import { freePort } from './support/free-port.ts'
import { McpWire, modernMeta, type RpcAnswer } from './support/mcp.ts'
import { OauthClient } from './support/oauth-client.ts'
import { Person } from './support/person.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, type TestAnswer, World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire
let owner: Person
let agents: Readonly<Record<'agent' | 'service' | 'ci', TestAgent>>
let token: string

beforeAll(async () => {
  const port = await freePort()
  world = await World.start({ port, publicUrl: `http://127.0.0.1:${port}`, agentSignIn: 'on' })
  owner = await Person.owner(world)
  scene = await Scene.on(world)
  mcp = new McpWire(world)
  const all = ['approval_spec', 'approval_spec_validation', 'approval_card_validation', 'approval_done']
  const settings = Object.fromEntries(all.map(gate => [gate, 'person']))
  await owner.ok('update_board', { board_id: scene.boardId, settings })
  agents = {
    agent: await world.agent(),
    service: await world.agent({ kind: 'service' }),
    ci: await world.agent({ kind: 'ci' }),
  }
  for (const one of Object.values(agents)) await scene.admit(one)
  const client = new OauthClient(world.running.url)
  await client.register()
  const new_agent = { name: 'Connected', preset_id: 'Full Control' }
  token = (await client.connected(owner, { allow: true, new_agent })).access_token
})

afterAll(() => world.stop())

/** What a door answered: a status, and the code of its refusal. */
type Refusal = readonly [status: number, code: string]

const ofAnswer = ({ status, body }: TestAnswer): Refusal => [status, body?.detail?.error]

const ofTool = ({ body }: RpcAnswer): Refusal => {
  const error = JSON.parse(body.result.content[0].text)
  const { status, detail } = error.results?.[0]?.error ?? error
  return [status, detail.error]
}

const inReview = () =>
  owner
    .ok('create_spec', { board_id: scene.boardId, title: 'In review', status: 'review' })
    .then(({ id }) => id as string)

const approving = async () => ({ spec_id: await inReview(), status: 'approved' })

/** Calls a tool as a client whose person is said to have agreed. */
const modern = (name: string, args: object, more: { as?: TestAgent | null; headers?: Record<string, string> } = {}) =>
  mcp.modern(
    'tools/call',
    {
      name,
      arguments: args,
      inputResponses: { confirm: { action: 'accept', content: { confirm: true } } },
      _meta: { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } },
    },
    { query: 'confirm=destructive', ...more },
  )

const doors: readonly (readonly [string, () => Promise<Refusal>])[] = [
  ...(['agent', 'service'] as const).map(
    kind =>
      [
        `the key of kind ${kind}`,
        async () => ofAnswer(await world.call('move_spec', await approving(), { as: agents[kind] })),
      ] as const,
  ),
  ['the key of a person', async () => ofAnswer(await world.call('move_spec', await approving()))],
  [
    'a session of a key of a person',
    async () => ofAnswer(await (await Person.byKey(world, world.owner.key)).call('move_spec', await approving())),
  ],
  [
    'a session of a key of an agent',
    async () => ofAnswer(await (await Person.byKey(world, agents.agent.key)).call('move_spec', await approving())),
  ],
  [
    'headers of a page beside a key',
    async () => {
      const headers = { 'sec-fetch-site': 'same-origin', origin: world.running.url, 'x-session-half': 'x'.repeat(43) }
      return ofAnswer(await world.call('move_spec', await approving(), { as: agents.agent, headers }))
    },
  ],
  [
    'a tool of the handshake revisions',
    async () => {
      const params = { name: 'move_spec', arguments: await approving() }
      return ofTool(await mcp.legacy('tools/call', params, { as: agents.agent }))
    },
  ],
  ['a tool that the client confirmed', async () => ofTool(await modern('move_spec', await approving()))],
  [
    'a connection of the person',
    async () => {
      const options = { as: null, headers: { authorization: `Bearer ${token}` } }
      return ofTool(await modern('move_spec', await approving(), options))
    },
  ],
  [
    'call_operation',
    async () => ofTool(await modern('call_operation', { name: 'move_spec', arguments: await approving() })),
  ],
  [
    'run_operations',
    async () => {
      const calls = [{ name: 'move_spec', arguments: await approving() }]
      return ofTool(await modern('run_operations', { calls }))
    },
  ],
  [
    'a move through several statuses',
    async () => {
      const { id } = await world.ok('create_spec', { board_id: scene.boardId, title: 'Draft' })
      return ofAnswer(await world.call('move_spec', { spec_id: id, status: 'approved', through: true }))
    },
  ],
  [
    'creation behind the gate',
    async () =>
      ofAnswer(await world.call('create_spec', { board_id: scene.boardId, title: 'Past', status: 'approved' })),
  ],
  [
    'the validation of a spec',
    async () => {
      const spec_id = await scene.spec('draft')
      await world.ok('move_spec', { spec_id, status: 'review' })
      await owner.ok('move_spec', { spec_id, status: 'approved' })
      return ofAnswer(await world.call('submit_spec_validation', { spec_id, ...validation }, { as: agents.agent }))
    },
  ],
  [
    'settings that open the gate',
    async () => {
      const settings = { approval_spec: 'anyone' }
      return ofAnswer(await world.call('update_board', { board_id: scene.boardId, settings }, { as: agents.agent }))
    },
  ],
  [
    'an import into the board',
    async () =>
      ofTool(await modern('import_board', { board_id: scene.boardId, filename: 'a.csv', text: 'Title\nA\n' })),
  ],
  [
    'a person made for it',
    async () => ofAnswer(await world.call('create_agent', { name: 'Eve', kind: 'person' }, { as: agents.agent })),
  ],
  [
    'an agent made a person',
    async () => ofAnswer(await world.call('convert_agent_to_person', { agent_id: agents.agent.id })),
  ],
  [
    'a sign-in link of a person',
    async () => ofAnswer(await world.call('create_sign_in_link', { agent_id: world.owner.id })),
  ],
  ['a sign-in link by a tool', async () => ofTool(await modern('create_sign_in_link', { agent_id: world.owner.id }))],
  [
    'an invitation',
    async () => ofAnswer(await world.call('create_invitation', { preset_id: 'Full Control' }, { as: agents.agent })),
  ],
]

test.each(doors)('%s opens no gate', async (_, door) => {
  expect(await door()).toEqual([409, 'PERSON_REQUIRED'])
})

test('the key of an approval that a person gave is no approval of another record', async () => {
  const headers = { 'idempotency-key': 'once' }
  const first = await approving()
  const { page } = owner
  const approval = await world.call('move_spec', first, { ...page, headers: { ...page.headers, ...headers } })
  expect(approval.status).toBe(200)
  const again = await world.call('move_spec', await approving(), { as: agents.agent, headers })
  expect(ofAnswer(again)).toEqual([409, 'PERSON_REQUIRED'])
})

test('a pipeline may not even ask', async () => {
  const answer = await world.call('move_spec', await approving(), { as: agents.ci })
  expect(ofAnswer(answer)).toEqual([403, 'FORBIDDEN'])
})

test('a person who is there passes', async () => {
  const args = await approving()
  expect((await owner.call('move_spec', args)).status).toBe(200)
})
