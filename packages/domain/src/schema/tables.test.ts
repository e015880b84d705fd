/** The table literals match what the migrations create, on both databases. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import type { Table } from './table.ts'
import { tables } from './tables/all.ts'
import type { Schema } from './tables.ts'

interface Made {
  readonly table: string
  readonly column: string
  readonly type: string
  /** Whether it may be null, 0 or 1. */
  readonly nullable: number
  /** Its place in the primary key, from 1; 0 if it is not part of it. */
  readonly place: number
}

interface Reference {
  readonly table: string
  readonly column: string
  readonly other: string
  readonly other_column: string
  readonly on_delete: string
}

/** A table of a database, in the words of its literal. */
type Described = readonly [table: string, key: string, ...columns: string[]]

const typesOf: Readonly<Record<string, string>> = {
  text: 'text',
  integer: 'whole',
  bigint: 'whole',
  real: 'real',
  'double precision': 'real',
  blob: 'bytes',
  bytea: 'bytes',
}

const storedAs: Readonly<Record<string, string>> = { json: 'text', flag: 'whole' }

function describeColumn(name: string, type: string, isNullable: boolean, reference: Reference | undefined): string {
  const to = reference && ` -> ${reference.other}.${reference.other_column} on delete ${reference.on_delete}`
  return `${name} ${type}${isNullable ? '?' : ''}${to ?? ''}`
}

/** The tables that the migrations made. */
function made(columns: readonly Made[], references: readonly Reference[]): Described[] {
  return [...Map.groupBy(columns, ({ table }) => table)].map(([table, ofTable]) => {
    const key = ofTable.filter(({ place }) => place > 0).sort((one, other) => one.place - other.place)
    const described = ofTable.map(({ column, type, nullable }) =>
      describeColumn(
        column,
        typesOf[type.toLowerCase()] ?? type,
        nullable === 1,
        references.find(each => each.table === table && each.column === column),
      ),
    )
    return [table, key.map(({ column }) => column).join(), ...described.toSorted()] as const
  })
}

/** The key of a table on PostgreSQL; it begins with the board if all rows belong to one. */
const withBoard = ({ key, columns }: Table): readonly string[] =>
  columns.board_id?.references && !columns.board_id.isNullable ? [...new Set(['board_id', ...key])] : key

/** The tables that the literals describe. */
const describedBy = (
  literals: readonly Table[],
  keyOf = (literal: Table): readonly string[] => literal.key,
): Described[] =>
  literals.map(literal => [
    literal.name,
    keyOf(literal).join(),
    ...Object.entries(literal.columns)
      .map(([column, { stored, isNullable = false, references }]) =>
        describeColumn(
          column,
          storedAs[stored] ?? stored,
          isNullable,
          references && {
            table: literal.name,
            column,
            other: references.table,
            other_column: references.column,
            on_delete: references.onDelete,
          },
        ),
      )
      .toSorted(),
  ])

const sorted = (described: readonly Described[]) => described.toSorted(([one], [other]) => (one < other ? -1 : 1))

const common = tables.filter(({ engine }) => engine === undefined)
const inOwnForm = new Set<string>(tables.filter(({ engine }) => engine === 'own form').map(({ name }) => name))

const onSqlite = (database: Database) =>
  database.read(async db => {
    const { rows: columns } = await sql<Made>`select t.name as "table", c.name as "column", c.type,
        c."notnull" = 0 and c.pk = 0 as nullable, c.pk as place
      from pragma_table_list t join pragma_table_info(t.name) c
      where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%' and t.name not like 'kysely_%'`.execute(
      db,
    )
    const { rows: references } =
      await sql<Reference>`select t.name as "table", f."from" as "column", f."table" as other,
        f."to" as other_column, lower(f.on_delete) as on_delete
      from pragma_table_list t join pragma_foreign_key_list(t.name) f where t.schema = 'main' and t.type = 'table'`.execute(
        db,
      )
    return made(columns, references).filter(([name]) => !inOwnForm.has(name))
  })

const onPostgres = (database: Database) =>
  database.read(async db => {
    const { rows: columns } = await sql<Made>`select t.relname::text as "table", a.attname::text as "column",
        format_type(a.atttypid, null) as type, case when a.attnotnull then 0 else 1 end as nullable,
        coalesce(array_position(k.conkey, a.attnum), 0) as place
      from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
        left join pg_constraint k on k.conrelid = t.oid and k.contype = 'p'
      where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace and t.relname not like 'kysely_%'`.execute(db)
    const { rows: references } = await sql<Reference>`select t.relname::text as "table", a.attname::text as "column",
        o.relname::text as other, b.attname::text as other_column,
        case k.confdeltype when 'c' then 'cascade' when 'n' then 'set null' else k.confdeltype::text end as on_delete
      from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class o on o.oid = k.confrelid
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[cardinality(k.conkey)]
        join pg_attribute b on b.attrelid = o.oid and b.attnum = k.confkey[cardinality(k.confkey)]
      where k.contype = 'f' and t.relnamespace = 'public'::regnamespace`.execute(db)
    return made(columns, references).filter(([name]) => !inOwnForm.has(name))
  })

let folder: string
let sqlite: Database

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'specboard-tables-'))
  sqlite = await openDatabase({ folder })
})

afterAll(async () => {
  await sqlite?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('SQLite has the tables of the literals', async () => {
  expect(sorted(await onSqlite(sqlite))).toEqual(sorted(describedBy(common)))
})

const missing = whyNoServer()

describe.skipIf(missing !== undefined)(`PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestServer
  let postgres: Database

  beforeAll(async () => {
    server = await testServer()
    postgres = await openDatabase({ folder, url: await server.database() })
  })

  afterAll(async () => {
    await postgres?.close()
    await server?.stop()
  })

  test('has the tables of the literals', async () => {
    const own = tables.filter(({ engine }) => engine === 'postgres')
    expect(sorted(await onPostgres(postgres))).toEqual(sorted(describedBy([...common, ...own], withBoard)))
  })
})

test('every column that a literal names exists', () => {
  const columnNames = (table: string | undefined) =>
    new Set(Object.keys(tables.find(({ name }) => name === table)?.columns ?? {}))
  for (const { name, key, title, part, counted, ofBoard, columns } of tables) {
    const named = [...key, title, part?.by, counted?.key, ...(ofBoard && 'through' in ofBoard ? [ofBoard.through] : [])]
    expect(named.filter(column => column !== undefined && !columnNames(name).has(column))).toEqual([])
    for (const { names, references } of Object.values(columns)) {
      if (references !== undefined) expect(columnNames(references.table)).toContain(references.column)
      if (names === undefined) continue
      if ('table' in names) expect(columnNames(names.table).size, names.table).toBeGreaterThan(0)
      else expect(columnNames(name)).toContain(names.kindIn)
    }
    for (const owner of part?.of ?? [])
      expect(tables.find(candidate => candidate.name === owner)?.isNumbered).toBe(true)
  }
})

test('every table with rows of boards says how they are removed', () => {
  const ofBoards = tables.filter(({ columns }) => columns.board_id?.references !== undefined)
  expect(ofBoards.filter(({ removed }) => removed === undefined).map(({ name }) => name)).toEqual([])
})

/** Whether the compiler knows the columns by their types. */
test('rows have the types of their columns', () => {
  const link: Schema['former_board_keys'] = { key: 'KEY', board_id: 'board' }
  // @ts-expect-error a column that is not nullable
  const other: Schema['former_board_keys'] = { key: null, board_id: 'board' }
  expect(link).not.toEqual(other)
})
