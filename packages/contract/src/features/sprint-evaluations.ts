/** Evaluations of sprints (planning 1.7). */
import { z } from 'zod'
import { withinFreeJson } from '../free-json.ts'
import { Id, Imported, PartRef, Success, Timestamp } from '../shared.ts'
import { toolHints } from '../tool-hints.ts'
import { Recommendation } from './spec-items.ts'

/** The dimensions of a verdict, each with the names of its flat form. */
export const evaluationDimensions = {
  breakdown_completeness: { score: 'breakdown_completeness', justification: 'breakdown_justification' },
  granularity: { score: 'granularity', justification: 'granularity_justification' },
  dependency_coherence: { score: 'dependency_coherence', justification: 'dependency_justification' },
  test_coverage_quality: { score: 'test_coverage_quality', justification: 'test_coverage_justification' },
} as const

const Score = z.int().min(0).max(100)
const Dimension = z.object({ score: Score, justification: z.string().exactOptional() })

const judged = {
  overall_score: Score.describe('0-100'),
  recommendation: Recommendation,
  overall_justification: z.string().default(''),
  dimensions: z
    .looseObject({
      breakdown_completeness: Dimension.exactOptional(),
      granularity: Dimension.exactOptional(),
      dependency_coherence: Dimension.exactOptional(),
      test_coverage_quality: Dimension.exactOptional(),
    })
    .check(withinFreeJson)
    .nullable()
    .exactOptional()
    .describe('score and justification each')
    .register(toolHints, { hidden: true }),
}

const flat = {
  breakdown_completeness: Score.exactOptional(),
  granularity: Score.exactOptional(),
  dependency_coherence: Score.exactOptional(),
  test_coverage_quality: Score.exactOptional(),
  breakdown_justification: z.string().exactOptional(),
  granularity_justification: z.string().exactOptional(),
  dependency_justification: z.string().exactOptional(),
  test_coverage_justification: z.string().exactOptional(),
}

/** Members of an evaluation that the server sets; ignored in a body. */
export const serverOwned: ReadonlySet<string> = new Set([
  'id',
  'ref',
  'evaluator_id',
  'evaluator_name',
  'evaluator_type',
  'stale',
  'superseded_by',
  'created_at',
  'imported',
])

/** Maximum bytes of JSON for all of a submitter's own keys together. */
const ownKeysMaxBytes = 16_384

function ownKeysFit(body: Readonly<Record<string, unknown>>): boolean {
  const own = Object.entries(body).filter(
    ([key]) => !(Object.hasOwn(judged, key) || Object.hasOwn(flat, key) || serverOwned.has(key)),
  )
  return new TextEncoder().encode(JSON.stringify(Object.fromEntries(own))).length <= ownKeysMaxBytes
}

export const SprintEvaluationSubmit = z
  .looseObject({ ...judged, ...flat })
  .refine(ownKeysFit, { error: `Keys of your own may take at most ${ownKeysMaxBytes} bytes of JSON in all.` })
  .meta({ id: 'SprintEvaluationSubmit' })

/** A verdict on a sprint, inside its sprint, with the submitter's own keys. */
export const StoredSprintEvaluation = z.looseObject({
  id: Id,
  evaluator_id: Id,
  evaluator_name: z.string(),
  evaluator_type: z.literal('agent'),
  dimensions: z.record(z.string(), z.unknown()).nullable(),
  overall_score: Score,
  overall_justification: z.string(),
  recommendation: Recommendation,
  stale: z.boolean(),
  superseded_by: Id.nullable(),
  created_at: Timestamp,
  imported: Imported,
})

/** A verdict on a sprint. */
export const SprintEvaluation = z
  .looseObject({ ...StoredSprintEvaluation.shape, ref: PartRef })
  .meta({ id: 'SprintEvaluation' })

/** The state of the evaluation gates of a close, from the evaluations that are not stale. */
export const GatePreview = z
  .object({
    can_close: z.boolean(),
    approvals: z.int(),
    rejections: z.int(),
    average: z.number().nullable(),
    threshold: z.int(),
  })
  .meta({ id: 'GatePreview' })

export const SprintEvaluationSubmitted = z
  .object({ success: Success, evaluation_id: Id, evaluation: SprintEvaluation, gate: GatePreview })
  .meta({ id: 'SprintEvaluationSubmitted' })
