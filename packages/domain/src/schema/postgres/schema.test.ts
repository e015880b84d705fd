/** Whether both databases have the same tables: what is added to one is added to the other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestServer, testServer, whyNoServer } from '@specboard/storage/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../database.ts'
import { tables } from '../tables/all.ts'

const missing = whyNoServer()

/**
 * Tables of the full-text search, which each database has in its own form, and those of the files of attachments, which
 * on SQLite are in the data folder.
 */
const ownTables = tables.filter(({ engine }) => engine !== undefined).map(({ name }) => name)

describe.skipIf(missing !== undefined)(`the schema of PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestServer
  let folder: string
  let sqlite: Database
  let postgres: Database

  beforeAll(async () => {
    server = await testServer()
    folder = mkdtempSync(join(tmpdir(), 'specboard-schema-'))
    sqlite = await openDatabase({ folder })
    postgres = await openDatabase({ folder, url: await server.database() })
  })

  afterAll(async () => {
    await sqlite?.close()
    await postgres?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('has every column, with or without null as in SQLite', async () => {
    const inSqlite = await sqlite.read(db =>
      sql<{
        name: string
      }>`select t.name || '.' || c.name || case when c."notnull" or c.pk > 0 then '' else '?' end as name
        from pragma_table_list t join pragma_table_info(t.name) c
        where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%' and t.name not like 'kysely_%'
          and t.name not in (${sql.join(ownTables)}) order by 1`.execute(db),
    )
    const inPostgres = await postgres.read(db =>
      sql<{ name: string }>`select (table_name || '.' || column_name
          || case when is_nullable = 'YES' then '?' else '' end) collate "C" as name
        from information_schema.columns where table_schema = 'public' and table_name not like 'kysely_%'
          and table_name not in (${sql.join(ownTables)}) order by 1`.execute(db),
    )
    expect(inPostgres.rows).toEqual(inSqlite.rows)
  })

  test('has every index and trigger by its name', async () => {
    const inSqlite = await sqlite.read(db =>
      sql<{ name: string }>`select name from sqlite_schema where type in ('index', 'trigger')
        and name not like 'sqlite_%' order by name`.execute(db),
    )
    const inPostgres = await postgres.read(db =>
      sql<{ name: string }>`select name from (
          select i.relname::text collate "C" as name from pg_index x join pg_class i on i.oid = x.indexrelid
            join pg_class t on t.oid = x.indrelid where t.relnamespace = 'public'::regnamespace
              and not exists (select 1 from pg_constraint c where c.conindid = i.oid)
              and t.relname not in (${sql.join(ownTables)})
          union select tgname::text from pg_trigger where not tgisinternal) names order by name`.execute(db),
    )
    expect(inPostgres.rows).toEqual(inSqlite.rows)
  })

  test('has whole numbers of 64 bits: one of a caller may be compared with every column', async () => {
    const { rows } = await postgres.read(db =>
      sql<{ name: string }>`select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and table_name not like 'kysely_%'
          and data_type in ('integer', 'smallint')`.execute(db),
    )
    expect(rows).toEqual([])
  })

  test('compares every text by its bytes', async () => {
    const { rows } = await postgres.read(db =>
      sql<{ name: string }>`select a.attrelid::regclass || '.' || a.attname as name from pg_attribute a
        join pg_class t on t.oid = a.attrelid where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
          and t.relname not like 'kysely_%' and a.atttypid = 'text'::regtype
          and a.attcollation <> (select oid from pg_collation where collname = 'C')`.execute(db),
    )
    expect(rows).toEqual([])
  })
})
