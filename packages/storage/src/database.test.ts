import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Checkpointer } from './checkpointer.ts'
import { databaseFile } from './data-folder.ts'
import { Database } from './database.ts'
import type { Migrations } from './migrate.ts'
import { hot, idsIn, migrations, type NotesSchema, put } from './notes.testing.ts'
import { writeWithoutLock } from './unlocked.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-database-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (all: Migrations = migrations) =>
  Database.open<NotesSchema>({ folder, migrations: all, watched: ['notes'] })

/** Runs a statement on the file of a closed database. */
function alter(statement: string): void {
  const raw = new SqliteDatabase(databaseFile(folder))
  raw.pragma('foreign_keys = off')
  raw.exec(statement)
  raw.close()
}

describe('opening', () => {
  test('a folder cannot be opened twice at a time, but again after it was closed', async () => {
    const first = await open()
    await expect(open()).rejects.toMatchObject({ code: 'FOLDER_LOCKED' })
    await first.close()
    await (await open()).close()
  })

  test('a database of a newer version is refused', async () => {
    await (await open()).close()
    alter("insert into kysely_migration (name, timestamp) values ('9999_future', '')")
    await expect(open()).rejects.toMatchObject({ code: 'DATABASE_NEWER' })
    await expect(writeWithoutLock({ folder, migrations }, async () => {})).rejects.toMatchObject({
      code: 'DATABASE_NEWER',
    })
  })

  test('a database from before the first migration is refused', async () => {
    await (await open()).close()
    alter("insert into kysely_migration (name, timestamp) values ('0000_ancient', '')")
    await expect(open()).rejects.toMatchObject({ code: 'DATABASE_OLDER' })
  })

  test.each<[string, Migrations[string]['up'], RegExp]>([
    ['that fails', () => Promise.reject(new Error('it failed')), /it failed/],
    [
      'that leaves a broken reference',
      async db => void (await sql`insert into remarks (id, note_id, text) values ('r', 'gone', '')`.execute(db)),
      /0003_bad left 1 broken references/,
    ],
  ])('a migration %s rolls back those before it, and a copy is beside the database', async (_, bad, message) => {
    const first = await open()
    await first.write(db => put(db, 'kept'))
    await first.close()
    // What a start that was killed while it copied has left.
    writeFileSync(join(folder, 'before-0002_more.db.part'), 'half a copy')
    const more: Migrations[string]['up'] = async db => void (await sql`create table more (id text)`.execute(db))
    await expect(open({ ...migrations, '0002_more': { up: more }, '0003_bad': { up: bad } })).rejects.toThrow(message)
    expect(readdirSync(folder).filter(name => name.startsWith('before-'))).toEqual(['before-0002_more.db'])
    const again = await open()
    expect(await again.read(idsIn)).toEqual(['kept'])
    const tables = await again.read(db => sql<{ name: string }>`select name from sqlite_master`.execute(db))
    expect(tables.rows.map(row => row.name)).not.toContain('more')
    await again.close()
  })

  test('a file that is not a database is refused and left as it is', async () => {
    const text = 'not a database, but something that somebody wrote\n'.repeat(20)
    writeFileSync(databaseFile(folder), text)
    await expect(open()).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' })
    expect(readFileSync(databaseFile(folder), 'utf8')).toBe(text)
  })
})

test('the version of watched tables rises with a write to one of them, in this process or another', async () => {
  const database = await open()
  const remark = hot<{ id: string; note: string }, never>((db, param) =>
    db.insertInto('remarks').values({ id: param('id'), note_id: param('note'), text: '' }),
  )
  const versionLater = async () => {
    await new Promise(resolve => setImmediate(resolve))
    return database.watchedVersion
  }
  await database.write(db => put(db, 'n'))
  const first = await versionLater()
  await database.write(db => remark(db, { id: 'r', note: 'n' }))
  expect(await versionLater()).toBe(first)
  await database.write(db => put(db, 'here'))
  const second = await versionLater()
  expect(second).toBeGreaterThan(first)
  await writeWithoutLock<NotesSchema, unknown>({ folder, migrations }, db => put(db, 'there'))
  expect(await versionLater()).toBeGreaterThan(second)
  await database.close()
})

test('within a group nothing cached counts after a write to a watched table, and nothing after one elsewhere', async () => {
  const database = await open()
  await database.write(db => put(db, 'n'))
  const before = database.watchedVersion
  const versionIn = (id?: string) =>
    database.write(async db => {
      const { versionWithin } = database
      if (id !== undefined) await put(db, id)
      return versionWithin
    })
  expect(await Promise.all([versionIn(), versionIn('first'), versionIn(), versionIn()])).toEqual([
    before,
    before,
    undefined,
    undefined,
  ])
  expect(database.versionWithin).toBe(database.watchedVersion)
  const known = database.watchedVersion
  await writeWithoutLock<NotesSchema, unknown>({ folder, migrations }, db => put(db, 'there'))
  expect(await versionIn()).not.toBe(known)
  await database.close()
})

test('a write without the lock waits in turns for the writer before it, even one of this process', async () => {
  const database = await open()
  const writer = new SqliteDatabase(databaseFile(folder))
  writer.exec('begin immediate')
  const waiting = writeWithoutLock<NotesSchema, unknown>({ folder, migrations }, db => put(db, 'waited'))
  setImmediate(() => writer.exec('commit').close())
  await waiting
  expect(await database.read(idsIn)).toEqual(['waited'])
  await database.close()
})

test('the pieces of a large change wait while the log is written back, other writes do not', async () => {
  const passes = Promise.withResolvers<void>()
  const spy = vi.spyOn(Checkpointer.prototype, 'passes', 'get').mockReturnValue(passes.promise)
  const database = await open()
  try {
    const piece = database.write(db => put(db, 'piece'), { isPiece: true })
    await database.write(db => put(db, 'other'))
    expect(await database.read(idsIn)).toEqual(['other'])
    spy.mockReturnValue(undefined)
    passes.resolve()
    await piece
    expect(await database.read(idsIn)).toEqual(['other', 'piece'])
  } finally {
    await database.close()
    spy.mockRestore()
  }
})
