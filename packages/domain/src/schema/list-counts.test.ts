import { rm } from 'node:fs/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { placeIn } from '../kernel/counted-list.ts'
import { toJson } from '../lib/json.ts'
import { listIdeations } from '../planning/ideations/store.ts'
import { countFalse, recount } from './check-counts.ts'
import { type Database, type Db, openDatabase } from './database.ts'
import { migratedFolder } from './empty-database.testing.ts'
import { countAll, countingTriggers, dividedTables, splittingTrigger } from './list-counts.ts'
import { insertRow } from './rows.ts'
import { sqliteTrigger } from './triggers.ts'

const board = 'b'
const ideations = dividedTables[0]!
/** So short that a few records span several segments. */
const length = 3

let folder: string
let database: Database

beforeAll(async () => {
  folder = await migratedFolder('specboard-counts-')
  database = await openDatabase({ folder })
  await write(async db => {
    for (const trigger of ['counted', 'uncounted', 'recounted', 'split'])
      await sql.raw(`drop trigger ideations_${trigger}`).execute(db)
    for (const trigger of [...countingTriggers(ideations, length), splittingTrigger(ideations, length)].map(
      sqliteTrigger,
    ))
      await sql.raw(trigger).execute(db)
  })
})

beforeEach(() =>
  write(async db => {
    await db.deleteFrom('boards').execute()
    const columns = {
      key: 'B',
      last_number: 0,
      name: '',
      description: '',
      owner_id: '',
      seq: 0,
      created_at: '',
      updated_at: '',
    }
    await insertRow(db, 'boards', { id: board, settings: toJson({}), ...columns })
  }),
)

afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

const write = <Value>(run: (db: Db) => Promise<Value>) => database.write(run)

type Status = 'draft' | 'done'

interface Fields {
  readonly id: number
  readonly at: number
  readonly status: Status
  readonly archived: 0 | 1
}

const upsert = (db: Db, { id, at, status, archived }: Fields) =>
  sql`insert into ideations (id, number, board_id, title, status, version, archived, created_by, created_at, updated_at)
    values (${`i${id}`}, ${id}, ${board}, '', ${status}, 1, ${archived}, '', '', ${timeOf(at)})
    on conflict (id) do update set status = excluded.status, archived = excluded.archived,
      updated_at = excluded.updated_at`.execute(db)

const timeOf = (at: number) => String(at).padStart(3, '0')

const fields = {
  id: fc.nat({ max: 25 }),
  at: fc.nat({ max: 40 }),
  status: fc.constantFrom<Status>('draft', 'done'),
  archived: fc.constantFrom<0 | 1>(0, 1),
}
const change = fc.record({ ...fields, deleted: fc.boolean() })

const apply = (changes: readonly (Fields & { readonly deleted: boolean })[]) =>
  write(async db => {
    await db.deleteFrom('ideations').execute()
    for (const each of changes) {
      if (each.deleted) await db.deleteFrom('ideations').where('id', '=', `i${each.id}`).execute()
      else await upsert(db, each)
    }
  })

/** The ids of a part of the list. */
async function page(
  filter: { readonly status: string | null; readonly archived: 0 | 1 },
  paging: { readonly limit?: number; readonly offset?: number },
) {
  return database.read(async db => {
    const place = await placeIn(db, 'ideation', { board, ...filter }, paging)
    const rows = await listIdeations(db, { board, ...filter, ...place })
    return { ids: rows.map(row => row.id), total: place.total ?? rows.length }
  })
}

describe('whatever is written, in any order of times', () => {
  test('the counts are those of the records', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 60 }), async changes => {
        await apply(changes)
        expect(await database.read(countFalse)).toBe(0)
      }),
      { numRuns: 60 },
    )
  })

  test('a page is the part of the whole list that it asks for', async () => {
    const query = fc.record({
      status: fc.constantFrom(null, 'draft', 'done'),
      archived: fields.archived,
      limit: fc.integer({ min: 1, max: 8 }),
      offset: fc.nat({ max: 30 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 60 }),
        query,
        async (changes, { status, archived, limit, offset }) => {
          await apply(changes)
          const whole = await page({ status, archived }, {})
          const part = await page({ status, archived }, { limit, offset })
          expect(part).toEqual({ ids: whole.ids.slice(offset, offset + limit), total: whole.ids.length })
        },
      ),
      { numRuns: 60 },
    )
  })
})

test('records that were there before are counted in segments too', async () => {
  await apply(Array.from({ length: 20 }, (_, id) => ({ id, at: id, status: 'draft', archived: 0, deleted: false })))
  await write(async db => {
    await db.deleteFrom('list_counts').execute()
    await sql.raw(countAll(ideations, length)).execute(db)
  })
  expect(await database.read(countFalse)).toBe(0)
  const { rows } = await database.read(db =>
    sql<{ count: number }>`select count(*) as count from list_counts`.execute(db),
  )
  expect(rows[0]!.count).toBe(Math.ceil(20 / length))
})

test('records with times of their own are divided into segments, whatever their order', async () => {
  const times = fc.shuffledSubarray(
    Array.from({ length: 26 }, (_, at) => at),
    { minLength: 26 },
  )
  await fc.assert(
    fc.asyncProperty(times, async order => {
      await apply(order.map(at => ({ id: at, at, status: 'draft', archived: 0, deleted: false })))
      const counts = await database.read(db => db.selectFrom('list_counts').select('count').execute())
      expect(Math.max(...counts.map(({ count }) => count))).toBeLessThanOrEqual(2 * length)
    }),
    { numRuns: 20 },
  )
})

test('a deleted board leaves no counts', async () => {
  await apply([{ id: 1, at: 1, status: 'draft', archived: 0, deleted: false }])
  await write(db => db.deleteFrom('boards').execute())
  expect(await database.read(db => db.selectFrom('list_counts').selectAll().execute())).toEqual([])
})

test('false counts are found, and put right', async () => {
  await apply([{ id: 1, at: 1, status: 'draft', archived: 0, deleted: false }])
  await write(db => db.updateTable('list_counts').set({ count: 7 }).execute())
  expect(await database.read(countFalse)).toBe(1)
  await write(recount)
  expect(await database.read(countFalse)).toBe(0)
})
