import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from './data-folder.ts'
import { Database } from './database.ts'
import type { Migrations } from './migrate.ts'
import { idsIn, migrations, type NotesSchema, put } from './notes.testing.ts'

let parent: string
let newDatabase: string

beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'specboard-new-'))
  const source = join(parent, 'made')
  await (await Database.open({ folder: source, migrations })).close()
  newDatabase = join(parent, 'new.db.br')
  writeFileSync(newDatabase, brotliCompressSync(readFileSync(databaseFile(source))))
})

afterEach(() => rmSync(parent, { recursive: true, force: true }))

/** The migrations, which must not run, because the copy already contains their result. */
const neverRun: Migrations = Object.fromEntries(
  Object.keys(migrations).map(name => [name, { up: () => Promise.reject(new Error(`${name} ran`)) }]),
)

test('a new folder begins with a copy, and keeps what it is given', async () => {
  const folder = join(parent, 'data')
  const options = { folder, migrations: neverRun, newDatabase }
  for (const [id, ids] of [
    ['first', ['first']],
    ['second', ['first', 'second']],
  ] as const) {
    const database = await Database.open<NotesSchema>(options)
    await database.write(db => put(db, id))
    expect(await database.read(idsIn)).toEqual(ids)
    await database.close()
  }
  expect(statSync(databaseFile(folder)).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).filter(name => name.endsWith('.new'))).toEqual([])
})

test('a copy that a lost process left unfinished is written anew', async () => {
  const folder = join(parent, 'data')
  await (await Database.open({ folder, migrations })).close()
  rmSync(databaseFile(folder))
  writeFileSync(`${databaseFile(folder)}.new`, 'half of one')
  const database = await Database.open<NotesSchema>({ folder, migrations: neverRun, newDatabase })
  expect(await database.read(idsIn)).toEqual([])
  await database.close()
})

test('a copy of fewer migrations is brought up to date', async () => {
  const folder = join(parent, 'data')
  const up: Migrations[string]['up'] = async db => {
    await db.schema.createTable('later').addColumn('id', 'text').execute()
  }
  const all: Migrations = { ...migrations, '0002_later': { up } }
  const database = await Database.open<{ later: { id: string } }>({ folder, migrations: all, newDatabase })
  expect(await database.read(db => db.selectFrom('later').selectAll().execute())).toEqual([])
  await database.close()
})
