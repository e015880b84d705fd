import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { registry } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { McpWire, modernVersion } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let mcp: McpWire

beforeAll(async () => {
  world = await World.start(graphAtWork)
  scene = await Scene.on(world)
  mcp = new McpWire(world)
})

afterAll(() => world.stop())

/** What a listener has received so far. */
type Heard = string[]

const headers = ({ key }: TestAgent) => ({ authorization: `Bearer ${key}` })

/** A client of the handshake generation that records what it receives. */
async function legacyClient(
  agent: TestAgent,
  sessionId?: string,
): Promise<{ client: Client; transport: StreamableHTTPClientTransport; heard: Heard }> {
  const client = new Client({ name: 'test', version: '1' })
  const heard: Heard = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri))
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'))
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push('resources'))
  const transport = new StreamableHTTPClientTransport(new URL(mcp.url()), {
    requestInit: { headers: headers(agent) },
    ...(sessionId !== undefined && { sessionId }),
  })
  await client.connect(transport)
  return { client, transport, heard }
}

/** A client without a handshake that records what it receives. */
async function modernClient(agent: TestAgent): Promise<{ client: ModernClient; heard: Heard }> {
  const client = new ModernClient(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: modernVersion } } },
  )
  const heard: Heard = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'))
  client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('resources'))
  await client.connect(new ModernTransport(new URL(mcp.url()), { requestInit: { headers: headers(agent) } }))
  return { client, heard }
}

const ideationUri = (id: string) => `specboard://ideations/${id}`
const rename = (ideation_id: string, title: string) => world.ok('update_ideation', { ideation_id, title })

describe('resources/subscribe', () => {
  test('reports changes of the record on the stream of the session', async () => {
    const ideation_id = await scene.ideation()
    const other = await scene.ideation()
    const { client, heard } = await legacyClient(world.owner)
    await client.subscribeResource({ uri: ideationUri(ideation_id) })
    await rename(other, 'Not this one')
    await rename(ideation_id, 'a')
    await eventually(() => expect(heard).toEqual([ideationUri(ideation_id)]))
    await client.unsubscribeResource({ uri: ideationUri(ideation_id) })
    await client.subscribeResource({ uri: `specboard://boards/${scene.boardId}` })
    await rename(ideation_id, 'b')
    await eventually(() => expect(heard).toEqual([ideationUri(ideation_id), `specboard://boards/${scene.boardId}`]))
    await client.close()
  })

  test('needs a session and a visible resource', async () => {
    const uri = ideationUri(await scene.ideation())
    expect((await mcp.legacy('resources/subscribe', { uri })).body.error.code).toBe(-32600)
    const agent = await world.agent()
    const session = { 'mcp-session-id': await mcp.session({ as: agent }) }
    for (const unknown of [uri, 'specboard://nope/x'])
      expect(
        (await mcp.legacy('resources/subscribe', { uri: unknown }, { as: agent, headers: session })).body.error.code,
      ).toBe(-32602)
  })

  test('a change of a card notifies its spec and sprint', async () => {
    const { sprint_id, spec_id, card_id } = await scene.sprint()
    const { client, heard } = await legacyClient(world.owner)
    await client.subscribeResource({ uri: `specboard://specs/${spec_id}` })
    await client.subscribeResource({ uri: `specboard://sprints/${sprint_id}` })
    await world.ok('update_card', { card_id, title: 'Changed' })
    await eventually(() =>
      expect(heard.toSorted()).toEqual([`specboard://specs/${spec_id}`, `specboard://sprints/${sprint_id}`]),
    )
    await client.close()
  })

  test('nothing is sent to an agent that may no longer see it', async () => {
    const agent = await world.agent()
    const own = await Scene.on(world)
    const { id: share_id } = await world.ok('create_board_share', {
      board_id: own.boardId,
      user_id: agent.id,
      permission: 'viewer',
    })
    const ideation_id = await own.ideation()
    const { client, heard } = await legacyClient(agent)
    await client.subscribeResource({ uri: ideationUri(ideation_id) })
    await rename(ideation_id, 'Seen')
    await eventually(() => expect(heard).toContain(ideationUri(ideation_id)))
    heard.length = 0
    await world.ok('delete_board_share', { board_id: own.boardId, share_id })
    await rename(ideation_id, 'Unseen')
    await eventually(() => expect(heard).toEqual(expect.arrayContaining(['resources', 'tools'])))
    expect(heard).not.toContain(ideationUri(ideation_id))
    await client.close()
  })
})

describe('list_changed', () => {
  test('is sent when the permissions of the agent change', async () => {
    const agent = await world.agent()
    const { client, heard } = await legacyClient(agent)
    const { heard: modern, client: other } = await modernClient(agent)
    const subscription = await other.listen({ toolsListChanged: true, resourcesListChanged: true })
    await eventually(async () =>
      expect((await client.listTools()).tools.length).toBe(
        registry.filter(({ caller }) => caller === undefined).length + 1,
      ),
    )
    await world.ok('update_agent', { agent_id: agent.id, permission_flags: { CARDS_CREATE: false } })
    await eventually(() => expect(heard).toContain('tools'))
    await eventually(() => expect(modern).toContain('tools'))
    expect((await client.listTools()).tools.map(tool => tool.name)).not.toContain('create_card')
    await world.ok('create_board_share', { board_id: scene.boardId, user_id: agent.id, permission: 'viewer' })
    await eventually(() => expect(heard).toContain('resources'))
    await eventually(() => expect(modern).toContain('resources'))
    await subscription.close()
    await client.close()
    await other.close()
  })
})

describe('subscriptions/listen', () => {
  test('acknowledges what can be read, and reports its changes', async () => {
    const ideation_id = await scene.ideation()
    const { client, heard } = await modernClient(world.owner)
    const subscription = await client.listen({ resourceSubscriptions: [ideationUri(ideation_id), ideationUri('nope')] })
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [ideationUri(ideation_id)] })
    await rename(ideation_id, 'Heard')
    await eventually(() => expect(heard).toEqual([ideationUri(ideation_id)]))
    await subscription.close()
    await client.close()
  })

  test('ends with a result when the service stops', async () => {
    const own = await World.start(graphAtWork)
    const wire = new McpWire(own)
    const response = await wire.modernStream('subscriptions/listen', { notifications: { toolsListChanged: true } })
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('notifications/subscriptions/acknowledged')) text += (await reader.read()).value
    await own.stop()
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
    expect(text).toContain('"resultType":"complete"')
  })
})

test('a session has one stream: the newest wins', async () => {
  const session = await mcp.session()
  const open = (signal: AbortSignal) =>
    fetch(mcp.url(), {
      headers: { ...headers(world.owner), 'mcp-session-id': session, accept: 'text/event-stream' },
      signal,
    })
  const controller = new AbortController()
  const older = await open(controller.signal)
  const newer = await open(controller.signal)
  expect([older.status, newer.headers.get('content-type'), newer.headers.get('x-accel-buffering')]).toEqual([
    200,
    'text/event-stream',
    'no',
  ])
  expect(await older.text()).toContain(': open')
  controller.abort()
})

test('sessions and their subscriptions survive a restart', async () => {
  const own = await World.start(graphAtWork)
  const wire = new McpWire(own)
  const ownScene = await Scene.on(own)
  const ideation_id = await ownScene.ideation()
  const session = await wire.session()
  const inSession = { headers: { 'mcp-session-id': session } }
  await wire.legacy('resources/subscribe', { uri: ideationUri(ideation_id) }, inSession)
  const again = await own.restart()
  try {
    const wireAgain = new McpWire(again)
    expect((await wireAgain.tool('get_ideation', { ideation_id }, inSession)).isError).toBe(false)
    const controller = new AbortController()
    const stream = await fetch(wireAgain.url(), {
      headers: { ...headers(again.owner), 'mcp-session-id': session, accept: 'text/event-stream' },
      signal: controller.signal,
    })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    await again.ok('update_ideation', { ideation_id, title: 'After the restart' })
    let text = ''
    while (!text.includes('notifications/resources/updated')) text += (await reader.read()).value
    expect(text).toContain(ideationUri(ideation_id))
    controller.abort()
  } finally {
    await again.stop()
  }
})

test('a cancelled call of a session ends without an answer', async () => {
  const session = await mcp.session()
  const inSession = { headers: { 'mcp-session-id': session } }
  const waiting = mcp.legacy(
    'tools/call',
    { name: 'stream_kg_events', arguments: { board_id: scene.boardId, wait_ms: 20_000 } },
    { ...inSession, id: 'long' },
  )
  let ended = false
  const status = waiting.then(answer => {
    ended = true
    return answer.status
  })
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } }
  // One that comes before the call cancels nothing.
  while (!ended) await mcp.send({ method: 'POST', body: JSON.stringify(cancel) }, inSession)
  expect(await status).toBe(202)
})

describe('a connection that is closed in the middle of a run', () => {
  /** A run that waits between its two calls until something happens on a board. */
  const run = (first: string, board_id: string, second: string) => ({
    name: 'run_operations',
    arguments: {
      calls: [
        { name: 'create_ideation', arguments: { board_id: scene.boardId, title: first } },
        { name: 'stream_kg_events', arguments: { board_id, since: 0, wait_ms: 25_000 } },
        { name: 'create_ideation', arguments: { board_id: scene.boardId, title: second } },
      ],
    },
  })
  const titles = async (): Promise<string[]> =>
    (await world.ok('list_ideations', { board_id: scene.boardId })).map((ideation: { title: string }) => ideation.title)

  test.each([
    ['modern', 'JSON', 'application/json'],
    ['modern', 'a stream', 'text/event-stream'],
    ['legacy', 'a stream', 'text/event-stream'],
  ] as const)('%s, answered as %s', async (era, _, accept) => {
    const [first, second] = [`${era} ${accept} first`, `${era} ${accept} second`]
    const quiet = await Scene.on(world)
    const controller = new AbortController()
    const { signal } = controller
    const closed = mcp[era]('tools/call', run(first, quiet.boardId, second), { headers: { accept }, signal })
    await eventually(async () => expect(await titles()).toContain(first))
    controller.abort()
    await expect(closed).rejects.toThrow()
    // Another run waits for the same event: when it is done, the closed one would be done too.
    const other = mcp.tool('run_operations', run(`${first} too`, quiet.boardId, `${second} too`).arguments)
    await eventually(async () => expect(await titles()).toContain(`${first} too`))
    await quiet.ideation()
    await other
    if (era === 'legacy') await eventually(async () => expect(await titles()).toContain(second))
    else expect(await titles()).not.toContain(second)
  })
})
