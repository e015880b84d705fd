/** Evidence tiers: the source of a result, and why it has that weight (evidence 1). */
import { z } from 'zod'
import { inForm } from '../forms.ts'

/** The sources of evidence, from a claim to a person's verdict (evidence 1). */
export const EvidenceTier = z.enum(['claimed', 'observed', 'ci', 'person'])

/** Why evidence has its tier, or a lower one (evidence 1). */
export const TierReason = z.enum([
  'agent',
  'mcp',
  'run',
  'hook',
  'ci_key',
  'ci_token',
  'person',
  'imported',
  'not_present',
  'ref_not_trusted',
  'event_not_trusted',
  'commit_not_verified',
  'seen_by_worker',
])

const hexadecimal = /^[0-9a-f]+$/

const isSha = (text: string): boolean => (text.length === 40 || text.length === 64) && hexadecimal.test(text)

/** The full hash of a commit, tree or other git object. */
export const Sha = z
  .string()
  .refine(isSha, inForm('commit_hash'))
  .meta({ examples: ['1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d'] })
