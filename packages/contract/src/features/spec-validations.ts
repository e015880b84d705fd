/** The validations of a spec (specs 7): verdicts that lock it. */
import { z } from 'zod'
import { actor, Id, Imported, PartRef, Timestamp } from '../shared.ts'
import { SpecStatus } from './summaries.ts'

const percent = z.int().min(0).max(100).describe('0-100')
const reason = z.string().trim().min(10).describe('10+ characters')

const scores = { completeness: percent, assertiveness: percent, ambiguity: percent.describe('0-100, low is good') }

/** Body of submit_spec_validation. */
export const SpecValidationSubmit = z
  .object({
    ...scores,
    completeness_justification: reason,
    assertiveness_justification: reason,
    ambiguity_justification: reason,
    general_justification: z.string().trim().min(20).describe('20+ characters'),
    recommendation: z.enum(['approve', 'reject']),
  })
  .meta({ id: 'SpecValidationSubmit' })

const record = {
  id: Id,
  ref: PartRef,
  spec_id: Id,
  board_id: Id,
  reviewer_id: Id,
  reviewer_name: z.string(),
  completeness: z.int(),
  completeness_justification: z.string(),
  assertiveness: z.int(),
  assertiveness_justification: z.string(),
  ambiguity: z.int(),
  ambiguity_justification: z.string(),
  general_justification: z.string(),
  recommendation: z.enum(['approve', 'reject']),
  outcome: z.enum(['success', 'failed']),
  threshold_violations: z.array(z.string()),
  resolved_thresholds: z.object({
    min_spec_completeness: z.int(),
    min_spec_assertiveness: z.int(),
    max_spec_ambiguity: z.int(),
  }),
  ...actor,
  present: z.boolean(),
  created_at: Timestamp,
  imported: Imported,
  active: z.boolean(),
}

/** A validation in the list of its spec. */
export const SpecValidationRecord = z.object(record).meta({ id: 'SpecValidationRecord' })

/** A validation just submitted, with the current status of its spec. */
export const SpecValidation = z.object({ ...record, spec_status: SpecStatus }).meta({ id: 'SpecValidation' })
