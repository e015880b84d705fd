import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toJson } from '../lib/json.ts'
import { openDatabase, writeWithoutLock } from './database.ts'
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
