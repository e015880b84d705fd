/** A process that serves a folder as a later version would, which adds to every table: `node serve-later-node.ts folder settings`. */
import { postgresMigrations } from '../../../../packages/domain/src/schema/postgres/all.ts'
import { statements } from '../../../../packages/domain/src/schema/postgres/statements.ts'

/** The order in which calls read them: a migration in another order could wait for calls that in turn wait for it. */
const inOrder = "array_position(array['agents', 'presets', 'boards', 'grants', 'shares'], tablename::text), tablename"

const later = statements([
  `do $$
    declare name text;
    begin
      for name in select tablename from pg_tables where schemaname = current_schema() and tablename not like 'kysely_%'
        order by ${inOrder} loop
        execute format('alter table %I add later_text text, add later_count bigint not null default 7', name);
        execute format('update %I set later_text = ''filled''', name);
      end loop;
    end $$`,
  'create table later_things (id text not null primary key)',
  'create index later_index on cards (later_text)',
])

Object.assign(postgresMigrations, { '9999_later': later })
await import('./serve-node.ts')
