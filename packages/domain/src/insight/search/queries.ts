/** The queries that find the records of a search (board 4), for each shape of search. */
import { dialect, type Param } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { hasLabels, isHeld } from '../../delivery/cards/list/filters.ts'
import type { Flag } from '../../schema/columns.ts'
import { hot } from '../../schema/hot.ts'
import { type Match, type MatchCount, matchedAmong, matching, matchingLatest } from './term-index.ts'

type SearchedIn = 'title' | 'words'

/** The records that may be found, as SQL parameters. */
export interface Filter {
  /** A JSON array of the places to search. */
  places: string
  /** A JSON array of the global guidelines to search. */
  guidelines: string
  /** A JSON array; null for any. */
  statuses: string | null
  /** A JSON array of the folded labels that a record must have. */
  labels: string
  /** Whether the labels of records must be folded to find them. */
  foreign_labels: Flag
  parent: string | null
  /** A JSON array of the names that the assignee may have; null for any. */
  assignees: string | null
  /** 1 for unassigned records. */
  unassigned: Flag
  /** The agent whose claims count as well as its assignments; null for none. */
  holder: string | null
  now: string
  since: string
  archived: Flag
  /** A JSON array of the cards whose scope contains a path; null for any record. */
  cards: string | null
}

export interface Parameters extends Filter {
  /** All words, in any text; and all words in the title. */
  match: string
  inTitle: string
  /** All words, in the language of PostgreSQL. */
  tsquery: string
  /** Titles between these begin with the query. */
  begin: string
  end: string
  /** A JSON array of the records that the query names: by their reference, or by the change that it names. */
  exact: string
  limit: number
  offset: number
  /** A JSON array of the candidate ordinals, which are tested for a match. */
  among: string
}

/** The optional filters; each combination of them has queries of its own. */
const optional = {
  statuses: param => sql`${dialect.inList(sql.ref('r.status'), sql<string>`${param('statuses')}`)}`,
  parent: param => sql`r.parent_id = ${param('parent')}`,
  assignees: param => sql`(${dialect.inList(sql.ref('r.assignee_id'), sql<string>`${param('assignees')}`)}
    or ${isHeld(param, 'r.record_id')})`,
  unassigned: () => sql`r.assignee_id is null`,
  since: param => sql`r.updated_at >= ${param('since')}`,
  labels: param => hasLabels(param, 'r.labels'),
  cards: param => sql`${dialect.inList(sql.ref('r.record_id'), sql<string>`${param('cards')}`)}`,
} as const satisfies Partial<Record<keyof Filter, (param: Param<Parameters>) => RawBuilder<unknown>>>

type Optional = keyof typeof optional

/** The value of each filter that is not set. */
const open: Readonly<Record<Optional, Filter[Optional]>> = {
  statuses: null,
  parent: null,
  assignees: null,
  unassigned: 0,
  since: '',
  labels: '[]',
  cards: null,
}

/**
 * The shape of a search: the filters that it sets, whether it includes guidelines besides places, and whether titles
 * that begin with the query matter.
 */
export interface Shape {
  readonly filters: readonly Optional[]
  readonly guidelines: boolean
  readonly hasBeginning: boolean
}

export const shapeOf = ({ begin, guidelines, ...filter }: Parameters): Shape => ({
  filters: (Object.keys(optional) as Optional[]).filter(name => filter[name] !== open[name]),
  guidelines: guidelines !== '[]',
  hasBeginning: begin !== '',
})

/**
 * The condition for a place that the caller may search. The unary plus keeps the planner from using it for an index:
 * places contain many records, and the wanted ones come in an order of their own.
 */
const inPlaces = (place: string, param: Param<Parameters>) =>
  dialect.inNumbers(sql<number>`+${sql.ref(place)}`, sql<string>`${param('places')}`)

/** The condition for records `r` that the caller may find. */
const visible = ({ guidelines }: Pick<Shape, 'guidelines'>, param: Param<Parameters>): RawBuilder<SqlBool> =>
  guidelines
    ? sql<SqlBool>`(${inPlaces('r.place', param)}
        or ${dialect.inList(sql.ref('r.record_id'), sql<string>`${param('guidelines')}`)})`
    : sql<SqlBool>`${inPlaces('r.place', param)}`

/** The conditions of the filters on a record `r`. */
const passing = (shape: Shape, param: Param<Parameters>): RawBuilder<SqlBool> =>
  sql<SqlBool>`${visible(shape, param)} and r.archived <= ${param('archived')}${sql.join(
    shape.filters.map(name => sql` and ${optional[name](param)}`),
    sql``,
  )}`

const newestFirst = sql`r.updated_at desc, r.record_id`
const pageOf = (param: Param<Parameters>) => sql`limit ${param('limit')} offset ${param('offset')}`

/** A cross join keeps SQLite to this order: the words, ordered by ordinal, then their records. */
const recordsOf = (ordinals: RawBuilder<unknown>) =>
  sql`from ${ordinals} cross join search_records r where r.ordinal = t.ordinal and`

/** What is matched against a title, and against any text. */
const textsOf: Readonly<Record<SearchedIn, (param: Param<Parameters>) => Match>> = {
  title: param => ({ fts5: sql`${param('inTitle')}`, tsquery: sql`${param('tsquery')}` }),
  words: param => ({ fts5: sql`${param('match')}`, tsquery: sql`${param('tsquery')}` }),
}

const isNamed = (param: Param<Parameters>) => dialect.inList(sql.ref('r.record_id'), sql<string>`${param('exact')}`)

const others = (param: Param<Parameters>) => sql`not ${isNamed(param)}`

export interface Hit {
  ordinal: number
}

/** A record that the query names. */
export interface NamedHit extends Hit {
  record_id: string
}

interface Count {
  count: number
}

/** A record among the newest, and whether its title begins with the query. */
export interface Newest extends Hit {
  begins: number
}

/** How many of the newest records are examined before all matches are sorted. */
export const newestAtOnce = 1_000

/** If more records than these are left out, the matches are counted one by one. */
export const maxLeftOut = 2_000

/** The places of all records, each found by one step in an index. */
const heldPlaces = sql`held(place) as (select min(place) from search_records
  union all select (select min(r.place) from search_records r where r.place > held.place) from held
    where held.place is not null)`

const amongAllIn = (place: SearchedIn) =>
  hot<Parameters, MatchCount>((_, param) =>
    matchedAmong(sql`from ${matching(place, textsOf[place](param))}`, param('among')),
  )

/**
 * Queries for the number of matching records, regardless of who may see them, and for the candidates that match; they
 * read only the term index.
 */
export const amongAll = { title: amongAllIn('title'), words: amongAllIn('words') }

/**
 * Whether records can be counted using the columns of one index: their place, whether they are archived, and their
 * status.
 */
const isCountedByStatus = ({ filters, guidelines, hasBeginning }: Shape): boolean =>
  !hasBeginning && !guidelines && filters.every(name => name === 'statuses')

const ofStatus = ({ filters }: Shape, param: Param<Parameters>) => sql`from search_records r
  where ${dialect.inNumbers(sql.ref('r.place'), sql<string>`${param('places')}`)} and r.archived in (0, ${param('archived')})
    ${sql.join(
      filters.map(name => sql`and ${optional[name](param)}`),
      sql` `,
    )}`

/** The queries for searches of one shape. */
function queriesOf(shape: Shape) {
  const passes = (param: Param<Parameters>) => passing(shape, param)
  const begins = (param: Param<Parameters>) =>
    sql<SqlBool>`(r.title_key >= ${param('begin')} and r.title_key < ${param('end')})`
  /** Without words: titles that begin with the query, which is true of all if it is empty. */
  const beginning = (param: Param<Parameters>) =>
    sql`from search_records r where ${passes(param)} and ${others(param)} ${shape.hasBeginning ? sql`and ${begins(param)}` : sql``}`
  const amongPassing = (place: SearchedIn) =>
    hot<Parameters, MatchCount>((_, param) =>
      matchedAmong(
        sql`${recordsOf(matching(place, textsOf[place](param)))} ${others(param)} and ${passes(param)}`,
        param('among'),
      ),
    )
  return {
    exactly: hot<Parameters, NamedHit>(
      (_, param) =>
        sql<NamedHit>`select r.ordinal, r.record_id from search_records r where ${isNamed(param)} and ${passes(param)}`,
    ),
    /** All words in the title; titles that begin with the query come first. */
    byTitle: hot<Parameters, Hit>(
      (
        _,
        param,
      ) => sql<Hit>`select r.ordinal ${recordsOf(matchingLatest('title', textsOf.title(param)))} ${others(param)}
        and ${passes(param)} order by ${begins(param)} desc, ${newestFirst} ${pageOf(param)}`,
    ),
    countByTitle: hot<Parameters, Count>(
      (
        _,
        param,
      ) => sql<Count>`select count(*) as count ${recordsOf(matching('title', textsOf.title(param)))} ${others(param)}
        and ${passes(param)}`,
    ),
    /** All words, but not all of them in the title. */
    byText: hot<Parameters, Hit>(
      (
        _,
        param,
      ) => sql<Hit>`select r.ordinal ${recordsOf(matchingLatest('words', textsOf.words(param)))} ${others(param)}
        and ${passes(param)} and r.ordinal not in (select ordinal from ${matching('title', textsOf.title(param))})
        order by ${newestFirst} ${pageOf(param)}`,
    ),
    /** The number of records that pass the filters and match, and which of the candidates do. */
    among: { title: amongPassing('title'), words: amongPassing('words') },
    newest: hot<Parameters, Hit>(
      (_, param) => sql<Hit>`select r.ordinal ${beginning(param)} order by ${newestFirst} ${pageOf(param)}`,
    ),
    countBegun: hot<Parameters, Count>(
      (_, param) =>
        sql<Count>`select count(*) as count ${isCountedByStatus(shape) ? ofStatus(shape, param) : beginning(param)}`,
    ),
    latest: hot<Parameters, Newest>(
      (_, param) => sql<Newest>`select r.ordinal, ${dialect.flag(begins(param))} as begins
        from search_records r where ${passes(param)} and ${others(param)} order by ${newestFirst} limit ${sql.lit(newestAtOnce)}`,
    ),
    /** Titles that begin with the query, newest first; if there are more than the limit, one more than the limit. */
    someBegun: hot<Parameters, Hit>(
      (_, param) => sql<Hit>`select r.ordinal from (
          select r.ordinal, r.updated_at, r.record_id from search_records r
            where ${begins(param)} and ${passes(param)} and ${others(param)} limit ${sql.lit(newestAtOnce + 1)}
        ) r order by ${newestFirst}`,
    ),
    /** The records that are left out: those in places that the caller does not see, and archived ones. */
    leftOut: hot<Parameters, Hit>(
      (_, param) => sql<Hit>`with recursive ${heldPlaces}
        select r.ordinal from search_records r
          where ${dialect.inFew(sql.ref('r.place'), sql`select place from held where not ${inPlaces('held.place', param)}`)}
            and not ${visible(shape, param)}
        union all
        select r.ordinal from search_records r
          where ${dialect.inFew(sql.ref('r.place'), sql`select place from held`)} and r.archived > ${param('archived')} and ${visible(shape, param)}
        limit ${sql.lit(maxLeftOut + 1)}`,
    ),
  }
}

export type Queries = ReturnType<typeof queriesOf>

const cache = new Map<string, Queries>()

/** The queries for searches of a shape. */
export function queriesFor(shape: Shape): Queries {
  const key = JSON.stringify(shape)
  const queries = cache.get(key) ?? queriesOf(shape)
  cache.set(key, queries)
  return queries
}
