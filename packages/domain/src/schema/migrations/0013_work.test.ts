import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database, type Db as StorageDb } from '@specboard/storage'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { migrations } from './all.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-work-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0013'))

type Values = Readonly<Record<string, string | number | null>>

/** Inserts a row; every column without a default that is not named is an empty list. */
async function put(db: StorageDb<unknown>, table: string, values: Values): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from pragma_table_info(${table}) where "notnull" = 1 and dflt_value is null`.execute(db)
  const row: Values = { ...Object.fromEntries(rows.map(({ name }) => [name, '[]'])), ...values }
  const names = sql.join(Object.keys(row).map(name => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(Object.values(row))})`.execute(db)
}

/** A database of the version before, with what `fill` writes, migrated; answers the notes of the migrations too. */
async function migrated(fill: (db: StorageDb<unknown>) => Promise<void>) {
  const older = await Database.open<unknown>({ folder, migrations: before })
  await older.write(fill)
  await older.close()
  const notes: (readonly [string, string | undefined])[] = []
  const database = await openDatabase({ folder, onMigration: (name, note) => notes.push([name, note]) })
  return { database, notes }
}

test('boards get keys in order of creation, their records numbers by creation and id', async () => {
  const { database, notes } = await migrated(async db => {
    for (const [id, name, created_at] of [
      ['b3', 'Specboard', '2026-01-03'],
      ['b1', 'Spectre', '2026-01-01'],
      ['b2', 'Web shop', '2026-01-02'],
      ['b4', 'Spectre', '2026-01-04'],
      ['b5', 'X', '2026-01-04'],
    ] as const)
      await put(db, 'boards', { id, name, created_at })
    const at = (created_at: string) => ({ board_id: 'b1', created_at })
    await put(db, 'ideations', { id: 'i2', ...at('2026-02-01') })
    await put(db, 'ideations', { id: 'i1', ...at('2026-02-01') })
    await put(db, 'refinements', { id: 'r1', ...at('2026-02-05'), ideation_id: 'i1' })
    await put(db, 'specs', { id: 's1', ...at('2026-02-03') })
    await put(db, 'sprints', { id: 'p1', ...at('2026-02-04'), spec_id: 's1' })
    await put(db, 'cards', { id: 'c1', ...at('2026-02-02'), archived: 1 })
    // Of an older database: two records of different kinds may have one id.
    await put(db, 'cards', { id: 's1', ...at('2026-02-06') })
    await put(db, 'cards', { id: 'c2', board_id: 'b2', created_at: '2026-02-01' })
  })
  expect(notes).toContainEqual(['0013_work', expect.stringContaining('CARDS_CLAIM')])
  await database.read(async db => {
    const boards = await db.selectFrom('boards').select(['id', 'key', 'last_number']).orderBy('id').execute()
    expect(boards.map(({ id, key, last_number }) => [id, key, last_number])).toEqual([
      ['b1', 'SPE', 7],
      ['b2', 'WS', 1],
      ['b3', 'SPE2', 0],
      ['b4', 'SPE3', 0],
      ['b5', 'BRD', 0],
    ])
    const numbers = async (table: 'ideations' | 'refinements' | 'specs' | 'sprints' | 'cards') =>
      (await db.selectFrom(table).select(['id', 'number']).orderBy('number').orderBy('id').execute()).map(row => [
        row.id,
        row.number,
      ])
    expect(await numbers('ideations')).toEqual([
      ['i1', 1],
      ['i2', 2],
    ])
    expect(await numbers('refinements')).toEqual([['r1', 6]])
    expect(await numbers('specs')).toEqual([['s1', 4]])
    expect(await numbers('sprints')).toEqual([['p1', 5]])
    expect(await numbers('cards')).toEqual([
      ['c2', 1],
      ['c1', 3],
      ['s1', 7],
    ])
  })
  await database.close()
})

test('custom presets refuse the new permissions, built-in ones are left to the start', async () => {
  const { database } = await migrated(async db => {
    const flags = JSON.stringify({ CARDS_READ: true, BOARDS_READ: false })
    await put(db, 'presets', { id: 'mine', is_builtin: 0, flags, revision: 4 })
    await put(db, 'presets', { id: 'ours', is_builtin: 1, flags, revision: 4 })
  })
  const presets = await database.read(db =>
    db.selectFrom('presets').select(['flags', 'revision']).orderBy('id').execute(),
  )
  expect(presets.map(({ flags, revision }) => [JSON.parse(flags), revision])).toEqual([
    [
      {
        CARDS_READ: true,
        BOARDS_READ: false,
        CARDS_CLAIM: false,
        CARDS_WAIVE: false,
        BOARDS_EXPORT: false,
        BOARDS_IMPORT: false,
        WEBHOOKS_READ: false,
        WEBHOOKS_MANAGE: false,
        SPECS_RECORD_RESULTS: false,
        SPECS_LINK_ITEMS: false,
        REPOSITORIES_READ: true,
        REPOSITORIES_MANAGE: false,
        CHANGES_READ: true,
        CHANGES_RECORD: false,
        CHANGES_LINK: false,
        REPORTS_READ: true,
        REPORTS_SUBMIT: false,
        AGENTS_CREATE_CI: false,
        SPECS_MAP_TESTS: false,
      },
      10,
    ],
    [{ CARDS_READ: true, BOARDS_READ: false }, 4],
  ])
  await database.close()
})

test('a new database has nothing to be told of', async () => {
  const notes: unknown[] = []
  await (await openDatabase({ folder, onMigration: name => notes.push(name) })).close()
  expect(notes).toEqual([])
})
