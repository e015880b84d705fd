import { onPostgres, onServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { World } from './support/world.ts'

describe.skipIf(!onPostgres)('a database that takes no writes any more, as after a failover', () => {
  let world: World

  beforeAll(async () => {
    world = await World.alone()
  })

  afterAll(() => world.stop())

  /** Makes connections that are opened from now on read-only, or writable again. */
  const setReadOnly = (isReadOnly: boolean) => {
    const name = new URL(world.databaseUrl!).pathname.slice(1)
    return onServer(
      world.databaseUrl!,
      `begin read write; alter database "${name}" set default_transaction_read_only = ${isReadOnly}; commit`,
    )
  }

  const endConnections = () =>
    onServer(
      world.databaseUrl!,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )

  const create = () => world.call('create_board', { name: 'Board', description: 'd' })
  const ready = async () => {
    const response = await fetch(`${world.running.url}/ready`)
    return [response.status, await response.json()]
  }

  test('writes are 503 with when to try again, reads go on, /ready says so, and a new primary is found', async () => {
    expect(await ready()).toEqual([200, { ready: true, problems: [] }])
    await setReadOnly(true)
    await endConnections()
    const refused = await eventually(async () => {
      const answer = await create()
      expect([answer.status, answer.body.detail?.message]).toEqual([503, expect.stringMatching(/standby/)])
      return answer
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await world.call('list_boards')).status).toBe(200)
    await eventually(async () =>
      expect(await ready()).toEqual([
        503,
        { ready: false, problems: ['writes are refused: the database takes no writes, as on a standby'] },
      ]),
    )
    expect((await fetch(`${world.running.url}/health`)).status).toBe(200)
    // Connections that were begun on the standby are given up one by one, without being told to.
    await setReadOnly(false)
    await eventually(async () => expect((await create()).status).toBe(201))
    await eventually(async () => expect(await ready()).toEqual([200, { ready: true, problems: [] }]))
  })
})
