/** `bin/mcp.mjs` of the plugin, as clients start it (harness 2). */
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

const program = new URL('../../../integrations/claude-code/bin/mcp.mjs', import.meta.url).pathname

let world: World
let scene: Scene
let folder: string
let started: ChildProcess[]

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-plugin-'))
  started = []
})

afterEach(() => {
  for (const child of started) child.kill()
  rmSync(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: answers as they come
type Answer = any

/** Starts the program, which answers each message that it is sent. */
function server(variables: Readonly<Record<string, string>>) {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('SPECBOARD_'))
  const env = {
    ...Object.fromEntries(clean),
    SPECBOARD_STATE_DIR: join(folder, 'state'),
    SPECBOARD_CONFIG_DIR: join(folder, 'config'),
    ...variables,
  }
  const child = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] })
  started.push(child)
  const waiting = new Map<number, (answer: Answer) => void>()
  const heard = new EventEmitter()
  createInterface({ input: child.stdout }).on('line', line => {
    const answer = JSON.parse(line)
    waiting.get(answer.id)?.(answer)
    if (answer.id === undefined) heard.emit(answer.method)
  })
  let last = 0
  const ask = (method: string, params: object = {}): Promise<Answer> => {
    const id = ++last
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return new Promise(resolve => waiting.set(id, resolve))
  }
  const shake = async () => {
    const clientInfo = { name: 'test', version: '1' }
    const answer = await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
    return answer.result
  }
  const ended = async () => {
    child.stdin.end()
    const [code] = await once(child, 'exit')
    return code
  }
  /** Waits until the program sends a message on its own initiative. */
  const notification = (method: string) => once(heard, method)
  return {
    ask,
    shake,
    ended,
    notification,
    call: (name: string, args: object = {}) => ask('tools/call', { name, arguments: args }),
  }
}

const resultOf = ({ result }: Answer) => JSON.parse(result.content[0].text)

const toolNames = (list: Answer): string[] => list.result.tools.map(({ name }: { name: string }) => name)

test('passes messages on with key, view and the board of the project, and ends with its input', async () => {
  writeFileSync(
    join(folder, '.specboard.json'),
    JSON.stringify({ url: world.running.url, board: await scene.boardKey() }),
  )
  const { shake, ask, call, ended } = server({ SPECBOARD_API_KEY: world.owner.key })
  expect(await shake()).toMatchObject({ serverInfo: { name: 'specboard' }, protocolVersion: '2025-11-25' })
  const tools = toolNames(await ask('tools/list'))
  expect(tools).toContain('list_my_inbox')
  expect(tools).not.toContain('delete_board')
  const card = resultOf(await call('create_card', { title: 'From the plugin' }))
  expect(card.id).toMatch(new RegExp(`^${await scene.boardKey()}-`))
  const refused = await call('get_card', { card_id: 'NONE-1' })
  expect([refused.result.isError, resultOf(refused).status]).toEqual([true, 404])
  expect(await ended()).toBe(0)
})

/** A door to the service, which can be shut and opened again at the same address. */
async function doorToService() {
  const to = new URL(world.running.url)
  const sockets = new Set<Socket>()
  const door = createServer(from => {
    const onward = connect(Number(to.port), to.hostname)
    for (const [source, target] of [[from, onward] as const, [onward, from] as const]) {
      sockets.add(source)
      source.on('error', () => target.destroy()).pipe(target)
    }
  })
  const open = async (port: number) => {
    door.listen(port, '127.0.0.1')
    await once(door, 'listening')
    return (door.address() as AddressInfo).port
  }
  const port = await open(0)
  const shut = async () => {
    const closed = once(door, 'close')
    door.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return { url: `http://127.0.0.1:${port}`, shut, reopen: () => open(port) }
}

test('answers with the lists of its last connection while the service is away', async () => {
  const { url, shut } = await doorToService()
  const variables = { SPECBOARD_API_KEY: world.owner.key, SPECBOARD_URL: url }
  const before = server(variables)
  const shaken = await before.shake()
  const { result: tools } = await before.ask('tools/list')
  expect(tools.tools.length).toBeGreaterThan(10)
  expect(await before.ended()).toBe(0)
  await shut()
  const after = server(variables)
  expect(await after.shake()).toEqual(shaken)
  expect((await after.ask('tools/list')).result).toEqual(tools)
  expect(resultOf(await after.call('list_my_inbox'))).toMatchObject({
    status: 503,
    detail: { error: 'SERVER_UNREACHABLE', message: expect.stringContaining(url) },
  })
  expect(await after.ended()).toBe(0)
})

test('tells its client to read the lists again when the service is back', async () => {
  const { url, shut, reopen } = await doorToService()
  await shut()
  const { shake, ask, notification, ended } = server({ SPECBOARD_API_KEY: world.owner.key, SPECBOARD_URL: url })
  expect((await shake()).capabilities.tools).toEqual({ listChanged: true })
  expect(toolNames(await ask('tools/list'))).toEqual([])
  const first = notification('notifications/tools/list_changed')
  await reopen()
  await first
  expect(toolNames(await ask('tools/list'))).toContain('list_my_inbox')
  const [tools, resources] = ['tools', 'resources'].map(list => notification(`notifications/${list}/list_changed`))
  await shut()
  await ask('ping')
  await reopen()
  await Promise.all([tools, resources])
  expect(await ended()).toBe(0)
  await shut()
})

/** Nothing listens there. */
const nowhere = 'http://127.0.0.1:9'

const modern = (revision = '2026-07-28') => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
})

test('keeps only what the service said', async () => {
  const { shake, ask, ended } = server({ SPECBOARD_API_KEY: world.owner.key, SPECBOARD_URL: nowhere })
  await shake()
  expect((await ask('tools/list')).result).toEqual({ tools: [] })
  expect(await ended()).toBe(0)
  expect(existsSync(join(folder, 'state/mcp'))).toBe(false)
})

test('speaks the revision of the client where nothing answers, whatever the last connection spoke', async () => {
  const before = server({ SPECBOARD_API_KEY: world.owner.key, SPECBOARD_URL: world.running.url })
  await before.shake()
  expect(await before.ended()).toBe(0)
  const { ask, ended } = server({ SPECBOARD_URL: world.running.url })
  const revisionFor = async (protocolVersion: string) =>
    (await ask('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } })).result
      .protocolVersion
  expect(await revisionFor('2025-06-18')).toBe('2025-06-18')
  expect(await revisionFor('2025-03-26')).toBe('2025-03-26')
  expect(await revisionFor('2024-11-05')).toBe('2025-11-25')
  expect(await ended()).toBe(0)
})

test('a client without a handshake is served as well where nothing answers', async () => {
  const { ask, ended } = server({ SPECBOARD_API_KEY: world.owner.key, SPECBOARD_URL: nowhere })
  const whole = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  expect((await ask('server/discover', modern())).result).toMatchObject({ ...whole, supportedVersions: ['2026-07-28'] })
  expect((await ask('tools/list', modern())).result).toMatchObject({ ...whole, tools: [] })
  const called = await ask('tools/call', { name: 'list_my_inbox', arguments: {}, ...modern() })
  expect(called.result).toMatchObject({ resultType: 'complete', isError: true })
  expect((await ask('tools/list', modern('2030-01-01'))).error).toMatchObject({
    code: -32022,
    data: { supported: ['2026-07-28'], requested: '2030-01-01' },
  })
  expect(await ended()).toBe(0)
})

test('without a key it starts all the same, and each call says how to save one', async () => {
  const { shake, ask, call, ended } = server({ SPECBOARD_URL: world.running.url })
  expect((await shake()).capabilities).toHaveProperty('tools')
  expect((await ask('ping')).result).toEqual({})
  expect((await ask('prompts/list')).result).toEqual({ prompts: [] })
  const value = resultOf(await call('list_my_inbox'))
  expect([value.status, value.detail.error]).toEqual([401, 'UNAUTHORIZED'])
  expect(value.detail.message).toContain(`specboard login ${world.running.url}`)
  expect((await ask('resources/read', { uri: 'specboard://me' })).error.data.status).toBe(401)
  expect(await ended()).toBe(0)
})
