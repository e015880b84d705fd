import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExpressionBuilder } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Database } from './database.ts'
import { dialect } from './dialect.ts'
import type { Json } from './json.ts'
import { hot, migrations, type NotesSchema, put } from './notes.testing.ts'

let folder: string
let database: Database<NotesSchema>

interface Remark {
  id: string
  text: string
}

const remark: Remark = { id: 'r', text: 'Why "?"' }

const withRemarks = (eb: ExpressionBuilder<NotesSchema, 'notes'>) =>
  dialect.jsonArrayFrom(
    eb.selectFrom('remarks').select(['remarks.id', 'remarks.text']).whereRef('remarks.note_id', '=', 'notes.id'),
  )

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-dialect-'))
  database = await Database.open({ folder, migrations })
  await database.write(async db => {
    await put(db, 'a')
    await put(db, 'b')
    await db
      .updateTable('notes')
      .set({ labels: JSON.stringify(['x']) as Json<string[]> })
      .where('id', '=', 'a')
      .execute()
    await db
      .insertInto('remarks')
      .values({ ...remark, note_id: 'a' })
      .execute()
  })
})

afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

test('a nested collection is one JSON column', async () => {
  const nested = hot<object, { id: string; remarks: Json<Remark[]> }>(db =>
    db
      .selectFrom('notes')
      .select(eb => ['id', withRemarks(eb).as('remarks')])
      .orderBy('id'),
  )
  const rows = await database.read(db => nested(db, {}))
  expect(rows.map(row => [row.id, JSON.parse(row.remarks)])).toEqual([
    ['a', [remark]],
    ['b', []],
  ])
})

test('JSON columns of a nested row stay text, and nested collections may', async () => {
  interface Nested {
    labels: Json<string[]> | null
    remarks: Json<Remark[]> | Remark[]
  }
  const all = hot<object, { notes: Json<Nested[]> }>(db =>
    db.selectNoFrom(eb =>
      dialect
        .jsonArrayFrom(
          eb
            .selectFrom('notes')
            .select(inner => ['labels', withRemarks(inner).as('remarks')])
            .orderBy('id'),
        )
        .as('notes'),
    ),
  )
  const [row] = await database.read(db => all(db, {}))
  const notes: Nested[] = JSON.parse(row!.notes)
  expect(notes.map(note => note.labels)).toEqual(['["x"]', null])
  const remarks = notes.map(note => (typeof note.remarks === 'string' ? JSON.parse(note.remarks) : note.remarks))
  expect(remarks).toEqual([[remark], []])
})

/** `check:types` fails if the compiler accepts one of them: an unused `@ts-expect-error` is an error. */
const refused = {
  'a collection typed as parsed that may be text': () =>
    hot<object, { notes: Json<{ remarks: Remark[] }[]> }>(db =>
      // @ts-expect-error it may be text
      db.selectNoFrom(eb =>
        dialect.jsonArrayFrom(eb.selectFrom('notes').select(inner => withRemarks(inner).as('remarks'))).as('notes'),
      ),
    ),
  'a nested column of another name': () =>
    hot<object, { remarks: Json<{ id: string; body: string }[]> }>(db =>
      // @ts-expect-error a remark has a `text`
      db.selectFrom('notes').select(eb => withRemarks(eb).as('remarks')),
    ),
  'a nested collection without its owner': () =>
    hot<object, { remarks: Json<Remark[]> }>(db =>
      // @ts-expect-error remarks belong to notes
      db.selectFrom('remarks').select(eb => withRemarks(eb).as('remarks')),
    ),
} satisfies Record<string, () => unknown>

test.each(Object.entries(refused))('the compiler refuses %s', (_, query) => expect(query()).toBeTypeOf('function'))
