import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Client, createClient } from '@specboard/client'
import { openApiDocument } from '@specboard/http'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrations } from '../../../packages/domain/src/schema/migrations/all.ts'
import { packedDatabaseName } from '../../../packages/domain/src/schema/packed-database.ts'
import { buildPackage } from '../../../tools/package/build.ts'
import { entries } from '../../../tools/package/entries.ts'
import { packTarball } from '../../../tools/package/pack.ts'
import { describeInBrowser, sharedBrowser, signIn } from '../../web/test/support/browser.ts'
import { projectClients } from '../src/init/client-files.ts'

/** Maximum size of the installation on a disk, MiB. */
const maxMiB = 60

/** How long packing, installing, compiling and filling a large board may take on a busy machine, ms. */
const limit = 180_000

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))

let folder: string
let tarball: string
let app: string
let server: ChildProcess
let url: string
let key: string
let client: Client

/** The machine as its owner has it: the Node that these tests run with, and no setting of the service. */
const environment = (): NodeJS.ProcessEnv => {
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^(?:SPECBOARD_|npm_|NODE_(?!EXTRA_CA_CERTS$))/.test(name),
  )
  return {
    ...Object.fromEntries(clean),
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    npm_config_cache: process.env.npm_config_cache ?? join(process.env.HOME ?? folder, '.npm'),
    npm_config_userconfig: join(process.env.HOME ?? folder, '.npmrc'),
  }
}

const inApp = (command: string, ...args: readonly string[]) => run(command, args, { cwd: app, env: environment() })

/** The installed command, as npx finds it. */
const bin = () => join(app, 'node_modules/.bin/specboard')

/** `npx specboard`, with the installed command. */
const specboard = (...args: readonly string[]) => inApp('npx', '--no-install', 'specboard', ...args)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-package-'))
  app = join(folder, 'app')
  mkdirSync(app)
  await buildPackage(join(folder, 'package'))
  tarball = packTarball(join(folder, 'package'), join(folder, 'packed'))
  await inApp('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball)
  await start()
}, limit)

afterAll(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the installed service as a user does, with data in the home folder. */
async function start(): Promise<void> {
  server = spawn(bin(), [], {
    cwd: app,
    env: { ...environment(), SPECBOARD_PORT: '0', SPECBOARD_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: server.stdout! })) {
    key = /^API key: (\S+)/.exec(line)?.[1] ?? key
    const found = /serves on (http:\S+)/.exec(line)?.[1]
    if (found === undefined) continue
    url = found
    client = createClient({ url, key })
    return
  }
  throw new Error('The installed service ended before it was ready.')
}

const stop = (): Promise<unknown> =>
  new Promise(resolve => {
    server.once('exit', resolve)
    server.kill('SIGTERM')
  })

describe('the package', () => {
  test(
    'is equal byte for byte when it is built again',
    async () => {
      await buildPackage(join(folder, 'again'))
      const again = packTarball(join(folder, 'again'), join(folder, 'packed-again'))
      expect(readFileSync(again).equals(readFileSync(tarball))).toBe(true)
    },
    limit,
  )

  test('takes `__proto__` off its objects first, in each thread and process (walls 2, rule 2)', () => {
    const dist = join(app, 'node_modules/specboard/dist')
    const read = (name: string) => readFileSync(join(dist, name), 'utf8')
    // `client` runs in the processes of others, `worker` is Piscina's own file, which imports one of these, and the
    // last starts no thread or process.
    const others = new Set(['client', 'worker', 'reduce-answer'])
    for (const name of Object.keys(entries()).filter(entry => !others.has(entry))) {
      const code = read(`${name}.js`)
      const first = /^import"\.\/(prototypes-[\w-]+\.js)"/.exec(code)?.[1]
      expect(first === undefined ? code : read(first), name).toContain(
        'Reflect.deleteProperty(Object.prototype,`__proto__`)',
      )
    }
  })

  test('depends on better-sqlite3 alone and is small when installed', () => {
    const packages = globSync('node_modules/{*,@*/*}/package.json', { cwd: app })
    expect(packages.map(file => dirname(file)).toSorted()).toEqual(
      ['better-sqlite3', 'node-addon-api', 'specboard'].map(name => join('node_modules', name)),
    )
    const files = globSync('node_modules/**', { cwd: app, withFileTypes: true }).filter(entry => entry.isFile())
    const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
    expect(bytes / 2 ** 20).toBeLessThan(maxMiB)
  })

  test('begins with a database that all migrations have made', () => {
    const file = join(app, 'node_modules/specboard/dist', packedDatabaseName)
    const unpacked = join(folder, 'new.db')
    writeFileSync(unpacked, brotliDecompressSync(readFileSync(file)))
    const database = new Sqlite(unpacked)
    const applied = database.prepare('select name from kysely_migration order by name').pluck().all()
    const events = database.prepare('select count(*) from events').pluck().get()
    database.close()
    expect(applied).toEqual(Object.keys(migrations))
    expect(events).toBe(0)
  })

  test('has every file that a thread or process begins with', () => {
    for (const name of Object.keys(entries()))
      expect(statSync(join(app, 'node_modules/specboard/dist', `${name}.js`)).isFile()).toBe(true)
  })

  test('asks for no file that it does not have', () => {
    const dist = join(app, 'node_modules/specboard/dist')
    const requires = globSync('*.js', { cwd: dist }).flatMap(file =>
      Array.from(readFileSync(join(dist, file), 'utf8').matchAll(/\brequire\(["'`](\.[^"'`]*)["'`]\)/g), ([, name]) => [
        file,
        name,
      ]),
    )
    expect(requires).toEqual([])
  })

  test('has sources that need one byte a character in memory', () => {
    const dist = join(app, 'node_modules/specboard/dist')
    const files = globSync('*.js', { cwd: dist })
    expect(files.filter(file => /[\u0080-\uffff]/.test(readFileSync(join(dist, file), 'utf8')))).toEqual([])
  })

  test('has no files that import each other in a circle', () => {
    const dist = join(app, 'node_modules/specboard/dist')
    const files = globSync('*.js', { cwd: dist })
    const imports = new Map(
      files.map(file => {
        const text = readFileSync(join(dist, file), 'utf8')
        return [file, Array.from(text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g), ([, name]) => name!)]
      }),
    )
    expect(imports.get('reading-thread.js')!.length).toBeGreaterThan(0)
    // Files that import none of the others are taken away until only circles are left.
    for (let free = files; free.length > 0; ) {
      free = [...imports].filter(([, names]) => !names.some(name => imports.has(name))).map(([file]) => file)
      for (const file of free) imports.delete(file)
    }
    expect([...imports.keys()]).toEqual([])
  })

  test('names the libraries in it with their licences, and no path of the machine that built it', () => {
    const home = join(app, 'node_modules/specboard')
    const notice = readFileSync(join(home, 'THIRD-PARTY-LICENSES'), 'utf8')
    for (const library of ['zod', 'hono', 'react', 'swagger-ui-dist', 'kysely', 'marked', 'minisearch'])
      expect(notice).toMatch(new RegExp(`^${library} \\d+\\.\\d+\\.\\d+\\nLicence: `, 'm'))
    const files = globSync('dist/**/*.{js,css,html,ts}', { cwd: home })
    expect(files.filter(file => readFileSync(join(home, file), 'utf8').includes(root))).toEqual([])
  })
})

describe('the command', () => {
  test('says its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect((await specboard('--version')).stdout.trim()).toBe(version)
  })

  test('speaks MCP over stdio', async () => {
    const child = spawn('npx', ['--no-install', 'specboard', 'mcp', '--url', url], {
      cwd: app,
      env: { ...environment(), SPECBOARD_API_KEY: key },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
    let output = ''
    for await (const chunk of child.stdout) output += chunk
    expect(JSON.parse(output).result.serverInfo.name).toBe('specboard')
  })

  /** Without npx, which takes as long as most commands. */
  const asOwner = (...args: readonly string[]) =>
    run(bin(), args, {
      cwd: app,
      env: { ...environment(), SPECBOARD_URL: url, SPECBOARD_API_KEY: key },
    })

  test.each(projectClients)(
    'connects a project with %s, and changes nothing the second time',
    async client => {
      const project = mkdtempSync(join(app, 'project-'))
      const inProject = async (): Promise<{ files: { path: string; changed: boolean }[] }> => {
        const env = { ...environment(), SPECBOARD_URL: url, SPECBOARD_API_KEY: key }
        const { stdout } = await run(bin(), ['init', '--yes', '--json', '--client', client], { cwd: project, env })
        return JSON.parse(stdout)
      }
      const first = await inProject()
      expect(first.files.map(({ changed }) => changed)).not.toContain(false)
      for (const { path } of first.files) expect(readFileSync(join(project, path), 'utf8')).not.toContain(key)
      expect((await inProject()).files.map(({ changed }) => changed)).not.toContain(true)
    },
    limit,
  )

  /**
   * The arguments with which each verb is called here, in this order; verbs that keep running or ask questions have
   * tests of their own.
   */
  const calls: readonly (readonly string[])[] = [
    ['key', 'create', '--name', 'Executor 1', '--preset', 'Executor'],
    ['person', 'add', 'Ada', '--preset', 'Executor'],
    ['oauth', 'client', 'add', 'Claude', '--redirect', 'https://claude.ai/api/mcp/auth_callback'],
    ['open', '--print'],
    ...projectClients.map(client => ['mcp-config', '--client', client]),
    ['mcp-tokens', '--toolsets', 'core', '--json'],
    ['call', 'create_board', '--name', 'Verbs', '--description', '', '--key', 'VRB'],
    ['call', '--list', 'webhook'],
    ['call', 'move_card', '--help'],
    ['add', 'Round the total', '--board', 'VRB', '--json'],
    ['ready', '--board', 'VRB'],
    ['take', 'VRB-2', '--board', 'VRB'],
    ['note', 'VRB-2', 'Half of it', '--board', 'VRB'],
    ['ask', 'VRB-2', 'Up or down?', '--board', 'VRB'],
    ['answer', 'VRB-2.q1', 'Up', '--board', 'VRB'],
    ['show', 'VRB-2', '--board', 'VRB'],
    ['add', 'Tell the sum', '--board', 'VRB', '--json'],
    ['block', 'VRB-3', '--on', 'VRB-2', '--board', 'VRB'],
    ['done', 'VRB-2', 'Rounded up', '--check', 'Tests pass', '--board', 'VRB'],
    ['prove', 'VRB-3', '--', 'node', '--version'],
    ['report', '--help'],
    ['ci', 'setup', '--help'],
    ['git', 'sync', '--help'],
    ['paths', 'who', 'src/a.ts', '--board', 'VRB'],
    ['status', '--board', 'VRB'],
    ['log', '--board', 'VRB'],
    ['whoami', '--json'],
    ['login', '--help'],
    ['logout', '--help'],
    ['hook', 'stop', '--dry-run'],
    ['export', 'VRB', '-o', 'verbs.zip', '--json'],
    ['import', 'verbs.zip', '--name', 'Again', '--no-keep-ids', '--json'],
    ['backup', '-o', 'saved.zip', '--json'],
    ['restore', 'saved.zip', '--data-dir', 'restored', '--json'],
    ['migrate', '--from', 'sqlite:restored', '--to', 'sqlite:moved', '--data-dir', 'moved', '--json'],
    ['kg', 'rebuild', '--data-dir', 'moved'],
    ['doctor', '--json'],
    ['version'],
    ['completion', 'bash'],
  ]
  const elsewhere = ['serve', 'mcp', 'init', 'watch', 'help']

  test('has no verb that is not run here', async () => {
    const { stdout } = await specboard('--help')
    const [, list] = /^Commands:\n(.*?)\n\n/ms.exec(stdout)!
    const verbs = Array.from(list!.matchAll(/^ {2}([\w-]+)/gm), ([, name]) => name!)
    expect(verbs.toSorted()).toEqual([...new Set(calls.map(([verb]) => verb!)), ...elsewhere].toSorted())
  })

  test.each(calls.map(args => ({ line: args.join(' '), args })))(
    'runs $line',
    async ({ args }) => {
      await asOwner(...args)
    },
    limit,
  )

  test('finds nothing wrong with its own folder', async () => {
    const { stdout } = await specboard('doctor', '--json')
    expect(JSON.parse(stdout).ok).toBe(true)
  })
})

describe('the service', () => {
  test('carries an idea over HTTP and MCP', async () => {
    const board = await client.createBoard({ name: 'Product', description: '' })
    const mcp = new McpClient({ name: 'test', version: '1' })
    const headers = { authorization: `Bearer ${key}` }
    await mcp.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }))
    const called = await mcp.callTool({
      name: 'create_ideation',
      arguments: { board_id: board.key, title: 'Export to CSV' },
    })
    expect(called.isError ?? false).toBe(false)
    await mcp.close()
    const { items } = await client.listIdeations({ board_id: board.id })
    expect(items.map(({ title }) => title)).toEqual(['Export to CSV'])
  })

  test(
    'runs what runs in threads and processes of its own',
    async () => {
      const max = 150
      const board = await client.createBoard({ name: 'Large', description: '' })
      const description = randomBytes(50_000).toString('hex')
      for (let count = 0; count < max; count++)
        await client.createIdeation({ board_id: board.id, title: `Idea ${count}`, description })
      // Large enough that a list without a limit is read by a thread.
      const { database } = await client.getServiceStatus()
      expect(database.size_bytes).toBeGreaterThan(16 << 20)
      expect((await client.listIdeations({ board_id: board.id })).items).toHaveLength(max)
      const found = await client.queryKgCypher({ board_id: board.id, cypher: 'MATCH (n) RETURN count(n) AS nodes' })
      expect(found.rows).toHaveLength(1)
      await specboard('backup', '-o', join(folder, 'backup.zip'))
      const exported = await client.exportBoard({ board_id: board.id })
      const file = new File([await exported.bytes()], 'board.specboard.zip', { type: 'application/zip' })
      const { board_id } = await client.importBoard({ file, name: 'Copy', keep_ids: false })
      expect((await client.listIdeations({ board_id: board_id!, limit: 1 })).total).toBe(max)
    },
    limit,
  )

  test('starts again on its data, the larger one checked in a thread', async () => {
    await stop()
    await start()
    expect((await client.listBoards({})).items.length).toBeGreaterThanOrEqual(2)
  })

  test.each([
    '/',
    '/docs',
    '/docs/swagger-ui.js',
    '/docs/guide',
    '/docs/guide/contract/cards.html',
    '/docs/guide/search.json',
    '/docs/swagger-ui.css',
    '/redoc',
    '/redoc/redoc.js',
    '/openapi.json',
  ])('answers %s', async path => {
    const response = await fetch(new URL(path, url))
    expect([response.status, (await response.text()).length > 200]).toEqual([200, true])
  })
})

test('operations whose schemas are made when they are needed are those of the contract', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(await (await fetch(new URL('/openapi.json', url))).json()).toEqual(JSON.parse(openApiDocument(version)))
})

describeInBrowser('the web board', () => {
  test(
    'is there at once, and signs in',
    async () => {
      const page = await (await sharedBrowser()).newPage()
      try {
        page.setDefaultTimeout(limit)
        await page.goto(url)
        await signIn(page, key)
        await page.goto(`${url}/docs`)
        await page.locator('.swagger-ui').first().waitFor()
      } finally {
        await page.close()
      }
    },
    limit,
  )
})

describe('specboard/client', () => {
  test('calls the service', async () => {
    const script = `
      import { ClientError, createClient } from 'specboard/client'
      const client = createClient({ url: process.argv[1], key: process.argv[2] })
      const board = await client.createBoard({ name: 'Typed', description: '' })
      const { total } = await client.listIdeations({ board_id: board.id, limit: 1 })
      const refused = await client.getBoard({ board_id: 'absent' }).catch(error => error)
      console.log(JSON.stringify([board.name, total, refused instanceof ClientError, refused.status]))`
    const { stdout } = await inApp(process.execPath, '--input-type=module', '-e', script, url, key)
    expect(JSON.parse(stdout)).toEqual(['Typed', 0, true, 404])
  })

  test('is used as docs/client.md shows', async () => {
    const page = readFileSync(join(root, 'docs/client.md'), 'utf8')
    const blocks = Array.from(page.matchAll(/^```ts client\n(.*?)^```$/gms), ([, text]) => text)
    expect(blocks.length).toBeGreaterThan(1)
    const script = blocks.join('\n').replace('http://127.0.0.1:8100', url)
    writeFileSync(join(app, 'shown.mts'), script)
    const env = { ...environment(), SPECBOARD_API_KEY: key }
    const { stdout } = await run(process.execPath, ['shown.mts'], { cwd: app, env })
    expect(stdout).toMatch(/INVALID_TRANSITION.*\n1 1\n/s)
  })

  test(
    'has the types of the client in this repository, without zod',
    async () => {
      const types = join(app, 'node_modules/specboard/dist/client.js')
      // Inside the repository, so that the compiler finds the workspace's packages too.
      mkdirSync(join(root, 'dist'), { recursive: true })
      const program = mkdtempSync(join(root, 'dist/types-'))
      try {
        writeFileSync(
          join(program, 'agree.ts'),
          `import type { Client as Derived } from '@specboard/client'
           import type { Client as Published } from '${types}'

           type Same = { [Name in keyof Derived | keyof Published]:
             Derived extends Record<Name, infer Method>
               ? Published extends Record<Name, infer Promised> ? Method extends Promised ? never : Name : Name
               : Name }[keyof Derived | keyof Published]
           const differing: [Same] extends [never] ? 'none' : Same = 'none'
           export default differing

           declare const published: Published
           export const moved = async () => (await published.moveCard({ card_id: 'c', target_status: 'done' })).status
           // @ts-expect-error: no such status
           export const refused = () => published.moveCard({ card_id: 'c', target_status: 'finished' })
           // @ts-expect-error: which card is missing
           export const incomplete = () => published.getCard({})\n`,
        )
        writeFileSync(
          join(program, 'tsconfig.json'),
          JSON.stringify({
            extends: join(root, 'tsconfig.base.json'),
            // As most users have it.
            compilerOptions: { exactOptionalPropertyTypes: false, skipLibCheck: false, types: ['node'] },
            files: ['agree.ts'],
          }),
        )
        const tsc = join(root, 'node_modules/typescript/bin/tsc')
        const checked = run(process.execPath, [tsc, '--noEmit', '--project', program]).catch(error => error)
        expect((await checked).stdout).toBe('')
      } finally {
        rmSync(program, { recursive: true, force: true })
      }
    },
    limit,
  )
})
