import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCommandIn } from './support/command.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let scene: Scene
let folder: string
let ref: string

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
      SPECBOARD_URL: world.running.url,
      SPECBOARD_API_KEY: world.owner.key,
    },
  }).trimEnd()

const run = async (...args: readonly string[]) => {
  const variables = { SPECBOARD_URL: world.running.url, SPECBOARD_API_KEY: world.owner.key }
  const { code, output, errors } = await runCommandIn({ variables, folder }, 'git', ...args)
  expect([code, errors]).toEqual([0, ''])
  return output
}

const sync = async (...args: readonly string[]) =>
  JSON.parse(await run('sync', '--board', scene.boardId, '--json', ...args))

function commit(name: string, message: string): string {
  writeFileSync(join(folder, name), `${message}\n`)
  git('add', '-A')
  git('commit', '-q', '-m', message)
  return git('rev-parse', 'HEAD')
}

const changes = async (fields: object = {}) => world.ok('list_changes', { board_id: scene.boardId, ...fields })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-git-'))
  scene = await Scene.on(world)
  ref = (await world.ok('get_card', { card_id: await scene.smallChange() })).ref
  git('init', '-q', '-b', 'main')
  commit('README', 'Begin')
  git('switch', '-q', '-c', 'work')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('sync sends what the service lacks, with figures and paths; a second one sends nothing (git 5)', async () => {
  const first = commit('one.ts', `Add one\n\nSpecboard: ${ref}`)
  expect(await sync('--create')).toMatchObject({ commits: 2, branches: 2, linked: 1, problems: [] })
  expect(await changes({ sha: first.slice(0, 8) })).toMatchObject([
    {
      title: 'Add one',
      parents: [git('rev-parse', 'main')],
      tree: git('rev-parse', 'HEAD^{tree}'),
      files_changed: 1,
      additions: 3,
      deletions: 0,
      paths: ['one.ts'],
      branches: ['work'],
      state: 'open',
      confirmed_by: 'sync',
      links: [{ ref, how: 'trailer' }],
    },
  ])
  expect(await sync()).toMatchObject({ commits: 0, branches: 0 })
  commit('two.ts', 'Add two')
  expect(await sync()).toMatchObject({ commits: 1, branches: 1 })
  expect(await run('status', '--board', scene.boardId)).toContain('everything is sent')
})

test('a repository that the board lacks is made with --create alone', async () => {
  const variables = { SPECBOARD_URL: world.running.url, SPECBOARD_API_KEY: world.owner.key }
  const result = await runCommandIn({ variables, folder }, 'git', 'sync', '--board', scene.boardId)
  expect([result.code, result.errors]).toEqual([1, expect.stringContaining('--create')])
  git('remote', 'add', 'origin', 'https://ada:s3cret-word@github.com/acme/shop.git')
  await sync('--create')
  const [repository] = await world.ok('list_repositories', { board_id: scene.boardId })
  expect(repository).toMatchObject({ url: 'https://github.com/acme/shop.git', forge: 'github' })
})

test('an amended commit, a rebase and a forced branch take the links along', async () => {
  const first = commit('one.ts', `Add one (${ref})`)
  await sync('--create')
  git('commit', '-q', '--amend', '-m', 'Add the first one')
  const amended = git('rev-parse', 'HEAD')
  await sync()
  const [before] = await changes({ sha: first })
  expect(before).toMatchObject({ rewritten_as: amended })
  expect((await changes({ sha: amended }))[0].links).toMatchObject([{ ref, how: 'inherited' }])
  git('switch', '-q', 'main')
  commit('other.ts', 'Other work')
  git('switch', '-q', 'work')
  git('rebase', '-q', 'main')
  await sync()
  expect((await changes({ sha: git('rev-parse', 'work') }))[0].links).toMatchObject([{ ref }])
  git('switch', '-q', 'main')
  git('merge', '-q', '--ff-only', 'work')
  await sync()
  expect((await changes({ sha: git('rev-parse', 'work') }))[0]).toMatchObject({ state: 'merged' })
  git('branch', '-q', '-D', 'work')
  await sync()
  expect(await sync()).toMatchObject({ commits: 0, branches: 0 })
  const branches = await changes({ kind: 'branch', unlinked: true })
  expect(branches).toMatchObject([{ name: 'main' }, { name: 'work', state: 'merged' }])
})

/** Waits until the service knows a commit. */
async function knownChange(sha: string) {
  for (;;) {
    const [change] = await changes({ sha })
    if (change !== undefined) return change
    await pause(50)
  }
}

test('hooks send each commit, also of another work tree, keep what was there, and leave no trace', async () => {
  const hook = join(folder, '.git/hooks/post-commit')
  writeFileSync(hook, '#!/bin/sh\necho called >> "$(git rev-parse --git-common-dir)/called"\n')
  chmodSync(hook, 0o755)
  await sync('--create')
  expect(await run('install-hooks', '--trailer', '--board', scene.boardId)).toContain('post-rewrite')
  const sha = commit('one.ts', `Add one (${ref})`)
  expect(readFileSync(join(folder, '.git/called'), 'utf8')).toBe('called\n')
  expect(await knownChange(sha)).toMatchObject({ links: [{ ref }] })
  git('commit', '-q', '--amend', '-m', 'Add the first one')
  await knownChange(git('rev-parse', 'HEAD'))
  git('worktree', 'add', '-q', join(folder, 'tree'), '-b', 'other')
  appendFileSync(join(folder, '.git/info/exclude'), 'tree\n')
  const claim = git('-C', 'tree', 'rev-parse', '--absolute-git-dir')
  execFileSync('mkdir', ['-p', join(claim, 'specboard')])
  writeFileSync(join(claim, 'specboard/claim'), `${ref}\n`)
  git('-C', 'tree', 'commit', '-q', '--allow-empty', '-m', 'From another work tree')
  const other = git('rev-parse', 'other')
  expect(git('log', '-1', '--format=%(trailers:key=Specboard,valueonly)', 'other')).toBe(ref)
  expect(await knownChange(other)).toMatchObject({ links: [{ ref, how: 'trailer' }] })
  await run('install-hooks', '--uninstall')
  expect(readFileSync(hook, 'utf8')).toContain('called')
  const hooks = readdirSync(join(folder, '.git/hooks')).filter(name => !name.endsWith('.sample'))
  expect(hooks).toEqual(['post-commit'])
  expect(existsSync(join(folder, '.git/specboard'))).toBe(false)
})

test('a hook of ours that somebody edited is kept beside the new one, and when it is removed', async () => {
  const hook = join(folder, '.git/hooks/post-commit')
  const edit = (line: string) =>
    writeFileSync(hook, readFileSync(hook, 'utf8').replace(/exit 0\n$/, `${line}\nexit 0\n`))
  const install = () => run('install-hooks', '--board', scene.boardId)
  expect(await install()).not.toContain('Edited by hand')
  expect(await install()).not.toContain('Edited by hand')
  edit('echo first')
  expect(await install()).toContain(`Edited by hand, so kept: ${hook}.edited.`)
  expect(readFileSync(hook, 'utf8')).not.toContain('echo first')
  expect(readFileSync(`${hook}.edited`, 'utf8')).toContain('echo first')
  edit('echo second')
  expect(await run('install-hooks', '--uninstall')).toContain(`${hook}.edited-2`)
  expect(existsSync(hook)).toBe(false)
  expect(readFileSync(`${hook}.edited-2`, 'utf8')).toContain('echo second')
})

test('a hook hinders nothing where the service is away: what it noted goes with the next sync', async () => {
  await sync('--create')
  await run('install-hooks', '--board', scene.boardId)
  const env = { ...process.env, SPECBOARD_URL: 'http://127.0.0.1:9', SPECBOARD_API_KEY: 'dash_none' }
  const first = commit('one.ts', `Add one (${ref})`)
  await knownChange(first)
  execFileSync(
    'git',
    ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '--amend', '-m', 'One'],
    {
      cwd: folder,
      env,
    },
  )
  const amended = git('rev-parse', 'HEAD')
  for (;;) {
    await sync()
    const [change] = await changes({ sha: first })
    if (change.rewritten_as === amended) break
    await pause(50)
  }
})

test('link links a commit by hand, and status names the card of the branch', async () => {
  const sha = commit('one.ts', 'Add one')
  await sync('--create')
  await run('link', sha.slice(0, 10), ref, '--board', scene.boardId)
  expect((await changes({ sha }))[0].links).toMatchObject([{ ref, how: 'manual' }])
  git('switch', '-q', '-c', `${ref.toLowerCase()}-more`)
  commit('two.ts', 'Add two')
  const status = JSON.parse(await run('status', '--board', scene.boardId, '--json'))
  expect(status).toMatchObject({
    branch: `${ref.toLowerCase()}-more`,
    card: { ref },
    unsent_commits: expect.any(Number),
  })
})

test('install-hooks offers the address of the agent, sets it where asked, and takes it back (git 8)', async () => {
  const { agent_id } = await world.ok('get_my_permissions', {})
  const email = `${agent_id}@specboard`
  git('config', 'user.email', 'ada@example.com')
  expect(await run('install-hooks', '--board', scene.boardId)).toContain(`git config user.email ${email}`)
  expect(git('config', 'user.email')).toBe('ada@example.com')
  expect(await run('install-hooks', '--email', '--board', scene.boardId)).toContain(`authored as ${email}`)
  expect(git('config', 'user.email')).toBe(email)
  expect(await run('install-hooks', '--board', scene.boardId)).not.toContain(email)
  await run('install-hooks', '--uninstall')
  expect(git('config', '--local', '--list')).toMatch(/^user\.email=ada@example\.com$/m)
  expect(git('config', '--local', '--list')).not.toContain('specboard')
  const { code } = await runCommandIn(
    { variables: { SPECBOARD_URL: 'http://127.0.0.1:9' }, folder },
    'git',
    'install-hooks',
  )
  expect(code).toBe(0)
})

test('status tells the proof of the card of the branch (git 5)', async () => {
  git('switch', '-q', '-c', `${ref.toLowerCase()}-proof`)
  await sync('--create')
  const { id } = await world.ok('begin_proof_run', { board_id: scene.boardId, for: [ref], command: 'pnpm test' })
  await world.ok('finish_proof_run', { run_id: id, exit_code: 0 })
  expect(await run('status', '--board', scene.boardId)).toContain('proof: proven, observed')
  const status = JSON.parse(await run('status', '--board', scene.boardId, '--json'))
  expect(status.card.proof).toMatchObject({ status: 'proven', tier: 'observed' })
})

test('a shallow clone sends what it has, and says so', async () => {
  commit('one.ts', `Add one (${ref})`)
  commit('two.ts', 'Add two')
  const whole = folder
  folder = mkdtempSync(join(tmpdir(), 'specboard-shallow-'))
  try {
    git('clone', '-q', '--depth', '1', `file://${whole}`, '.')
    git('remote', 'remove', 'origin')
    expect(await sync('--create')).toMatchObject({ shallow: true, commits: 1 })
    const [change] = await changes({ sha: git('rev-parse', 'HEAD') })
    expect(change.state).toBe('open')
  } finally {
    rmSync(folder, { recursive: true, force: true })
    folder = whole
  }
})

test('two clones of a bare repository that is named by its path are one repository of the board (git 5)', async () => {
  const shared = mkdtempSync(join(tmpdir(), 'specboard-bare-'))
  const mine = folder
  try {
    git('clone', '-q', '--bare', '.', join(shared, 'shop.git'))
    git('remote', 'add', 'origin', join(shared, 'shop.git'))
    await sync('--create')
    for (const [name, remote] of [
      ['absolute', join(shared, 'shop.git')],
      ['relative', '../shop.git'],
    ] as const) {
      folder = mine
      git('clone', '-q', join(shared, 'shop.git'), join(shared, name))
      folder = join(shared, name)
      git('remote', 'set-url', 'origin', remote)
      expect(await sync()).toMatchObject({ repository: 'shop', commits: 0 })
    }
    const repositories = await world.ok('list_repositories', { board_id: scene.boardId })
    expect(repositories).toMatchObject([{ url: `file://${join(shared, 'shop.git')}`, forge: 'plain' }])
  } finally {
    rmSync(shared, { recursive: true, force: true })
    folder = mine
  }
})

test('a clone that fetches without encryption is the repository of that host and path (git 5)', async () => {
  const url = 'https://git.example:3000/acme/shop'
  await world.ok('create_repository', { board_id: scene.boardId, url, forge: 'gitea' })
  git('remote', 'add', 'origin', 'http://git.example:3000/acme/shop.git')
  expect(await sync()).toMatchObject({ repository: 'shop', commits: 1 })
})
