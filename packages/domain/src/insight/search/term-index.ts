/**
 * The term index of search (board 4): which records have a word. Only this file depends on the full-text search of the
 * database; this is the version for SQLite, with FTS5.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

const put = hot<{ ordinal: number; title: string; text: string }, never>(
  (_, param) =>
    sql<never>`insert or replace into search_terms (rowid, title, text)
      values (${param('ordinal')}, ${param('title')}, ${param('text')})`,
)

/** Stores the words of a record in place of those that it had. */
export const putTerms = (db: Db, ordinal: number, title: string, text: string): Promise<unknown> =>
  put(db, { ordinal, title, text })

const drop = hot<{ ordinal: number }, never>(
  (_, param) => sql<never>`delete from search_terms where rowid = ${param('ordinal')}`,
)

/** Forgets the words of a record. */
export const dropTerms = (db: Db, ordinal: number): Promise<unknown> => drop(db, { ordinal })

/** Forgets all words. */
export const dropAllTerms = (db: Db): Promise<unknown> =>
  sql`insert into search_terms (search_terms) values ('delete-all')`.execute(db)

/** The ordinals of the records that match, as a table `t` with the column `ordinal`. */
export const matching = (match: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select rowid as ordinal from search_terms where search_terms match ${match}) t`

/** The same, last indexed first: of those are most that a page shows, and what comes later is not sorted into it. */
export const matchingLatest = (match: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select rowid as ordinal from search_terms where search_terms match ${match} order by rowid desc limit -1) t`

/** How many records have words, and how many records of the index have none. */
export async function countTerms(db: Db): Promise<{ readonly surplus: number; readonly missing: number }> {
  const { rows } = await sql<{ surplus: number; missing: number }>`select
    (select count(*) from search_terms_docsize where id not in (select ordinal from search_records)) as surplus,
    (select count(*) from search_records where ordinal not in (select id from search_terms_docsize)) as missing`.execute(
    db,
  )
  return rows[0]!
}
