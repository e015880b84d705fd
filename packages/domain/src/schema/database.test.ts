import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toJson } from '../lib/json.ts'
import { openDatabase, writeWithoutLock } from './database.ts'
import { migrations } from './migrations/all.ts'
import { insertRow } from './rows.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-database-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('cached callers are valid until an agent or preset changes, in this process or another', async () => {
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
    flags: toJson({}),
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

test('a failed migration leaves the database as it was, with a copy beside it', async () => {
  await (await openDatabase({ folder })).close()
  const [first, second] = Object.keys(migrations)
  const forgetful = new SqliteDatabase(databaseFile(folder))
  forgetful.prepare('delete from kysely_migration where name <> ?').run(first)
  forgetful.close()
  // What a start that was killed while it copied has left.
  writeFileSync(join(folder, `before-${second}.db.part`), 'half a copy')
  await expect(openDatabase({ folder })).rejects.toThrow(/already exists/)
  expect(readdirSync(folder).filter(name => name.startsWith('before-'))).toEqual([`before-${second}.db`])
  const copy = new SqliteDatabase(join(folder, `before-${second}.db`), { readonly: true })
  expect(copy.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  copy.close()
  const raw = new SqliteDatabase(databaseFile(folder), { readonly: true })
  expect(raw.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  raw.close()
})
