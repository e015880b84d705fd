import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { registry } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandLine } from './support/command-line.ts'
import { eventually } from './support/eventually.ts'
import { modernVersion } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start(graphAtWork)
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const identity = { name: 'test', version: '1' }
const url = () => new URL(`${world.running.url}/mcp`)
const requestInit = () => ({ headers: { authorization: `Bearer ${world.owner.key}` } })
const process = () => ({
  ...commandLine('mcp', '--url', world.running.url),
  env: { SPECBOARD_API_KEY: world.owner.key, PATH: globalThis.process.env.PATH ?? '' },
})

/** Every client line over every transport, in the protocol generations that it supports. */
const clients = {
  'older line, HTTP': async () => {
    const client = new OlderClient(identity)
    await client.connect(new OlderTransport(url(), { requestInit: requestInit() }))
    return client
  },
  'older line, stdio': async () => {
    const client = new OlderClient(identity)
    await client.connect(new OlderStdio(process()))
    return client
  },
  'newer line with handshake, HTTP': async () => {
    const client = new ModernClient(identity)
    await client.connect(new ModernTransport(url(), { requestInit: requestInit() }))
    return client
  },
  'newer line without handshake, HTTP': async () => {
    const client = new ModernClient(identity, { versionNegotiation: { mode: { pin: modernVersion } } })
    await client.connect(new ModernTransport(url(), { requestInit: requestInit() }))
    return client
  },
  'newer line that asks first, HTTP': async () => {
    const client = new ModernClient(identity, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new ModernTransport(url(), { requestInit: requestInit() }))
    return client
  },
  'newer line without handshake, stdio': async () => {
    const client = new ModernClient(identity, { versionNegotiation: { mode: { pin: modernVersion } } })
    await client.connect(new ModernStdio(process()))
    return client
  },
  'newer line with handshake, stdio': async () => {
    const client = new ModernClient(identity)
    await client.connect(new ModernStdio(process()))
    return client
  },
} as const

describe.each(Object.entries(clients))('%s', (name, connect) => {
  // biome-ignore lint/suspicious/noExplicitAny: both lines of clients have these methods
  let client: any

  beforeAll(async () => {
    client = await connect()
  })

  afterAll(() => client.close())

  test('knows the server and its description', () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'specboard', title: 'Specboard' })
    expect(client.getInstructions()).toContain('get_my_permissions')
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      resources: { subscribe: true },
    })
  })

  test('lists and calls tools', async () => {
    const { tools } = await client.listTools()
    expect(tools.length).toBe(registry.filter(({ caller }) => caller === undefined).length + 1)
    const created = await client.callTool({
      name: 'create_ideation',
      arguments: { board_id: scene.boardId, title: `From ${name}` },
    })
    expect(created.structuredContent).toMatchObject({ title: `From ${name}`, status: 'draft' })
    const refused = await client.callTool({ name: 'get_card', arguments: { card_id: 'nope' } })
    expect(refused.isError).toBe(true)
  })

  test('reads resources, prompts and completions', async () => {
    const { resources } = await client.listResources()
    expect(resources.map((resource: { uri: string }) => resource.uri)).toContain('specboard://me')
    const { contents } = await client.readResource({ uri: 'specboard://me' })
    expect(contents[0].text).toContain('# Agent "Local Owner"')
    expect((await client.listPrompts()).prompts.length).toBe(10)
    const prompt = await client.getPrompt({ name: 'board_digest', arguments: { board_id: scene.boardId } })
    expect(prompt.messages.length).toBe(2)
    const ref = { type: 'ref/prompt', name: 'board_digest' }
    const completed = await client.complete({ ref, argument: { name: 'board_id', value: scene.boardId.slice(0, 8) } })
    expect(completed.completion.values).toContain(scene.boardId)
    await expect(client.readResource({ uri: 'specboard://cards/nope' })).rejects.toThrow('No resource')
  })

  test('receives progress', async () => {
    const quiet = await Scene.on(world)
    const waiting = { name: 'stream_kg_events', arguments: { board_id: quiet.boardId, since: 0, wait_ms: 25_000 } }
    const calls = [{ name: 'get_health' }, waiting]
    const heard = Promise.withResolvers<number>()
    const running = client.callTool(
      { name: 'run_operations', arguments: { calls } },
      ...(name.startsWith('older') ? [undefined] : []),
      { onprogress: ({ progress }: { progress: number }) => heard.resolve(progress) },
    )
    expect(await heard.promise).toBeGreaterThan(0)
    await quiet.ideation()
    expect((await running).structuredContent).toMatchObject({ failed: 0 })
  })

  test.skipIf(name.includes('without handshake') || name.includes('asks first'))('receives changes', async () => {
    const ideation_id = await scene.ideation()
    const heard: string[] = []
    client.fallbackNotificationHandler = async (notification: { method: string }) =>
      void heard.push(notification.method)
    await client.subscribeResource({ uri: `specboard://ideations/${ideation_id}` })
    let changes = 0
    await eventually(async () => {
      await world.ok('update_ideation', { ideation_id, title: `Title ${++changes}` })
      expect(heard).toContain('notifications/resources/updated')
    })
  })
})
