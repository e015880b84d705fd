/**
 * The term index of search (board 4): which records have a word. Only this file depends on the full-text search of the
 * database: FTS5 in SQLite, `tsvector` in PostgreSQL, built from the same words and compared without a language
 * configuration.
 */
import { dialect, perDialect } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

/** The words of a text, separated by spaces, as PostgreSQL stores them. */
const vectorOf = (words: string | RawBuilder<unknown>) =>
  sql`array_to_tsvector(array_remove(string_to_array(${words}, ' '), ''))`

const put = hot<{ ordinal: number; title: string; text: string }, never>(
  (_, param) =>
    sql<never>`${perDialect(
      sql`insert or replace into search_terms (rowid, title, text)
        values (${param('ordinal')}, ${param('title')}, ${param('text')})`,
      sql`insert into search_terms (ordinal, title, words) values (${param('ordinal')}, ${vectorOf(param('title'))},
          ${vectorOf(param('title'))} || ${vectorOf(param('text'))})
        on conflict (ordinal) do update set title = excluded.title, words = excluded.words`,
    )}`,
)

/** Stores the words of a record, replacing its previous ones. */
export const putTerms = (db: Db, ordinal: number, title: string, text: string): Promise<unknown> =>
  put(db, { ordinal, title, text })

const putMany = hot<{ rows: string }, never>(
  (_, param) =>
    sql<never>`${perDialect(
      sql`insert into search_terms (rowid, title, text)
        select value ->> '$.ordinal', value ->> '$.title', value ->> '$.text' from json_each(${param('rows')})`,
      sql`insert into search_terms (ordinal, title, words)
        select ordinal, ${vectorOf(sql.ref('title'))}, ${vectorOf(sql.ref('title'))} || ${vectorOf(sql.ref('text'))}
        from jsonb_to_recordset(${param('rows')}::jsonb) as r (ordinal integer, title text, text text)`,
    )}`,
)

/** Stores the words of many new records. */
export const putManyTerms = (
  db: Db,
  rows: readonly { readonly ordinal: number; readonly title: string; readonly text: string }[],
): Promise<unknown> => putMany(db, { rows: JSON.stringify(rows) })

const drop = hot<{ ordinal: number }, never>(
  (_, param) =>
    sql<never>`delete from search_terms where ${perDialect(sql`rowid`, sql`ordinal`)} = ${param('ordinal')}`,
)

/** Removes the words of a record. */
export const dropTerms = (db: Db, ordinal: number): Promise<unknown> => drop(db, { ordinal })

/** Removes all words. */
export const dropAllTerms = (db: Db): Promise<unknown> =>
  sql`${perDialect(
    sql`insert into search_terms (search_terms) values ('delete-all')`,
    sql`delete from search_terms`,
  )}`.execute(db)

/** The number of index pages merged at once, in less than 10 ms. */
const mergedPages = 16

const merge = hot<Record<never, never>, never>(
  () =>
    sql<never>`${perDialect(
      sql`insert into search_terms (search_terms, rank) values ('merge', ${sql.lit(mergedPages)})`,
      sql`select from search_terms where false`,
    )}`,
)

/** Merges part of the index: the more units of work wrote it, the slower SQLite finds words. */
export const mergeTerms = (db: Db): Promise<unknown> => merge(db, {})

/** Merges the whole index. */
export const mergeAllTerms = (db: Db): Promise<unknown> =>
  sql`${perDialect(
    sql`insert into search_terms (search_terms) values ('optimize')`,
    sql`select from search_terms where false`,
  )}`.execute(db)

/** The search terms, as text in the language of each database. */
export interface Match {
  readonly fts5: RawBuilder<unknown>
  readonly tsquery: RawBuilder<unknown>
}

/** The ordinals of the records that match, in their title or anywhere, as a table `t` with the column `ordinal`. */
export const matching = (place: 'title' | 'words', { fts5, tsquery }: Match): RawBuilder<unknown> =>
  perDialect(
    sql`(select rowid as ordinal from search_terms where search_terms match ${fts5}) t`,
    sql`(select ordinal from search_terms where ${sql.ref(place)} @@ (${tsquery})::tsquery) t`,
  )

/** The number of matching records, and which of the candidates match. */
export interface MatchCount {
  count: number
  /** A JSON array of ordinals. */
  among: string
}

/**
 * Counts the matching records, and determines in the same pass which of some records are among them.
 * @param found the matches, as a from clause with a table `t`
 * @param among a JSON array of ordinals
 */
export function matchedAmong(found: RawBuilder<unknown>, among: string) {
  const isAmong = dialect.inNumbers(sql.ref('t.ordinal'), sql<string>`${among}`)
  return sql<MatchCount>`select count(*) as count, ${perDialect(
    sql`json_group_array(t.ordinal) filter (where ${isAmong})`,
    sql`coalesce(json_agg(t.ordinal) filter (where ${isAmong}), '[]')::text`,
  )} as among
    ${found}`
}

/** The matching ordinals, last indexed first: most of those on a page come early, so that few need sorting. */
export const matchingLatest = (place: 'title' | 'words', match: Match): RawBuilder<unknown> =>
  perDialect(
    sql`(select rowid as ordinal from search_terms where search_terms match ${match.fts5} order by rowid desc limit -1) t`,
    matching(place, match),
  )

/** How many records have words but should not, and how many should have words but do not. */
export async function countTerms(db: Db): Promise<{ readonly surplus: number; readonly missing: number }> {
  const stored = sql`(${perDialect(sql`select id as ordinal from search_terms_docsize`, sql`select ordinal from search_terms`)}) k`
  // PostgreSQL evaluates `not in` row by row if it does not know how few rows there are.
  const { rows } = await sql<{ surplus: number; missing: number }>`select
    (select count(*) from ${stored} where not exists (
      select 1 from search_records r where r.ordinal = k.ordinal)) as surplus,
    (select count(*) from search_records r where not exists (
      select 1 from ${stored} where k.ordinal = r.ordinal)) as missing`.execute(db)
  return rows[0]!
}
