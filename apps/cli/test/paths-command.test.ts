/** `specboard paths` and the pre-commit hook of git, in a real repository (harness 5.8). */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCommandIn } from './support/command.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let scene: Scene
let ada: TestAgent
let ben: TestAgent
let folder: string

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()

beforeEach(async () => {
  scene = await Scene.on(world)
  const joining = () => world.agent({ preset_id: 'Executor', board_ids: [scene.boardId] })
  ada = await joining()
  ben = await joining()
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'specboard-paths-')))
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  git('remote', 'add', 'origin', 'git@github.com:acme/shop.git')
  mkdirSync(join(folder, 'src'))
  writeFileSync(
    join(folder, '.specboard.json'),
    JSON.stringify({ url: world.running.url, board: await scene.boardKey() }),
  )
  git('add', '-A')
  git('commit', '-q', '-m', 'Begin')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const variables = (as: TestAgent) => ({
  SPECBOARD_API_KEY: as.key,
  SPECBOARD_STATE_DIR: join(folder, '.git/state'),
  // A busy machine takes its time.
  SPECBOARD_HOOK_PATIENCE: '30000',
})

const run = (as: TestAgent, args: readonly string[], { inside = '', more = {} } = {}) =>
  runCommandIn({ variables: { ...variables(as), ...more }, folder: join(folder, inside) }, ...args)

const paths = (as: TestAgent, ...args: readonly string[]) => run(as, ['paths', ...args])

/** A card with a scope that an agent works on; its reference. */
async function held(as: TestAgent, scope: readonly string[]): Promise<string> {
  const card_id = await scene.card({ spec_id: await scene.specWithScenarios(), paths: scope })
  const claim = await world.ok('claim_card', { card_id }, { as })
  return claim.card_ref
}

const write = (file: string, text = 'x') => writeFileSync(join(folder, file), text)

test('who names each file with whom works on it, from any folder', async () => {
  const ref = await held(ada, ['src/a.ts'])
  const { code, output } = await run(ben, ['paths', 'who', 'a.ts', '../README.md'], { inside: 'src' })
  expect(code).toBe(0)
  expect(output).toMatch(new RegExp(`^src/a.ts {2}${ref} {2}.+ until .+Z\nREADME.md {2}nobody\n$`))
  expect((await run(ada, ['paths', 'who', 'src/a.ts'])).output).toContain('you until')
  const outside = await paths(ben, 'who', '/etc/hosts')
  expect([outside.code, outside.errors]).toEqual([2, expect.stringContaining('/etc/hosts is not in the repository')])
})

test('check names what others work on among the changed and the staged files, and ends with 1 then', async () => {
  const ref = await held(ada, ['src'])
  write('src/a.ts')
  write('other.ts')
  expect(await paths(ben, 'check')).toMatchObject({ code: 1, output: expect.stringMatching(`^src/a.ts  ${ref}  `) })
  expect(await paths(ben, 'check', '--staged')).toMatchObject({ code: 0, output: expect.stringContaining('nobody') })
  git('add', 'src/a.ts')
  expect((await paths(ben, 'check', '--staged')).code).toBe(1)
  expect(await paths(ada, 'check')).toMatchObject({ code: 0, output: 'other.ts  outside of your scopes\n' })
  expect(JSON.parse((await paths(ben, 'check', 'src/a.ts', '--json')).output).paths[0].path).toBe('src/a.ts')
})

test('reserve and release keep paths of this repository without a card', async () => {
  const { id: repository_id } = await world.ok('create_repository', {
    board_id: scene.boardId,
    url: 'https://github.com/acme/shop',
  })
  const result = await run(ben, ['paths', 'reserve', 'src/**', '--note', 'New schema', '--for', '3600', '--json'], {
    more: { SPECBOARD_SESSION: 's-1' },
  })
  expect(JSON.parse(result.output)).toMatchObject({
    paths: ['src/**'],
    note: 'New schema',
    repository_id,
    session: { id: 's-1' },
  })
  const ref = await held(ada, ['src/a.ts'])
  const conflict = await paths(ben, 'reserve', 'src/a.ts')
  expect(conflict.output).toContain(`works on src/a.ts too, for ${ref}`)
  expect((await paths(ben, 'release', 'nothing')).code).toBe(1)
  expect((await paths(ben, 'release', 'src/a.ts')).output).toBe('released src/a.ts\n')
  expect((await paths(ben, 'release')).output).toBe('released src/**\n')
  expect((await paths(ben, 'release')).output).toBe('you have no reservation\n')
  expect((await paths(ben, 'reserve', 'src', '--for', 'soon')).code).toBe(2)
})

/** Commits what is staged, as git does with its hooks; the service of the tests answers meanwhile. */
function commit(as: TestAgent, more: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, ...variables(as), ...more }
  const child = spawn('git', ['commit', '-q', '-m', 'Work'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  return new Promise<{ status: number | null; stderr: string }>(resolve =>
    child.once('close', status => resolve({ status, stderr })),
  )
}

test('the hook before a commit warns, and refuses only where the board says so', async () => {
  expect((await run(ben, ['git', 'install-hooks', '--paths'])).output).toContain('pre-commit')
  const ref = await held(ada, ['src'])
  const edit = (name: string) => {
    write(name)
    git('add', '-A')
  }
  edit('README.md')
  expect(await commit(ben)).toEqual({ status: 0, stderr: '' })
  edit('src/a.ts')
  expect(await commit(ben)).toEqual({
    status: 0,
    stderr: expect.stringMatching(`specboard: src/a.ts is in the scope of ${ref}`),
  })
  await world.ok('update_board', { board_id: scene.boardId, settings: { edit_guard: 'deny' } })
  edit('src/b.ts')
  expect(await commit(ben)).toEqual({ status: 1, stderr: expect.stringContaining('refuses commits') })
  expect((await commit(ada)).status).toBe(0)
  edit('src/c.ts')
  const away = { SPECBOARD_URL: 'http://127.0.0.1:9', SPECBOARD_STATE_DIR: join(folder, '.git/elsewhere') }
  expect(await commit(ben, away)).toEqual({ status: 0, stderr: '' })
  edit('src/d.ts')
  expect(await commit(ben, { SPECBOARD_API_KEY: 'dash_none' })).toMatchObject({ status: 0 })
  await run(ben, ['git', 'install-hooks', '--uninstall'])
  expect(existsSync(join(folder, '.git/hooks/pre-commit'))).toBe(false)
})

test('the claim of a work tree is kept by verbs and by hooks of clients', async () => {
  const claims = () => readFileSync(join(folder, '.git/specboard/claim'), 'utf8')
  const session = { SPECBOARD_SESSION: 'c-1' }
  const result = await run(ada, ['add', 'Fix a typo', '--take', '--json'], { more: session })
  const { id: ref } = JSON.parse(result.output)
  expect(claims()).toBe(`${ref}\n`)
  const card = await world.ok('get_card', { card_id: ref }, { as: ada })
  expect(card.claim.session).toMatchObject({ id: 'c-1' })
  const hook = (event: string, input: object, more: Readonly<Record<string, string>> = {}) =>
    runCommandIn(
      {
        variables: { ...variables(ada), ...more },
        folder,
        input: JSON.stringify({ session_id: 'c-1', cwd: folder, ...input }),
      },
      'hook',
      event,
    )
  const shell = join(folder, '.git/env')
  await hook('session_start', { hook_event_name: 'SessionStart', source: 'startup' }, { CLAUDE_ENV_FILE: shell })
  expect([claims(), readFileSync(shell, 'utf8')]).toEqual([`${ref}\n`, "export SPECBOARD_SESSION='c-1'\n"])
  const other = await world.ok('create_card', { board_id: scene.boardId, title: 'More', claim: true }, { as: ada })
  await hook('claimed', { tool_input: { card_id: other.ref }, hook_event_name: 'PostToolUse' })
  expect(claims()).toBe(`${ref}\n${other.ref}\n`)
  await world.ok('release_claim', { card_id: ref }, { as: ada })
  await hook('stop', { hook_event_name: 'Stop', stop_hook_active: false })
  expect(claims()).toBe(`${other.ref}\n`)
  const ended = await run(ada, ['done', other.ref, 'Did it', '--check', 'looked at it'])
  expect([ended.code, claims()]).toEqual([0, ''])
})
