import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settledUpTo } from '../commit-order.ts'
import type { Db } from '../db.ts'
import { groupOf } from '../executor.ts'
import type { Counter } from '../group.ts'
import type { Migrations } from '../migrate.ts'
import { hot, idsIn, migrations, type NotesSchema, put } from '../notes.testing.ts'
import { openReader } from '../open-reader.ts'
import type { Announcement } from '../store.ts'
import { sealed } from './announcement.ts'
import { PostgresDatabase, type PostgresOptions } from './database.ts'
import { onServer, type TestServer, testServer, whyNoServer } from './test-server.testing.ts'

const missing = whyNoServer()

const remark = hot<{ id: string; note: string }, never>((db, param) =>
  db.insertInto('remarks').values({ id: param('id'), note_id: param('note'), text: '' }),
)

/** How nodes receive announcements, and what they lock. */
const ways: readonly { readonly title: string; readonly way: Partial<PostgresOptions> }[] = [
  { title: 'PostgreSQL', way: {} },
  { title: 'PostgreSQL without notifications and advisory locks', way: { announcements: 'poll', locks: 'rows' } },
]

describe.skipIf(missing !== undefined).each(ways)(`$title${missing === undefined ? '' : `: ${missing}`}`, ({ way }) => {
  let server: TestServer
  let url: string
  let database: PostgresDatabase<NotesSchema>
  /** Another node on the same database. */
  let other: PostgresDatabase<NotesSchema>
  /** The key with which the nodes sign announcements. */
  const key = Buffer.alloc(32, 1)

  const open = (of: Migrations = migrations) =>
    PostgresDatabase.open<NotesSchema>({ url, migrations: of, announcementKey: () => key, ...way })

  beforeAll(async () => {
    server = await testServer()
    url = await server.database()
    // Two nodes that start together: one of them migrates.
    ;[database, other] = await Promise.all([open(), open()])
  })

  afterAll(async () => {
    await database?.close()
    await other?.close()
    await server?.stop()
  })

  const has = async (id: string) => (await other.read(idsIn)).includes(id)

  test('a unit of work is seen by other nodes once it resolves', async () => {
    await database.write(db => put(db, 'first'))
    expect(await has('first')).toBe(true)
  })

  test('a unit that fails leaves nothing, and its error is that of the caller', async () => {
    const refused = new Error('refused')
    const failing = database.write(async db => {
      await put(db, 'refused')
      throw refused
    })
    await expect(failing).rejects.toBe(refused)
    expect(await has('refused')).toBe(false)
  })

  test('a unit that overlooks a failed statement is not reported as stored', async () => {
    const overlooking = database.write(async db => {
      await put(db, 'overlooked')
      await sql`select nothing_of_that_name`.execute(db).catch(() => {})
    })
    await expect(overlooking).rejects.toThrow(/nothing_of_that_name/)
    expect(await has('overlooked')).toBe(false)
  })

  test('a write that nobody waited for fails its unit for its own reason, and the next one is well', async () => {
    await database.write(db => put(db, 'twice'))
    const unit = (id: string) =>
      database.write(async db => {
        await put(db, id)
        await remark(db, { id, note: id })
        await db.selectFrom('notes').select('id').where('id', '=', id).execute()
      })
    const missing = database.write(async db => {
      await remark(db, { id: 'of none', note: 'no such note' })
      throw new Error('refused later')
    })
    await expect(missing).rejects.toMatchObject({ code: '23503' })
    await expect(unit('twice')).rejects.toMatchObject({ code: '23505' })
    await unit('well')
    expect(await has('well')).toBe(true)
  })

  test('the server sees a unit that rests as idle, so that it ends that of a node which stopped', async () => {
    const own = sql<{ pid: number }>`select pg_backend_pid() as pid`
    const stateOf = (pid: number) => sql<{ state: string }>`select state from pg_stat_activity where pid = ${pid}`
    const state = await database.write(async db => {
      await put(db, 'resting')
      const [{ pid }] = (await own.execute(db)).rows as [{ pid: number }]
      return (await other.read(reader => stateOf(pid).execute(reader))).rows[0]!.state
    })
    expect(state).toBe('idle in transaction')
  })

  test('a unit of very many writes lets others have their turns', async () => {
    let turns = 0
    const counting = setInterval(() => turns++, 0)
    await database.write(async db => {
      for (let index = 0; index < 500; index++) await put(db, `many ${index}`)
    })
    clearInterval(counting)
    expect(turns).toBeGreaterThan(5)
    expect(await database.read(idsIn)).toContain('many 499')
  })

  test('a handle cannot be used after its unit', async () => {
    let handle: Db<NotesSchema> | undefined
    await database.write(async db => {
      handle = db
    })
    await expect(put(handle!, 'too late')).rejects.toMatchObject({ code: 'UNIT_CLOSED' })
  })

  test('a read sees one state, whatever is written meanwhile', async () => {
    await database.read(async db => {
      const before = await idsIn(db)
      await other.write(writer => put(writer, 'meanwhile'))
      expect(await idsIn(db)).toEqual(before)
    })
    expect(await has('meanwhile')).toBe(true)
  })

  test('a thread that rests after a read leaves no transaction open', async () => {
    const reader = openReader<NotesSchema>({ address: { engine: 'postgres', url }, cacheMb: 1 })
    await reader.read(idsIn)
    // The event loop of this process does not turn until the other process has looked.
    const look = `import pg from 'pg'
      const client = new pg.Client(process.argv[1])
      await client.connect()
      const { rows } = await client.query("select count(*) from pg_stat_activity where xact_start is not null " +
        "and datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'")
      console.log(rows[0].count)
      await client.end()`
    const open = execFileSync(process.execPath, ['--input-type=module', '--eval', look, url], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    })
    expect(open.trim()).toBe('0')
    await reader.close()
  })

  test('a read cannot write', async () => {
    await expect(database.read(db => put(db, 'read only'))).rejects.toThrow(/read-only/)
  })

  test('values are as SQLite answers them', async () => {
    const { rows } = await database.read(db =>
      sql`select true as yes, 1 = 2 as no, count(*) as whole, 1.5::numeric as part, '[1]'::jsonb as json,
        null::bigint as nothing from (values (1), (2)) two`.execute(db),
    )
    expect(rows).toEqual([{ yes: 1, no: 0, whole: 2, part: 1.5, json: '[1]', nothing: null }])
  })

  const sequence: Counter = { table: 'notes', column: 'seq', id: 'id' }

  test('units that count up one row, on two nodes, get each number once, without gaps', async () => {
    await database.write(db => put(db, 'counted'))
    let last = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ there: fc.boolean(), fails: fc.boolean() }), { maxLength: 12 }),
        async units => {
          const outcomes = await Promise.allSettled(
            units.map(({ there, fails }) =>
              (there ? other : database).write(
                async db => {
                  const number = await groupOf(db).next(sequence, 'counted')
                  if (fails) throw new Error('refused')
                  return number
                },
                { lock: 'counted' },
              ),
            ),
          )
          const numbers = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
          expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, index) => last + index + 1))
          last += numbers.length
        },
      ),
      { numRuns: 15 },
    )
  })

  test('a unit takes any numbers of a row one after the other, also behind one that it raises', async () => {
    await database.write(db => put(db, 'many numbers'))
    const result = await database.write(async db => {
      const next = () => groupOf(db).next(sequence, 'many numbers')
      const numbers = await Promise.all([next(), next(), next()])
      await groupOf(db).raise(sequence, 'many numbers', 10)
      return [...numbers, await next(), await next()]
    })
    expect(result).toEqual([1, 2, 3, 11, 12])
    expect(await other.write(db => Promise.resolve(groupOf(db).next(sequence, 'many numbers')))).toBe(13)
  })

  describe('numbers in the order of commits', () => {
    const byCommit: Counter = { ...sequence, isByCommit: true }

    const numbered = (where: PostgresDatabase<NotesSchema>, lock: string, id: string) =>
      where.write(
        async db => {
          const number = await groupOf(db).next(byCommit, 'commits')
          await put(db, id, 'by commit')
          await db.updateTable('notes').set({ seq: number }).where('id', '=', id).execute()
          return number
        },
        { lock },
      )

    /** The rows that can be read up to the number at or below which none can be added any more. */
    const settled = (where: PostgresDatabase<NotesSchema>) =>
      where.read(db =>
        db
          .selectFrom('notes')
          .select('id')
          .where('title', '=', 'by commit')
          .where('seq', '<=', settledUpTo(byCommit, 'commits'))
          .orderBy('seq')
          .execute(),
      )

    beforeAll(() => database.write(db => put(db, 'commits')))

    test('of 16 writers on two nodes: each once, ascending for a lock, and none before one that was read', async () => {
      let isWriting = true
      const reading = [database, other].map(async where => {
        const looks: string[][] = []
        while (isWriting) looks.push((await settled(where)).map(({ id }) => id))
        return looks
      })
      const writers = await Promise.all(
        Array.from({ length: 16 }, async (_, writer) => {
          const numbers: number[] = []
          for (let at = 0; at < 12; at++)
            numbers.push(await numbered(at % 2 === 0 ? database : other, `board ${writer}`, `${writer} ${at}`))
          return numbers
        }),
      )
      isWriting = false
      for (const numbers of writers) expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      expect(new Set(writers.flat()).size).toBe(16 * 12)
      const all = (await settled(database)).map(({ id }) => id)
      expect(all).toHaveLength(16 * 12)
      // Each read saw a prefix of the final rows: nothing was inserted before existing ones.
      for (const looks of await Promise.all(reading))
        for (const look of looks) expect(look).toEqual(all.slice(0, look.length))
    })

    test('a unit may take more of them than lie between two transactions', async () => {
      const take = async (db: Db<NotesSchema>) => {
        const numbers: number[] = []
        while (numbers.length < 2_500) numbers.push(await groupOf(db).next(byCommit, 'commits'))
        return numbers
      }
      const batches = await Promise.all(
        [database, other].map((where, index) => where.write(take, { lock: `many ${index}` })),
      )
      for (const numbers of batches) expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      expect(new Set(batches.flat()).size).toBe(5_000)
      const [last] = (
        await database.read(db =>
          sql<{ place: number }>`select ${settledUpTo(byCommit, 'commits')} as place`.execute(db),
        )
      ).rows
      expect(last!.place).toBeGreaterThanOrEqual(Math.max(...batches.flat()))
    })
  })

  test('what is postponed is done once, before the commit', async () => {
    await database.write(async db => {
      for (let round = 0; round < 3; round++) groupOf(db).postpone('once', at => put(at, 'postponed'))
    })
    expect(await has('postponed')).toBe(true)
  })

  describe.each([
    ['with one lock', async () => 'board'],
    ['without a lock', undefined],
  ] as const)('units %s', (_, lock) => {
    test('run one after the other on all nodes, so that what each has read still holds when it writes', async () => {
      const name = `only ${lock === undefined ? 'alone' : 'locked'}`
      const unless = async (db: Db<NotesSchema>) => {
        const there = await db.selectFrom('notes').select('id').where('title', '=', name).execute()
        if (there.length === 0) await put(db, `${name} ${crypto.randomUUID()}`, name)
      }
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          (index % 2 === 0 ? database : other).write(unless, lock === undefined ? {} : { lock }),
        ),
      )
      const found = await database.read(db => db.selectFrom('notes').select('id').where('title', '=', name).execute())
      expect(found).toHaveLength(1)
    })
  })

  test('units with different locks run side by side', async () => {
    let leftIsIn = () => {}
    const left = new Promise<void>(resolve => {
      leftIsIn = resolve
    })
    const lock = (name: string) => ({ lock: name })
    // Each waits for the other: run one after the other, they would never end.
    const [, answer] = await Promise.all([
      database.write(async () => leftIsIn(), lock('left')),
      other.write(async () => left.then(() => 'both'), lock('right')),
    ])
    expect(answer).toBe('both')
  })

  test('two units that insert the same row: the second runs again and sees the first', async () => {
    const once = async (db: Db<NotesSchema>) => {
      if ((await idsIn(db)).includes('same')) return 'there'
      await put(db, 'same')
      return 'made'
    }
    const lock = (name: string) => ({ lock: name })
    const outcomes = await Promise.all([database.write(once, lock('a')), other.write(once, lock('b'))])
    expect(outcomes.toSorted()).toEqual(['made', 'there'])
  })

  test('a schema of a newer version is refused', async () => {
    await expect(open({})).rejects.toMatchObject({ code: 'DATABASE_NEWER' })
  })

  test('a node goes on with what it has prepared when another one adds columns', async () => {
    const own = await server.database()
    const openOwn = (of: Migrations) => PostgresDatabase.open<NotesSchema>({ url: own, migrations: of })
    const older = await openOwn(migrations)
    const reader = openReader<NotesSchema>({ address: { engine: 'postgres', url: own }, cacheMb: 1 })
    const whole = (db: Db<NotesSchema>) => db.selectFrom('notes').selectAll().execute()
    const readAndPut = (id: string) => async (db: Db<NotesSchema>) => {
      await whole(db)
      await put(db, id)
    }
    // Runs on every connection: there are as many as are used concurrently.
    const onAll = (name: string) =>
      Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          Promise.all([older.read(whole), older.write(readAndPut(`${name} ${index}`), { lock: `${index}` })]),
        ),
      )
    await onAll('before')
    await reader.read(whole)
    const added = async (db: Kysely<unknown>) => void (await sql`alter table notes add column added text`.execute(db))
    const newer = await openOwn({ ...migrations, '0002_added': { up: added } })
    await onAll('after')
    expect(await reader.read(whole)).toHaveLength(32)
    expect(await newer.read(idsIn)).toHaveLength(32)
    await Promise.all([older.close(), newer.close(), reader.close()])
  })

  test('a failed migration leaves nothing, and the next start runs it', async () => {
    const further = (fails: boolean): Migrations => ({
      ...migrations,
      '0002_more': {
        up: async db => {
          await sql`create table more (id integer)`.execute(db)
          if (fails) throw new Error('no')
        },
      },
    })
    const own = await server.database()
    const openOwn = (of: Migrations, onMigrated?: (names: readonly string[]) => void) =>
      PostgresDatabase.open<NotesSchema>({ url: own, migrations: of, ...(onMigrated !== undefined && { onMigrated }) })
    await (await openOwn(migrations)).close()
    await expect(openOwn(further(true))).rejects.toThrow('no')
    const ran: string[] = []
    const opened = await openOwn(further(false), names => ran.push(...names))
    expect(ran).toEqual(['0002_more'])
    await opened.close()
  })

  test('announcements reach the other nodes, together and each once, and not their own', async () => {
    const heard: Announcement[] = []
    const own: Announcement[] = []
    const unlisten = [other.onAnnounced(names => heard.push(names)), database.onAnnounced(names => own.push(names))]
    const names = Array.from({ length: 600 }, (_, index) => `board ${index} ${'é'.repeat(20)}`)
    for (const name of [...names, ...names]) database.announce(name)
    await expect.poll(() => heard.flatMap(part => [...part]).length).toBeGreaterThanOrEqual(names.length)
    expect(heard.flatMap(part => [...part])).toEqual(names)
    expect(own).toEqual([])
    for (const end of unlisten) end()
  })

  test.skipIf(way.announcements === 'poll')(
    'what another role says on the channel is ignored and counted (walls 6)',
    async () => {
      const heard: Announcement[] = []
      const unlisten = database.onAnnounced(names => heard.push(names))
      await onServer(url, 'create role stranger login')
      const stranger = new URL(url)
      stranger.username = 'stranger'
      const payloads = [
        'x',
        '',
        '{',
        '["n","board 1"]',
        '[1]',
        sealed(Buffer.alloc(32), { node: 'n', names: ['sight'] }),
      ]
      for (const payload of payloads) await onServer(stranger.href, `notify specboard, '${payload}'`)
      other.announce('board 1')
      await expect.poll(() => heard).toEqual([new Set(['board 1'])])
      expect(database.ignoredAnnouncements).toBe(payloads.length)
      await database.write(db => put(db, 'after the noise'))
      unlisten()
      await onServer(url, 'drop role stranger')
    },
  )

  describe('when all connections are lost', () => {
    const cut = async () => {
      const admin = await PostgresDatabase.open<NotesSchema>({ url, migrations, ...way })
      await admin.read(db =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`.execute(db),
      )
      await admin.close()
    }

    test('a unit under way is refused as unreachable and stored not at all, and later ones are well', async () => {
      const running = database.write(async db => {
        await put(db, 'cut')
        await cut()
        await put(db, 'after the cut')
      })
      await expect(running.catch(error => Promise.reject(database.faultOf(error)))).rejects.toMatchObject({
        code: 'UNREACHABLE',
      })
      await expect.poll(() => database.read(idsIn).catch(() => null)).not.toBeNull()
      expect(await database.read(idsIn)).not.toContain('cut')
      // Another connection of the pool may not have heard yet that it was cut.
      const canWrite = () =>
        database
          .write(db => put(db, 'well again'))
          .then(
            () => true,
            () => false,
          )
      await expect.poll(canWrite).toBe(true)
    })

    test('whoever listens is told that it may have missed something', async () => {
      const heard: Announcement[] = []
      const unlisten = database.onAnnounced(names => heard.push(names))
      await cut()
      await expect.poll(() => heard).toContain('anything')
      unlisten()
    })
  })

  test('a closed database refuses writes', async () => {
    const closed = await open()
    await closed.close()
    await expect(closed.write(db => put(db, 'closed'))).rejects.toMatchObject({ code: 'CLOSED' })
  })

  test('a database that is not there is unreachable', async () => {
    const nowhere = PostgresDatabase.open<NotesSchema>({ url: 'postgres://127.0.0.1:1/nothing', migrations })
    await expect(nowhere).rejects.toMatchObject({ code: 'UNREACHABLE' })
  })
})
