import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { on, once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { registry } from '@specboard/contract'
import { type ViewRequest, viewOf } from '@specboard/mcp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandLine } from './support/command-line.ts'
import { initializeParams, modernMeta, modernVersion } from './support/mcp.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene
let folder: string

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  folder = await mkdtemp(join(tmpdir(), 'specboard-stdio-'))
})

afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A JSON-RPC request. */
interface Message {
  readonly jsonrpc: '2.0'
  readonly id: number | string
  readonly method: string
  readonly params: object
}

const request = (id: number | string, method: string, params: object = {}): Message => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

const call = (id: number | string, name: string, args: object = {}): Message =>
  request(id, 'tools/call', { name, arguments: args })

/** A request as the generation without handshake words it. */
const modern = (message: Message): Message => ({ ...message, params: { ...message.params, _meta: modernMeta } })

/** A handshake, as sent by a client that pipes all its messages at once. */
const initialize = [
  request('handshake', 'initialize', initializeParams()),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
]

/** Writes messages to a new process, ends its input at once and returns everything that it outputs. */
async function pipedInto(args: readonly string[], messages: readonly object[]) {
  const stdio = new Stdio(args)
  stdio.send(...messages)
  stdio.process.stdin!.end()
  const code = await stdio.code
  // biome-ignore lint/suspicious/noExplicitAny: answers of all methods
  const answers = stdio.messages.filter(message => 'id' in message) as any[]
  return { code, answers, stderr: stdio.stderr, answerOf: (id: number) => answers.find(answer => answer.id === id) }
}

/** A service that takes requests and does not answer. */
class Service {
  readonly #server = createServer()
  readonly #coming = on(this.#server, 'request')
  readonly #sockets = new Set<Socket>()

  static async start(): Promise<Service> {
    const service = new Service()
    service.#server.on('connection', socket => service.#sockets.add(socket))
    service.#server.listen(0, '127.0.0.1')
    await once(service.#server, 'listening')
    return service
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Waits until this number of requests has arrived. */
  async requests(count: number): Promise<void> {
    for (let remaining = count; remaining > 0; remaining--) await this.#coming.next()
  }

  /** Closes the port and all connections. */
  hangUp(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.hangUp()
  }
}

/** `specboard mcp` as a process, spoken to line by line. */
class Stdio {
  readonly process: ChildProcess
  /** The exit code, once all that it said is read. */
  readonly code: Promise<number | null>
  /** All messages that it said. */
  readonly messages: object[] = []
  stderr = ''
  readonly #waiting = new Map<number, (message: Record<string, unknown>) => void>()
  #id = 0

  constructor(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    const { command, args: all } = commandLine('mcp', ...args)
    const variables = {
      PATH: process.env.PATH ?? '',
      SPECBOARD_API_KEY: world.owner.key,
      SPECBOARD_URL: world.running.url,
    }
    this.process = spawn(command, all, { cwd: folder, env: { ...variables, ...env } })
    this.process.stderr!.on('data', chunk => {
      this.stderr += chunk
    })
    this.code = once(this.process, 'close').then(([code]) => code)
    createInterface({ input: this.process.stdout! }).on('line', line => {
      const message = JSON.parse(line)
      this.messages.push(message)
      this.#waiting.get(message.id)?.(message)
    })
  }

  send(...messages: readonly object[]): void {
    this.process.stdin!.write(messages.map(message => `${JSON.stringify(message)}\n`).join(''))
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of all methods
  request(method: string, params: object = {}): Promise<any> {
    const id = ++this.#id
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, resolve)
    this.send(request(id, method, params))
    return promise
  }

  // biome-ignore lint/suspicious/noExplicitAny: values of all tools
  async tool(name: string, args: object = {}): Promise<any> {
    const { result } = await this.request('tools/call', { name, arguments: args })
    return JSON.parse(result.content[0].text)
  }

  /** Ends the input; returns the exit code. */
  async end(): Promise<number | null> {
    this.process.stdin!.end()
    return this.code
  }
}

describe('without a key in the environment (mcp 4.1)', () => {
  const bare = () => ({ SPECBOARD_API_KEY: '', SPECBOARD_CONFIG_DIR: join(folder, 'keys') })

  test('it starts, lists from the registry, and every call says how to save one', async () => {
    const stdio = new Stdio(['--toolsets', 'core'], bare())
    expect((await stdio.request('initialize', initializeParams())).result.serverInfo.name).toBe('specboard')
    const { tools } = (await stdio.request('tools/list')).result
    expect(tools.map(({ name }: { name: string }) => name)).toContain('claim_next_card')
    const refused = await stdio.tool('list_my_inbox')
    expect(refused).toMatchObject({ status: 401, detail: { error: 'UNAUTHORIZED' } })
    expect(refused.detail.message).toContain(`specboard login ${world.running.url}`)
    expect(await stdio.end()).toBe(0)
    expect(stdio.stderr).toBe('')
  })

  test('it uses the saved one', async () => {
    const { url } = world.running
    const saved = { key: world.owner.key, agent_id: 'x', agent_name: 'x', saved_at: 'x' }
    await mkdir(join(folder, 'keys'), { mode: 0o700 })
    const services = { [new URL(url).origin]: { default: saved } }
    await writeFile(join(folder, 'keys/credentials.json'), JSON.stringify({ version: 1, services }), { mode: 0o600 })
    // No address is given either: the only saved one is used.
    const stdio = new Stdio([], { ...bare(), SPECBOARD_URL: '' })
    await stdio.request('initialize', initializeParams())
    expect(await stdio.tool('get_my_permissions')).toMatchObject({ agent_id: world.owner.id })
    expect(await stdio.end()).toBe(0)
  })

  test('--embedded needs one', async () => {
    const stdio = new Stdio(['--embedded'], bare())
    expect(await stdio.code).toBe(2)
    expect(stdio.stderr).toContain('SPECBOARD_API_KEY')
  })
})

test('ends with its input', async () => {
  const stdio = new Stdio()
  await stdio.request('initialize', initializeParams())
  expect(await stdio.end()).toBe(0)
  expect(stdio.stderr).toBe('')
})

describe.each([
  ['over the network', (): string[] => []],
  ['embedded', (): string[] => ['--embedded', '--data-dir', `piped-${randomUUID()}`, '--log-level', 'silent']],
])('all that was piped in is answered, %s', (_, args) => {
  test('a cold first call without a handshake', async () => {
    const piped = await pipedInto(args(), [call(1, 'list_boards')])
    expect(piped.answers).toMatchObject([{ id: 1, result: { structuredContent: { total: expect.any(Number) } } }])
    expect(piped).toMatchObject({ code: 0, stderr: '' })
  })

  test('a cold first call of the generation without handshake', async () => {
    const piped = await pipedInto(args(), [modern(call(1, 'list_boards')), modern(request(2, 'server/discover'))])
    expect(piped.answers.length).toBe(2)
    expect(piped.answerOf(1).result.structuredContent.total).toEqual(expect.any(Number))
    expect(piped.answerOf(2).result.supportedVersions).toContain(modernVersion)
    expect(piped).toMatchObject({ code: 0, stderr: '' })
  })

  test.each([
    ['with a handshake', initialize, (message: Message) => message],
    ['without', [], modern],
  ])('fifty calls and a stream, %s', async (_, first, worded) => {
    const ids = Array.from({ length: 50 }, (_, index) => index + 1)
    const stream = modern(request('stream', 'subscriptions/listen', { notifications: { toolsListChanged: true } }))
    const calls = ids.map(id => worded(call(id, 'create_board', { name: `Board ${id}`, description: '' })))
    const piped = await pipedInto(args(), [...first, stream, ...calls])
    for (const id of ids) expect(piped.answerOf(id).result.structuredContent.name).toBe(`Board ${id}`)
    expect(piped).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('a service that does not answer', () => {
  test('leaves calls that are named, with exit code 1, when the process is told to end', async () => {
    await using silent = await Service.start()
    const stdio = new Stdio(['--url', silent.url])
    stdio.send(modern(call('a', 'list_boards')), modern(request(2, 'tools/list')))
    stdio.process.stdin!.end()
    await silent.requests(2)
    stdio.process.kill('SIGTERM')
    expect(await stdio.code).toBe(1)
    expect(stdio.stderr.trim().split('\n')).toEqual([
      'specboard mcp: dropped tools/call (id "a"): interrupted',
      'specboard mcp: dropped tools/list (id 2): interrupted',
    ])
  })

  test('and goes away ends the wait: calls are errors', async () => {
    await using leaving = await Service.start()
    const piped = pipedInto(['--url', leaving.url], [modern(call(1, 'list_boards')), modern(call(2, 'list_boards'))])
    await leaving.requests(2)
    leaving.hangUp()
    expect((await piped).answers.map(({ result }) => JSON.parse(result.content[0].text).detail.error)).toEqual([
      'SERVER_UNREACHABLE',
      'SERVER_UNREACHABLE',
    ])
    expect(await piped).toMatchObject({ code: 0, stderr: '' })
  })
})

test('ends quietly when nobody reads what it says', async () => {
  const stdio = new Stdio()
  await stdio.request('ping')
  stdio.process.stdout!.destroy()
  stdio.send(request(2, 'ping'))
  expect(await stdio.code).toBe(0)
  expect(stdio.stderr).toBe('')
})

describe('views', () => {
  test.each<[string[], Record<string, string>, ViewRequest]>([
    [[], { SPECBOARD_MCP_TOOLSETS: 'core' }, { toolsets: 'core' }],
    [['--toolsets', 'meta'], { SPECBOARD_MCP_TOOLSETS: 'core' }, { toolsets: 'meta' }],
    [
      ['--tools', 'get_card,move_card', '--readonly'],
      { SPECBOARD_MCP_EXCLUDE: 'find_operations' },
      { tools: 'get_card,move_card', readonly: '1', exclude: 'find_operations' },
    ],
  ])('%j %j', async (args, env, view) => {
    const stdio = new Stdio(args, env)
    const { tools } = (await stdio.request('tools/list')).result
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual(viewOf(view, 'all').tools)
    await stdio.end()
  })

  test.each<[string[], Record<string, string>, boolean]>([
    [['--toolsets', 'core'], {}, false],
    [['--toolsets', 'core', '--answers', 'whole'], {}, true],
    [[], { SPECBOARD_MCP_ANSWERS: 'lean' }, false],
  ])('answers are lean or whole: %j %j (crew 8)', async (args, env, isWhole) => {
    const stdio = new Stdio(args, env)
    const { result } = await stdio.request('tools/call', { name: 'get_my_permissions', arguments: {} })
    expect(result.structuredContent !== undefined).toBe(isWhole)
    await stdio.end()
  })

  test('another form of answers ends it with a line that names them', async () => {
    const stdio = new Stdio(['--answers', 'short'])
    expect(await stdio.code).toBe(1)
    expect(stdio.stderr).toContain('lean, whole')
  })

  test('an unknown toolset ends it with a line that names the nearest', async () => {
    const stdio = new Stdio(['--toolsets', 'cor'])
    expect(await stdio.code).toBe(1)
    expect(stdio.stderr).toContain("did you mean 'core'?")
  })
})

describe('no server', () => {
  test('lists come from the registry, calls are errors that say what to do, until it is there', async () => {
    const url = 'http://127.0.0.1:9'
    const stdio = new Stdio(['--url', url])
    expect((await stdio.request('initialize', initializeParams())).result.serverInfo.name).toBe('specboard')
    expect((await stdio.request('tools/list')).result.tools.length).toBe(
      registry.filter(({ caller }) => caller === undefined).length + 1,
    )
    expect(await stdio.tool('list_boards')).toEqual({
      status: 503,
      detail: { error: 'SERVER_UNREACHABLE', message: expect.stringMatching(/127\.0\.0\.1:9.*specboard serve/) },
    })
    expect(
      (await stdio.request('resources/read', { uri: 'specboard://guides/overview' })).result.contents[0].text,
    ).toContain('# Guide')
    expect((await stdio.request('tools/call', { name: 'nope', arguments: {} })).error.code).toBe(-32602)
    await stdio.end()
  })
})

/** The members of a listed tool that these tests read. */
interface Listed {
  readonly inputSchema: { readonly properties?: { readonly save_to?: object } }
}

describe('files of this machine', () => {
  /** A connection without any restriction. */
  let plain: Stdio

  beforeAll(() => {
    plain = new Stdio()
  })

  afterAll(() => plain.end())

  test('are shown in the list, and go up and down', async () => {
    const { tools } = (await plain.request('tools/list')).result
    const schema = (name: string) => tools.find((tool: { name: string }) => tool.name === name).inputSchema.properties
    expect(schema('upload_attachment').path).toMatchObject({ type: 'string' })
    expect(schema('export_board_analytics').save_to).toMatchObject({ type: 'string' })
    await writeFile(join(folder, 'report.txt'), 'hello')
    const card_id = await scene.card()
    const on = { board_id: scene.boardId, card_id }
    const uploaded = await plain.tool('upload_attachment', { ...on, path: 'report.txt', mime_type: 'text/plain' })
    expect(uploaded).toMatchObject({ original_filename: 'report.txt', size: 5, mime_type: 'text/plain' })
    const saved = await plain.tool('download_attachment', { ...on, attachment_id: uploaded.id, save_to: 'copy.txt' })
    expect(saved).toMatchObject({
      filename: 'copy.txt',
      size: 5,
      sha256: uploaded.sha256,
      saved_to: expect.stringContaining('copy.txt'),
    })
    expect(await readFile(join(folder, 'copy.txt'), 'utf8')).toBe('hello')
  })

  test('that are there are replaced only where the caller says so; tools say that they write (walls 8)', async () => {
    const { tools } = (await plain.request('tools/list')).result
    const listed = tools.filter((tool: Listed) => tool.inputSchema.properties?.save_to !== undefined)
    expect(listed.length).toBeGreaterThan(3)
    for (const { annotations, inputSchema } of listed) {
      expect(annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
      expect(inputSchema.properties.overwrite).toMatchObject({ type: 'boolean' })
    }
    await writeFile(join(folder, 'kept.csv'), 'mine')
    const saving = { board_id: scene.boardId, save_to: 'kept.csv' }
    expect(await plain.tool('export_board_analytics', saving)).toMatchObject({
      status: 400,
      detail: { error: 'VALIDATION_ERROR', field: 'save_to' },
    })
    expect(await readFile(join(folder, 'kept.csv'), 'utf8')).toBe('mine')
    const call = { name: 'export_board_analytics', arguments: { ...saving, overwrite: true } }
    expect(await plain.tool('read_operation', call)).toMatchObject({ status: 403, detail: { error: 'READ_ONLY' } })
    expect(await readFile(join(folder, 'kept.csv'), 'utf8')).toBe('mine')
    expect(await plain.tool('call_operation', call)).toMatchObject({ filename: 'kept.csv' })
    expect(await readFile(join(folder, 'kept.csv'), 'utf8')).not.toBe('mine')
  })

  test('are none of a connection that only reads, and of a tool that only reads (walls 8)', async () => {
    await writeFile(join(folder, 'note.md'), 'hello')
    const upload = { board_id: scene.boardId, card_id: await scene.card(), path: 'note.md' }
    const call = { name: 'upload_attachment', arguments: upload }
    expect(await plain.tool('read_operation', call)).toMatchObject({ status: 403, detail: { error: 'READ_ONLY' } })
    const reading = new Stdio(['--readonly'])
    const { tools } = (await reading.request('tools/list')).result
    expect(JSON.stringify(tools)).not.toMatch(/"save_to"|"overwrite"/)
    const saving = { board_id: scene.boardId, save_to: 'never.csv' }
    expect(await reading.tool('export_board_analytics', saving)).toMatchObject({ detail: { error: 'READ_ONLY' } })
    await reading.end()
    expect(await readFile(join(folder, 'never.csv')).catch(() => null)).toBeNull()
  })

  test('whose names begin with a dot are never used (walls 8)', async () => {
    await mkdir(join(folder, '.git'), { recursive: true })
    for (const name of ['.env', '.git/config', 'plain.txt']) await writeFile(join(folder, name), 'mine')
    await symlink('.env', join(folder, 'harmless.txt'))
    const on = { board_id: scene.boardId, card_id: await scene.card() }
    for (const path of ['.env', '.git/config', './.git/../.env', 'harmless.txt', join(folder, '.env')])
      expect(await plain.tool('upload_attachment', { ...on, path })).toMatchObject({ status: 403 })
    for (const save_to of ['.git/config', '.bashrc', 'harmless.txt'])
      expect(
        await plain.tool('export_board_analytics', { board_id: scene.boardId, save_to, overwrite: true }),
      ).toMatchObject({ status: 403 })
    expect(await readFile(join(folder, '.git/config'), 'utf8')).toBe('mine')
  })

  test('are bound by the view as all else is', async () => {
    await writeFile(join(folder, 'note.md'), 'hello')
    const card_id = await scene.card()
    const on = { board_id: scene.boardId, card_id }
    const { id: kb_id } = await world.ok('create_card_knowledge', { card_id, title: 'Notes', content: 'Learned' })
    const upload = { ...on, path: 'note.md' }
    const knowledge = { card_id, kb_id, save_to: 'notes.md' }
    const reading = new Stdio(['--readonly'])
    expect(await reading.tool('upload_attachment', upload)).toMatchObject({
      status: 403,
      detail: { error: 'READ_ONLY' },
      next_actions: [{ name: 'get_my_permissions' }],
    })
    await reading.end()
    const without = new Stdio(['--exclude', 'upload_attachment'])
    expect(await without.tool('upload_attachment', upload)).toMatchObject({ detail: { error: 'EXCLUDED' } })
    await without.end()
    const elsewhere = new Stdio(['--board', (await Scene.on(world)).boardId])
    expect(await elsewhere.tool('upload_attachment', upload)).toMatchObject({ status: 404 })
    expect(await elsewhere.tool('download_card_knowledge', knowledge)).toMatchObject({ status: 404 })
    await elsewhere.end()
    const here = new Stdio(['--board', scene.boardId])
    expect(await here.tool('upload_attachment', { card_id, path: 'note.md' })).toMatchObject({
      mime_type: 'text/markdown',
    })
    expect(await here.tool('download_card_knowledge', knowledge)).toMatchObject({ filename: 'notes.md' })
    await here.end()
  })

  test('lie in the working directory or an allowed folder, links followed', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'specboard-outside-'))
    await writeFile(join(outside, 'secret.txt'), 'secret')
    await symlink(outside, join(folder, 'link'))
    await mkdir(join(folder, 'inside'), { recursive: true })
    const on = { board_id: scene.boardId, card_id: await scene.card() }
    for (const path of [join(outside, 'secret.txt'), '../secret.txt', 'link/secret.txt'])
      expect(await plain.tool('upload_attachment', { ...on, path })).toMatchObject({
        status: 403,
        detail: { error: 'FORBIDDEN' },
      })
    expect(await plain.tool('upload_attachment', { ...on, path: 'inside/none.txt' })).toMatchObject({ status: 400 })
    expect(await plain.tool('upload_attachment', { ...on, path: 'a', text: 'b' })).toMatchObject({ status: 422 })
    const allowed = new Stdio(['--allow-dir', outside])
    expect(await allowed.tool('upload_attachment', { ...on, path: join(outside, 'secret.txt') })).toMatchObject({
      size: 6,
    })
    await allowed.end()
    await rm(outside, { recursive: true })
  })
})

test('embedded: the same tools on a folder of its own, without a server', async () => {
  const data = await mkdtemp(join(tmpdir(), 'specboard-embedded-'))
  const key = `dash_${'ab'.repeat(24)}`
  const stdio = new Stdio(['--embedded', '--data-dir', data, '--log-level', 'silent'], {
    SPECBOARD_API_KEY: key,
    SPECBOARD_URL: 'http://127.0.0.1:9',
  })
  const board = await stdio.tool('create_board', { name: 'Embedded', description: '' })
  expect((await stdio.tool('list_boards')).items).toMatchObject([{ id: board.id, name: 'Embedded' }])
  const ticket = { board_id: board.id, card_id: board.id, filename: 'a', ticket: true }
  expect(await stdio.tool('upload_attachment', ticket)).toMatchObject({ status: 422, detail: [{ loc: ['ticket'] }] })
  expect(await stdio.end()).toBe(0)
  await rm(data, { recursive: true })
})

test('lines that are no message are refused, the rest goes on', async () => {
  const stdio = new Stdio()
  stdio.process.stdin!.write('{\n\n[]\n')
  expect((await stdio.request('ping')).result).toEqual({})
  await stdio.end()
})
