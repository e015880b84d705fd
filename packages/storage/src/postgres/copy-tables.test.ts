import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TablesToRead } from '../copy/tables.ts'
import { idsIn, migrations, type NotesSchema, put } from '../notes.testing.ts'
import { Connections } from './connections.ts'
import { fillPostgresTables, readPostgresTables } from './copy-tables.ts'
import { PostgresDatabase } from './database.ts'
import { takeLock } from './locks.ts'
import { type TestServer, testServer, whyNoServer } from './test-server.testing.ts'
import { writePostgres } from './unlocked.ts'

const missing = whyNoServer()

describe.skipIf(missing !== undefined)(
  `while a database is moved${missing === undefined ? '' : `: ${missing}`}`,
  () => {
    let server: TestServer
    let url: string

    beforeAll(async () => {
      server = await testServer()
    })

    afterAll(() => server?.stop())

    const open = () => PostgresDatabase.open<NotesSchema>({ url, migrations })

    beforeEach(async () => {
      url = await server.database()
      const database = await open()
      await database.write(db => put(db, 'before'))
      await database.close()
    })

    /** Does something while the database is read. */
    const meanwhile = (run: (tables: TablesToRead<NotesSchema>) => Promise<void>) =>
      readPostgresTables<NotesSchema, void>({ url, migrations }, run)

    const isMoved = { code: 'DATABASE_IN_USE', message: expect.stringMatching(/being moved by "specboard migrate"/) }

    test('no node starts, on the source or the target, and no verb writes', async () => {
      await meanwhile(async () => {
        await expect(open()).rejects.toMatchObject(isMoved)
        const write = writePostgres<NotesSchema, unknown>({ url, migrations }, db => put(db, 'meanwhile'))
        await expect(write).rejects.toMatchObject(isMoved)
      })
      await fillPostgresTables<NotesSchema, void>({ url, migrations }, async () => {
        await expect(open()).rejects.toMatchObject(isMoved)
      })
      const database = await open()
      expect(await database.read(idsIn)).toEqual(['before'])
      await database.close()
    })

    test('a node that was not seen waits with its writes', async () => {
      const connections = new Connections(url, 1, () => {}, `set lock_timeout = '100ms'`)
      const write = () =>
        connections.with(
          async connection => {
            await connection.exec('begin')
            await takeLock(connection, 'note')
            await connection.run(`insert into notes (id, title) values ('unseen', '')`)
            await connection.exec('commit')
          },
          () => true,
        )
      await meanwhile(async ({ db }) => {
        await expect(write()).rejects.toMatchObject({ code: '55P03' })
        expect(await idsIn(db)).toEqual(['before'])
      })
      await write()
      await connections.close()
    })

    test('a node that is seen late has the move refused', async () => {
      const node = new Client({ connectionString: url, application_name: 'specboard listener' })
      const late = meanwhile(async tables => {
        await tables.refuseServed()
        await node.connect()
        await tables.refuseServed()
      })
      await expect(late).rejects.toMatchObject({
        code: 'DATABASE_IN_USE',
        message: expect.stringMatching(/1 node serves/),
      })
      await node.end()
    })
  },
)
