import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { runCommandIn } from './support/command.ts'
import { Scene } from './support/scene.ts'
import { World } from './support/world.ts'

let world: World
let folder: string
let scene: Scene
let spec: string
let spec_id: string

beforeAll(async () => {
  world = await World.start()
  scene = await Scene.on(world)
  spec_id = await scene.specWithScenarios()
  spec = (await world.ok('get_spec', { spec_id })).ref
})

afterAll(() => world.stop())

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-prove-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: readonly string[]) =>
  runCommandIn(
    {
      variables: { SPECBOARD_URL: world.running.url, SPECBOARD_API_KEY: world.owner.key, MY_TOKEN: 'hunter22' },
      folder,
    },
    'prove',
    ...args,
  )

const proof = () => world.ok('get_proof', { entity_type: 'spec', entity_id: spec_id })

test('ends as its command does, and sets what it names', async () => {
  const failure = await run(`${spec}/s1`, '--', 'sh', '-c', 'echo out $MY_TOKEN; echo err >&2; exit 3')
  expect(failure).toMatchObject({ code: 3, output: 'out hunter22\n' })
  expect(failure.errors).toContain(`failed (observed), ${spec}/s1 draft → failed`)
  expect(await proof()).toMatchObject({ status: 'failing', tier: 'observed' })
  const success = await run(`${spec}/s1`, '--', 'sh', '-c', 'true')
  expect(success.code).toBe(0)
  expect(await proof()).toMatchObject({ status: 'proven', tier: 'observed', tier_reason: 'run' })
  expect((await run(`${spec}/s1`, '--', 'sh', '-c', 'kill -9 $$')).code).toBe(137)
  expect((await run(`${spec}/s1`, '--', 'no-such-command')).code).toBe(127)
})

test('sends the report files that the command wrote, and what was tested', async () => {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
      .toString()
      .trim()
  git('init', '-q')
  writeFileSync(join(folder, 'a.txt'), 'a')
  git('add', '.')
  git('commit', '-qm', 'Begin')
  const commit = git('rev-parse', 'HEAD')
  writeFileSync(join(folder, 'b.txt'), 'b')
  const tap = `TAP version 14\nok 1 - ${spec}/s1 works\n1..1\n`
  const done = await run(
    spec,
    '--report',
    '*.tap',
    '--',
    'sh',
    '-c',
    `printf '${tap.replaceAll('\n', '\\n')}' > out.tap`,
  )
  expect([done.code, done.errors]).toEqual([0, expect.stringContaining('passed (observed)')])
  const [report] = await world.ok('list_test_reports', { board_id: scene.boardId })
  expect(report).toMatchObject({ tier: 'observed', passed: 1, commit: null })
  expect(git('status', '--porcelain').split('\n')).toEqual(['?? b.txt', '?? out.tap'])
  git('add', 'b.txt')
  git('commit', '-qm', 'Add b')
  expect(report.tree).toBe(git('rev-parse', 'HEAD^{tree}'))
  expect(commit).not.toBe(git('rev-parse', 'HEAD'))
})

test('runs the command where the service is away, unless it is required', async () => {
  const away = (...args: readonly string[]) =>
    runCommandIn(
      { variables: { SPECBOARD_URL: 'http://127.0.0.1:9', SPECBOARD_API_KEY: world.owner.key }, folder },
      'prove',
      ...args,
    )
  const ran = await away(spec, '--', 'sh', '-c', 'echo ran; exit 4')
  expect(ran).toMatchObject({ code: 4, output: 'ran\n' })
  expect(ran.errors).toContain('nothing is stored')
  expect(await away('--require', spec, '--', 'sh', '-c', 'echo ran')).toMatchObject({ code: 1, output: '' })
})

test('says what is wrong with its words', async () => {
  expect((await run(spec)).code).toBe(2)
  expect((await run(`${spec}/none`, '--', 'true')).code).toBe(2)
})
