import type { features } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'
import { passGates } from '../../kernel/gates.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { withEvaluationRefs } from '../../schema/refs.ts'
import { updateRow } from '../../schema/rows.ts'
import { evaluationRefusal, staleOf, tallyOf } from '../evaluation.ts'
import { recordOn } from '../history/record-entry.ts'
import type { Evaluation, EvaluationInput } from './items.ts'
import { evaluationGates } from './spec-gates.ts'
import { columnsOf, readSpec, type SpecRecord } from './store.ts'

const dimensionsOf = (input: EvaluationInput): Evaluation['dimensions'] => ({
  breakdown_completeness: { score: input.breakdown_completeness, justification: input.breakdown_justification },
  granularity: { score: input.granularity, justification: input.granularity_justification },
  dependency_coherence: { score: input.dependency_coherence, justification: input.dependency_justification },
  test_coverage_quality: { score: input.test_coverage_quality, justification: input.test_coverage_justification },
})

/**
 * Appends the caller's evaluation; its earlier ones of this spec become stale (specs 6.2).
 * @returns all evaluations of the spec, the new one last
 */
export async function evaluate(
  ctx: Context,
  spec: SpecRecord,
  input: EvaluationInput,
): Promise<SpecRecord['evaluations']> {
  const { overall_score, overall_justification, recommendation } = input
  const evaluation: Evaluation = {
    id: ctx.newId(),
    spec_id: spec.id,
    evaluator_id: ctx.caller.id,
    evaluator_name: ctx.caller.name,
    evaluator_type: 'agent',
    dimensions: dimensionsOf(input),
    overall_score,
    overall_justification,
    recommendation,
    stale: false,
    created_at: ctx.now(),
  }
  const evaluations = [...staleOf(spec.evaluations, ctx.caller.id), evaluation]
  await updateRow(ctx.db, 'specs', spec.id, columnsOf({ evaluations, updated_at: ctx.now() }))
  await recordOn(ctx, 'spec', spec, {
    activity: {
      action: 'spec_evaluation_submitted',
      details: { spec_id: spec.id, evaluation_id: evaluation.id, recommendation, overall_score },
    },
    history: {
      action: 'evaluation_submitted',
      changes: [{ field: 'evaluations', old: null, new: evaluation }],
      summary: `Evaluated: ${recommendation}, ${overall_score}`,
    },
  })
  return evaluations
}

/** submit_spec_evaluation (specs 6.2): the gate in the answer considers only the evaluations. */
export const submitSpecEvaluation: Implementation<typeof features.specs.submit_spec_evaluation> = async (
  { params, body },
  ctx,
) => {
  const spec = await readSpec(ctx.db, params.spec_id)
  passGates(evaluationGates(spec))
  const evaluations = await evaluate(ctx, spec, body)
  const { validation_threshold: threshold } = spec
  return {
    evaluation: withEvaluationRefs(spec.ref, evaluations).at(-1)!,
    gate: {
      can_start: evaluationRefusal(evaluations, threshold, 'spec') === null,
      ...tallyOf(evaluations, threshold),
    },
  }
}
