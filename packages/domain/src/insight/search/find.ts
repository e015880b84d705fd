/** The records that a search finds, in their order (board 4). */
import { dialect, type Param } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type Match, type Matched, matchedAmong, matching, matchingLatest } from './term-index.ts'
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

/** The filters that a search may leave open; each combination of them has queries of its own. */
const optional = {
  statuses: param => sql`${dialect.inList(sql.ref('r.status'), sql<string>`${param('statuses')}`)}`,
  parent: param => sql`r.parent_id = ${param('parent')}`,
  assignees: param => sql`${dialect.inList(sql.ref('r.assignee_id'), sql<string>`${param('assignees')}`)}`,
  unassigned: () => sql`r.assignee_id is null`,
  since: param => sql`r.updated_at >= ${param('since')}`,
  labels: param => sql`not exists (
    select 1 from ${dialect.jsonElements(sql`${param('labels')}`)} as wanted
    where wanted.value not in (select own.value from ${dialect.jsonElements(sql.ref('r.labels'))} as own))`,
} as const satisfies Partial<Record<keyof Filter, (param: Param<Parameters>) => RawBuilder<unknown>>>

type Optional = keyof typeof optional

/** What each filter is while it is left open. */
const open: Readonly<Record<Optional, Filter[Optional]>> = {
  statuses: null,
  parent: null,
  assignees: null,
  unassigned: 0,
  since: '',
  labels: '[]',
}

/** What a search asks for: the filters that it sets, whether guidelines besides places, and whether titles that begin so. */
interface Shape {
  readonly filters: readonly Optional[]
  readonly guidelines: boolean
  readonly begun: boolean
}

const shapeOf = ({ begin, guidelines, ...filter }: Parameters): Shape => ({
  filters: (Object.keys(optional) as Optional[]).filter(name => filter[name] !== open[name]),
  guidelines: guidelines !== '[]',
  begun: begin !== '',
})

/**
 * The condition for a place that the caller may search. The sign keeps it out of the choice of an index: places hold many
 * records, and those that are looked for come in an order of their own.
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

/** A record among the newest, and whether its title begins with the query. */
interface Newest extends Hit {
  begins: number
}

/** So many of the newest records are looked through before all that match are put in order. */
const newestAtOnce = 1_000

/** Where more records than these are left out, those that match are counted one by one. */
const mostLeftOut = 2_000

/** The places of all records, each found by one step in an index. */
const held = sql`held(place) as (select min(place) from search_records
  union all select (select min(r.place) from search_records r where r.place > held.place) from held
    where held.place is not null)`

/** The queries of searches of one shape. */
function queriesOf(shape: Shape) {
  const passes = (param: Param<Parameters>) => passing(shape, param)
  const begins = (param: Param<Parameters>) =>
    sql<SqlBool>`(r.title_key >= ${param('begin')} and r.title_key < ${param('end')})`
  /** Without words: titles that begin with the query, which all do when it is empty. */
  const begun = (param: Param<Parameters>) =>
    sql`from search_records r where ${passes(param)} and ${others(param)} ${shape.begun ? sql`and ${begins(param)}` : sql``}`
  return {
    exactly: hot<Parameters, Hit>(
      (_, param) =>
        sql<Hit>`select r.ordinal from search_records r where r.record_id = ${param('exact')} and ${passes(param)}`,
    ),
    /** All words in the title; titles that begin with the query come first. */
    byTitle: hot<Parameters, Hit>(
      (_, param) => sql<Hit>`select r.ordinal ${recordsOf(matchingLatest('title', inTitle(param)))} ${others(param)}
        and ${passes(param)} order by ${begins(param)} desc, ${newestFirst} ${pageOf(param)}`,
    ),
    countByTitle: hot<Parameters, Count>(
      (_, param) => sql<Count>`select count(*) as count ${recordsOf(matching('title', inTitle(param)))} ${others(param)}
        and ${passes(param)}`,
    ),
    /** All words, but not all of them in the title. */
    byText: hot<Parameters, Hit>(
      (_, param) => sql<Hit>`select r.ordinal ${recordsOf(matchingLatest('words', anywhere(param)))} ${others(param)}
        and ${passes(param)} and r.ordinal not in (select ordinal from ${matching('title', inTitle(param))})
        order by ${newestFirst} ${pageOf(param)}`,
    ),
    countWith: hot<Parameters, Count>(
      (
        _,
        param,
      ) => sql<Count>`select count(*) as count ${recordsOf(matching('words', anywhere(param)))} ${others(param)}
        and ${passes(param)}`,
    ),
    newest: hot<Parameters, Hit>(
      (_, param) => sql<Hit>`select r.ordinal ${begun(param)} order by ${newestFirst} ${pageOf(param)}`,
    ),
    countBegun: hot<Parameters, Count>((_, param) => sql<Count>`select count(*) as count ${begun(param)}`),
    latest: hot<Parameters, Newest>(
      (_, param) => sql<Newest>`select r.ordinal, ${dialect.flag(begins(param))} as begins
        from search_records r where ${passes(param)} order by ${newestFirst} limit ${sql.lit(newestAtOnce)}`,
    ),
    /** The records that are left out: those of places that the caller does not see, and archived ones. */
    leftOut: hot<Parameters, Hit>(
      (_, param) => sql<Hit>`with recursive ${held}
        select r.ordinal from search_records r
          where r.place in (select place from held where not ${inPlaces('held.place', param)})
            and not ${visible(shape, param)}
        union all
        select r.ordinal from search_records r
          where r.place in (select place from held) and r.archived > ${param('archived')} and ${visible(shape, param)}
        limit ${sql.lit(mostLeftOut + 1)}`,
    ),
  }
}

type Queries = ReturnType<typeof queriesOf>

const made = new Map<string, Queries>()

function queriesFor(shape: Shape): Queries {
  const key = JSON.stringify(shape)
  const queries = made.get(key) ?? queriesOf(shape)
  made.set(key, queries)
  return queries
}

interface Among extends Parameters {
  among: string
  except: string
}

const amongTitles = hot<Among, Matched>((_, param) =>
  matchedAmong('title', inTitle(param as Param<Parameters>), param('among'), param('except')),
)

const amongTexts = hot<Among, Matched>((_, param) =>
  matchedAmong('words', anywhere(param as Param<Parameters>), param('among'), param('except')),
)

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
  const shape = shapeOf(parameters)
  const queries = queriesFor(shape)
  if (words.length === 0 || exact !== null || shape.filters.length > 0) {
    const named = exact === null ? [] : await queries.exactly(db, parameters)
    const shown = named.slice(offset, offset + limit)
    const rest = { ...parameters, limit: limit - shown.length, offset: Math.max(0, offset - named.length) }
    const [hits, [counted]] =
      words.length === 0
        ? [await queries.newest(db, rest), await queries.countBegun(db, rest)]
        : [await withWords(db, queries, rest), await queries.countWith(db, rest)]
    return answered([...shown, ...hits], named.length + counted!.count)
  }
  const { total, hits } = await amongNewest(db, queries, parameters)
  return answered(hits ?? (await withWords(db, queries, parameters)), total)
}

const answered = (hits: readonly Hit[], total: number) => ({ ordinals: hits.map(({ ordinal }) => ordinal), total })

/** A page of the records with all words: those that have them in the title come first. */
async function withWords(db: Db, queries: Queries, parameters: Parameters): Promise<Hit[]> {
  const { limit, offset } = parameters
  const titled = await queries.byTitle(db, parameters)
  if (titled.length === limit) return titled
  const ends = titled.length > 0 || offset === 0
  const before = ends ? offset + titled.length : (await queries.countByTitle(db, parameters))[0]!.count
  const rest = { limit: limit - titled.length, offset: Math.max(0, offset - before) }
  return [...titled, ...(await queries.byText(db, { ...parameters, ...rest }))]
}

/** How many records have all words, with a page of them where the newest records of all hold it. */
interface AmongNewest {
  readonly total: number
  readonly hits?: readonly Hit[]
}

/**
 * Counts by the term index alone, and looks for the page among the newest records: of words that many records have it
 * shows the newest.
 */
async function amongNewest(db: Db, queries: Queries, parameters: Parameters): Promise<AmongNewest> {
  const leftOut = await queries.leftOut(db, parameters)
  if (leftOut.length > mostLeftOut) return { total: (await queries.countWith(db, parameters))[0]!.count }
  const newest = await queries.latest(db, parameters)
  const among = { ...parameters, among: ordinalsOf(newest), except: ordinalsOf(leftOut) }
  const inTexts = seen((await amongTexts(db, among))[0]!)
  const total = inTexts.count
  const inTitles = seen((await amongTitles(db, among))[0]!)
  const titled = newest.filter(({ ordinal }) => inTitles.ordinals.has(ordinal))
  const end = parameters.offset + parameters.limit
  const page = (found: readonly Hit[]) => ({ total, hits: found.slice(parameters.offset, end) })
  const begun = titled.filter(({ begins }) => begins === 1)
  if (begun.length >= end) return page(begun)
  if (inTitles.count > titled.length) return { total }
  const others = newest.filter(({ ordinal }) => inTexts.ordinals.has(ordinal) && !inTitles.ordinals.has(ordinal))
  const found = [...begun, ...titled.filter(({ begins }) => begins === 0), ...others]
  return found.length >= end || found.length === total ? page(found) : { total }
}

const ordinalsOf = (hits: readonly Hit[]): string => JSON.stringify(hits.map(({ ordinal }) => ordinal))

const seen = ({ count, among }: Matched) => ({ count, ordinals: new Set(JSON.parse(among) as number[]) })
