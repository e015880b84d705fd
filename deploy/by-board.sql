-- Readies the keys of a database for an engine that places rows by their board (docs/deployment.md, Keys and boards). It runs
-- once, while no node serves the database.
--
-- The primary keys and foreign keys of rows that live on a board begin with their board. This takes away what still compares rows
-- of all boards: indexes stay, but are no longer unique, and tables without a board no longer refer to rows of boards.
do $by_board$
  declare
    statement text;
  begin
    for statement in
      with placed as (
        select t.oid, array_agg(a.attnum) as board from pg_class t
          join pg_attribute a on a.attrelid = t.oid and a.attname = 'board_id' and a.attnotnull
          join pg_constraint c on c.conrelid = t.oid and c.contype = 'f' and c.conkey = array[a.attnum]
            and c.confrelid = 'boards'::regclass
        where t.relnamespace = current_schema()::regnamespace group by t.oid
      ),
      unplaced as (
        select x.indexrelid, i.relname, t.oid as "table", c.conname, pg_get_indexdef(x.indexrelid) as definition
        from placed t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
          left join pg_constraint c on c.conindid = i.oid and c.contype = 'u'
        where x.indisunique and not x.indkey::int2[] && t.board
      )
      select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname)
        from pg_constraint c join placed t on t.oid = c.confrelid
        where c.contype = 'f' and c.conrelid not in (select oid from placed)
      union all
      select case when conname is null then format('drop index %I', relname)
          else format('alter table %s drop constraint %I', "table"::regclass, conname) end
        from unplaced
      union all
      select replace(definition, 'CREATE UNIQUE INDEX', 'CREATE INDEX') from unplaced
    loop
      execute statement;
    end loop;
  end $by_board$;
