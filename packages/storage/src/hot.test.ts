import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Database } from './database.ts'
import type { Json } from './json.ts'
import { hot, migrations, type NotesSchema, type NotesTable, put } from './notes.testing.ts'

let folder: string
let database: Database<NotesSchema>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-hot-'))
  database = await Database.open({ folder, migrations })
  await database.write(async db => {
    await put(db, 'a', 'Alpha')
    await put(db, 'b', 'Beta')
  })
})

afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

describe('a hot query', () => {
  test('is built once and run with the parameters of each call, in any position', async () => {
    let built = 0
    const titled = hot<{ title: string; limit: number; id: string }, Pick<NotesTable, 'id'>>((db, param) => {
      built++
      return db
        .selectFrom('notes')
        .select('id')
        .where(eb => eb.or([eb('title', '=', param('title')), eb('id', '=', param('id')), eb('id', '=', param('id'))]))
        .orderBy('id')
        .limit(param('limit'))
    })
    const ids = (title: string, id: string, limit = 9) =>
      database.read(async db => (await titled(db, { title, id, limit })).map(row => row.id))
    expect(await ids('Alpha', 'b')).toEqual(['a', 'b'])
    expect(await ids('Alpha', 'b', 1)).toEqual(['a'])
    expect(await ids('?', '"?"')).toEqual([])
    expect(built).toBe(1)
  })

  test('may be plain SQL, with constant values besides the parameters', async () => {
    const titles = hot<{ id: string }, { title: string; mark: string }>(
      (_, param) =>
        sql<{ title: string; mark: string }>`select title, ${'?'} as mark from notes where id = ${param('id')}`,
    )
    expect(await database.read(db => titles(db, { id: 'a' }))).toEqual([{ title: 'Alpha', mark: '?' }])
  })

  test('rejects when it fails', async () => {
    const repeated = database.write(db => put(db, 'a'))
    await expect(repeated).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' })
  })
})

type Id = Pick<NotesTable, 'id'>

/** `check:types` fails if the compiler accepts one of them: an unused `@ts-expect-error` is an error. */
const refused = {
  'a column of another name': () =>
    // @ts-expect-error the row type has a `name`, the query selects a `title`
    hot<object, { name: string }>(db => db.selectFrom('notes').select('title')),
  'a column that is not selected': () =>
    // @ts-expect-error the `title` is missing
    hot<object, Pick<NotesTable, 'id' | 'title'>>(db => db.selectFrom('notes').select('id')),
  'a column of another type': () =>
    // @ts-expect-error `seq` is a number
    hot<object, { seq: string }>(db => db.selectFrom('notes').select('seq')),
  'a nullable column typed as not null': () =>
    // @ts-expect-error the labels may be null
    hot<object, { labels: Json<string[]> }>(db => db.selectFrom('notes').select('labels')),
  'JSON of something else': () =>
    // @ts-expect-error the labels are texts
    hot<object, { labels: Json<number[]> | null }>(db => db.selectFrom('notes').select('labels')),
  'a row type that plain SQL does not have': () =>
    // @ts-expect-error the query selects an `id`
    hot<object, { title: string }>(() => sql<Id>`select id from notes`),
  'a select typed as without rows': () =>
    // @ts-expect-error it selects ids
    hot<object, never>(db => db.selectFrom('notes').select('id')),
  'rows of an insert that returns nothing': () =>
    // @ts-expect-error without `returning` there are no rows
    hot<Id, Id>((db, param) => db.insertInto('notes').values({ id: param('id'), title: '', labels: null, seq: 0 })),
  'an update that returns other columns': () =>
    hot<Id, Id>((db, param) =>
      // @ts-expect-error it returns the title
      db.updateTable('notes').set({ seq: 1 }).where('id', '=', param('id')).returning('title'),
    ),
  'an insert into an unknown column': () =>
    hot<Id, never>((db, param) =>
      // @ts-expect-error no column has that name
      db.insertInto('notes').values({ id: param('id'), name: '', labels: null, seq: 0 }),
    ),
  'an update of an unknown column': () =>
    // @ts-expect-error no column has that name
    hot<Id, never>((db, param) => db.updateTable('notes').set({ name: '' }).where('id', '=', param('id'))),
  'an update to a value of another type': () =>
    // @ts-expect-error plain text is not JSON
    hot<Id, never>((db, param) => db.updateTable('notes').set({ labels: '[]' }).where('id', '=', param('id'))),
  'a parameter of another name': () =>
    // @ts-expect-error the parameter is called `id`
    hot<Id, never>((db, param) => db.deleteFrom('notes').where('id', '=', param('note'))),
} satisfies Record<string, () => unknown>

const accepted = {
  'more columns than the row has': () => hot<object, Id>(db => db.selectFrom('notes').selectAll()),
  'an insert without rows': () =>
    hot<NotesTable, never>((db, param) =>
      db
        .insertInto('notes')
        .values({ id: param('id'), title: param('title'), labels: param('labels'), seq: param('seq') }),
    ),
  'a delete without rows': () => hot<Id, never>((db, param) => db.deleteFrom('notes').where('id', '=', param('id'))),
  'an update with rows': () =>
    hot<Id, { seq: number }>((db, param) =>
      db.updateTable('notes').set({ seq: 1 }).where('id', '=', param('id')).returning('seq'),
    ),
} satisfies Record<string, () => unknown>

test.each(Object.entries(refused))('the compiler refuses %s', (_, query) => expect(query()).toBeTypeOf('function'))
test.each(Object.entries(accepted))('the compiler accepts %s', (_, query) => expect(query()).toBeTypeOf('function'))
