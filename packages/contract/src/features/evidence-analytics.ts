/** Evidence analytics for leads (evidence 10). */
import { z } from 'zod'
import { Id } from '../shared.ts'
import { EvidenceTier } from './evidence-tiers.ts'

const count = z.int().min(0)

const tiers = Object.fromEntries(EvidenceTier.options.map(tier => [tier, count])) as Record<
  z.output<typeof EvidenceTier>,
  typeof count
>

/** The numbers by tier; `none` means that no evidence counts. */
export const CountsByTier = z.object({ none: count, ...tiers }).meta({ id: 'CountsByTier' })

/** The proof of a board, in get_board_overview. */
export const BoardProof = z
  .object({
    done_by_tier: CountsByTier,
    unproven: count.describe('cards in validation that are not proven'),
    stale: count.describe('among cards worked on or in validation'),
    failing: count.describe('among cards worked on or in validation'),
  })
  .meta({ id: 'BoardProof' })

export const EvidenceAnalytics = z
  .object({
    board_id: Id,
    done_cards: z.object({
      total: count,
      by_tier: CountsByTier.describe('the tier they were done with'),
      stale: count,
      waived: count,
      imported: count.describe('done elsewhere; of no tier'),
    }),
    scenarios: z.object({ total: count, by_tier: CountsByTier, failing: count, contradicted: count }),
    flaky: z.array(z.object({ address: z.string(), runs: count, flaky_runs: count })),
    slowest: z.array(z.object({ address: z.string(), duration_ms: count })),
    reports: z.object({ total: count, empty: count, failed: count, by_tier: z.object(tiers) }),
    hours_to_proof: z.object({ p50: z.number().nullable(), p90: z.number().nullable() }),
    weeks: z.array(z.object({ week: z.string(), done: count, by_tier: CountsByTier })),
  })
  .meta({ id: 'EvidenceAnalytics' })
