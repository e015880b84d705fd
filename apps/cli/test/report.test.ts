/** `specboard report` as a process, against a service (evidence 11). */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CiIssuer } from './support/ci-issuer.ts'
import { runCommandIn } from './support/command.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let issuer: CiIssuer
let scene: Scene
let spec: string
let spec_id: string
let folder: string

beforeAll(async () => {
  issuer = await CiIssuer.start()
  const files = mkdtempSync(join(tmpdir(), 'specboard-keys-'))
  const oidcJwksFile = join(files, 'keys.json')
  writeFileSync(oidcJwksFile, JSON.stringify({ [issuer.issuer]: issuer.keys }))
  world = await World.start({ oidcJwksFile })
})

afterAll(async () => {
  await issuer.stop()
  await world.stop()
})

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).trim()

function commit(name: string, message: string): string {
  writeFileSync(join(folder, name), message)
  git('add', '-A')
  git('commit', '-q', '-m', message)
  return git('rev-parse', 'HEAD')
}

beforeEach(async () => {
  scene = await Scene.on(world)
  spec_id = await scene.specWithScenarios()
  spec = (await world.ok('get_spec', { spec_id })).ref
  folder = mkdtempSync(join(tmpdir(), 'specboard-report-'))
  git('init', '-q', '-b', 'main')
  git('remote', 'add', 'origin', 'https://github.com/acme/shop.git')
  writeFileSync(join(folder, '.git/info/exclude'), 'reports\n')
  mkdirSync(join(folder, 'reports'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFileSync(join(folder, 'reports', name), text)

const tap = (...lines: readonly string[]) => `TAP version 14\n1..${lines.length}\n${lines.join('\n')}\n`

const repository = (ci?: object) =>
  world.ok('create_repository', {
    board_id: scene.boardId,
    name: 'shop',
    url: 'https://github.com/acme/shop.git',
    ...(ci !== undefined && { ci }),
  })

const ciKey = async (): Promise<string> =>
  (await world.ok('create_agent', { board_ids: [scene.boardId], name: `CI ${Math.random()}`, kind: 'ci' })).api_key

const run = (variables: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runCommandIn(
    {
      variables: { SPECBOARD_URL: world.running.url, SPECBOARD_BOARD: scene.boardId, ...withoutCi, ...variables },
      folder,
    },
    'report',
    ...args,
  )

/** Empties the variables of the CI system that runs these tests. */
const withoutCi = Object.fromEntries(
  ['FORGEJO_ACTIONS', 'GITEA_ACTIONS', 'GITHUB_ACTIONS', 'GITLAB_CI', 'BUILDKITE', 'CIRCLECI', 'TF_BUILD', 'DRONE']
    .concat(['JENKINS_URL', 'CI', 'CI_SYSTEM_NAME', 'ACTIONS_ID_TOKEN_REQUEST_URL', 'GITHUB_EVENT_PATH'])
    .map(name => [name, '']),
)

const reports = () => world.ok('list_test_reports', { board_id: scene.boardId })

describe('by the key of a ci agent', () => {
  test('sends files, commit and branch from git, and the commits of the push; prints what it set', async () => {
    await repository()
    const card_id = await scene.smallChange()
    const { ref } = await world.ok('get_card', { card_id })
    const sha = commit('a.ts', `Add a\n\nSpecboard: ${ref}`)
    write('one.tap', tap(`ok 1 - ${spec}/s1 works`, 'not ok 2 - other'))
    write('two.tap', tap(`ok 1 - ${spec}/s1 again`, 'ok 2 - other one'))
    const result = await run({ SPECBOARD_API_KEY: await ciKey() }, 'reports/*.tap')
    expect([result.code, result.errors]).toEqual([0, ''])
    expect(result.output.split('\n')).toEqual([
      'tests: failed (ci), 4 executed, 3 passed, 1 failed, 0 skipped',
      '',
      'scenario  was    is      tests',
      `${spec}/s1  draft  passed  2`,
      '',
      `It speaks for ${ref}.`,
      '',
      '2 of the tests prove nothing; set_scenario_tests links them:',
      '- other',
      '- other one',
      '',
    ])
    expect(await reports()).toMatchObject([
      { commit: sha, branch: 'main', tier: 'ci', tier_reason: 'ci_key', repository: 'shop', name: 'tests' },
    ])
    const [change] = await world.ok('list_changes', { board_id: scene.boardId, sha })
    expect(change).toMatchObject({ confirmed_by: 'ci', state: 'merged', links: [{ ref, how: 'trailer' }] })
    const again = await run({ SPECBOARD_API_KEY: await ciKey() }, 'reports/*.tap', '--json')
    expect([again.code, JSON.parse(again.output).id]).toEqual([0, (await reports())[0].id])
  })

  test('takes what GitHub Actions says: the head of a pull request, never its trial merge', async () => {
    await repository()
    const base = commit('a.ts', 'Begin')
    git('switch', '-q', '-c', 'topic')
    const head = commit('b.ts', 'Work')
    git('switch', '-q', 'main')
    git('merge', '-q', '--no-ff', '-m', 'Trial', 'topic')
    const merge = git('rev-parse', 'HEAD')
    const event = join(folder, 'reports/event.json')
    const repo = { full_name: 'acme/shop' }
    const pull_request = { head: { sha: head, ref: 'topic', repo }, base: { sha: base, ref: 'main', repo } }
    writeFileSync(event, JSON.stringify({ pull_request }))
    write('one.tap', tap('ok 1 - works'))
    const actions = {
      GITHUB_ACTIONS: 'true',
      GITHUB_SHA: merge,
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_EVENT_PATH: event,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_RUN_ID: '9001',
      GITHUB_RUN_ATTEMPT: '2',
    }
    const result = await run({ SPECBOARD_API_KEY: await ciKey(), ...actions }, 'reports/one.tap', '--name', 'unit')
    expect([result.code, result.errors]).toEqual([0, ''])
    expect(await reports()).toMatchObject([
      {
        name: 'unit',
        commit: head,
        tested_commit: merge,
        branch: 'topic',
        pull_request: 7,
        ci_run: '9001',
        attempt: 2,
        run_url: 'https://github.com/acme/shop/actions/runs/9001/attempts/2',
      },
    ])
    const changes = await world.ok('list_changes', { board_id: scene.boardId, unlinked: true, kind: 'commit' })
    expect(changes.map(({ sha }: { sha: string }) => sha)).toEqual([head])
    const elsewhere = [
      '--commit',
      base,
      '--branch',
      'main',
      '--run',
      '5',
      '--attempt',
      '1',
      '--run-url',
      'https://ci/5',
    ]
    await run({ SPECBOARD_API_KEY: await ciKey(), ...actions }, 'reports/one.tap', ...elsewhere)
    expect((await reports())[0]).toMatchObject({
      commit: base,
      tested_commit: null,
      branch: 'main',
      ci_run: '5',
      attempt: 1,
      run_url: 'https://ci/5',
    })
  })

  test('previews without storing anything, and speaks for what it is told to', async () => {
    await repository()
    const sha = commit('a.ts', 'Begin')
    write('one.tap', tap(`ok 1 - ${spec}/s1 works`))
    const key = await ciKey()
    const preview = await run({ SPECBOARD_API_KEY: key }, 'reports/one.tap', '--preview', '--for', spec)
    expect([preview.code, preview.output]).toEqual([0, expect.stringContaining('preview, nothing is stored')])
    expect(preview.output).toContain(`${spec}/s1  draft  passed`)
    expect(await reports()).toEqual([])
    expect(await world.ok('list_changes', { board_id: scene.boardId, sha })).toEqual([])
    const result = await run({ SPECBOARD_API_KEY: key }, 'reports/one.tap', '--for', spec)
    expect(result.output).toContain(`It speaks for ${spec}.`)
  })

  test('exits with 3 under --strict where a scenario failed or nothing is proved', async () => {
    await repository()
    commit('a.ts', 'Begin')
    const SPECBOARD_API_KEY = await ciKey()
    const strict = async (name: string, line: string) => {
      write(`${name}.tap`, tap(line))
      return (await run({ SPECBOARD_API_KEY }, `reports/${name}.tap`, '--strict', '--name', name)).code
    }
    expect(await strict('good', `ok 1 - ${spec}/s1 works`)).toBe(0)
    expect(await strict('bad', `not ok 1 - ${spec}/s1 works`)).toBe(3)
    expect(await strict('other', 'ok 1 - another thing')).toBe(3)
    expect((await run({ SPECBOARD_API_KEY }, 'reports/bad.tap', '--name', 'bad')).code).toBe(0)
  })

  test('is bound to no commit where tracked files differ from it', async () => {
    await repository()
    commit('a.ts', 'Begin')
    writeFileSync(join(folder, 'a.ts'), 'changed')
    write('one.tap', tap('ok 1 - works'))
    const result = await run({ SPECBOARD_API_KEY: await ciKey() }, 'reports/one.tap')
    expect([result.code, result.errors]).toEqual([0, expect.stringContaining('bound to no commit')])
    expect(await reports()).toMatchObject([{ commit: null, branch: 'main' }])
  })

  test('packs what is too large for one body', async () => {
    await repository()
    commit('a.ts', 'Begin')
    const lines = Array.from(
      { length: 45_000 },
      (_, index) => `<testcase name="case ${index}" classname="${'suite '.repeat(30)}${index * 7919}"/>`,
    )
    write('large.xml', `<testsuite name="large">${lines.join('\n')}</testsuite>`)
    const result = await run({ SPECBOARD_API_KEY: await ciKey() }, 'reports/large.xml')
    expect([result.code, result.output.split('\n')[0]]).toEqual([0, expect.stringContaining('45000 passed')])
  })
})

describe('by the OIDC token of the job', () => {
  const audience = () => `specboard:${scene.boardId}`

  /** Answers requests for a token in place of the CI system. */
  async function tokens(claims: Readonly<Record<string, unknown>>): Promise<{ server: Server; url: string }> {
    const server = createServer(async ({ url, headers }, response) => {
      const aud = new URL(url!, 'http://localhost').searchParams.get('audience')
      if (headers.authorization !== 'Bearer of-the-job' || aud !== audience()) response.writeHead(403).end()
      else response.end(JSON.stringify({ value: await issuer.token(aud, { claims }) }))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?job=1` }
  }

  test('that GitHub Actions gives', async () => {
    const { id } = await repository({ issuer: issuer.issuer })
    const sha = commit('a.ts', 'Begin')
    write('one.tap', tap(`ok 1 - ${spec}/s1 works`))
    const { server, url } = await tokens({ sha })
    const variables = {
      GITHUB_ACTIONS: 'true',
      GITHUB_SHA: sha,
      GITHUB_REF: 'refs/heads/main',
      GITHUB_RUN_ID: '77',
      ACTIONS_ID_TOKEN_REQUEST_URL: url,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
    }
    const result = await run(variables, 'reports/one.tap')
    const refused = await run({ ...variables, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'other' }, 'reports/one.tap')
    const unnamed = await run({ ...variables, SPECBOARD_BOARD: 'KEY' }, 'reports/one.tap')
    server.close()
    expect([result.code, result.errors]).toEqual([0, ''])
    expect(await reports()).toMatchObject([
      { repository_id: id, commit: sha, ci_run: '9001', tier: 'ci', tier_reason: 'ci_token', submitted_by: `ci:${id}` },
    ])
    const [change] = await world.ok('list_changes', { board_id: scene.boardId, sha })
    expect(change).toMatchObject({ confirmed_by: 'ci' })
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('id-token: write')])
    expect([unnamed.code, unnamed.errors]).toEqual([2, expect.stringContaining('by its id')])
  })

  test('in SPECBOARD_ID_TOKEN, of a branch that is not trusted: observed, and commits are a word', async () => {
    await repository({ issuer: issuer.issuer })
    commit('a.ts', 'Begin')
    git('switch', '-q', '-c', 'topic')
    const sha = commit('b.ts', 'Work')
    write('one.tap', tap('ok 1 - works'))
    const SPECBOARD_ID_TOKEN = await issuer.token(audience(), { claims: { sha, ref: 'refs/heads/topic' } })
    const result = await run({ SPECBOARD_ID_TOKEN }, 'reports/one.tap')
    expect([result.code, result.errors]).toEqual([0, expect.stringContaining('only as observed (ref_not_trusted)')])
    expect(await reports()).toMatchObject([{ tier: 'observed', tier_reason: 'ref_not_trusted' }])
    const [change] = await world.ok('list_changes', { board_id: scene.boardId, sha })
    expect(change).toMatchObject({ confirmed_by: 'sync' })
    const refused = await run({ SPECBOARD_ID_TOKEN: `${SPECBOARD_ID_TOKEN}x` }, 'reports/one.tap', '--json')
    expect([refused.code, JSON.parse(refused.output).detail.error]).toEqual([1, 'UNAUTHORIZED'])
  })

  test('specboard prove takes it too, as often as the job runs a command', async () => {
    const { id } = await repository({ issuer: issuer.issuer })
    const sha = commit('a.ts', 'Begin')
    const SPECBOARD_ID_TOKEN = await issuer.token(audience(), { claims: { sha } })
    const variables = { SPECBOARD_URL: world.running.url, ...withoutCi, SPECBOARD_ID_TOKEN }
    for (const line of ['ok 1 - works', 'ok 1 - works', 'ok 1 - works too']) {
      const script = `echo '${tap(line)}' > reports/one.tap`
      const ran = await runCommandIn(
        { variables, folder },
        ...['prove', `${spec}/s1`, '--report', 'reports/*.tap', '--', 'sh', '-c', script],
      )
      expect([ran.code, ran.errors]).toEqual([0, expect.stringContaining('passed (ci)')])
    }
    expect(await reports()).toMatchObject(
      Array.from({ length: 3 }, () => ({ tier: 'ci', commit: sha, repository_id: id })),
    )
  })

  test('specboard prove with a key is of the repository of its clone, among several', async () => {
    const { id } = await repository()
    await world.ok('create_repository', { board_id: scene.boardId, url: 'https://github.com/acme/other' })
    const sha = commit('a.ts', 'Begin')
    const variables = { SPECBOARD_URL: world.running.url, SPECBOARD_API_KEY: world.owner.key }
    const ran = await runCommandIn({ variables, folder }, 'prove', `${spec}/s1`, '--', 'true')
    expect(ran.code).toBe(0)
    const proof = await world.ok('get_proof', { entity_type: 'spec', entity_id: spec_id })
    expect(proof).toMatchObject({ tier: 'observed', commit: sha, repository_id: id })
  })
})

describe('what goes wrong', () => {
  test('nothing to send, nobody to send it as, no board: wrong use', async () => {
    write('one.tap', tap('ok 1 - works'))
    const SPECBOARD_API_KEY = await ciKey()
    expect(await run({ SPECBOARD_API_KEY }, 'reports/*.xml')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('No file matches'),
    })
    expect(await run({}, 'reports/one.tap')).toMatchObject({ code: 2, errors: expect.stringContaining('ci setup') })
    const nowhere = await run({ SPECBOARD_API_KEY, SPECBOARD_BOARD: '' }, 'reports/one.tap')
    expect([nowhere.code, nowhere.errors]).toEqual([2, expect.stringContaining('Name a board')])
  })

  test('a report that is refused is not sent, whatever the effort', async () => {
    write('half.xml', '<testsuite name="cut"><testcase')
    const result = await run({ SPECBOARD_API_KEY: await ciKey() }, 'reports/half.xml', '--best-effort')
    expect([result.code, result.errors]).toEqual([1, expect.stringContaining('half.xml')])
    expect(await reports()).toEqual([])
  })

  test('a service that is away is asked three times; --best-effort warns alone', async () => {
    write('one.tap', tap('ok 1 - works'))
    let requests = 0
    const server = createServer((_, response) => {
      requests++
      response.writeHead(503, { 'retry-after': '0' }).end('{"detail":{"error":"BUSY","message":"Ask again."}}')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const busy = {
      SPECBOARD_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      SPECBOARD_API_KEY: 'dash_none',
    }
    const result = await run(busy, 'reports/one.tap')
    expect([result.code, requests]).toEqual([1, 3])
    const bestEffort = await run(busy, 'reports/one.tap', '--best-effort')
    expect([bestEffort.code, bestEffort.errors]).toEqual([0, expect.stringContaining('the report was not sent')])
    await new Promise(resolve => server.close(resolve))
    const away = await run(
      { ...busy, SPECBOARD_URL: 'http://127.0.0.1:9' },
      'reports/one.tap',
      '--best-effort',
      '--json',
    )
    expect([away.code, JSON.parse(away.output).detail.error]).toEqual([0, 'UNREACHABLE'])
  })
})

describe('ci setup', () => {
  const setup = (...args: readonly string[]) =>
    runCommandIn(
      { variables: { SPECBOARD_URL: world.running.url, SPECBOARD_API_KEY: world.owner.key }, folder },
      ...['ci', 'setup', '--board', scene.boardId, ...args],
    )

  test('registers the repository, trusts its pipeline and prints the lines; a second run changes nothing', async () => {
    const result = await setup()
    expect([result.code, result.errors]).toEqual([0, expect.stringContaining('only reaches this machine')])
    expect(result.output).toContain('trusts https://token.actions.githubusercontent.com for refs/heads/main')
    expect(result.output).toContain(`SPECBOARD_BOARD: "${scene.boardId}"`)
    const [entry] = await world.ok('list_repositories', { board_id: scene.boardId })
    expect(entry).toMatchObject({
      forge: 'github',
      ci: { subject: 'acme/shop', audience: `specboard:${scene.boardId}` },
    })
    const again = JSON.parse((await setup('--json')).output)
    expect(again).toMatchObject({ repository_id: entry.id, pipeline: 'github', ci: entry.ci })
    expect(await world.ok('list_repositories', { board_id: scene.boardId })).toEqual([entry])
  })

  test('tells how to make a key where jobs have no tokens, and refuses what it does not know', async () => {
    git('remote', 'set-url', 'origin', 'https://git.acme.example/acme/shop.git')
    const result = await setup('--forge', 'gitea')
    expect([result.code, result.output]).toEqual([0, expect.stringContaining('--kind ci')])
    const [entry] = await world.ok('list_repositories', { board_id: scene.boardId })
    expect(entry).toMatchObject({ forge: 'gitea', ci: null })
    expect(await setup('--forge', 'svn')).toMatchObject({ code: 2, errors: expect.stringContaining('svn') })
    await world.ok('update_repository', { repository_id: entry.id, ci: { issuer: 'https://ci.example' } })
    const other = await setup('--forge', 'forgejo')
    expect([other.code, other.errors]).toEqual([1, expect.stringContaining('update_repository')])
  })
})
