/** `specboard hook`, the program that clients start, with real processes (harness 3.1). */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clientFindings } from '../src/client-findings.ts'
import { runCommandIn } from './support/command.ts'
import { commandLine } from './support/command-line.ts'
import { freePort } from './support/free-port.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let ada: TestAgent
let folder: string

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  ada = await world.agent({ preset_id: 'Executor', board_ids: [scene.boardId] })
})

afterAll(() => world.stop())

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'specboard-hook-')))
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  git('init', '-q', '-b', 'main')
  git('-c', 'user.name=Ada', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', 'Begin')
  git('remote', 'add', 'origin', 'https://me:geheim@example.com/team/shop.git')
  mkdirSync(join(folder, 'src'))
  await putProject({})
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const putProject = async (more: object) =>
  writeFileSync(
    join(folder, '.specboard.json'),
    JSON.stringify({ url: world.running.url, board: await scene.boardKey(), ...more }),
  )

/** Runs the hook as a client does; it never writes to standard error, and always exits successfully. */
async function hook(words: readonly string[], input: unknown, variables: Record<string, string> = {}): Promise<string> {
  // A busy machine takes its time.
  const state = { SPECBOARD_STATE_DIR: join(folder, 'state'), SPECBOARD_HOOK_PATIENCE: '30000' }
  const { code, output, errors } = await runCommandIn(
    {
      variables: { SPECBOARD_API_KEY: ada.key, ...state, ...variables },
      folder,
      input: typeof input === 'string' ? input : JSON.stringify(input),
    },
    'hook',
    ...words,
  )
  expect([code, errors]).toEqual([0, ''])
  return output
}

const requestOf = async (words: readonly string[], input: object) => {
  const { request } = JSON.parse(await hook([...words, '--dry-run'], input))
  return request as { url: string; body: Record<string, unknown> } | null
}

/** A text that must never leave the machine, and the inputs of each client with it in every field that may hold one. */
const marked = 'NEVER-LEAVES'

const inputs = (): readonly (readonly [client: string, event: string, input: object])[] => {
  const { path: file, outside } = { path: join(folder, 'src/a.ts'), outside: `/etc/${marked}` }
  const claude = { session_id: 's1', transcript_path: outside, cwd: folder, prompt_id: 'p' }
  const texts = { prompt: marked, last_assistant_message: marked, initialPrompt: marked, prompt_response: marked }
  const codex = { ...claude, turn_id: 't', model: 'gpt-5' }
  const gemini = { session_id: 's3', transcript_path: outside, cwd: folder, timestamp: 'now' }
  const copilot = { sessionId: 's4', cwd: folder, timestamp: 1 }
  const cursor = { conversation_id: 's5', generation_id: 'g', workspace_roots: [folder], user_email: `${marked}@x.org` }
  return [
    ['claude-code', 'session_start', { ...claude, hook_event_name: 'SessionStart', source: 'compact', ...texts }],
    ['claude-code', 'prompt', { ...claude, hook_event_name: 'UserPromptSubmit', ...texts }],
    ['claude-code', 'before_edit', { ...claude, tool_name: 'Write', tool_input: { file_path: file, content: marked } }],
    ['claude-code', 'before_edit', { ...claude, tool_name: 'Write', tool_input: { file_path: outside } }],
    ['claude-code', 'before_shell', { ...claude, tool_name: 'Bash', tool_input: { command: `cat ${marked}` } }],
    [
      'claude-code',
      'after_shell',
      {
        ...claude,
        hook_event_name: 'PostToolUse',
        tool_input: { command: 'npm test', description: marked },
        tool_response: { stdout: 'ok', stderr: '' },
      },
    ],
    ['claude-code', 'stop', { ...claude, stop_hook_active: false, background_tasks: [{ text: marked }], ...texts }],
    ['claude-code', 'session_end', { ...claude, reason: `${marked} because` }],
    [
      'codex',
      'before_edit',
      {
        ...codex,
        tool_name: 'apply_patch',
        tool_input: {
          command: `*** Begin Patch\n*** Update File: src/a.ts\n+${marked}\n*** Add File: ../${marked}\n*** End Patch`,
        },
      },
    ],
    ['codex', 'prompt', { ...codex, ...texts }],
    ['gemini', 'prompt', { ...gemini, ...texts }],
    [
      'gemini',
      'before_edit',
      {
        ...gemini,
        tool_name: 'replace',
        tool_input: { file_path: 'src/a.ts', old_string: marked, new_string: marked },
      },
    ],
    ['gemini', 'stop', { ...gemini, ...texts }],
    ['copilot', 'session_start', { ...copilot, source: 'new', ...texts }],
    [
      'copilot',
      'before_edit',
      { ...copilot, toolName: 'create', toolArgs: JSON.stringify({ path: file, file_text: marked }) },
    ],
    [
      'copilot',
      'claimed',
      {
        ...copilot,
        toolName: 'claim_card',
        toolArgs: { card_id: 'PRO-1', note: marked },
        toolResult: { textResultForLlm: `{"ref":"PRO-1","title":"${marked}"}` },
      },
    ],
    ['cursor', 'session_start', { ...cursor, ...texts }],
    ['cursor', 'before_shell', { ...cursor, command: `npm run build ${marked}` }],
    ['cursor', 'stop', { ...cursor, status: 'completed', loop_count: 1 }],
  ]
}

describe('what is told (harness 3.1)', { timeout: 180_000 }, () => {
  test('no text of a person, a model or a file is in any request, nor a name outside the repository', async () => {
    for (const [client, event, input] of inputs()) {
      const request = JSON.stringify(await requestOf([event, '--client', client], input))
      expect([client, event, request]).toEqual([client, event, expect.not.stringContaining(marked)])
      expect(request).not.toContain('geheim')
    }
  })

  test('a session is told with its work tree', async () => {
    const request = await requestOf(['session_start'], { session_id: 's', cwd: join(folder, 'src'), source: 'startup' })
    expect(request?.body).toEqual({
      session: 's',
      client: 'claude-code',
      board_id: await scene.boardKey(),
      source: 'startup',
      branch: 'main',
      commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim(),
      repository: 'https://example.com/team/shop.git',
      worktree: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), name: folder.split('/').at(-1) },
    })
  })

  test('of a test run: command, exit code, digest and the end of the output, secrets masked', async () => {
    const shell = (tool_response: unknown, command = 'API_TOKEN=geheimnis npm test', more: object = {}) => ({
      session_id: 's',
      cwd: folder,
      hook_event_name: 'PostToolUse',
      tool_use_id: 't1',
      tool_input: { command },
      tool_response,
      ...more,
    })
    const request = await requestOf(['after_shell'], shell({ stdout: `geheimnis ${'ä'.repeat(3_000)}`, stderr: 'end' }))
    expect(request?.body).toMatchObject({
      command: 'API_TOKEN=*** npm test',
      exit_code: 0,
      tool_call: 't1',
      output_bytes: 6_013,
    })
    expect(String(request?.body.output_tail)).toMatch(/^ä+end$/)
    const piped = await requestOf(['after_shell'], shell({ stdout: '' }, 'npm test | tail'))
    expect(piped?.body).toMatchObject({ exit_code: null, unknown: expect.stringContaining('not that of the tests') })
    await putProject({ hooks: { shell_output: 'digest' } })
    expect((await requestOf(['after_shell'], shell({ stdout: 'x' })))?.body).not.toHaveProperty('output_tail')
  })
})

describe('what is said (harness 3.1)', { timeout: 180_000 }, () => {
  test.each([
    ['claude-code', { session_id: 'a1', hook_event_name: 'SessionStart' }, 'hookSpecificOutput'],
    ['codex', { session_id: 'a2', hook_event_name: 'SessionStart' }, 'hookSpecificOutput'],
    ['gemini', { session_id: 'a3', hook_event_name: 'SessionStart' }, 'hookSpecificOutput'],
    ['copilot', { sessionId: 'a4' }, 'additionalContext'],
    ['cursor', { conversation_id: 'a5' }, 'additional_context'],
  ])('%s is told in its own form what the session begins with', async (client, input, member) => {
    const output = JSON.parse(await hook(['session_start', '--client', client], { cwd: folder, ...input }))
    expect(Object.keys(output)).toEqual([member])
    expect(JSON.stringify(output)).toContain('list_my_inbox')
    const workers = await world.ok('list_workers', { board_id: scene.boardId })
    expect(workers).toContainEqual(expect.objectContaining({ id: Object.values(input)[0], client, branch: 'main' }))
  })

  test('an edit that is refused is refused in each form', async () => {
    const card_id = await scene.workableCard({ title: 'Wall', paths: ['src/**'] })
    await world.ok('claim_card', { card_id })
    await world.ok('update_board', { board_id: scene.boardId, settings: { edit_guard: 'deny' } })
    const edit = { cwd: folder, tool_input: { file_path: 'src/a.ts' } }
    const outputOf = async (client: string, input: object) =>
      JSON.parse(await hook(['before_edit', '--client', client], { ...edit, ...input }))
    const reason = expect.stringContaining('src/a.ts')
    const claude = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason }
    expect(await outputOf('claude-code', { session_id: 'b1' })).toEqual({ hookSpecificOutput: claude })
    expect(await outputOf('gemini', { session_id: 'b3' })).toEqual({ decision: 'deny', reason })
    expect(await outputOf('cursor', { conversation_id: 'b5' })).toEqual({ permission: 'deny', agent_message: reason })
    const copilot = { sessionId: 'b4', toolArgs: { path: 'src/a.ts' } }
    const denied = { permissionDecision: 'deny', permissionDecisionReason: reason }
    expect(await outputOf('copilot', copilot)).toEqual(denied)
    await world.ok('update_board', { board_id: scene.boardId, settings: { edit_guard: 'warn' } })
  })
})

describe('never in the way (harness 3.1)', { timeout: 180_000 }, () => {
  const start = () => ({ session_id: 'n', conversation_id: 'n', cwd: folder })

  test.each([
    ['claude-code', ''],
    ['codex', ''],
    ['copilot', ''],
    ['gemini', '{}\n'],
    ['cursor', '{}\n'],
  ])('%s: whatever goes wrong, nothing but what its form demands', async (client, nothing) => {
    const words = ['session_start', '--client', client]
    for (const input of ['', '{', '[]', 'null', '\u0000', `{"session_id": "${'x'.repeat(5 << 20)}"}`])
      expect(await hook(words, input)).toBe(nothing)
    expect(await hook(['no_such_event', '--client', client], start())).toBe(nothing)
    expect(await hook(words, start(), { SPECBOARD_API_KEY: 'dash_wrong' })).toBe(nothing)
    expect(await hook(words, start(), { SPECBOARD_API_KEY: '' })).toBe(nothing)
    expect(await hook(words, start(), { SPECBOARD_HOOKS: 'off' })).toBe(nothing)
    expect(await hook(words, { ...start(), cwd: tmpdir() })).toBe(nothing)
    writeFileSync(join(folder, '.specboard.json'), '{')
    expect(await hook(words, start())).toBe(nothing)
  })

  test('after a failed request no hook tries for a while; each is logged without texts', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const log = join(folder, 'log')
    const away = { SPECBOARD_URL: url, SPECBOARD_HOOK_LOG: log }
    await hook(['session_start'], start(), away)
    let requests = 0
    const server = createServer((_request, response) => {
      requests++
      response.end('{}')
    })
    const port = Number(new URL(url).port)
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    expect((server.address() as AddressInfo).port).toBe(port)
    await hook(['session_start'], start(), away)
    expect(requests).toBe(0)
    await hook(['session_start'], start(), { ...away, SPECBOARD_STATE_DIR: join(folder, 'other') })
    expect(requests).toBe(1)
    await new Promise(resolve => server.close(resolve))
    const lines = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).outcome)
    expect(lines).toEqual(['failed: ECONNREFUSED', 'failed a moment ago', 'answered'])
  })

  test('doctor says when the hooks of a client spoke last, and which clients are there', async () => {
    const variables = { SPECBOARD_STATE_DIR: join(folder, 'state'), PATH: join(folder, 'bin') }
    expect(clientFindings(variables).map(({ says }) => says)).toEqual(['none found', 'none heard from yet'])
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/codex'), '')
    await hook(['stop', '--client', 'codex'], start())
    expect(clientFindings(variables).map(({ says }) => says)).toEqual([
      'codex',
      expect.stringMatching(/^last heard from: codex at \d{4}-\d\d-\d\dT\d\d:\d\dZ$/),
    ])
  })

  test('a client that never closes its input is not waited for', async () => {
    const { command, args } = commandLine('hook', 'stop', '--client', 'cursor')
    const child = spawn(command, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
    const [chunk] = await once(child.stdout, 'data')
    expect(JSON.parse(String(chunk))).toEqual({})
    expect(await once(child, 'close')).toEqual([0, null])
    child.stdin.destroy()
  })

  test('the service is not asked again for an event before it says so', async () => {
    const log = join(folder, 'log')
    const more = { SPECBOARD_HOOK_LOG: log }
    await hook(['prompt'], start(), more)
    await hook(['prompt'], start(), more)
    expect(
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).outcome),
    ).toEqual(['answered', 'asked a moment ago'])
    await hook(['session_end'], start(), more)
    expect(existsSync(join(folder, 'state'))).toBe(true)
  })
})
