import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { registry } from '@specboard/contract'
import { type ViewRequest, viewOf } from '@specboard/mcp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandLine } from './support/command-line.ts'
import { initializeParams } from './support/mcp.ts'
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

/** `specboard mcp` as a process, spoken to line by line. */
class Stdio {
  readonly process: ChildProcess
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
    createInterface({ input: this.process.stdout! }).on('line', line => {
      const message = JSON.parse(line)
      this.#waiting.get(message.id)?.(message)
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of all methods
  request(method: string, params: object = {}): Promise<any> {
    const id = ++this.#id
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, resolve)
    this.process.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return promise
  }

  // biome-ignore lint/suspicious/noExplicitAny: values of all tools
  async tool(name: string, args: object = {}): Promise<any> {
    const { result } = await this.request('tools/call', { name, arguments: args })
    return JSON.parse(result.content[0].text)
  }

  /** Ends the input; answers the exit code. */
  async end(): Promise<number | null> {
    this.process.stdin!.end()
    const [code] = await once(this.process, 'exit')
    return code
  }
}

test('without a key it says so and ends with 2', async () => {
  const stdio = new Stdio([], { SPECBOARD_API_KEY: '' })
  const [code] = await once(stdio.process, 'exit')
  expect(code).toBe(2)
  expect(stdio.stderr).toContain('SPECBOARD_API_KEY')
})

test('ends with its input, within a second', async () => {
  const stdio = new Stdio()
  await stdio.request('initialize', initializeParams())
  const started = performance.now()
  expect(await stdio.end()).toBe(0)
  expect(performance.now() - started).toBeLessThan(1000)
  expect(stdio.stderr).toBe('')
})

test.each([[[]], [['--embedded', '--data-dir', 'piped']]])(
  'answers what was written before the input ended, with %j',
  async args => {
    const stdio = new Stdio(args)
    const answers = [stdio.request('initialize', initializeParams()), stdio.tool('list_boards'), stdio.request('ping')]
    expect(await stdio.end()).toBe(0)
    expect(await Promise.all(answers)).toMatchObject([{ result: {} }, { total: expect.any(Number) }, { result: {} }])
  },
)

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

  test('an unknown toolset ends it with a line that names the nearest', async () => {
    const stdio = new Stdio(['--toolsets', 'cor'])
    const [code] = await once(stdio.process, 'exit')
    expect(code).toBe(1)
    expect(stdio.stderr).toContain("did you mean 'core'?")
  })
})

describe('no server', () => {
  test('lists come from the registry, calls are errors that say what to do, until it is there', async () => {
    const url = 'http://127.0.0.1:9'
    const stdio = new Stdio(['--url', url])
    expect((await stdio.request('initialize', initializeParams())).result.serverInfo.name).toBe('specboard')
    expect((await stdio.request('tools/list')).result.tools.length).toBe(registry.length)
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

describe('files of this machine', () => {
  test('are shown in the list, and go up and down', async () => {
    const stdio = new Stdio()
    const { tools } = (await stdio.request('tools/list')).result
    const schema = (name: string) => tools.find((tool: { name: string }) => tool.name === name).inputSchema.properties
    expect(schema('upload_attachment').path).toMatchObject({ type: 'string' })
    expect(schema('export_board_analytics').save_to).toMatchObject({ type: 'string' })
    await writeFile(join(folder, 'report.txt'), 'hello')
    const card_id = await scene.card()
    const on = { board_id: scene.boardId, card_id }
    const uploaded = await stdio.tool('upload_attachment', { ...on, path: 'report.txt', mime_type: 'text/plain' })
    expect(uploaded).toMatchObject({ original_filename: 'report.txt', size: 5, mime_type: 'text/plain' })
    const saved = await stdio.tool('download_attachment', { ...on, attachment_id: uploaded.id, save_to: 'copy.txt' })
    expect(saved).toMatchObject({
      filename: 'copy.txt',
      size: 5,
      sha256: uploaded.sha256,
      saved_to: expect.stringContaining('copy.txt'),
    })
    expect(await readFile(join(folder, 'copy.txt'), 'utf8')).toBe('hello')
    await stdio.end()
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
    await mkdir(join(folder, 'inside'))
    const on = { board_id: scene.boardId, card_id: await scene.card() }
    const strict = new Stdio()
    for (const path of [join(outside, 'secret.txt'), '../secret.txt', 'link/secret.txt'])
      expect(await strict.tool('upload_attachment', { ...on, path })).toMatchObject({
        status: 403,
        detail: { error: 'FORBIDDEN' },
      })
    expect(await strict.tool('upload_attachment', { ...on, path: 'inside/none.txt' })).toMatchObject({ status: 400 })
    expect(await strict.tool('upload_attachment', { ...on, path: 'a', text: 'b' })).toMatchObject({ status: 422 })
    await strict.end()
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
