import { messages } from '../../messages/messages.ts'

const texts = messages.verdicts

/** A score of a verdict, with the field for its reason. */
export interface Score {
  readonly name: string
  readonly label: string
  readonly why: string
  readonly initial: number
}

/** The fields of a verdict. */
export interface VerdictForm {
  readonly scores: readonly Score[]
  readonly min: number
  readonly max: number
  /** The minimum length of a reason, in characters; 0 if none is needed. */
  readonly reasonLength: number
  /** The summary field of the verdict. */
  readonly overall?: { readonly name: string; readonly length: number }
  readonly recommendations: readonly (keyof typeof texts.recommend)[]
}

/** The operations that take a scored verdict, with the field that names their record. */
const verdictRecords = {
  evaluate_ideation: 'ideation_id',
  submit_spec_validation: 'spec_id',
  submit_spec_evaluation: 'spec_id',
  submit_sprint_evaluation: 'sprint_id',
} as const

export type VerdictOperation = keyof typeof verdictRecords

export const isVerdict = (operation: string): operation is VerdictOperation => Object.hasOwn(verdictRecords, operation)

const score = (name: keyof typeof texts.scores, why: string, initial: number, label = texts.scores[name]): Score => ({
  name,
  label,
  why,
  initial,
})

/** The dimensions on which the plan of a spec and a sprint is evaluated (specs 2.2, planning 1.7). */
const evaluation: VerdictForm = {
  scores: [
    score('breakdown_completeness', 'breakdown_justification', 90),
    score('granularity', 'granularity_justification', 90),
    score('dependency_coherence', 'dependency_justification', 90),
    score('test_coverage_quality', 'test_coverage_justification', 90),
    score('overall_score', 'overall_justification', 90),
  ],
  min: 0,
  max: 100,
  reasonLength: 1,
  recommendations: ['approve', 'request_changes', 'reject'],
}

export const verdictForms: Readonly<Record<VerdictOperation, VerdictForm>> = {
  evaluate_ideation: {
    scores: [
      score('domains', 'domains_justification', 1),
      score('ambiguity', 'ambiguity_justification', 1, texts.scores.unclear),
      score('dependencies', 'dependencies_justification', 1),
    ],
    min: 1,
    max: 5,
    reasonLength: 0,
    recommendations: [],
  },
  submit_spec_validation: {
    scores: [
      score('completeness', 'completeness_justification', 90),
      score('assertiveness', 'assertiveness_justification', 90),
      score('ambiguity', 'ambiguity_justification', 10),
    ],
    min: 0,
    max: 100,
    reasonLength: 10,
    overall: { name: 'general_justification', length: 20 },
    recommendations: ['approve', 'reject'],
  },
  submit_spec_evaluation: evaluation,
  submit_sprint_evaluation: evaluation,
}

/** The arguments of a verdict, from the fields of its form. */
export function verdictIn(
  operation: VerdictOperation,
  id: string,
  fields: FormData,
): Readonly<Record<string, unknown>> {
  const { scores, overall, recommendations } = verdictForms[operation]
  const entries = scores.flatMap(({ name, why }): [string, unknown][] => [
    [name, Number(fields.get(name))],
    [why, String(fields.get(why))],
  ])
  return {
    [verdictRecords[operation]]: id,
    ...Object.fromEntries(entries),
    ...(overall !== undefined && { [overall.name]: String(fields.get(overall.name)) }),
    ...(recommendations.length > 0 && { recommendation: String(fields.get('recommendation')) }),
  }
}
