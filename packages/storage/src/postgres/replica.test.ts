import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { idsIn, migrations, type NotesSchema, put } from '../notes.testing.ts'
import { openReader } from '../open-reader.ts'
import { PostgresDatabase } from './database.ts'
import { inspectReplica } from './replica-inspection.ts'
import { canStartServer, onServer, privateServer, type Standby, standbyOf } from './test-server.testing.ts'

/** Longer than a machine busy with other work needs for anything here, ms. */
const patience = { timeout: 30_000, interval: 20 }

describe.skipIf(!canStartServer())('reads on a replica (access 13)', { timeout: 120_000 }, () => {
  let primary: Awaited<ReturnType<typeof privateServer>>
  let standby: Standby
  let url: string
  let readUrl: string
  let database: PostgresDatabase<NotesSchema>
  let faults: unknown[]

  const open = (replicaUrl: string) =>
    PostgresDatabase.open<NotesSchema>({ url, readUrl: replicaUrl, migrations, onFault: fault => faults.push(fault) })

  /** The same database on another server. */
  const on = (server: string): string => {
    const own = new URL(url)
    own.port = new URL(server).port
    return own.href
  }

  beforeAll(async () => {
    primary = await privateServer()
    url = await primary.database()
    standby = await standbyOf(primary.url)
    readUrl = on(standby.url)
  }, 120_000)

  afterAll(async () => {
    await standby?.stop()
    await primary?.stop()
  })

  beforeEach(async () => {
    faults = []
    database = await open(readUrl)
  })

  afterEach(() => database.close())

  const ids = () => database.read(idsIn, { onReplica: true })
  const replay = (how: 'pause' | 'resume') => onServer(readUrl, `select pg_wal_replay_${how}()`)
  const isUsed = async (expected: boolean) =>
    vi.waitFor(() => expect(database.replica).toMatchObject({ isUsed: expected }), patience)
  /** The port of the server that answers a read. */
  const port = () =>
    database.read(
      async db => (await sql<{ port: number }>`select inet_server_port() as port`.execute(db)).rows[0]!.port,
      {
        onReplica: true,
      },
    )
  /** On a busy machine the replica may be late for a moment. */
  const isOnReplica = () => vi.waitFor(async () => expect(await port()).toBe(portOf(standby.url)), patience)
  const portOf = (server: string) => Number(new URL(server).port)

  test('each read sees what was written before it, on the replica', async () => {
    await isUsed(true)
    for (let index = 0; index < 50; index++) {
      await database.write(db => put(db, `seen ${index}`))
      expect(await ids()).toContain(`seen ${index}`)
    }
    await isOnReplica()
    expect(database.replica).toMatchObject({ problem: undefined, lagBytes: expect.any(Number) })
    expect(database.replica!.replicaReads).toBeGreaterThan(0)
    expect(database.condition.problems).toEqual([])
  })

  test('what another node wrote is seen as well, by many who read at once', async () => {
    const other = await open(readUrl)
    await isUsed(true)
    try {
      for (let round = 0; round < 10; round++) {
        await Promise.all(
          Array.from({ length: 8 }, (_, index) => other.write(db => put(db, `other ${round} ${index}`))),
        )
        const found = await Promise.all(Array.from({ length: 20 }, ids))
        for (const list of found) expect(list.filter(id => id.startsWith(`other ${round} `))).toHaveLength(8)
      }
    } finally {
      await other.close()
    }
  })

  test('a read without the option stays on the primary, and an error of a read is its own', async () => {
    await isUsed(true)
    const { rows } = await database.read(db => sql<{ is_in: number }>`select pg_is_in_recovery() as is_in`.execute(db))
    expect(rows[0]!.is_in).toBe(0)
    const mine = new Error('mine')
    await expect(database.read(() => Promise.reject(mine), { onReplica: true })).rejects.toBe(mine)
    await isUsed(true)
  })

  test('while nothing is replayed nobody reads what is out of date: the primary answers', async () => {
    await isUsed(true)
    await replay('pause')
    try {
      for (let index = 0; index < 20; index++) {
        await database.write(db => put(db, `paused ${index}`))
        expect(await ids()).toContain(`paused ${index}`)
      }
      await isUsed(false)
      await vi.waitFor(() => expect(database.replica!.lagBytes).toBeGreaterThan(0), patience)
      expect(await port()).toBe(portOf(url))
      expect(await inspectReplica(url, readUrl)).toEqual({ isCopy: true, missing: expect.any(Number) })
      expect((await inspectReplica(url, readUrl)).missing).toBeGreaterThan(0)
    } finally {
      await replay('resume')
    }
    await isOnReplica()
    expect(await inspectReplica(url, readUrl)).toEqual({ isCopy: true, missing: 0 })
  })

  test('a thread reads on it too, and on the primary while it is behind', async () => {
    await isUsed(true)
    const reader = openReader<NotesSchema>({ address: database.address, cacheMb: 1 })
    const place = database.replicaPlace!
    const inRecovery = () =>
      reader.read(
        async db => [
          (await sql<{ is_in: number }>`select pg_is_in_recovery() as is_in`.execute(db)).rows[0]!.is_in,
          await idsIn(db),
        ],
        place,
      )
    try {
      await database.write(db => put(db, 'thread'))
      await vi.waitFor(
        async () => expect(await inRecovery()).toEqual([1, expect.arrayContaining(['thread'])]),
        patience,
      )
      await replay('pause')
      await database.write(db => put(db, 'thread paused'))
      expect(await inRecovery()).toEqual([0, expect.arrayContaining(['thread paused'])])
    } finally {
      await replay('resume')
      await reader.close()
    }
  })

  test('a server that does not answer, or is no copy of the database, fails no read', async () => {
    await database.close()
    const elsewhere = await primary.database()
    const wrong = [
      ['postgres://postgres:secret-word@127.0.0.1:1/notes', /does not answer/],
      [url, /not a standby/],
      [on(standby.url).replace(new URL(url).pathname, new URL(elsewhere).pathname), /not a standby/],
    ] as const
    for (const [address, problem] of wrong) {
      database = await open(address)
      await database.write(db => put(db, `without ${address}`))
      expect(await ids()).toContain(`without ${address}`)
      await vi.waitFor(() => expect(database.condition.problems.join()).toMatch(problem), patience)
      expect(await ids()).toContain(`without ${address}`)
      expect(database.replica).toMatchObject({ isUsed: false, replicaReads: 0 })
      expect(JSON.stringify([faults.map(String), database.condition.problems])).not.toContain('secret-word')
      await database.close()
    }
    database = await open(readUrl)
  })

  test('a replica that goes away and comes back, while many read', async () => {
    await isUsed(true)
    let isReading = true
    const failures: unknown[] = []
    const reading = Array.from({ length: 8 }, async () => {
      while (isReading) await ids().catch(error => failures.push(error))
    })
    await standby.restart()
    await isUsed(true)
    isReading = false
    await Promise.all(reading)
    expect(failures).toEqual([])
  })

  // The last one: it stays promoted.
  test('a replica that is promoted is not read any more', async () => {
    await isUsed(true)
    await standby.promote()
    await onServer(readUrl, "insert into notes (id, title) values ('promoted', '')")
    await database.write(db => put(db, 'after promotion'))
    for (let index = 0; index < 20; index++) {
      const found = await ids()
      expect(found).toContain('after promotion')
      expect(found).not.toContain('promoted')
    }
    await vi.waitFor(() => expect(database.condition.problems.join()).toMatch(/not a standby/), patience)
  })
})
