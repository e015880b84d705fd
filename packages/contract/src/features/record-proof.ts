/** The proof of a record, as part of it (evidence 7). */
import { z } from 'zod'
import { Id, Timestamp } from '../shared.ts'
import { EvidenceTier, TierReason } from './evidence-tiers.ts'

const Count = z.int().min(0)
const sha = z.string().nullable()

/** The gates that can be waived for a card (evidence 8). */
export const WaivedGate = z.enum(['proof', 'change', 'checks'])

/** The proof of a record (evidence 7). */
export const RecordProof = z
  .object({
    status: z.enum(['proven', 'failing', 'partial', 'below', 'none']),
    tier: EvidenceTier.nullable().describe('the lowest among what counts'),
    tier_reason: TierReason.nullable(),
    at: Timestamp.nullable(),
    commit: sha,
    repository_id: Id.nullable(),
    report_id: Id.nullable(),
    run_id: Id.nullable(),
    flaky: z.boolean(),
    stale: z.boolean(),
    stale_reason: z.enum(['no_commit', 'unknown_commit', 'newer_commit']).nullable(),
    newer: z
      .array(z.object({ sha: z.string(), title: z.string(), repository_id: Id }))
      .describe('the first 5 commits that are not covered'),
    scenarios: z.object({ total: Count, passed: Count, failed: Count, at_tier: Count }),
    contradicted: z
      .object({ tier: EvidenceTier, status: z.enum(['passed', 'failed']), commit: sha, at: Timestamp })
      .nullable(),
    waived: z.array(WaivedGate),
    done_tier: EvidenceTier.nullable().describe('its tier when it was moved to done'),
  })
  .meta({ id: 'RecordProof' })

/** The proof of a record in a list (evidence 7). */
export const ProofSign = RecordProof.pick({ status: true, tier: true, stale: true, flaky: true }).meta({
  id: 'ProofSign',
})
