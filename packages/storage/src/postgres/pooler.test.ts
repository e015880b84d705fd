/** PgBouncer in front of the server: refused by name if its mode is unsuitable, otherwise used. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Connections } from './connections.ts'
import { PostgresDatabase } from './database.ts'
import { faultOf, isBroken } from './faults.ts'
import { settledAddress } from './suitability.ts'
import { freePort, type TestServer, testServer, whyNoServer } from './test-server.testing.ts'

const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0
const missing = whyNoServer() ?? (isInstalled ? undefined : 'no pgbouncer')

describe.skipIf(missing !== undefined)(`a pooler${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestServer
  let folder: string
  let pooler: ChildProcess | undefined

  /** Repeats a check until the pooler has started. */
  const started = <Value>(check: () => Promise<Value>) => vi.waitFor(check, { timeout: 20_000 })

  beforeAll(async () => {
    server = await testServer()
    return () => server.stop()
  })

  afterEach(async () => {
    const ended = pooler && new Promise(resolve => pooler!.once('exit', resolve))
    pooler?.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts PgBouncer in front of the server; returns the address of a new database through it. */
  async function pooled(mode: string, servers: number): Promise<string> {
    const url = new URL(await server.database())
    const { hostname, port, username } = url
    folder = mkdtempSync(join(tmpdir(), 'specboard-pooler-'))
    chmodSync(folder, 0o755)
    const listens = await freePort()
    writeFileSync(
      join(folder, 'pooler.ini'),
      `[databases]
* = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listens}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${servers}
`,
    )
    // It does not run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
    pooler = spawn('pgbouncer', ['-q', ...user, join(folder, 'pooler.ini')], { stdio: 'ignore' })
    url.port = String(listens)
    return url.href
  }

  test.each([
    ['transaction', 20],
    ['transaction', 1],
    ['statement', 20],
  ])('in %s mode with %i servers is named, with what to do', async (mode, servers) => {
    const url = await pooled(mode, servers)
    await started(async () => {
      const refused = await settledAddress(url).catch(error => error)
      expect([refused.code, refused.message]).toEqual([
        'DATABASE_REFUSED',
        expect.stringMatching(/PgBouncer.* in transaction mode.*SPECBOARD_DATABASE_POOL/),
      ])
    })
  })

  test('in session mode is used', async () => {
    const url = await pooled('session', 40)
    await started(() => settledAddress(url))
    const database = await PostgresDatabase.open<Record<never, never>>({ url, migrations: {} })
    await database.close()
  })

  test('in session mode that has no connection left keeps nobody waiting for long', async () => {
    const url = await pooled('session', 1)
    const holder = await started(async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    })
    await holder.query('select 1')
    const connections = new Connections(url, 1, () => {})
    const refused = await connections.with(connection => connection.fetch('select 1'), isBroken).catch(error => error)
    expect(faultOf(refused)).toMatchObject({ code: 'UNREACHABLE' })
    await holder.end()
    expect(await connections.with(connection => connection.fetch('select 1 as one'), isBroken)).toEqual([{ one: 1 }])
    await connections.close()
  })
})
