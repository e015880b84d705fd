import type { Card, Records, SpecValidation, Sprint } from '../records.ts'
import { average, count, hereOf, rate } from './formulas.ts'

export function reasons(
  failed: readonly { threshold_violations: readonly string[]; recommendation: string }[],
  kinds: Record<string, string>,
) {
  const counted = Object.fromEntries([...Object.values(kinds), 'reject_recommendation'].map(name => [name, 0]))
  for (const record of failed) {
    for (const violation of record.threshold_violations) {
      const bucket = kinds[violation.split(' ')[0]!]
      if (bucket !== undefined) counted[bucket] = counted[bucket]! + 1
    }
    if (record.recommendation === 'reject') counted.reject_recommendation = counted.reject_recommendation! + 1
  }
  return counted
}

export const taskKinds = { confidence: 'confidence_below', completeness: 'completeness_below', drift: 'drift_above' }
export const specKinds = {
  completeness: 'completeness_below',
  assertiveness: 'assertiveness_below',
  ambiguity: 'ambiguity_above',
}
export const failedOf = <Record extends { outcome: string }>(records: readonly Record[]) =>
  records.filter(record => record.outcome === 'failed')
export const successesOf = (records: readonly { outcome: string }[]) =>
  count(records, record => record.outcome === 'success')

const twoDecimals = (part: number, whole: number) => Math.floor((100 * part) / whole + 0.5) / 100

export function taskGate(cards: readonly Card[]) {
  const judged = cards.map(card => hereOf(card.validations)).filter(records => records.length > 0)
  const all = judged.flat()
  return {
    total_submitted: all.length,
    total_success: successesOf(all),
    total_failed: failedOf(all).length,
    success_rate: rate(successesOf(all), all.length),
    avg_attempts_per_card: judged.length === 0 ? null : twoDecimals(all.length, judged.length),
    first_pass_rate: rate(
      count(judged, records => records[0]!.outcome === 'success'),
      judged.length,
    ),
    avg_scores: {
      confidence: average(all.map(record => record.confidence)),
      completeness: average(all.map(record => record.completeness)),
      drift: average(all.map(record => record.drift)),
    },
    rejection_reasons: reasons(failedOf(all), taskKinds),
    cards_with_validation: judged.length,
  }
}

export function specGate(groups: readonly (readonly SpecValidation[])[]) {
  const judged = groups.map(hereOf).filter(group => group.length > 0)
  const all = judged.flat()
  return {
    total_submitted: all.length,
    total_success: successesOf(all),
    total_failed: failedOf(all).length,
    success_rate: rate(successesOf(all), all.length),
    avg_attempts_per_spec: judged.length === 0 ? null : twoDecimals(all.length, judged.length),
    avg_scores: {
      completeness: average(all.map(record => record.completeness)),
      assertiveness: average(all.map(record => record.assertiveness)),
      ambiguity: average(all.map(record => record.ambiguity)),
    },
    rejection_reasons: reasons(failedOf(all), specKinds),
    specs_with_validation: judged.length,
  }
}

function evaluations(
  groups: readonly (readonly { recommendation: string; overall_score: number; dimensions: unknown }[])[],
) {
  const all = groups.flat()
  const scores: Record<string, number[]> = {}
  for (const { dimensions } of all)
    for (const [name, value] of Object.entries(dimensions ?? {})) {
      const score = typeof value === 'number' ? value : (value as { score?: unknown } | null)?.score
      if (typeof score === 'number') scores[name] = [...(scores[name] ?? []), score]
    }
  const recommended = (word: string) => count(all, evaluation => evaluation.recommendation === word)
  return {
    counts: { total_submitted: all.length, total_approve: recommended('approve'), total_reject: recommended('reject') },
    changes: recommended('request_changes'),
    means: {
      approve_rate: rate(recommended('approve'), all.length),
      avg_overall_score: average(all.map(evaluation => evaluation.overall_score)),
      avg_dimension_scores: Object.fromEntries(Object.entries(scores).map(([name, values]) => [name, average(values)])),
    },
    judged: count(groups, group => group.length > 0),
  }
}

export const sprintEvaluation = (sprints: readonly Sprint[]) => {
  const { counts, means, judged } = evaluations(sprints.map(sprint => hereOf(sprint.evaluations)))
  return { ...counts, ...means, sprints_with_evaluation: judged }
}

export const specEvaluation = ({ specs }: Pick<Records, 'specs'>) => {
  const { counts, changes, means, judged } = evaluations(specs.map(spec => hereOf(spec.evaluations)))
  return { ...counts, total_request_changes: changes, ...means, specs_with_evaluation: judged }
}
