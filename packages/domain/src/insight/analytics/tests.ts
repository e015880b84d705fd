/** Flaky and slow tests, according to reports (evidence 10). */
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'

interface Within {
  readonly board: string
  readonly from: string
  readonly to: string
}

/** Maximum number of tests of each kind that are shown. */
const maxTests = 20

interface FlakyTest {
  address: string
  /** How many reports its jobs sent. */
  runs: number
  flaky_runs: number
}

/** The number of latest reports with flaky tests that are examined. */
const maxReports = 100

/** Tests that passed after they had failed, the most frequent first. */
const flaky = hot<Within, FlakyTest>(
  (_, param) => sql<FlakyTest>`select f.address, f.flaky_runs,
      (select count(*) from test_reports r where r.board_id = ${param('board')} and r.name = f.job
        and r.created_at >= ${param('from')} and r.created_at <= ${param('to')} and r.origin is null) as runs
    from (select c.address, count(*) as flaky_runs, min(t.name) as job
      from (select id, name from test_reports
        where board_id = ${param('board')} and created_at >= ${param('from')} and created_at <= ${param('to')}
          and flaky > 0 and origin is null order by created_at desc, id desc limit ${sql.lit(maxReports)}) t
      join test_cases c on c.report_id = t.id and c.is_flaky = 1
      group by c.address order by count(*) desc, c.address limit ${sql.lit(maxTests)}) f
    order by f.flaky_runs desc, f.address`,
)

export const flakyTests = (db: Db, within: Within): Promise<FlakyTest[]> => flaky(db, { ...within })

interface Report {
  id: string
  name: string
  repository_id: string | null
}

const newestReports = hot<Within, Report>(
  (_, param) => sql<Report>`select id, name, repository_id from test_reports
    where board_id = ${param('board')} and created_at >= ${param('from')} and created_at <= ${param('to')}
      and origin is null
    order by created_at desc, id desc limit 200`,
)

interface TimedTest {
  address: string
  duration_ms: number
}

const slowest = hot<{ report: string }, TimedTest>(
  (_, param) => sql<TimedTest>`select address, duration_ms from test_cases
    where report_id = ${param('report')} and duration_ms is not null
    order by duration_ms desc, address limit ${sql.lit(maxTests)}`,
)

/** The tests that took longest in the newest report of each job. */
export async function slowestTests(db: Db, within: Within): Promise<TimedTest[]> {
  const newest = new Map<string, Report>()
  for (const report of await newestReports(db, { ...within })) {
    const job = `${report.repository_id} ${report.name}`
    if (!newest.has(job) && newest.size < maxTests) newest.set(job, report)
  }
  const byAddress = new Map<string, TimedTest>()
  for (const { id } of newest.values())
    for (const test of await slowest(db, { report: id }))
      if (test.duration_ms > (byAddress.get(test.address)?.duration_ms ?? -1)) byAddress.set(test.address, test)
  return [...byAddress.values()]
    .toSorted((one, other) => other.duration_ms - one.duration_ms || (one.address < other.address ? -1 : 1))
    .slice(0, maxTests)
}
