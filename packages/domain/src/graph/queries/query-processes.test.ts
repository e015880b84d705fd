import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../../schema/database.ts'
import { QueryLimit, type QueryLimits, QueryProcesses, QueryTimeout, QueryTooLarge } from './query-processes.ts'

/** A query that goes on until its process ends it. */
const endless =
  'with recursive n(x) as (select 1 union all select x + 1 from n where coalesce(within(), 1)) select max(x) from n'

/** A query that never looks at its time. */
const deaf = 'with recursive n(x) as (select 1 union all select x + 1 from n) select max(x) from n'

/** Sorts so many texts of a megabyte. */
const sorting = (count: number) =>
  `with recursive n(x) as (select 1 union all select x + 1 from n where x < ${count})
   select length(t) from (select hex(zeroblob(500000)) || x as t from n order by t desc) limit 1`

let folder: string
let processes: QueryProcesses

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specboard-queries-'))
  await (await openDatabase({ folder })).close()
})

afterEach(async () => {
  await processes.stop()
  await rm(folder, { recursive: true })
})

const run = (sql: string, timeoutMs = 60_000, parameters: readonly unknown[] = []) =>
  processes.run({ sql, parameters, timeoutMs })

/** Waits until every process has ended; the limit only ends a test that would wait for ever. */
const allEnded = () => vi.waitFor(() => expect(processes.count).toBe(0), { timeout: 45_000 })

const start = (limits?: QueryLimits) => {
  processes = new QueryProcesses(folder, limits)
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
  start()
  expect(await run(sorting(100))).toMatchObject({ rows: [[1_000_002]] })
  await allEnded()
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
