/** The records that a search finds, in order (board 4). */
import type { Db } from '../../schema/database.ts'
import {
  amongAll,
  type Filter,
  type Hit,
  maxLeftOut,
  type NamedHit,
  type Newest,
  newestAtOnce,
  type Parameters,
  type Queries,
  queriesFor,
  shapeOf,
} from './queries.ts'
import type { MatchCount } from './term-index.ts'
import { matchOf, titleKey, titleMatchOf, tsqueryOf, wordsOfQuery } from './words.ts'

/** A search, with the records to show first. */
export interface SearchRequest {
  readonly q: string
  /** The records that the query names, in order. */
  readonly exact: readonly string[]
  readonly limit: number
  readonly offset: number
}

/** A page of records, and their total number. */
interface RecordPage {
  readonly hits: readonly Hit[]
  readonly total: number
}

/** The ordinals of a page of results, and the total number of results. */
export async function find(db: Db, filter: Filter, { q, exact, limit, offset }: SearchRequest) {
  const words = wordsOfQuery(q)
  const begin = titleKey(q)
  const parameters: Parameters = {
    ...filter,
    match: matchOf(words),
    inTitle: titleMatchOf(words),
    tsquery: tsqueryOf(words),
    begin,
    end: `${begin}\u{10ffff}`,
    exact: JSON.stringify(exact),
    limit,
    offset,
    among: '[]',
  }
  const shape = shapeOf(parameters)
  const queries = queriesFor(shape)
  const placeOf = (hit: NamedHit) => exact.indexOf(hit.record_id)
  const found = exact.length === 0 ? [] : await queries.exactly(db, parameters)
  const named = found.toSorted((one, other) => placeOf(one) - placeOf(other))
  const page = named.slice(offset, offset + limit)
  const rest = { ...parameters, limit: limit - page.length, offset: Math.max(0, offset - named.length) }
  const { hits, total } =
    words.length === 0
      ? await withoutWords(db, queries, rest)
      : await withWords(db, queries, rest, { named, isFiltered: shape.filters.length > 0 })
  if (total === 0 && named.length === 0 && words.length > 1) return withMostWords(db, queries, parameters, words)
  return { ordinals: [...page, ...hits].map(({ ordinal }) => ordinal), total: named.length + total, partial: false }
}

/** Maximum number of records with any of the words that are examined to find those with the most words. */
const maxExamined = 1_000

/** If no record has all words: those with the most of them, among the first records that have any (crew 9.2). */
async function withMostWords(db: Db, queries: Queries, parameters: Parameters, words: readonly string[]) {
  const { limit, offset } = parameters
  const any = {
    ...parameters,
    match: matchOf(words, 'any'),
    inTitle: titleMatchOf(words, 'any'),
    tsquery: tsqueryOf(words, 'any'),
    limit: maxExamined,
    offset: 0,
  }
  const found = (await inOrder(db, queries, any)).map(({ ordinal }) => ordinal)
  const counts = new Map(found.map(ordinal => [ordinal, 0]))
  const among = JSON.stringify(found)
  for (const word of words) {
    const one = { ...any, match: matchOf([word]), tsquery: tsqueryOf([word]), among }
    const rows: readonly MatchCount[] = await amongAll.words(db, one)
    const ordinals = rows.flatMap(({ among }): number[] => JSON.parse(among))
    for (const ordinal of ordinals) counts.set(ordinal, (counts.get(ordinal) ?? 0) + 1)
  }
  const max = Math.max(0, ...counts.values())
  const best = found.filter(ordinal => counts.get(ordinal) === max)
  return { ordinals: best.slice(offset, offset + limit), total: best.length, partial: true }
}

async function withoutWords(db: Db, queries: Queries, parameters: Parameters): Promise<RecordPage> {
  const [counted] = await queries.countBegun(db, parameters)
  return { hits: await queries.newest(db, parameters), total: counted!.count }
}

/**
 * Records with all words in the title come before the others, and among these, those whose title begins with the query;
 * each newest first. If many records have the words, a page shows the newest of them, so these are first looked for
 * among the newest of all records; all matches are sorted only if that is not enough.
 */
async function withWords(
  db: Db,
  queries: Queries,
  parameters: Parameters,
  { named, isFiltered }: { readonly named: readonly Hit[]; readonly isFiltered: boolean },
): Promise<RecordPage> {
  const newest = await queries.latest(db, parameters)
  const isAll = newest.length < newestAtOnce
  const beginning = isAll ? newest.filter(({ begins }) => begins === 1) : await queries.someBegun(db, parameters)
  const matched = await matchedOf(db, queries, parameters, {
    candidates: [...newest, ...beginning],
    named,
    isAll,
    isFiltered,
  })
  const texts = seen(await matched('words'), newest, isAll)
  const titles = seen(await matched('title'), newest, isAll)
  const first = await firstOf(db, queries, parameters, { newest, beginning, texts, titles })
  const end = parameters.offset + parameters.limit
  const isEnough = first.length >= end || first.length === texts.count
  return {
    hits: isEnough ? first.slice(parameters.offset, end) : await inOrder(db, queries, parameters),
    total: texts.count,
  }
}

/**
 * The number of matching records, and which records match, among the newest and those whose title begins with the
 * query.
 */
interface MatchCounts {
  readonly count: number
  readonly has: (hit: Hit) => boolean
}

function seen({ count, ordinals }: Matches, newest: readonly Newest[], isAll: boolean): MatchCounts {
  const has = ({ ordinal }: Hit) => ordinals.has(ordinal)
  return { count: isAll ? newest.filter(has).length : count, has }
}

/** The number of matching records, and which of the candidates match. */
interface Matches {
  readonly count: number
  readonly ordinals: ReadonlySet<number>
}

/** The candidates, and what is counted. */
interface CandidateCount {
  readonly candidates: readonly Hit[]
  /** The records that the query names, which are not counted again. */
  readonly named: readonly Hit[]
  /** Whether the candidates are all that the caller may find. */
  readonly isAll: boolean
  readonly isFiltered: boolean
}

/**
 * Counts with the term index alone if possible: if every record counts, or every record except a few. Matches among
 * those few are subtracted, which is cheaper than checking for each record whether it counts.
 */
async function matchedOf(
  db: Db,
  queries: Queries,
  parameters: Parameters,
  { candidates, named, isAll, isFiltered }: CandidateCount,
): Promise<(place: 'title' | 'words') => Promise<Matches>> {
  const read = async (rows: Promise<readonly MatchCount[]>): Promise<Matches> => {
    const [{ count, among }] = (await rows) as readonly [MatchCount]
    return { count, ordinals: new Set(JSON.parse(among) as number[]) }
  }
  const among = { ...parameters, among: ordinalsOf(candidates) }
  if (isAll) return place => read(amongAll[place](db, among))
  const leftOut = isFiltered ? undefined : await queries.leftOut(db, parameters)
  if (leftOut === undefined || leftOut.length > maxLeftOut) return place => read(queries.among[place](db, among))
  const except = [...named, ...leftOut]
  const amongBoth = { ...parameters, among: ordinalsOf([...candidates, ...except]) }
  return async place => {
    const { count, ordinals } = await read(amongAll[place](db, amongBoth))
    return { count: count - except.filter(({ ordinal }) => ordinals.has(ordinal)).length, ordinals }
  }
}

/** What is known about the order of a search. */
interface OrderFacts {
  readonly newest: readonly Newest[]
  /** The records whose titles begin with the query; if there are more than the limit, one more than the limit. */
  readonly beginning: readonly Hit[]
  readonly texts: MatchCounts
  readonly titles: MatchCounts
}

/** The first of all matching records, in order: as many as are known, or all. */
async function firstOf(db: Db, queries: Queries, parameters: Parameters, facts: OrderFacts): Promise<readonly Hit[]> {
  const { newest, texts, titles } = facts
  const isBegunKnown = facts.beginning.length <= newestAtOnce
  const ofNewest = newest.filter(titles.has)
  const beginning = isBegunKnown ? facts.beginning.filter(titles.has) : ofNewest.filter(({ begins }) => begins === 1)
  const titled = isBegunKnown ? [...beginning, ...ofNewest.filter(({ begins }) => begins === 0)] : beginning
  const inText = newest.filter(hit => texts.has(hit) && !titles.has(hit))
  if (titled.length === titles.count) return [...titled, ...inText]
  if (titled.length >= parameters.offset + parameters.limit || titles.count > newestAtOnce) return titled
  return [...(await queries.byTitle(db, { ...parameters, limit: titles.count, offset: 0 })), ...inText]
}

/** A page of all matching records, sorted. */
async function inOrder(db: Db, queries: Queries, parameters: Parameters): Promise<readonly Hit[]> {
  const { limit, offset } = parameters
  const titled = await queries.byTitle(db, parameters)
  if (titled.length === limit) return titled
  const ends = titled.length > 0 || offset === 0
  const before = ends ? offset + titled.length : (await queries.countByTitle(db, parameters))[0]!.count
  const rest = { limit: limit - titled.length, offset: Math.max(0, offset - before) }
  return [...titled, ...(await queries.byText(db, { ...parameters, ...rest }))]
}

const ordinalsOf = (hits: readonly Hit[]): string => JSON.stringify(hits.map(({ ordinal }) => ordinal))
