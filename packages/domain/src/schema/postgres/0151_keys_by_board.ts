import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const migration: Migration = { up: db => keysByBoard(db) }

/**
 * Makes the keys of rows that belong to a board begin with the board, so that an engine that places rows by board can
 * place them: such an engine requires the board in every primary key, unique constraint and foreign key. It reads the
 * catalog, so that every database is changed in the same way, no matter when its tables were made.
 *
 * Nodes of the previous version refer to the keys in their old form (`on conflict (id)`), so these stay unique in
 * addition to the new ones.
 *
 * @param only the tables that a later migration has made; by default all
 */
export async function keysByBoard(db: Kysely<unknown>, only?: readonly string[]): Promise<void> {
  const which = only === undefined ? 'true' : `name in (${only.map(name => `'${name}'`).join(', ')})`
  await sql.raw(heldTables(which)).execute(db)
  // All statements are generated before the first one changes what they are generated from.
  const { rows } = await sql.raw<{ statement: string }>(statements(which)).execute(db)
  for (const { statement } of rows) await sql.raw(statement).execute(db)
}

/**
 * The tables of the schema whose rows all belong to a board, the tables whose keys change, and the foreign keys that
 * change.
 */
const concerned = (which: string): string => `board_tables as (
    select t.oid, t.relname::text as name, a.attnum as board from pg_class t
      join pg_attribute a on a.attrelid = t.oid and a.attname = 'board_id' and a.attnotnull
      where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace and exists (
        select 1 from pg_constraint c where c.conrelid = t.oid and c.contype = 'f' and c.conkey = array[a.attnum]
          and c.confrelid = (select oid from pg_class where relname = 'boards' and relnamespace = t.relnamespace))
  ),
  changed as (select * from board_tables where ${which}),
  referring as (
    select c.*, own.oid is not null as is_own from pg_constraint c
      join board_tables referenced on referenced.oid = c.confrelid left join board_tables own on own.oid = c.conrelid
    where c.contype = 'f' and not coalesce(own.board = any(c.conkey), false)
      and (c.conrelid in (select oid from changed) or c.confrelid in (select oid from changed))
  )`

/**
 * Locks these tables and those at the other end of their foreign keys, all or none: if a node has used one of them and
 * waits for another that is locked here, this releases its locks and starts again, so that the server aborts neither.
 */
const heldTables = (which: string): string => `do $held$
  declare
    names text := (
      with ${concerned(which)}
      select string_agg(each.oid::regclass::text, ', ' order by each.oid::regclass::text) from (
        select oid from changed union select conrelid from referring union select confrelid from referring) each
    );
    usual text := current_setting('lock_timeout');
  begin
    for attempt in 1..100 loop
      begin
        -- Shorter than the time after which the server looks for a deadlock.
        perform set_config('lock_timeout', case when attempt < 100 then '400ms' else usual end, true);
        execute 'lock table ' || names || ' in access exclusive mode';
        exit;
      exception when lock_not_available then
        if attempt = 100 then raise; end if;
      end;
    end loop;
    perform set_config('lock_timeout', usual, true);
  end $held$`

const columnsOf = (table: string, numbers: string): string => `(
  select string_agg(quote_ident(a.attname), ', ' order by place) from unnest(${numbers}) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = number)`

/** In this order: foreign keys are dropped, keys are changed, foreign keys are created again. */
const statements = (which: string): string => `
  with ${concerned(which)},
  keys as (
    select t.name as "table", i.relname::text as name, x.indisprimary as is_primary, c.oid is not null as is_constraint,
      ${columnsOf('t.oid', 'x.indkey::int2[]')} as columns
    from changed t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
      left join pg_constraint c on c.conindid = i.oid and c.contype in ('p', 'u')
    where x.indisunique and x.indpred is null and not t.board = any(x.indkey::int2[])
  ),
  foreign_keys as (
    select c.conrelid::regclass::text as "table", c.conname::text as name,
      case when not c.is_own then pg_get_constraintdef(c.oid)
        else format('foreign key (board_id, %s) references %s (board_id, %s) on delete %s',
          ${columnsOf('c.conrelid', 'c.conkey')}, c.confrelid::regclass, ${columnsOf('c.confrelid', 'c.confkey')},
          case c.confdeltype when 'c' then 'cascade'
            when 'n' then format('set null (%s)', ${columnsOf('c.conrelid', 'c.conkey')}) end)
      end as definition
    from referring c
  ),
  steps as (
    select 1 as step, "table" as name,
      format('alter table %s %s', "table", string_agg(format('drop constraint %I', name), ', ')) as statement
    from foreign_keys group by "table"
    union all
    select 2, "table", format('alter table %I %s', "table", string_agg(format(
      case when is_primary then 'drop constraint %1$I, add constraint %1$I primary key (board_id, %2$s), add constraint %3$I unique (%2$s)'
        else 'drop constraint %1$I, add constraint %1$I unique (%2$s, board_id)' end,
      name, columns, "table" || '_by_' || replace(columns, ', ', '_')), ', '))
    from keys where is_constraint group by "table"
    union all
    select 2, name, format('drop index %I', name) from keys where not is_constraint
    union all
    select 3, name, format('create unique index %I on %I (%s, board_id)', name, "table", columns) from keys where not is_constraint
    union all
    select 4, "table", format('alter table %s %s', "table", string_agg(format('add constraint %I %s', name, definition), ', '))
    from foreign_keys group by "table"
  )
  select statement from steps order by step, name`
