import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bind, Connection, databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { idSource } from '../lib/ids.ts'
import { openDatabase, writeWithoutLock } from './database.ts'
import { migrations } from './migrations/all.ts'
import { insertRow } from './rows.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-database-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const forget = (name: string) => {
  const raw = new SqliteDatabase(databaseFile(folder))
  raw.prepare('delete from kysely_migration where name = ?').run(name)
  raw.close()
}

test('what is kept of callers is good until an agent or preset changes, here or in another process', async () => {
  const database = await openDatabase({ folder })
  const versionLater = async () => {
    await new Promise(resolve => setImmediate(resolve))
    return database.watchedVersion
  }
  const preset = (name: string) => ({
    id: name,
    owner_id: null,
    name,
    description: '',
    is_builtin: 0 as const,
    base_preset_id: null,
    flags: '{}',
    revision: 1,
    created_at: '',
    updated_at: '',
  })
  const first = await versionLater()
  await database.write(db => insertRow(db, 'secrets', { name: 'a', value: '' }))
  expect(await versionLater()).toBe(first)
  await database.write(db => insertRow(db, 'presets', preset('here')))
  const second = await versionLater()
  expect(second).toBeGreaterThan(first)
  await writeWithoutLock(folder, db => insertRow(db, 'presets', preset('there')))
  expect(await versionLater()).toBeGreaterThan(second)
  await database.close()
})

describe('opening', () => {
  test('a second opening of the folder is refused, a later one is not', async () => {
    const first = await openDatabase({ folder })
    await expect(openDatabase({ folder })).rejects.toMatchObject({ code: 'FOLDER_LOCKED' })
    await first.close()
    await (await openDatabase({ folder })).close()
  })

  test('a database of a newer version is refused and left as it is', async () => {
    await (await openDatabase({ folder })).close()
    const raw = new SqliteDatabase(databaseFile(folder))
    raw.prepare("insert into kysely_migration (name, timestamp) values ('9999_future', '')").run()
    raw.close()
    await expect(openDatabase({ folder })).rejects.toMatchObject({ code: 'DATABASE_NEWER' })
    await expect(writeWithoutLock(folder, async () => {})).rejects.toMatchObject({ code: 'DATABASE_NEWER' })
  })

  test('a failing migration leaves the database as it was, with a copy beside it', async () => {
    await (await openDatabase({ folder })).close()
    const last = Object.keys(migrations).at(-1)!
    forget(last)
    await expect(openDatabase({ folder })).rejects.toThrow(/already exists|no such index/)
    expect(readdirSync(folder)).toContain(`before-${last}.db`)
    const raw = new SqliteDatabase(databaseFile(folder), { readonly: true })
    expect(raw.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    raw.close()
  })

  test('a file that is no database is refused and left as it is', async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(databaseFile(folder), 'no database, but something that somebody wrote\n'.repeat(20))
    await expect(openDatabase({ folder })).rejects.toMatchObject({ code: 'SQLITE_NOTADB' })
  })

  test('every connection is durable', async () => {
    await (await openDatabase({ folder })).close()
    const connection = new Connection(databaseFile(folder), { readonly: false, cacheMb: 4 })
    expect([
      connection.pragma('journal_mode'),
      connection.pragma('synchronous'),
      connection.pragma('foreign_keys'),
    ]).toEqual(['wal', 2, 1])
    connection.close()
  })
})

describe('the query builder over one connection', () => {
  test('runs queries, and has no transactions or connections of its own', async () => {
    const database = await openDatabase({ folder })
    await database.write(async db => {
      await insertRow(db, 'secrets', { name: 'a', value: 'b' })
      expect(await db.selectFrom('secrets').selectAll().execute()).toEqual([{ name: 'a', value: 'b' }])
      expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
      await expect(db.transaction().execute(async () => {})).rejects.toThrow()
    })
    await database.close()
  })

  test('a closed gate refuses every query', async () => {
    const connection = new Connection(join(folder, 'plain.db'), { readonly: false, cacheMb: 4 })
    const gate = { open: true }
    const db = bind(connection, gate)
    await sql`select 1`.execute(db)
    gate.open = false
    await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: 'UNIT_CLOSED' })
    connection.close()
  })
})

describe('ids', () => {
  test('sort in the order of making, within a millisecond and when the clock steps back', () => {
    let now = 1_700_000_000_000
    const newId = idSource(() => now)
    const made = Array.from({ length: 10_000 }, (_, index) => {
      if (index === 5_000) now -= 60_000
      return newId()
    })
    expect([...made].sort()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
    for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
