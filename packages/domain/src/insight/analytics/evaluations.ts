import { mean, percent } from './measures.ts'

/** The fields of a spec's or sprint's evaluation that the aggregates read. */
export interface EvaluationFields {
  readonly recommendation: string
  readonly overall_score: number
  /** By dimension: a number, or an object with a `score`. */
  readonly dimensions?: Readonly<Record<string, unknown>> | null
}

/** The evaluations that were submitted here rather than imported (B.1). */
export const submittedHere = <Evaluation extends { readonly imported?: boolean | undefined }>(
  evaluations: readonly Evaluation[] | null,
): Evaluation[] => (evaluations ?? []).filter(({ imported }) => !imported)

/** The score of a dimension in either form. */
function scoreOf(dimension: unknown): number | null {
  if (typeof dimension === 'number') return dimension
  if (typeof dimension !== 'object' || dimension === null || !('score' in dimension)) return null
  return typeof dimension.score === 'number' ? dimension.score : null
}

/** The mean score of each dimension that any evaluation scores, in order of first occurrence. */
function dimensionScores(evaluations: readonly EvaluationFields[]): Record<string, number> {
  const scores = new Map<string, number[]>()
  for (const { dimensions } of evaluations) {
    for (const [name, dimension] of Object.entries(dimensions ?? {})) {
      const score = scoreOf(dimension)
      if (score !== null) scores.set(name, [...(scores.get(name) ?? []), score])
    }
  }
  return Object.fromEntries([...scores].map(([name, values]) => [name, mean(values) ?? 0]))
}

function aggregate(evaluations: readonly EvaluationFields[]) {
  const recommended = (word: string) => evaluations.filter(({ recommendation }) => recommendation === word).length
  return {
    total_submitted: evaluations.length,
    total_approve: recommended('approve'),
    total_reject: recommended('reject'),
    total_request_changes: recommended('request_changes'),
    approve_rate: percent(recommended('approve'), evaluations.length),
    avg_overall_score: mean(evaluations.map(({ overall_score }) => overall_score)),
    avg_dimension_scores: dimensionScores(evaluations),
  }
}

/** The sprint evaluation aggregate (B.1) over the evaluations of each sprint; stale ones count too. */
export function sprintEvaluations(groups: readonly (readonly EvaluationFields[])[]) {
  const { total_request_changes: _, ...counted } = aggregate(groups.flat())
  return { ...counted, sprints_with_evaluation: groups.filter(group => group.length > 0).length }
}

/** The spec evaluation aggregate (B.1) over the evaluations of each spec; stale ones count too. */
export const specEvaluations = (groups: readonly (readonly EvaluationFields[])[]) => ({
  ...aggregate(groups.flat()),
  specs_with_evaluation: groups.filter(group => group.length > 0).length,
})
