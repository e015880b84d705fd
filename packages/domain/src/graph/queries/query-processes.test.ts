import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '../../schema/database.ts'
import {
  QueryLimit,
  type QueryLimits,
  QueryProcesses,
  QueryTimeout,
  QueryTooLarge,
  QueryUnreachable,
} from './query-processes.ts'

let processes: QueryProcesses

const run = (sql: string, timeoutMs = 60_000, parameters: readonly unknown[] = []) =>
  processes.run({ sql, parameters, timeoutMs })

/** The limit only ends a test that would wait for ever. */
const patience = { timeout: 45_000 }

/** Waits until every process has ended. */
const allEnded = () => vi.waitFor(() => expect(processes.count).toBe(0), patience)

/** A query that goes on until its process ends it. */
const endless =
  'with recursive n(x) as (select 1 union all select x + 1 from n where coalesce(within(), 1)) select max(x) from n'

/** A query that never checks its time limit. */
const deaf = 'with recursive n(x) as (select 1 union all select x + 1 from n) select max(x) from n'

/** Sorts this many texts of a megabyte each. */
const sorting = (count: number) =>
  `with recursive n(x) as (select 1 union all select x + 1 from n where x < ${count})
   select length(t) from (select hex(zeroblob(500000)) || x as t from n order by t desc) limit 1`

describe('on SQLite', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'specboard-queries-'))
    await (await openDatabase({ folder })).close()
  })

  afterEach(async () => {
    await processes.stop()
    await rm(folder, { recursive: true })
  })

  const start = (limits?: QueryLimits) => {
    processes = new QueryProcesses({ engine: 'sqlite', folder }, limits)
  }

  test('a query past its time ends, and its process answers the next one', async () => {
    start()
    await expect(run(endless, 100)).rejects.toThrow(QueryTimeout)
    expect(await run('select ?', 60_000, [1])).toMatchObject({ rows: [[1]] })
    expect(processes.count).toBe(1)
  })

  test('a query that does not end by itself is killed', async () => {
    start()
    await expect(run(deaf, 100)).rejects.toThrow(QueryTimeout)
    expect(await run('select 1')).toMatchObject({ rows: [[1]] })
  })

  test.runIf(process.platform === 'linux')('a query of a killed service ends with it', async () => {
    start()
    const script = `import { QueryProcesses } from ${JSON.stringify(new URL('query-processes.ts', import.meta.url))}
      const processes = new QueryProcesses(${JSON.stringify({ engine: 'sqlite', folder })})
      setInterval(() => {}, 1_000)
      await processes.run(${JSON.stringify({ sql: deaf, parameters: [], timeoutMs: 600_000 })})`
    const service = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' })
    const children = () => readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').trim()
    const query = Number(await vi.waitUntil(children, patience))
    service.kill('SIGKILL')
    await once(service, 'exit')
    await vi.waitFor(() => expect(() => process.kill(query, 0)).toThrow('ESRCH'), patience)
  })

  test('a query that takes more memory than it may is ended, and the next one is answered', async () => {
    start()
    await expect(run(sorting(1_000))).rejects.toThrow(QueryTooLarge)
    expect(await run('select 1')).toMatchObject({ rows: [[1]] })
  })

  test('a value that is too large for the database counts as too much memory', async () => {
    start()
    await expect(run('select zeroblob(2000000000)')).rejects.toThrow(QueryTooLarge)
  })

  test('a result may have its size and no more', async () => {
    start({ resultBytes: 108 })
    expect((await run("select printf('%0100d', 0)")).rows).toHaveLength(1)
    await expect(run("select printf('%0101d', 0)")).rejects.toThrow(QueryTooLarge)
  })

  test('a process that has grown is replaced', async () => {
    // The idle time is longer than the test may take, so that the process does not end for lack of work.
    start({ spentBytes: 1 << 20, idleMs: 600_000 })
    expect(await run('select 1')).toMatchObject({ rows: [[1]] })
    await allEnded()
  })

  test('a process that has not grown runs the next query', async () => {
    start({ spentBytes: 1 << 30, idleMs: 600_000 })
    expect(await run(sorting(100))).toMatchObject({ rows: [[1_000_002]] })
    expect(processes.count).toBe(1)
  })

  test('a process without work ends', async () => {
    start({ idleMs: 0 })
    await run('select 1')
    await allEnded()
  })

  test('a fault of the query is told, and which limit of the database it exceeds', async () => {
    start()
    await expect(run('select * from missing')).rejects.toThrow('no such table: missing')
    await expect(run('select abs(-9223372036854775807 - 1)')).rejects.toThrow(QueryLimit)
  })

  test('running queries end with the service', async () => {
    start()
    const ended = Promise.allSettled([run(endless), run(deaf)])
    await processes.stop()
    expect(await ended).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  })
})

const missing = whyNoServer()

describe.skipIf(missing !== undefined)(`on PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestServer
  let folder: string
  let database: Database

  beforeAll(async () => {
    server = await testServer()
    folder = await mkdtemp(join(tmpdir(), 'specboard-queries-'))
    database = await openDatabase({ folder, url: await server.database() })
  })

  afterEach(() => processes.stop())

  afterAll(async () => {
    await database?.close()
    await server?.stop()
    await rm(folder, { recursive: true })
  })

  const start = (limits?: QueryLimits) => {
    processes = new QueryProcesses(database.address, limits)
  }

  /** The database connections of the processes that are in a state. */
  const running = async (state: string) => {
    const { rows } = await database.read(db =>
      sql<{ pid: number }>`select pid from pg_stat_activity where application_name = 'specboard queries'
        and datname = current_database() and state = ${state}`.execute(db),
    )
    return rows
  }

  const endlessly = 'with recursive n(x) as (select 1 union all select x % 7 + 1 from n) select max(x) from n'

  test('a query past its time ends, and its process answers the next one', async () => {
    start()
    await expect(run(endlessly, 100)).rejects.toThrow(QueryTimeout)
    expect(await run('select cast($1 as integer)', 60_000, [1])).toMatchObject({ rows: [[1]] })
    expect(processes.count).toBe(1)
  })

  test('a result may have its size and no more', async () => {
    start({ resultBytes: 108 })
    expect((await run("select repeat('0', 100)")).rows).toHaveLength(1)
    await expect(run("select repeat('0', 101)")).rejects.toThrow(QueryTooLarge)
    await expect(run('select generate_series(1, 1000000000)')).rejects.toThrow(QueryTooLarge)
    expect((await run('select 1')).rows).toEqual([[1]])
  })

  test('a query whose row alone is too large for its process is ended', async () => {
    start({ memoryBytes: 192 << 20 })
    await expect(run("select repeat('0', 200000000)")).rejects.toThrow(QueryTooLarge)
    expect((await run('select 1')).rows).toEqual([[1]])
  })

  test('a query that sorts more than it may is ended', async () => {
    start()
    const sorted =
      'select x from (select repeat(md5(n::text), 10000) || n as x from generate_series(1, 2000) n) t order by x'
    await expect(run(sorted)).rejects.toThrow(QueryTooLarge)
  })

  test('a list that collects more than it may is ended', async () => {
    start()
    const collected = `select case when cypher_collected(length(x)) >= 0 then jsonb_array_length(jsonb_agg(x)) end
      from (select repeat('x', 1000000) as x from generate_series(1, 100)) t`
    await expect(run(collected)).rejects.toThrow(QueryTooLarge)
  })

  test('values are those that SQLite gives', async () => {
    start()
    const { rows } = await run(`select true, 1::bigint, 1.0::numeric, 0.5::double precision, to_jsonb('a'::text),
      to_jsonb(1), '[1]'::jsonb, '{}'::json, null::jsonb`)
    expect(rows).toEqual([[1, 1, 1, 0.5, 'a', 1, '[1]', '{}', null]])
  })

  test('nothing is written, and which limit of the database a query exceeds is told', async () => {
    start()
    await expect(run('delete from boards')).rejects.toThrow('read-only transaction')
    await expect(run('select abs(-9223372036854775807 - 1)')).rejects.toThrow(QueryLimit)
  })

  test('a lost connection is told, and made again for the next query', async () => {
    start()
    await run('select 1')
    const [idle] = await running('idle')
    await database.read(db => sql`select pg_terminate_backend(${idle!.pid})`.execute(db))
    expect((await run('select 1').catch(() => run('select 1'))).rows).toEqual([[1]])
    const ended = expect(run(endlessly)).rejects.toThrow(QueryUnreachable)
    const [active] = await vi.waitUntil(async () => {
      const found = await running('active')
      return found.length > 0 && found
    }, patience)
    await database.read(db => sql`select pg_terminate_backend(${active!.pid})`.execute(db))
    await ended
    expect((await run('select 1')).rows).toEqual([[1]])
  })

  test('a query ends in the server with its process', async () => {
    start()
    const ended = expect(run(endlessly)).rejects.toThrow()
    await vi.waitUntil(async () => (await running('active')).length > 0, patience)
    await processes.stop()
    await ended
    await vi.waitUntil(async () => (await running('active')).length === 0, patience)
  })

  test('a server that cannot be reached is told', async () => {
    processes = new QueryProcesses({ engine: 'postgres', url: 'postgres://nobody@127.0.0.1:1/none' })
    await expect(run('select 1')).rejects.toThrow(QueryUnreachable)
  })
})
