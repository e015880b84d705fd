import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { operationByName } from '@specboard/contract'
import { openService } from '@specboard/domain'
import { describeOnSqlite, testOnSqlite } from '@specboard/storage/on-sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allVerbs } from '../src/commands.ts'
import { withInner } from '../src/frame/verb-tree.ts'
import { commandLine } from './support/command-line.ts'

const [main = ''] = commandLine().args

/** The exit code and output of a finished command. */
interface Finished {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/**
 * The environment without settings, with its own home, which contains the data folder unless a variable says otherwise.
 */
function environmentWith(variables: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SPECBOARD_')))
  return { ...clean, HOME: folder, USERPROFILE: folder, ...variables }
}

function specboard(args: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<Finished> {
  const child = spawn(process.execPath, [main, ...args], { env: environmentWith(variables) })
  let output = ''
  let errors = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  return new Promise(resolve => child.once('close', code => resolve({ code, output, errors })))
}

let folder: string
let dataDir: string
let server: ReturnType<typeof spawn>
let url: string
let key: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-cli-'))
  dataDir = join(folder, 'data')
  server = spawn(process.execPath, [main, 'serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'silent'], {
    env: environmentWith({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: server.stdout! })) {
    key = /^API key: (\S+)/.exec(line)?.[1] ?? key
    url = /serves on (http:\S+)/.exec(line)?.[1] ?? url
    if (url !== undefined) break
  }
})

afterAll(async () => {
  const ended = new Promise(resolve => server.once('exit', resolve))
  server.kill('SIGTERM')
  expect(await ended).toBe(0)
  rmSync(folder, { recursive: true, force: true })
})

const statusOf = async (bearer: string) =>
  (await fetch(`${url}/api/v1/boards`, { headers: { authorization: `Bearer ${bearer}` } })).status

test.each([[['--help']], [['import', '--help']]])('%j ends well where nobody reads on', async args => {
  const child = spawn(process.execPath, [main, ...args], {
    env: environmentWith({}),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  expect([await new Promise(resolve => child.once('close', resolve)), errors]).toEqual([0, ''])
})

describeOnSqlite('serve', () => {
  test('prints a well-formed key once, and it works', async () => {
    expect(key).toMatch(/^dash_[0-9a-f]{48}$/)
    expect(await statusOf(key)).toBe(200)
  })

  test('a second server on the folder is refused at once', async () => {
    const { code, errors, output } = await specboard(['serve', '--port', '0', '--data-dir', dataDir])
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(/^specboard: Another specboard uses the data folder .*\n$/)
  })

  test('a port in use is one clear line, and makes no owner whose key nobody would see', async () => {
    const listener = createServer()
    await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
    const { port } = listener.address() as { port: number }
    const untouched = join(folder, 'other')
    const { code, errors } = await specboard(['serve', '--port', String(port), '--data-dir', untouched])
    listener.close()
    expect(code).toBe(1)
    expect(errors).toMatch(/^specboard: The port is in use\. .*--port.*\n$/)
    expect(existsSync(untouched)).toBe(false)
  })

  test('a file that is not a database is refused and left unchanged', async () => {
    const bad = join(folder, 'bad')
    mkdirSync(bad)
    const text = 'no database\n'.repeat(100)
    writeFileSync(join(bad, 'specboard.db'), text)
    const { code, errors } = await specboard(['serve', '--port', '0', '--data-dir', bad])
    expect(code).toBe(1)
    expect(errors).toMatch(
      /^specboard: specboard\.db in \S+ is damaged: file is not a database\. Restore a backup \(newest: none\)\.\n$/,
    )
    expect(readFileSync(join(bad, 'specboard.db'), 'utf8')).toBe(text)
  })

  test('the owner key from the environment is used and not printed', async () => {
    const own = `dash_${'0123456789ab'.repeat(4)}`
    const ownFolder = join(folder, 'own')
    const child = spawn(
      process.execPath,
      [main, 'serve', '--port', '0', '--data-dir', ownFolder, '--log-level', 'silent'],
      {
        env: environmentWith({ SPECBOARD_OWNER_API_KEY: own }),
      },
    )
    let output = ''
    let address = ''
    for await (const line of createInterface({ input: child.stdout })) {
      output += line
      address = /serves on (http:\S+)/.exec(line)?.[1] ?? address
      if (address !== '') break
    }
    const answer = await fetch(`${address}/api/v1/boards`, { headers: { 'x-api-key': own } })
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGINT')
    expect([answer.status, await ended]).toEqual([200, 0])
    expect(output).not.toContain('dash_')
    expect(readdirSync(ownFolder)).toContain('specboard.db')
  })

  test.each<[string[], Record<string, string>, RegExp]>([
    [['serve'], { SPECBOARD_PORT: '70000' }, /^specboard: SPECBOARD_PORT must be a port/],
    [
      ['serve'],
      { SPECBOARD_OWNER_API_KEY: 'dash_short' },
      /^specboard: SPECBOARD_OWNER_API_KEY must be "dash_" and 48[^"]*\.\n$/,
    ],
    [
      ['serve'],
      { SPECBOARD_KG_QUEUE_MAX_ATTEMPTS: '11' },
      /^specboard: SPECBOARD_KG_QUEUE_MAX_ATTEMPTS must be a whole number from 1 to 10/,
    ],
    [
      ['serve'],
      { SPECBOARD_DATABASE_URL: 'postgres://x:hidden@host' },
      /^specboard: The address of the PostgreSQL database names no database(?!.*hidden)/,
    ],
    [
      ['serve', '--backup-dir', '/backups'],
      { SPECBOARD_DATABASE_URL: 'postgres://host/database' },
      /^specboard: SPECBOARD_BACKUP_DIR backs up the embedded database only/,
    ],
    [['backup'], { SPECBOARD_DATABASE_URL: 'postgres://host/database' }, /^specboard: .*pg_basebackup or pg_dump/],
    [['restore', 'file'], { SPECBOARD_DATABASE_URL: 'postgres://host/database' }, /^specboard: .*specboard migrate/],
    [['serve', '--data-dir', '/dev/null'], {}, /^specboard: .*--data-dir/],
  ])('%j with %j says what is wrong', async (args, variables, message) => {
    const { code, errors } = await specboard(args, variables)
    expect(code).toBe(1)
    expect(errors).toMatch(message)
  })

  test.each<[string[], RegExp]>([
    [['serve', '--port', 'x'], /^specboard: --port must be a port .*, not "x"\.\n$/],
    [['mcp-config', '--client', 'emacs'], /^specboard: --client must be one of .*, not "emacs"\.\n$/],
  ])('%j is wrong use', async (args, message) => {
    const { code, errors } = await specboard(args)
    expect([code, errors]).toEqual([2, expect.stringMatching(message)])
  })
})

describeOnSqlite('key, while the server is running', () => {
  test('create adds an agent with a preset', async () => {
    const { code, output } = await specboard([
      'key',
      'create',
      '--name',
      'Codex',
      '--preset',
      'Executor',
      '--data-dir',
      dataDir,
    ])
    const apiKey = /^API key: (dash_[0-9a-f]{48})\n$/.exec(output)?.[1] ?? ''
    expect([code, await statusOf(apiKey)]).toEqual([0, 200])
  })

  test('create with an unknown preset names the known ones', async () => {
    const { code, errors } = await specboard([
      'key',
      'create',
      '--name',
      'Codex',
      '--preset',
      'King',
      '--data-dir',
      dataDir,
    ])
    expect(code).toBe(1)
    expect(errors).toMatch(/No built-in preset is named "King".*Executor/)
  })

  test('list names who has a key, and revoke takes one away from the next request on', async () => {
    const at = ['--data-dir', dataDir, '--json']
    const created = JSON.parse((await specboard(['key', 'create', '--name', 'Passing', ...at])).output)
    expect([created.preset, await statusOf(created.api_key)]).toEqual(['Executor', 200])
    const listed = JSON.parse((await specboard(['key', 'list', ...at])).output).items as Record<string, unknown>[]
    const entry = listed.find(({ name }) => name === 'Passing')!
    expect(entry).toMatchObject({ preset: 'Executor', is_active: true, kind: 'agent' })
    expect(created.api_key.startsWith(entry.api_key_prefix)).toBe(true)
    expect(JSON.stringify(listed)).not.toContain(created.api_key)
    const revoked = await specboard(['key', 'revoke', 'Passing', ...at])
    expect([revoked.code, JSON.parse(revoked.output).api_key_prefix]).toEqual([0, ''])
    expect(await statusOf(created.api_key)).toBe(401)
    const [owner, nobody] = await Promise.all([
      specboard(['key', 'revoke', 'Local Owner', ...at]),
      specboard(['key', 'revoke', 'Nobody', ...at]),
    ])
    expect([owner.code, nobody.code]).toEqual([1, 1])
    expect(owner.errors).toContain('reset-owner')
    expect(JSON.parse(nobody.output).detail.message).toContain('key list')
  })

  test('reset-owner: the old key is refused from the next request on', async () => {
    const { output } = await specboard(['key', 'reset-owner', '--data-dir', dataDir])
    const fresh = /^API key: (dash_[0-9a-f]{48})\n$/.exec(output)?.[1] ?? ''
    expect([await statusOf(key), await statusOf(fresh)]).toEqual([401, 200])
  })
})

testOnSqlite('variables that are no settings are named, with the one that was meant', async () => {
  const { code, output } = await specboard(['doctor', '--data-dir', dataDir], {
    SPECBOARD_BACKUP_DRI: '/backups',
    SPECBOARD_FOO: 'bar',
    SPECBOARD_MCP_TOOLS: 'get_card',
    SPECBOARD_SERVICE_HOST: '10.0.0.1',
  })
  expect(code).toBe(1)
  expect(output).toContain(
    'BAD  variable: SPECBOARD_BACKUP_DRI is not a setting and has no effect; did you mean SPECBOARD_BACKUP_DIR?',
  )
  expect(output).toContain(
    'BAD  variable: SPECBOARD_FOO is not a setting and has no effect; "specboard serve --help" lists all',
  )
  expect(output.match(/^BAD/gm)).toHaveLength(2)
})

testOnSqlite('doctor prints the settings without secrets and finds everything in order', async () => {
  const { code, output } = await specboard(['doctor', '--data-dir', dataDir], {
    SPECBOARD_OWNER_API_KEY: `dash_${'0'.repeat(48)}`,
  })
  expect(code).toBe(0)
  expect(output).toMatch(/SPECBOARD_OWNER_API_KEY +\(set\)/)
  expect(output).not.toMatch(/dash_0/)
  expect(output).toMatch(/ok +integrity: ok/)
  expect(output).toMatch(/ok +server: one is running on this folder/)
})

testOnSqlite('kg rebuild rebuilds the graphs of a stopped folder, and is refused while a server runs', async () => {
  const beside = await specboard(['kg', 'rebuild', '--data-dir', dataDir])
  expect(beside.code).toBe(1)
  expect(beside.errors).toMatch(/^specboard: Another specboard uses the data folder/)
  const stopped = join(folder, 'stopped')
  const world = await openService({ folder: stopped, version: '0' })
  const caller = await world.service.authenticate(world.ownerKey)
  const make = (name: string, params: Record<string, string>, body: unknown) =>
    world.service.perform({
      operation: operationByName.get(name)!,
      input: { params, query: {}, body },
      caller,
    })
  const board = await make('create_board', {}, { name: 'Graph', description: '' })
  await make('create_ideation', { board_id: (board.body as { id: string }).id }, { title: 'Idea' })
  await world.close()
  const { code, output } = await specboard(['kg', 'rebuild', '--data-dir', stopped])
  expect([code, output]).toEqual([0, 'rebuilt 1 records of 1 boards, 0 failed\n'])
})

test('--version and --help answer, an unknown command is refused', async () => {
  const [version, help, unknown] = await Promise.all([specboard(['-v']), specboard(['--help']), specboard(['fly'])])
  expect([version.code, help.code, unknown.code]).toEqual([0, 0, 2])
  expect(version.output).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(help.output).toContain('Examples:')
  expect(unknown.errors).toContain("unknown command 'fly'")
})

describe('completion', () => {
  /** What bash offers after a line. */
  async function offered(...words: readonly string[]): Promise<string[]> {
    const { output } = await specboard(['completion', 'bash'])
    const quotedWords = words.map(word => `'${word}'`).join(' ')
    const script = `${output}\nCOMP_WORDS=(specboard ${quotedWords}); COMP_CWORD=${words.length}; _specboard; printf '%s\\n' "\${COMPREPLY[@]}"`
    const child = spawn('bash', ['-c', script])
    let stdout = ''
    child.stdout.on('data', chunk => {
      stdout += chunk
    })
    await new Promise(resolve => child.once('close', resolve))
    return stdout.split('\n').filter(word => word !== '')
  }

  test('offers verbs, those below them, and flags', async () => {
    expect(await offered('ser')).toEqual(['serve'])
    expect(await offered('key', '')).toEqual(expect.arrayContaining(['create', 'list', 'revoke', 'reset-owner']))
    expect(await offered('key', 'create', '--pre')).toEqual(['--preset'])
    expect(await offered('backup', '-o', 'x.zip', '--k')).toEqual(['--keep'])
  })

  test('knows three shells', async () => {
    const [zsh, fish, other] = await Promise.all(['zsh', 'fish', 'csh'].map(shell => specboard(['completion', shell])))
    expect(zsh!.output).toMatch(/^#compdef specboard\n/)
    // In a shell where completion is not set up, the script sets it up.
    expect(zsh!.output).toContain('autoload -Uz compinit && compinit')
    expect(fish!.output).toContain("complete -c specboard -f -n 'not __fish_seen_subcommand_from")
    expect([other!.code, other!.errors]).toEqual([2, expect.stringContaining('bash, zsh, fish')])
  })
})

test('every verb that ends has --json', async () => {
  // A hook's output has the form that its client expects.
  const streams = ['serve', 'mcp', 'prove', 'hook']
  const verbs = withInner(await allVerbs()).filter(
    ({ verbs: inner, words }) => inner.length === 0 && words[0] !== 'call',
  )
  const without = verbs.filter(({ flags }) => !flags.some(({ names }) => names.includes('--json')))
  expect(without.map(({ words }) => words.join(' ')).filter(name => !streams.includes(name))).toEqual([])
})
