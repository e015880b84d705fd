/** The records that a search finds, in their order (board 4). */
import { dialect, type Param } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type Match, matching, matchingLatest } from './term-index.ts'
import { matchOf, titleKey, titleMatchOf, tsqueryOf, wordsOfQuery } from './words.ts'

/** Which records may be found, as SQL parameters. */
export interface Filter {
  /** A JSON array of the places that are searched. */
  places: string
  /** A JSON array of the global guidelines that are searched. */
  guidelines: string
  /** A JSON array; null for any. */
  statuses: string | null
  /** A JSON array of the labels that a record must have. */
  labels: string
  parent: string | null
  /** A JSON array of the names that the assignee may have; null for any. */
  assignees: string | null
  /** 1 for records that nobody is assigned to. */
  unassigned: Flag
  since: string
  archived: Flag
}

/** What is asked for, with what comes first of it. */
export interface Sought {
  readonly q: string
  /** The record whose reference the query is. */
  readonly exact: string | null
  readonly limit: number
  readonly offset: number
}

interface Parameters extends Filter {
  /** All words, in any text; and all words in the title. */
  match: string
  inTitle: string
  /** All words, in the language of PostgreSQL. */
  tsquery: string
  /** Titles between these begin with the query. */
  begin: string
  end: string
  /** The record that was found by its reference, or ''. */
  exact: string
  limit: number
  offset: number
}

/** The conditions of the filters on a record `r`. */
const passes = (param: Param<Parameters>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${dialect.inNumbers(sql.ref('r.place'), sql<string>`${param('places')}`)}
      or ${dialect.inList(sql.ref('r.record_id'), sql<string>`${param('guidelines')}`)})
    and r.archived <= ${param('archived')}
    and (${param('statuses')} is null or ${dialect.inList(sql.ref('r.status'), sql<string>`${param('statuses')}`)})
    and (${param('parent')} is null or r.parent_id = ${param('parent')})
    and (${param('assignees')} is null
      or ${dialect.inList(sql.ref('r.assignee_id'), sql<string>`${param('assignees')}`)})
    and (${param('unassigned')} = 0 or r.assignee_id is null)
    and r.updated_at >= ${param('since')}
    and (${param('labels')} = '[]' or not exists (
      select 1 from ${dialect.jsonElements(sql`${param('labels')}`)} as wanted
      where wanted.value not in (select own.value from ${dialect.jsonElements(sql.ref('r.labels'))} as own)))`

const newestFirst = sql`r.updated_at desc, r.record_id`
const pageOf = (param: Param<Parameters>) => sql`limit ${param('limit')} offset ${param('offset')}`

/** A cross join keeps SQLite to this order: the words, which are in order of the ordinals, then their records. */
const recordsOf = (ordinals: RawBuilder<unknown>) =>
  sql`from ${ordinals} cross join search_records r where r.ordinal = t.ordinal and`

const inTitle = (param: Param<Parameters>): Match => ({
  fts5: sql`${param('inTitle')}`,
  tsquery: sql`${param('tsquery')}`,
})
const anywhere = (param: Param<Parameters>): Match => ({
  fts5: sql`${param('match')}`,
  tsquery: sql`${param('tsquery')}`,
})

const others = (param: Param<Parameters>) => sql`r.record_id <> ${param('exact')}`

interface Hit {
  ordinal: number
}

interface Count {
  count: number
}

const exactly = hot<Parameters, Hit>(
  (_, param) =>
    sql<Hit>`select r.ordinal from search_records r where r.record_id = ${param('exact')} and ${passes(param)}`,
)

/** All words in the title; titles that begin with the query come first. */
const byTitle = hot<Parameters, Hit>(
  (
    _,
    param,
  ) => sql<Hit>`select r.ordinal ${recordsOf(matchingLatest('title', inTitle(param)))} ${others(param)} and ${passes(param)}
    order by (r.title_key >= ${param('begin')} and r.title_key < ${param('end')}) desc, ${newestFirst} ${pageOf(param)}`,
)

const countByTitle = hot<Parameters, Count>(
  (_, param) =>
    sql<Count>`select count(*) as count ${recordsOf(matching('title', inTitle(param)))} ${others(param)} and ${passes(param)}`,
)

/** All words, but not all of them in the title. */
const byText = hot<Parameters, Hit>(
  (
    _,
    param,
  ) => sql<Hit>`select r.ordinal ${recordsOf(matchingLatest('words', anywhere(param)))} ${others(param)} and ${passes(param)}
      and r.ordinal not in (select ordinal from ${matching('title', inTitle(param))})
    order by ${newestFirst} ${pageOf(param)}`,
)

const countWith = hot<Parameters, Count>(
  (_, param) =>
    sql<Count>`select count(*) as count ${recordsOf(matching('words', anywhere(param)))} ${others(param)} and ${passes(param)}`,
)

/** Without words: titles that begin with the query, which all do when it is empty. */
const begun = (param: Param<Parameters>) =>
  sql`from search_records r where r.title_key >= ${param('begin')} and r.title_key < ${param('end')}
    and ${others(param)} and ${passes(param)}`

const newest = hot<Parameters, Hit>(
  (_, param) => sql<Hit>`select r.ordinal ${begun(param)} order by ${newestFirst} ${pageOf(param)}`,
)

const countBegun = hot<Parameters, Count>((_, param) => sql<Count>`select count(*) as count ${begun(param)}`)

/** The ordinals of a page of what was found, and how many records were found in all. */
export async function find(db: Db, filter: Filter, { q, exact, limit, offset }: Sought) {
  const words = wordsOfQuery(q)
  const begin = titleKey(q)
  const parameters: Parameters = {
    ...filter,
    match: matchOf(words),
    inTitle: titleMatchOf(words),
    tsquery: tsqueryOf(words),
    begin,
    end: `${begin}\u{10ffff}`,
    exact: exact ?? '',
    limit,
    offset,
  }
  const named = exact === null ? [] : await exactly(db, parameters)
  const shown = named.slice(offset, offset + limit)
  const rest = { ...parameters, limit: limit - shown.length, offset: Math.max(0, offset - named.length) }
  const [hits, [counted]] =
    words.length === 0
      ? [await newest(db, rest), await countBegun(db, rest)]
      : [await withWords(db, rest), await countWith(db, rest)]
  return { ordinals: [...shown, ...hits].map(({ ordinal }) => ordinal), total: named.length + counted!.count }
}

/** A page of the records with all words: those that have them in the title come first. */
async function withWords(db: Db, parameters: Parameters): Promise<Hit[]> {
  const { limit, offset } = parameters
  const titled = await byTitle(db, parameters)
  if (titled.length === limit) return titled
  const ends = titled.length > 0 || offset === 0
  const before = ends ? offset + titled.length : (await countByTitle(db, parameters))[0]!.count
  const rest = { limit: limit - titled.length, offset: Math.max(0, offset - before) }
  return [...titled, ...(await byText(db, { ...parameters, ...rest }))]
}
