import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../schema/database.ts'
import { CypherThread, QueryTimeout } from './thread.ts'

/** Ends only if the thread itself ends it: in a terminated thread `within` gives null, and the query goes on. */
const endless =
  'with recursive n(x) as (select 1 union all select x + 1 from n where coalesce(within(), 1)) select max(x) from n'

let folder: string
let thread: CypherThread

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specboard-thread-'))
  await (await openDatabase({ folder })).close()
  thread = new CypherThread(folder, () => {})
})

afterEach(async () => {
  await thread.stop()
  await rm(folder, { recursive: true })
})

test('a query past its deadline ends, and its thread answers the next one', async () => {
  await expect(thread.run(endless, [], 100)).rejects.toThrow(QueryTimeout)
  expect(await thread.run('select ?', [1], 60_000)).toEqual([[1]])
})

test('running queries end with the service', async () => {
  const running = [thread.run(endless, [], 600_000), thread.run(endless, [], 600_000)]
  const ended = Promise.allSettled(running)
  await thread.stop()
  expect(await ended).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
})
