import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { idsIn, migrations, type NotesSchema, put } from '../notes.testing.ts'
import { openReader } from '../open-reader.ts'
import { PostgresDatabase, type PostgresOptions } from './database.ts'
import { type TestServer, testServer, whyNoServer } from './test-server.testing.ts'

const missing = whyNoServer()

describe.skipIf(missing !== undefined)(`PostgreSQL under load${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestServer
  let url: string
  const opened: PostgresDatabase<NotesSchema>[] = []

  beforeAll(async () => {
    server = await testServer()
    url = await server.database()
  })

  afterAll(async () => {
    for (const database of opened) await database.close()
    await server?.stop()
  })

  const open = async (options: Partial<PostgresOptions> = {}) => {
    const database = await PostgresDatabase.open<NotesSchema>({ url, migrations, ...options })
    opened.push(database)
    return database
  }

  /** A unit of work that has its lock until it is told to end. */
  async function holding(database: PostgresDatabase<NotesSchema>, lock: string) {
    const [has, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const unit = database.write(
      async db => {
        await idsIn(db)
        has.resolve()
        await end.promise
      },
      { lock },
    )
    await has.promise
    return async () => {
      end.resolve()
      await unit
    }
  }

  test('units that wait for one lock leave connections to the others, and are counted (access 13)', async () => {
    const database = await open({ connections: 3 })
    const end = await holding(database, 'hot')
    const waiting = Array.from({ length: 9 }, (_, index) =>
      database.write(db => put(db, `hot ${index}`), { lock: async () => 'hot' }),
    )
    await database.write(db => put(db, 'cold'), { lock: 'cold' })
    expect(await database.read(idsIn)).toEqual(['cold'])
    await expect.poll(() => database.load.longestWaits(5)).toEqual([['hot', 8]])
    expect(database.load.waiting).toBe(8)
    await end()
    await Promise.all(waiting)
    expect(database.load.longestWaits(5)).toEqual([])
    expect(database.load.lockWaitMs).toBeGreaterThan(0)
    expect(await database.read(idsIn)).toHaveLength(10)
  })

  test('it makes as many connections as it is told to', async () => {
    const database = await open({ connections: 2 })
    await Promise.all(Array.from({ length: 9 }, (_, index) => database.write(idsIn, { lock: `${index}` })))
    await Promise.all(Array.from({ length: 9 }, () => database.read(idsIn)))
    expect(database.load.connections.open).toBe(4)
  })

  const sleeping = (db: Db<NotesSchema>) => sql`select pg_sleep(60)`.execute(db)

  test('a statement that takes too long is ended, and its connection goes on (access 13)', async () => {
    // Long enough for everything that does not sleep, even on a busy machine.
    const limits = { statementMs: 1_000, lockMs: 20_000 }
    const database = await open({ limits, connections: 1 })
    const reader = openReader<NotesSchema>({ address: { engine: 'postgres', url, limits }, cacheMb: 1 })
    for (const run of [() => database.write(sleeping), () => database.read(sleeping), () => reader.read(sleeping)]) {
      const fault = await run().catch(error => database.faultOf(error))
      expect(fault).toMatchObject({ code: 'BUSY', message: expect.stringMatching(/took too long/) })
    }
    await database.write(db => put(db, 'after'))
    expect(await database.read(idsIn)).toContain('after')
    expect(await reader.read(idsIn)).toContain('after')
    await reader.close()
  })

  test('a lock that another node has for too long is told as such (access 13)', async () => {
    const end = await holding(await open(), 'board')
    const database = await open({ limits: { statementMs: 60_000, lockMs: 100 } })
    const fault = await database.write(idsIn, { lock: 'board' }).catch(error => database.faultOf(error))
    expect(fault).toMatchObject({ code: 'BUSY', message: expect.stringMatching(/in use for too long/) })
    await end()
    await database.write(idsIn, { lock: 'board' })
  })

  test('a migration may take longer than a statement of the service', async () => {
    const own = await server.database()
    const slow = { up: (db: Parameters<(typeof migrations)[string]['up']>[0]) => sql`select pg_sleep(0.3)`.execute(db) }
    const database = await PostgresDatabase.open<NotesSchema>({
      url: own,
      migrations: { ...migrations, '0002_slow': { up: async db => void (await slow.up(db)) } },
      limits: { statementMs: 100, lockMs: 100 },
    })
    await database.write(db => put(db, 'migrated'))
    await database.close()
  })
})
