import type { features } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { paged, window } from '../../kernel/page.ts'
import { parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { SpecsTable } from '../../schema/tables.ts'
import { type CoveredSpec, coverageSummary, namedRequirements, scenarioStatuses } from './coverage.ts'
import { percent } from './measures.ts'
import { boundsOf, rangeOf } from './periods.ts'
import type { Measurement } from './with-refs.ts'

const columns = [
  'id',
  'title',
  'functional_requirements',
  'technical_requirements',
  'acceptance_criteria',
  'test_scenarios',
  'business_rules',
  'api_contracts',
  'decisions',
  'skip_test_coverage',
  'skip_rules_coverage',
  'skip_decisions_coverage',
] as const

type Row = Pick<SpecsTable, (typeof columns)[number]>

interface Parameters {
  readonly board: string
  readonly from: string
  readonly to: string
}

const listed = hot<Parameters & { limit: number; offset: number }, Row>((db, param) =>
  db
    .selectFrom('specs')
    .select(columns)
    .where('board_id', '=', param('board'))
    .where('archived', '=', 0)
    .where('standing', '=', 0)
    .where('created_at', '>=', param('from'))
    .where('created_at', '<=', param('to'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(param('limit'))
    .offset(param('offset')),
)

const counted = hot<Parameters, { count: number }>((db, param) =>
  db
    .selectFrom('specs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board'))
    .where('archived', '=', 0)
    .where('standing', '=', 0)
    .where('created_at', '>=', param('from'))
    .where('created_at', '<=', param('to')),
)

const countingCards = hot<{ specs: string }, { id: string; spec_id: string }>(
  (_, param) =>
    sql<{ id: string; spec_id: string }>`select c.id, c.spec_id from cards c
      where ${dialect.inList(sql.ref('c.spec_id'), param('specs'))} and c.archived = 0 and c.status <> 'cancelled'`,
)

/** The counting cards of specs, by spec: neither archived nor cancelled. */
export async function readCountingCards(db: Db, specIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const rows = await countingCards(db, { specs: JSON.stringify(specIds) })
  const grouped = Map.groupBy(rows, row => row.spec_id)
  return new Map([...grouped].map(([spec, cards]) => [spec, new Set(cards.map(card => card.id))]))
}

const coveredOf = (row: Row): CoveredSpec => ({
  functional_requirements: parseNullable(row.functional_requirements),
  technical_requirements: parseNullable(row.technical_requirements),
  acceptance_criteria: parseNullable(row.acceptance_criteria),
  test_scenarios: parseNullable(row.test_scenarios),
  business_rules: parseNullable(row.business_rules),
  api_contracts: parseNullable(row.api_contracts),
  decisions: parseNullable(row.decisions),
  skip_test_coverage: row.skip_test_coverage === 1,
  skip_rules_coverage: row.skip_rules_coverage === 1,
  skip_decisions_coverage: row.skip_decisions_coverage === 1,
})

/** The percentage of requirements that rules or contracts refer to; 0 without requirements. */
export const requirementShare = (
  items: CoveredSpec['business_rules'] | CoveredSpec['api_contracts'],
  requirements: readonly string[] | null,
): number => percent(namedRequirements(items, requirements).size, requirements?.length ?? 0, 0)

/** The coverage of a spec (B.7). */
function specCoverage(spec: CoveredSpec, cards: ReadonlySet<string>) {
  const summary = coverageSummary(spec, cards)
  return {
    total_ac: summary.ac_total,
    covered_ac: summary.ac_covered,
    total_scenarios: summary.scenarios_total,
    scenario_status_counts: scenarioStatuses(spec.test_scenarios),
    business_rules_count: summary.brs_total,
    api_contracts_count: summary.contracts_total,
    fr_with_rules_pct: requirementShare(spec.business_rules, spec.functional_requirements),
    fr_with_contracts_pct: requirementShare(spec.api_contracts, spec.functional_requirements),
    ac_coverage_pct: summary.ac_coverage_pct,
    fr_coverage_pct: summary.fr_coverage_pct,
    decisions_coverage_pct: summary.decisions_coverage_pct,
    decisions_total: summary.decisions_total,
    tr_task_linkage_pct: summary.tr_task_linkage_pct,
    trs_total: summary.trs_total,
  }
}

/** get_coverage_analytics (B.7). */
export const coverageAnalytics: Measurement<(typeof features.analytics)['get_coverage_analytics']> = async (
  { query },
  ctx,
) => {
  const parameters = { board: ctx.boardId, ...boundsOf(rangeOf(query)) }
  const rows = await listed(ctx.db, { ...parameters, ...window(query) })
  const cards = await readCountingCards(
    ctx.db,
    rows.map(row => row.id),
  )
  return paged(
    rows,
    query,
    async () => (await counted(ctx.db, parameters))[0]!.count,
    row => ({
      spec_id: row.id,
      title: row.title,
      ...specCoverage(coveredOf(row), cards.get(row.id) ?? new Set()),
    }),
  )
}
