/**
 * Whether an engine that places rows by board can hold our tables: the board is in every key, unique index and foreign
 * key.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresDatabase } from '@specboard/storage/postgres'
import { onServer, type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toJson } from '../../lib/json.ts'
import { type Database, openDatabase } from '../database.ts'
import { insertRow } from '../rows.ts'
import { type Schema, tables } from '../tables/all.ts'
import { keysByBoard } from './0151_keys_by_board.ts'
import { postgresMigrations } from './all.ts'

const missing = whyNoServer()

/** The script that removes everything that still compares rows of several boards. */
const byBoard = readFileSync(new URL('../../../../../deploy/by-board.sql', import.meta.url), 'utf8')

/** The tables whose rows all belong to a board. */
const ofBoards = tables.filter(({ columns }) => columns.board_id?.references && !columns.board_id.isNullable)
const names = ofBoards.map(({ name }) => `'${name}'`).join(', ')

const before = Object.fromEntries(Object.entries(postgresMigrations).filter(([name]) => name < '0151'))

interface Key {
  readonly table: string
  readonly kind: 'unique' | 'foreign'
  readonly columns: string
  readonly others: string
}

const columnsOf = (table: string, numbers: string): string => `(select string_agg(attname::text, ', ' order by place)
  from unnest(${numbers}) with ordinality k (number, place) join pg_attribute on attrelid = ${table} and attnum = number)`

/**
 * The unique indexes of tables whose rows belong to boards, including those of primary keys, and the foreign keys to
 * them.
 */
const keysQuery = `
  select t.relname::text as table, 'unique' as kind, ${columnsOf('t.oid', 'x.indkey::int2[]')} as columns, '' as others
    from pg_index x join pg_class t on t.oid = x.indrelid where x.indisunique and t.relname in (${names})
  union all select c.conrelid::regclass::text, 'foreign', ${columnsOf('c.conrelid', 'c.conkey')},
      ${columnsOf('c.confrelid', 'c.confkey')}
    from pg_constraint c where c.contype = 'f' and c.confrelid::regclass::text in (${names})
  order by 1, 2, 4`

const saysBoard = (columns: string): boolean => columns.split(', ').includes('board_id')

describe.skipIf(missing !== undefined)(`keys of PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestServer
  let folder: string
  let url: string
  const keys = (): Promise<Key[]> => onServer<Key>(url, keysQuery)

  beforeAll(async () => {
    server = await testServer()
    folder = mkdtempSync(join(tmpdir(), 'specboard-keys-'))
    url = await server.database()
    await (await openDatabase({ folder, url })).close()
  })

  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('say the board of both rows where one refers to another', async () => {
    const placed = new Set<string>(ofBoards.map(({ name }) => name))
    const between = (await keys()).filter(({ kind, table }) => kind === 'foreign' && placed.has(table))
    expect(between.length).toBeGreaterThan(30)
    expect(between.filter(({ columns, others }) => !saysBoard(columns) || !saysBoard(others))).toEqual([])
  })

  test('keep each row of a database that is there, and what becomes of rows that refer to one that is deleted', async () => {
    const existing = await server.database()
    const older = await PostgresDatabase.open<Schema>({ url: existing, migrations: before })
    const at = { created_at: '', updated_at: '' }
    const common = {
      board_id: 'b',
      title: '',
      status: 'draft',
      version: 1,
      rev: 1,
      archived: 0,
      created_by: '',
      ...at,
    } as const
    const gates = { skip_test_coverage: 0, skip_rules_coverage: 0, skip_qualitative_validation: 0 } as const
    const further = {
      skip_trs_coverage: 0,
      skip_contract_coverage: 0,
      skip_decisions_coverage: 0,
      standing: 0,
    } as const
    await older.write(async db => {
      const board = { key: 'B', name: '', description: '', owner_id: '', seq: 0, last_number: 0, settings: toJson({}) }
      await insertRow(db, 'boards', { id: 'b', ...board, ...at })
      await insertRow(db, 'ideations', { ...common, id: 'i', number: 1 })
      await insertRow(db, 'refinements', { ...common, id: 'r', number: 2, ideation_id: 'i' })
      await insertRow(db, 'specs', {
        ...common,
        id: 's',
        number: 3,
        evaluations: toJson([]),
        ...gates,
        ...further,
        ideation_id: 'i',
        refinement_id: 'r',
      })
    })
    await older.close()
    await (await openDatabase({ folder, url: existing })).close()
    const specs = () => onServer(existing, 'select board_id, id, ideation_id, refinement_id from specs')
    expect(await specs()).toEqual([{ board_id: 'b', id: 's', ideation_id: 'i', refinement_id: 'r' }])
    await onServer(existing, `delete from ideations where id = 'i'`)
    expect(await onServer(existing, 'select id from refinements')).toEqual([])
    expect(await specs()).toEqual([{ board_id: 'b', id: 's', ideation_id: null, refinement_id: null }])
  })

  test('change beside a node that uses one table and then another: neither ends the other', async () => {
    const existing = await server.database()
    const older = await PostgresDatabase.open<Schema>({ url: existing, migrations: before })
    const waiting = 'select 1 from pg_locks where not granted and relation is not null'
    let runs = 0
    let migrated: Promise<Database> | undefined
    await older.write(async db => {
      runs++
      await sql`lock table sprints in row exclusive mode`.execute(db)
      migrated ??= openDatabase({ folder, url: existing })
      await expect.poll(() => onServer(existing, waiting), { timeout: 30_000 }).not.toEqual([])
      await sql`lock table cards in row exclusive mode`.execute(db)
    })
    await (await migrated!).close()
    await older.close()
    expect(runs).toBe(1)
  })

  test('are made the same way for a table that a later migration makes', async () => {
    const existing = await server.database()
    const later: Migration = {
      up: async db => {
        await sql`create table later_things (id text collate "C" primary key, board_id text collate "C" not null
          references boards (id) on delete cascade, card_id text collate "C" references cards (id) on delete set null,
          name text collate "C" not null unique)`.execute(db)
        await keysByBoard(db, ['later_things'])
      },
    }
    const migrations = { ...postgresMigrations, '9999_later': later }
    await (await PostgresDatabase.open({ url: existing, migrations })).close()
    const query = `select pg_get_constraintdef(oid) as key from pg_constraint where conrelid = 'later_things'::regclass order by 1`
    expect((await onServer<{ key: string }>(existing, query)).map(({ key }) => key)).toEqual([
      'FOREIGN KEY (board_id) REFERENCES boards(id) ON DELETE CASCADE',
      'FOREIGN KEY (board_id, card_id) REFERENCES cards(board_id, id) ON DELETE SET NULL (card_id)',
      'PRIMARY KEY (board_id, id)',
      'UNIQUE (id)',
      'UNIQUE (name, board_id)',
    ])
    const ofCards = `select conname::text as name from pg_constraint where conrelid = 'cards'::regclass and contype in ('p', 'u')`
    expect((await onServer<{ name: string }>(existing, ofCards)).map(({ name }) => name).toSorted()).toEqual([
      'cards_by_id',
      'cards_pkey',
    ])
  })

  test('say the board wherever rows are compared, once deploy/by-board.sql has run', async () => {
    await onServer(url, byBoard)
    expect((await keys()).filter(({ columns }) => !saysBoard(columns))).toEqual([])
  })
})
