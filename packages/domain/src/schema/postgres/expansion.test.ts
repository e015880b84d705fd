/**
 * Whether nodes of the previous version keep working after one of this version has migrated: a migration only adds.
 * This test cannot see what triggers and functions do, or what a migration writes into columns that are in use.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresDatabase } from '@specboard/storage/postgres'
import { onServer, type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../database.ts'
import { postgresMigrations } from './all.ts'

const missing = whyNoServer()

/**
 * What migrations remove because the previous version no longer uses it, by the names of the migrations, in the words
 * of `brokenBy`.
 */
const takenAway: Readonly<Record<string, readonly string[]>> = {
  // The board is added to each of them; no statement names one as its conflict target.
  '0151_keys_by_board': [
    'architecture_payloads (design_id, diagram_id)',
    'architecture_versions (design_id, version)',
    'card_dependencies (card_id, depends_on_id)',
    'changes (repository_id, kind, key)',
    'forge_deliveries (repository_id, delivery_id)',
    'kg_edges (from_id, edge_type, to_id)',
    'kg_nodes (id)',
    'kg_queue (id)',
    'snapshots (owner_type, owner_id, version)',
  ].map(key => `unique index ${key} is gone or another`),
}

/** A part of a schema that statements rely on, or that refuses rows. */
interface Part {
  readonly kind: 'column' | 'unique index' | 'constraint' | 'function'
  readonly table: string
  readonly name: string
  readonly form: string
  /** Whether it refuses rows that were written without knowledge of it. */
  readonly strict: boolean
  /** For a constraint or unique index: its columns. */
  readonly columns: readonly string[]
}

const partsQuery = `
  with tables as (select oid, relname::text as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname not like 'kysely_%')
  select 'column' as kind, t.name as table, a.attname::text as name,
      format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end as form,
      a.attnotnull and not a.atthasdef and a.attidentity = '' as strict, array[]::text[] as columns
    from tables t join pg_attribute a on a.attrelid = t.oid where a.attnum > 0 and not a.attisdropped
  union all select 'unique index', t.name, substring(pg_get_indexdef(x.indexrelid) from ' USING btree (.*)'),
      '', true,
      array(select attname::text from pg_attribute where attrelid = t.oid and attnum = any(x.indkey::int2[]))
    from tables t join pg_index x on x.indrelid = t.oid where x.indisunique
  union all select 'constraint', t.name, c.conname, pg_get_constraintdef(c.oid), true,
      array(select attname::text from pg_attribute where attrelid = t.oid and attnum = any(c.conkey))
    from tables t join pg_constraint c on c.conrelid = t.oid where c.contype in ('c', 'f', 'x')
  union all select 'function', '', p.oid::regprocedure::text, pg_get_function_result(p.oid), false, array[]::text[]
    from pg_proc p where p.pronamespace = current_schema()::regnamespace and p.prorettype <> 'trigger'::regtype
  order by 1, 2, 3`

const partsOf = (url: string): Promise<readonly Part[]> => onServer<Part>(url, partsQuery)

const titleOf = ({ kind, table, name }: Part): string => [kind, table, name].filter(part => part !== '').join(' ')

/** A foreign key that includes the board refuses no additional rows: a row and what it refers to are on one board. */
const offBoard = ({ table, form }: Part): string =>
  `${table} ${form.replaceAll('(board_id, ', '(').replace(/SET NULL \(\w+\)$/, 'SET NULL')}`

/** What breaks a program that was written for the earlier schema when it runs on the later one. */
function brokenBy(before: readonly Part[], after: readonly Part[]): string[] {
  const now = new Map(after.map(part => [titleOf(part), part]))
  const were = new Set(before.map(titleOf))
  const tables = new Set(before.map(({ table }) => table))
  const constraints = new Set(before.filter(({ kind }) => kind === 'constraint').map(offBoard))
  const unique = before.filter(({ kind, name }) => kind === 'unique index' && !name.includes(' WHERE '))
  const relied = before.filter(({ kind }) => kind !== 'constraint')
  const isKept = (part: Part): boolean => {
    const current = now.get(titleOf(part))
    return current !== undefined && current.form === part.form && (part.strict || !current.strict)
  }
  /** Whether a part refuses rows that nothing refused before. */
  const refuses = (part: Part): boolean => {
    const { kind, table, columns, strict } = part
    if (!strict || !tables.has(table)) return false
    if (kind === 'unique index')
      return !unique.some(index => index.table === table && index.columns.every(column => columns.includes(column)))
    if (kind !== 'constraint') return true
    return !constraints.has(offBoard(part)) && columns.some(column => were.has(`column ${table} ${column}`))
  }
  const isNew = (part: Part): boolean => part.kind === 'constraint' || !were.has(titleOf(part))
  return [
    ...relied.filter(part => !isKept(part)).map(part => `${titleOf(part)} is gone or another`),
    ...after.filter(part => isNew(part) && refuses(part)).map(part => `${titleOf(part)} refuses rows`),
  ]
}

describe.skipIf(missing !== undefined)(`an update node by node${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestServer
  let folder: string
  let template: string
  let parts: readonly Part[]

  beforeAll(async () => {
    server = await testServer()
    folder = mkdtempSync(join(tmpdir(), 'specboard-expansion-'))
    template = await server.database()
    await (await openDatabase({ folder, url: template })).close()
    parts = await partsOf(template)
  })

  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** What a statement breaks for the programs of this version. */
  async function broken(statement: string): Promise<string[]> {
    const url = await server.database(template)
    await onServer(url, statement)
    const found = brokenBy(parts, await partsOf(url))
    await server.drop(url)
    return found
  }

  test('what is migrated from now on only adds', async () => {
    const names = Object.keys(postgresMigrations).toSorted()
    const url = await server.database()
    let before: readonly Part[] | undefined
    for (const last of names) {
      const migrations = Object.fromEntries(
        names.filter(name => name <= last).map(name => [name, postgresMigrations[name]!]),
      )
      await (await PostgresDatabase.open({ url, migrations })).close()
      const after = await partsOf(url)
      if (before !== undefined) expect(brokenBy(before, after), last).toEqual(takenAway[last] ?? [])
      before = after
    }
  })

  test.each([
    ['a column that may be left out', `alter table cards add column further text collate "C"`],
    ['one with a value of its own', 'alter table cards add column further bigint not null default 0'],
    ['one that refers to something', 'alter table cards add column further text references agents (id)'],
    ['a table', 'create table further (id text not null primary key, card_id text references cards (id))'],
    ['an index', 'create index further on cards (title)'],
    ['a column that may be empty from now on', 'alter table cards alter column created_by set default $$$$'],
    ['an order that was unique without one of its columns', 'create unique index further on cards (title, id)'],
    ['rows', `insert into counters (name, value) values ('further', 0)`],
  ])('%s may be added', async (_, statement) => {
    expect(await broken(statement)).toEqual([])
  })

  test.each([
    ['a table that is gone', 'drop table search_changes', 'column search_changes'],
    ['a column that is gone', 'alter table cards drop column due_date', 'column cards due_date'],
    ['another name', 'alter table cards rename column due_date to due_at', 'column cards due_date'],
    ['another type', 'alter table cards alter column position type text', 'column cards position'],
    ['a column that must be said', 'alter table comments add column further text not null', 'column comments further'],
    ['one that must be said now', 'alter table boards alter column key drop default', 'column boards key'],
    ['an order that is unique', 'create unique index further on cards (board_id, title)', 'cards (board_id, title)'],
    [
      'another foreign key',
      `alter table cards drop constraint cards_spec_id_fkey,
      add constraint cards_spec_id_fkey foreign key (title) references specs (id)`,
      'constraint cards cards_spec_id_fkey',
    ],
    ['a check', `alter table cards add constraint further check (title <> '')`, 'constraint cards further'],
    ['a unique index that is gone', 'drop index search_changes_source', 'unique index search_changes'],
  ])('%s is refused', async (_, statement, name) => {
    expect(await broken(statement)).toContainEqual(expect.stringContaining(name))
  })
})
