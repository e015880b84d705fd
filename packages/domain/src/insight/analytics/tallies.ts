/** Figures that the database counts: however many records there are, it returns few rows, and reads only indexes. */
import { CardStatus } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { isDoneHere, isReported, reported } from './imported.ts'
import { meanOf, oneDecimal, percent } from './measures.ts'
import { type Population, reader, within } from './population.ts'

/** The number of cards of a board, spec or sprint in one status. */
export interface CardTally {
  /** The board, spec or sprint. */
  readonly key: string
  readonly status: Status
  readonly cards: number
  readonly tests: number
  readonly bugs: number
  readonly critical: number
  readonly major: number
  readonly minor: number
}

type Status = (typeof CardStatus.options)[number]

/** Cards counted by status, for each board, spec or sprint. */
export const readCardTallies = reader(
  ['board_id', 'spec_id', 'sprint_id'],
  (column, param) => sql<CardTally>`select ${sql.ref(`c.${column}`)} as key, c.status, count(*) as cards,
      count(*) filter (where c.card_type = 'test') as tests,
      count(*) filter (where c.card_type = 'bug') as bugs,
      count(*) filter (where c.card_type = 'bug' and c.severity = 'critical') as critical,
      count(*) filter (where c.card_type = 'bug' and c.severity = 'major') as major,
      count(*) filter (where c.card_type = 'bug' and c.severity = 'minor') as minor
    from cards c where ${within('c', column, param)} group by ${sql.ref(`c.${column}`)}, c.status`,
)

type Count = 'cards' | 'tests' | 'bugs' | 'critical' | 'major' | 'minor'

/** How many cards, tests or bugs there are in the statuses that pass. */
const sum = (tallies: readonly CardTally[], count: Count, passes: (status: Status) => boolean = () => true) =>
  tallies.reduce((total, tally) => (passes(tally.status) ? total + tally[count] : total), 0)

const isDone = (status: Status) => status === 'done'

/** How many cards there are, and how many of them are done. */
export const cardCounts = (tallies: readonly CardTally[]) => ({
  total: sum(tallies, 'cards'),
  done: sum(tallies, 'cards', isDone),
})

/** How many cards have each status. */
export const cardBreakdown = (tallies: readonly CardTally[]): Record<Status, number> =>
  Object.fromEntries(
    CardStatus.options.map(status => [status, sum(tallies, 'cards', each => each === status)]),
  ) as Record<Status, number>

/** How many cards are of each type. */
export function typeCounts(tallies: readonly CardTally[]) {
  const [test, bug] = [sum(tallies, 'tests'), sum(tallies, 'bugs')]
  return { normal: sum(tallies, 'cards') - test - bug, test, bug }
}

/** How many bugs there are, how many are open and done, and how many of each severity. */
export const bugCounts = (tallies: readonly CardTally[]) => ({
  total: sum(tallies, 'bugs'),
  open: sum(tallies, 'bugs', status => status !== 'done' && status !== 'cancelled'),
  done: sum(tallies, 'bugs', isDone),
  bySeverity: {
    critical: sum(tallies, 'critical'),
    major: sum(tallies, 'major'),
    minor: sum(tallies, 'minor'),
  },
})

/** The percentage of cards that are done; 0 without cards. */
export const completionRate = ({ done, total }: { readonly done: number; readonly total: number }): number =>
  percent(done, total, 0)

const cycles = reader(
  ['board_id'],
  (column, param) => sql<{ mean: number | null }>`select
      avg(${dialect.millisecondsBetween(sql.ref('c.created_at'), sql.ref('c.moved_at'))}) as mean
    from cards c where ${within('c', column, param)} and ${isDoneHere('c')}`,
)

/** The mean cycle hours of the cards of boards that were done here; null without any (B.1). */
export async function readCardCycle(db: Db, population: Population): Promise<number | null> {
  const [row] = await cycles(db, 'board_id', population)
  return row!.mean === null ? null : oneDecimal(row!.mean / 3_600_000)
}

/** Sums of the figures in the last conclusions of a board's or sprint's cards. */
export interface Reports {
  /** The board or sprint. */
  readonly key: string
  readonly completeness: number
  readonly completeness_reports: number
  readonly drift: number
  readonly drift_reports: number
}

/** The sums for each board or sprint whose cards have a conclusion written here. */
export const readReports = reader(
  ['board_id', 'sprint_id'],
  (column, param) => sql<Reports>`select ${sql.ref(`c.${column}`)} as key,
      coalesce(sum(${reported('c', 'completeness')}), 0) as completeness,
      count(${reported('c', 'completeness')}) as completeness_reports,
      coalesce(sum(${reported('c', 'drift')}), 0) as drift,
      count(${reported('c', 'drift')}) as drift_reports
    from cards c where ${within('c', column, param)} and ${isReported('c')} group by ${sql.ref(`c.${column}`)}`,
)

/** The means of the figures in last conclusions (B.1). */
export function reportedMeans(reports: readonly Reports[]) {
  const total = (name: Exclude<keyof Reports, 'key'>) => reports.reduce((sum, each) => sum + each[name], 0)
  return {
    avg_completeness: meanOf(total('completeness'), total('completeness_reports')),
    avg_drift: meanOf(total('drift'), total('drift_reports')),
  }
}

/** Counts over the specs of a population. */
export interface SpecContents {
  readonly rules: number
  readonly contracts: number
  readonly with_rules: number
  readonly with_contracts: number
  readonly with_tests: number
}

const contents = reader(['board_id'], (column, param) => {
  const items = (name: string) => dialect.jsonLength(sql.ref(`s.${name}`))
  return sql<SpecContents>`select coalesce(sum(rules), 0) as rules, coalesce(sum(contracts), 0) as contracts,
      count(*) filter (where rules > 0) as with_rules, count(*) filter (where contracts > 0) as with_contracts,
      count(*) filter (where scenarios > 0) as with_tests
    from (select ${items('business_rules')} as rules, ${items('api_contracts')} as contracts,
        ${items('test_scenarios')} as scenarios
      from specs s where ${within('s', column, param)} and s.standing = 0) as counted`
})

/** Counts the rules and contracts of the specs of boards, and the specs that have any. */
export async function readSpecContents(db: Db, population: Population): Promise<SpecContents> {
  const [row] = await contents(db, 'board_id', population)
  return row!
}
