/** A PostgreSQL server for tests: the one given in the environment, or one of their own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

/** Whether tests of services run on PostgreSQL: SQLite unless `SPECBOARD_TEST_ENGINE` is `postgres`. */
export const onPostgres = process.env.SPECBOARD_TEST_ENGINE === 'postgres'

/** A server on which databases are created and removed. */
export interface TestServer {
  /** The URL of the server, with the database that it always has. */
  readonly url: string
  /** Creates an empty database, or a copy of one that nobody is connected to; returns its URL. */
  database(template?: string): Promise<string>
  /** Removes a database, even while clients are connected. */
  drop(url: string): Promise<void>
  /** Ends the server if the tests started it, otherwise removes their remaining databases. */
  stop(): Promise<void>
}

/** The folder of PostgreSQL's programs; undefined when there are none on this machine. */
function programs(): string | undefined {
  const installed = '/usr/lib/postgresql'
  const versions = existsSync(installed)
    ? readdirSync(installed).toSorted((one, other) => Number(other) - Number(one))
    : []
  const folders = [...(process.env.PATH ?? '').split(':'), ...versions.map(version => join(installed, version, 'bin'))]
  return folders.find(folder => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

/** `pnpm test` leaves PostgreSQL to `pnpm test:all`. */
const isLeftOut = process.env.SPECBOARD_TESTS === 'quick' && !onPostgres

/** Why no server is used for tests here; undefined when one is. */
export function whyNoServer(): string | undefined {
  if (isLeftOut) return 'left to pnpm test:all'
  if (process.env.SPECBOARD_TEST_DATABASE_URL !== undefined || programs() !== undefined) return undefined
  return 'no PostgreSQL: set SPECBOARD_TEST_DATABASE_URL, or install its programs (initdb, postgres)'
}

/** The databases that tests run on, each with a title that says why it is missing here. */
export function testEngines() {
  const missing = whyNoServer()
  return [
    { engine: 'sqlite', title: 'on SQLite', isMissing: false },
    {
      engine: 'postgres',
      title: `on PostgreSQL${missing === undefined ? '' : `: ${missing}`}`,
      isMissing: missing !== undefined,
    },
  ] as const
}

/** A database of PostgreSQL for one service of a test. */
export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** One for all files of a worker; it ends with the run. */
let serverOfRun: Promise<TestServer> | undefined

/** A new database for a service of a test, migrated if the run has a template; undefined where tests run on SQLite. */
export async function newDatabase(): Promise<TestDatabase | undefined> {
  if (!onPostgres) return undefined
  serverOfRun ??= testServer()
  const { database, drop } = await serverOfRun
  const url = await database(process.env.SPECBOARD_TEST_TEMPLATE)
  return { url, drop: () => drop(url) }
}

/**
 * A new database on a server of its own, if one can be started. On a shared server, what other tests write holds back
 * the stream of all boards.
 */
export async function newServerDatabase(): Promise<TestDatabase | undefined> {
  if (!onPostgres || !canStartServer()) return newDatabase()
  const { database, stop } = await privateServer({ options: volatileOptions })
  return { url: await database(), drop: stop }
}

/** Settings that make a server faster when its data need not survive a crash. */
export const volatileOptions: readonly string[] = ['fsync=off', 'full_page_writes=off']

/**
 * A server for tests: that of `SPECBOARD_TEST_DATABASE_URL`, otherwise one of the machine's programs in a folder of its
 * own.
 */
export async function testServer(): Promise<TestServer> {
  const configuredUrl = process.env.SPECBOARD_TEST_DATABASE_URL
  if (configuredUrl === undefined) {
    const { url, stop } = await started(programs()!)
    return { ...databasesOf(url), stop }
  }
  const { urls, drop, ...databases } = databasesOf(configuredUrl)
  return {
    ...databases,
    drop,
    stop: async () => {
      for (const url of [...urls]) await drop(url)
    },
  }
}

function databasesOf(url: string) {
  const urls = new Set<string>()
  return {
    url,
    urls,
    database: async (template?: string) => {
      const own = new URL(url)
      own.pathname = `/specboard_test_${randomBytes(6).toString('hex')}`
      const source = template === undefined ? 'template0' : nameIn(template)
      await onServer(url, `create database ${nameIn(own.href)} template ${source}`)
      urls.add(own.href)
      return own.href
    },
    drop: async (database: string) => {
      await onServer(url, `drop database if exists ${nameIn(database)} with (force)`)
      urls.delete(database)
    },
  }
}

const nameIn = (url: string): string => new URL(url).pathname.slice(1)

/** Runs a statement on a database; returns its rows. */
export async function onServer<Row = Record<string, unknown>>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Begins a transaction that writes, like a long unit of work; returns the function that ends it. */
export async function openTransaction(url: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  return () => client.end()
}

/** Locks a table against everybody else; returns the function that releases it. */
export async function lockTable(url: string, table: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await client.query(`lock table ${table}`)
  return () => client.end()
}

/** How a private server differs from the usual one, which admits everybody. */
export interface ServerSettings {
  /** Files of its data folder, by name. */
  readonly files?: Readonly<Record<string, string>>
  /** Settings of the server, as `name=value`. */
  readonly options?: readonly string[]
}

/**
 * A server that only its test knows, whatever the environment says: it may have settings of its own, and be restarted.
 */
export async function privateServer(settings: ServerSettings = {}): Promise<TestServer & { restart(): Promise<void> }> {
  const { url, stop, restart } = await started(programs()!, settings)
  return { ...databasesOf(url), stop, restart }
}

/** A server that follows another one, and may take its place. */
export interface Standby {
  readonly url: string
  /** Makes it accept writes. */
  promote(): Promise<void>
  /** Ends it, and starts it again. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts a server that follows another one of this machine, which `privateServer` started, from a copy of its files. */
export async function standbyOf(primary: string): Promise<Standby> {
  const client = new Client({ connectionString: primary })
  await client.connect()
  try {
    const [{ data_directory: source }] = (await client.query('show data_directory')).rows
    await client.query("select pg_backup_start('standby', true)")
    const copy = (data: string, user: Owner) => {
      execFileSync('cp', ['-a', source, data], { ...user, cwd: tmpdir() })
      for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(data, file), { force: true })
    }
    const follow = async (put: (name: string, content: string) => void) => {
      const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
      put('backup_label', rows[0].labelfile)
      put('standby.signal', '')
      put('postgresql.auto.conf', `primary_conninfo = '${primary}'\n`)
    }
    const { url, stop, restart } = await started(programs()!, {}, copy, follow)
    return { url, stop, restart, promote: async () => void (await onServer(url, 'select pg_promote()')) }
  } finally {
    await client.end()
  }
}

/** Whether tests may start a server of their own: this machine has the programs for one. */
export const canStartServer = (): boolean => !isLeftOut && programs() !== undefined

/** The user that owns a data folder and runs its server. */
type Owner = { uid?: number; gid?: number }

/**
 * Starts a server that nobody else knows. PostgreSQL refuses to run as root, so it then runs as a user of its own.
 * @param make fills its data folder; by default with a new cluster
 * @param complete adds files to it
 */
async function started(
  bin: string,
  { files = {}, options: further = [] }: ServerSettings = {},
  make: (data: string, user: Owner) => void = (data, user) => {
    const locale = ['--encoding=UTF8', '--locale=C.UTF-8']
    execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', ...locale], {
      ...user,
      cwd: tmpdir(),
      stdio: 'ignore',
    })
  },
  complete: (put: (name: string, content: string) => void) => Promise<void> = async () => {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-postgres-'))
  chmodSync(folder, 0o755)
  const user = process.getuid?.() === 0 ? userOf('postgres') : {}
  if (user.uid !== undefined) execFileSync('chown', [`${user.uid}:${user.gid}`, folder])
  const data = join(folder, 'data')
  make(data, user)
  const put = (name: string, content: string) => {
    const file = join(data, name)
    writeFileSync(file, content, { mode: 0o600 })
    if (user.uid !== undefined) chownSync(file, user.uid, user.gid!)
  }
  for (const [name, content] of Object.entries(files)) put(name, content)
  await complete(put)
  const port = await freePort()
  const options = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    ...further,
  ]
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const start = async () => {
    const server = spawn(join(bin, 'postgres'), ['-D', data, ...options.flatMap(option => ['-c', option])], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    })
    await answering(url, server)
    return server
  }
  let server = await start()
  const end = async () => {
    const ended = new Promise(resolve => server.once('exit', resolve))
    // Ends without waiting for clients that are still connected.
    server.kill('SIGINT')
    await ended
  }
  return {
    url,
    stop: async () => {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
    restart: async () => {
      await end()
      server = await start()
    },
  }
}

const userOf = (name: string): Owner => ({
  uid: Number(execFileSync('id', ['-u', name])),
  gid: Number(execFileSync('id', ['-g', name])),
})

/** An unused port of this machine. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

async function answering(url: string, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    try {
      await onServer(url, 'select 1')
      return
    } catch {
      await sleep(50)
    }
  }
  throw new Error(`PostgreSQL ended with ${server.exitCode}.`)
}
