import { features } from '@specboard/contract'
import { evidenceOperations as reported } from './delivery/evidence/operations.ts'
import { evidenceAnalytics } from './insight/analytics/evidence.ts'
import { implement } from './kernel/implement.ts'

/** Reports, runs and what they prove, and figures about them (evidence). */
export const evidenceOperations = implement(features.evidence, {
  ...reported,
  get_evidence_analytics: evidenceAnalytics,
})
