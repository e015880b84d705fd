import { notes, talk } from '../migrations/0038_searched_talk.ts'
import { notingTriggers } from '../search-tables.ts'
import { postgresTrigger } from '../triggers.ts'
import { statements } from './statements.ts'

/**
 * Texts in one case and normal form, in every script. Columns compare by bytes, and `lower` of such a text changes ASCII
 * alone; the collation of ICU knows all scripts. A server that was built without it folds by the database's own.
 */
const folded = `do $$
  declare icu text := (select ' collate "und-x-icu"' from pg_collation where collname = 'und-x-icu' limit 1);
  begin
    execute format('create or replace function specboard_folded(given text) returns text
      language sql immutable strict parallel safe
      return lower(normalize(given, NFC)%s) collate "C"', coalesce(icu, ' collate "default"'));
  end $$`

/** Comments, questions and the conclusions of cards are searched (board 4). */
export const migration = statements([
  folded,
  ...talk.flatMap(table => notingTriggers(table, table.columns).flatMap(postgresTrigger)),
  ...notes,
])
