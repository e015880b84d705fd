import type { features } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { parseJson } from '../../lib/json.ts'
import { readSpec } from '../../planning/specs/store.ts'
import type { Flag } from '../../schema/columns.ts'
import { hot } from '../../schema/hot.ts'
import type { SpecValidationsTable } from '../../schema/tables.ts'
import { coverageSummary } from './coverage.ts'
import { specEvaluations, submittedHere } from './evaluations.ts'
import { readTaskValidations } from './facts.ts'
import { specReasonsOf, taskGate } from './gates.ts'
import { isImported } from './imported.ts'
import { allOfRecord } from './population.ts'
import { readCountingCards } from './spec-coverage.ts'
import { cardBreakdown, cardCounts, readCardTallies, typeCounts } from './tallies.ts'
import type { Measurement } from './with-refs.ts'

const timelineColumns = [
  'id',
  'reviewer_id',
  'reviewer_name',
  'completeness',
  'assertiveness',
  'ambiguity',
  'recommendation',
  'outcome',
  'threshold_violations',
  'resolved_thresholds',
  'created_at',
] as const

type TimelineRow = Pick<SpecValidationsTable, (typeof timelineColumns)[number]> & { readonly imported: Flag }

const timelineOf = hot<{ spec: string }, TimelineRow>((db, param) =>
  db
    .selectFrom('spec_validations')
    .select(timelineColumns)
    .select(dialect.flag(isImported('spec_validations')).as('imported'))
    .where('spec_id', '=', param('spec'))
    .orderBy('id'),
)

function timelineEntry({ imported, ...row }: TimelineRow, currentId: string | null) {
  const violations = parseJson(row.threshold_violations)
  return {
    ...row,
    recommendation: row.recommendation as 'approve' | 'reject',
    outcome: row.outcome as 'success' | 'failed',
    threshold_violations: violations,
    rejection_reasons: specReasonsOf({ ...row, violations }),
    resolved_thresholds: parseJson(row.resolved_thresholds),
    active: row.id === currentId,
    ...(imported === 1 && { imported: true as const }),
  }
}

/** get_spec_analytics (B.10). */
export const specAnalytics: Measurement<(typeof features.analytics)['get_spec_analytics']> = async (
  { params },
  ctx,
) => {
  const spec = await readSpec(ctx.db, params.spec_id)
  const timeline = await timelineOf(ctx.db, { spec: spec.id })
  const cards = await readCardTallies(ctx.db, 'spec_id', allOfRecord(spec))
  const counting = (await readCountingCards(ctx.db, [spec.id])).get(spec.id) ?? new Set()
  const validations = await readTaskValidations(ctx.db, 'spec_id', allOfRecord(spec))
  return {
    spec_id: spec.id,
    title: spec.title,
    status: spec.status,
    version: spec.version,
    gate_status: {
      current_validation_id: spec.current_validation_id,
      locked: spec.locked,
      total_submissions: timeline.filter(({ imported }) => imported === 0).length,
    },
    validation_timeline: ctx.access.allows('SPECS_READ_VALIDATIONS')
      ? timeline.map(row => timelineEntry(row, spec.current_validation_id))
      : [],
    task_validation_summary: taskGate([...validations.values()]),
    spec_evaluation: specEvaluations([submittedHere(spec.evaluations)]),
    coverage_summary: coverageSummary(spec, counting),
    cards_summary: { total: cardCounts(cards).total, by_status: cardBreakdown(cards), by_type: typeCounts(cards) },
  }
}
