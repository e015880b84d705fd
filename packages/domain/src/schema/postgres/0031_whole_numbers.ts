import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Whole numbers of 64 bits, as SQLite has them: a value of a caller that is compared with a column of 32 bits, such as
 * `after` of an event stream, is otherwise refused by the server.
 */
export const migration: Migration = {
  up: async db => {
    const { rows } = await sql<{ name: string; columns: string }>`
      select c.table_name as name, string_agg(format('alter column %I type bigint', c.column_name), ', ') as columns
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.data_type = 'integer'
        and c.table_name not like 'kysely_%'
      group by c.table_name order by c.table_name`.execute(db)
    // The server alters no column that a trigger names.
    const { rows: triggers } = await sql<{ gone: string; made: string }>`
      select format('drop trigger %I on %s', tgname, tgrelid::regclass) as gone, pg_get_triggerdef(t.oid) as made
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = current_schema()::regnamespace and not tgisinternal and tgattr <> ''`.execute(db)
    for (const { gone } of triggers) await sql.raw(gone).execute(db)
    for (const { name, columns } of rows) await sql.raw(`alter table "${name}" ${columns}`).execute(db)
    for (const { made } of triggers) await sql.raw(made).execute(db)
  },
}
