/** Where the address and the key of a verb come from, with real processes (harness 1). */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runCommandIn } from './support/command.ts'
import { commandLine } from './support/command-line.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World
let ada: TestAgent
let folder: string
let project: string
let keys: string

beforeAll(async () => {
  world = await World.start()
  ada = await world.agent({ preset_id: 'Executor' })
})

afterAll(() => world.stop())

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-login-'))
  project = join(folder, 'project/deep/inside')
  keys = join(folder, 'config/specboard')
  mkdirSync(project, { recursive: true })
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a verb in the folder of the project, of a user who has saved keys or none. */
const run = (args: readonly string[], variables: Record<string, string> = {}, input?: string) =>
  runCommandIn(
    {
      variables: { SPECBOARD_CONFIG_DIR: keys, ...variables },
      folder: project,
      ...(input !== undefined && { input }),
    },
    ...args,
  )

const file = () => join(keys, 'credentials.json')

const url = () => world.running.url

const login = (args: readonly string[] = [], key = ada.key, variables: Record<string, string> = {}) =>
  run(['login', url(), '--key-stdin', ...args], variables, `${key}\n`)

/** Writes the file of the project, two folders above the one in which verbs run. */
const putProject = (content: object) =>
  writeFileSync(join(folder, 'project/.specboard.json'), JSON.stringify({ url: url(), board: 'PRO', ...content }))

const whoami = async (args: readonly string[] = [], variables: Record<string, string> = {}) => {
  const { code, output, errors } = await run(['whoami', '--json', ...args], variables)
  expect([code, errors]).toEqual([0, ''])
  return JSON.parse(output)
}

describe('login', { timeout: 120_000 }, () => {
  test('tries the key, and saves it for the user alone', async () => {
    const { code, output, errors } = await login()
    expect([code, errors]).toEqual([0, ''])
    expect(output).toBe(`Agent 1 at ${url()}\n`)
    const saved = JSON.parse(readFileSync(file(), 'utf8'))
    expect(saved).toEqual({
      version: 1,
      services: {
        [url()]: {
          default: { key: ada.key, agent_id: ada.id, agent_name: 'Agent 1', saved_at: expect.any(String) },
        },
      },
    })
    expect([statSync(file()).mode & 0o777, statSync(keys).mode & 0o777]).toEqual([0o600, 0o700])
  })

  test('a key that the service refuses is not saved, nor one that is none', async () => {
    const refused = await login([], `dash_${'0'.repeat(48)}`)
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('refuses the key')])
    const none = await login([], 'two words')
    expect([none.code, none.errors]).toEqual([2, expect.stringContaining('one word')])
    expect(existsSync(file())).toBe(false)
  })

  test('without a terminal it wants the key on standard input; a broken address is wrong use', async () => {
    const result = await run(['login', url()])
    expect([result.code, result.errors]).toEqual([2, expect.stringContaining('--key-stdin')])
    for (const address of ['nowhere', 'ftp://host', 'https://me:secret@host']) {
      const { code, errors } = await run(['login', address, '--key-stdin'], {}, ada.key)
      expect([code, errors]).toEqual([2, expect.stringContaining('is not an address')])
    }
    expect((await run(['login', url(), '--profile', '../x', '--key-stdin'], {}, ada.key)).code).toBe(2)
  })

  test('a service that is away saves nothing', async () => {
    const { code, errors } = await run(['login', 'http://127.0.0.1:9', '--key-stdin'], {}, ada.key)
    expect([code, errors]).toEqual([1, expect.stringContaining('does not answer')])
    expect(existsSync(file())).toBe(false)
  })

  test('profiles stand side by side, and logout takes out one', async () => {
    await login()
    const result = await login(['--profile', 'owner', '--json'], world.owner.key)
    expect(JSON.parse(result.output)).toMatchObject({ profile: 'owner', agent_id: world.owner.id, file: file() })
    expect(await whoami()).toMatchObject({ agent_id: ada.id })
    expect(await whoami(['--profile', 'owner'])).toMatchObject({ agent_id: world.owner.id })
    expect(await whoami([], { SPECBOARD_PROFILE: 'owner' })).toMatchObject({ agent_id: world.owner.id })
    putProject({ profile: 'owner' })
    expect(await whoami()).toMatchObject({ agent_id: world.owner.id, board: 'PRO' })
    expect(await whoami(['--profile', 'default'])).toMatchObject({ agent_id: ada.id })
    expect((await run(['logout', url(), '--profile', 'owner'])).code).toBe(0)
    const again = await run(['logout', url(), '--profile', 'owner'])
    expect([again.code, again.errors]).toEqual([1, expect.stringContaining(`saved keys: ${url()} (default)`)])
    expect((await run(['logout', url(), '--profile', 'default'])).code).toBe(0)
    expect(existsSync(file())).toBe(false)
  })

  test('no verb of keys prints one', async () => {
    const runs = [await login(), await run(['whoami']), await run(['whoami', '--json']), await run(['logout', url()])]
    for (const { output, errors } of runs) expect(output + errors).not.toContain(ada.key.slice(5, 20))
  })

  test.skipIf(spawnSync('script', ['--version']).status !== 0)('what a person types is not shown', async () => {
    const { command, args } = commandLine('login', url())
    const line = [command, ...args].map(word => `'${word}'`).join(' ')
    const env = { ...process.env, SPECBOARD_CONFIG_DIR: keys }
    const child = spawn('script', ['-qec', line, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', chunk => {
      // Input is not hidden before the question appears.
      if (output === '') child.stdin.write(`${ada.key}x\u007f\r`)
      output += chunk
    })
    const [code] = await once(child, 'close')
    expect(output.split(/[\r\n]+/)).toEqual([`API key for ${url()}: `, `Agent 1 at ${url()}`, ''])
    expect(code).toBe(0)
    expect(await whoami(['--url', url()])).toMatchObject({ agent_id: ada.id })
  })
})

describe('found in this order', { timeout: 120_000 }, () => {
  test('address: flag, variable, project, the only saved one, default', async () => {
    const nowhere = await run(['whoami'])
    expect([nowhere.code, nowhere.errors]).toEqual([
      2,
      expect.stringContaining('specboard login http://127.0.0.1:8100'),
    ])
    await login()
    expect(await whoami()).toMatchObject({ url: url(), url_from: file() })
    putProject({})
    const project = join(folder, 'project/.specboard.json')
    expect(await whoami()).toMatchObject({ url: url(), url_from: project, board: 'PRO', board_from: project })
    putProject({ url: 'http://127.0.0.1:9' })
    expect(await whoami([], { SPECBOARD_URL: url() })).toMatchObject({ url_from: 'SPECBOARD_URL' })
    const identity = await whoami(['--url', url()], { SPECBOARD_URL: 'http://127.0.0.1:9' })
    expect(identity).toMatchObject({ url_from: '--url', key_from: `${file()}, profile default` })
  })

  test('key: flag, variable, saved', async () => {
    await login()
    const variables = { SPECBOARD_API_KEY: world.owner.key }
    expect(await whoami([], variables)).toMatchObject({ agent_id: world.owner.id, key_from: 'SPECBOARD_API_KEY' })
    expect(await whoami(['--key', ada.key], variables)).toMatchObject({ agent_id: ada.id, key_from: '--key' })
    expect(await whoami()).toMatchObject({ agent_id: ada.id, preset: 'Executor' })
  })

  test.each([
    ['whoami', []],
    ['ready', ['--board', 'PRO']],
    ['call', ['list_boards']],
    ['watch', ['PRO']],
    ['export', ['PRO']],
    ['git', ['status', '--board', 'PRO']],
    ['prove', ['PRO-1', '--require', '--', 'true']],
  ])('%s wants a key, and says how to have one', async (verb, args) => {
    const { code, output, errors } = await run([verb, ...args], { SPECBOARD_URL: 'http://127.0.0.1:9' })
    expect([code, output + errors]).toEqual([2, expect.stringContaining('specboard login http://127.0.0.1:9')])
  })
})

describe('a project cannot take a key away', { timeout: 120_000 }, () => {
  let thief: Server
  let address: string | undefined
  let requests: number

  beforeAll(async () => {
    requests = 0
    thief = createServer((_request, response) => {
      requests++
      response.end('{}')
    })
    await new Promise<void>(resolve => thief.listen(0, '0.0.0.0', resolve))
    const { port } = thief.address() as AddressInfo
    const outside = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
    const { address: host } = outside.find(({ internal, family }) => !internal && family === 'IPv4') ?? {}
    address = `http://${host ?? 'thief.invalid'}:${port}`
  })

  afterAll(() => new Promise(resolve => thief.close(resolve)))

  test.each([
    [['whoami'], {}],
    [['whoami', '--key', `dash_${'1'.repeat(48)}`], {}],
    [['ready'], { SPECBOARD_API_KEY: `dash_${'1'.repeat(48)}` }],
    [['login', '--key-stdin'], {}],
    [['mcp'], { SPECBOARD_API_KEY: `dash_${'1'.repeat(48)}` }],
  ])('%j: exit code 2 with the command, and nothing is sent', async (args, variables) => {
    await login()
    putProject({ url: address })
    const { code, output, errors } = await run(args, variables, ada.key)
    expect([code, output]).toEqual([2, ''])
    expect(errors).toContain(`specboard login ${address}`)
    expect(requests).toBe(0)
  })

  test('what somebody said is trusted: a variable, or saved keys', async () => {
    putProject({ url: address })
    const result = await run(['whoami'], { SPECBOARD_URL: url(), SPECBOARD_API_KEY: ada.key })
    expect(result.code).toBe(0)
    mkdirSync(keys, { recursive: true, mode: 0o700 })
    const saved = { default: { key: ada.key, agent_id: ada.id, agent_name: 'Ada', saved_at: 'then' } }
    writeFileSync(file(), JSON.stringify({ version: 1, services: { [address!]: saved } }), { mode: 0o600 })
    expect((await run(['whoami'])).errors).not.toContain('Unknown service')
  })

  test('keys in its files are not read, and doctor names them', async () => {
    putProject({ key: ada.key, api_key: ada.key })
    writeFileSync(join(folder, 'project/.mcp.json'), JSON.stringify({ env: { SPECBOARD_API_KEY: ada.key } }))
    expect((await run(['whoami'])).code).toBe(2)
    const { output } = await run(['doctor', '--json', '--port', '0', '--data-dir', join(folder, 'data')])
    expect(output).not.toContain(ada.key)
    const { findings } = JSON.parse(output) as { findings: { name: string; ok: boolean; says: string }[] }
    const leaks = findings.filter(({ name }) => name === 'key in a project')
    expect(leaks.map(({ ok, says }) => [ok, /project\/(\S+) holds/.exec(says)?.[1]])).toEqual([
      [false, '.specboard.json'],
      [false, '.mcp.json'],
    ])
  })
})

describe('saved keys that others may read', { timeout: 120_000 }, () => {
  test.runIf(process.platform !== 'win32')('are not used: exit code 2 with the command that mends it', async () => {
    await login()
    chmodSync(file(), 0o640)
    const { code, errors } = await run(['whoami', '--url', url()])
    expect([code, errors]).toEqual([2, expect.stringContaining(`chmod 600 ${file()}`)])
    expect((await login()).code).toBe(2)
    expect((await run(['whoami'], { SPECBOARD_URL: url(), SPECBOARD_API_KEY: ada.key })).code).toBe(0)
    chmodSync(file(), 0o600)
    chmodSync(keys, 0o777)
    expect((await run(['whoami', '--url', url()])).errors).toContain(`chmod 700 ${keys}`)
    const { output } = await run(['doctor', '--json', '--port', '0', '--data-dir', join(folder, 'data')])
    const { findings } = JSON.parse(output) as { findings: { name: string; ok: boolean; says: string }[] }
    expect(findings.find(({ name }) => name === 'saved keys')).toMatchObject({ ok: false })
  })

  test('a file that holds something else is told, never written over', async () => {
    mkdirSync(keys, { recursive: true, mode: 0o700 })
    for (const text of [
      '',
      '{',
      '[]',
      '{"version":2,"services":{}}',
      '{"version":1,"services":{"http://a":{"b":1}}}',
    ]) {
      writeFileSync(file(), text, { mode: 0o600 })
      const { code, errors } = await login()
      expect([code, errors]).toEqual([2, expect.stringContaining('does not hold saved keys')])
      expect(readFileSync(file(), 'utf8')).toBe(text)
    }
  })
})
