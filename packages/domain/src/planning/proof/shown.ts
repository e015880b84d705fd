/** Proof as callers see it (evidence 7). Pure. */
import type { ProofSign, RecordProof as ShownProof } from '@specboard/contract'
import type { z } from 'zod'
import type { RecordProof } from './judges.ts'
import { isMoreThanClaims, type JudgedItem, leadingOf, type ProofSettings, statusOf } from './rules.ts'
import { lowestOf, type Tier } from './tiers.ts'
import type { Waivable } from './waivers.ts'

/** The proof of a record, in full. */
export type FullProof = z.output<typeof ShownProof>

/** The proof of a record in a list. */
export type Sign = z.output<typeof ProofSign>

/** What the proof of a record contains besides its items. */
export interface ProofSummary {
  readonly waived: readonly Waivable[]
  readonly done_tier: Tier | null
}

const countedIn = (items: RecordProof) => items.flatMap(({ counting }) => counting ?? [])

/** The tier of a record: the lowest among the results that count; null if there are none. */
export function tierOfProof(items: RecordProof): Tier | null {
  const counting = countedIn(items)
  return counting.length === 0 ? null : lowestOf(counting).tier
}

/** Whether a board shows proof: if it requires none, mere claims are not shown. */
export const isShown = (items: RecordProof, { min_evidence_tier }: ProofSettings): boolean =>
  min_evidence_tier !== 'claimed' || isMoreThanClaims(items)

const isStale = ({ uncovered }: JudgedItem): boolean => uncovered.reason !== null

/** How far a record is proven, in four members. */
export const signOf = (items: RecordProof): Sign => ({
  status: statusOf(items),
  tier: tierOfProof(items),
  stale: items.some(isStale),
  flaky: countedIn(items).some(({ flaky }) => flaky),
})

/** Maximum number of commits that are listed as not covered. */
const maxNewer = 5

/** How far a record is proven. */
export function shownProof(items: RecordProof, { waived, done_tier }: ProofSummary): FullProof {
  const leading = leadingOf(items)
  const contradicted = items.find(item => item.contradicted !== null)?.contradicted ?? null
  const uncovered = items.filter(isStale).map(item => item.uncovered)
  const newer = new Map(
    uncovered.flatMap(({ commits }) => commits.map(commit => [`${commit.repository_id} ${commit.sha}`, commit])),
  )
  const scenarios = items.filter(({ subject }) => subject.kind === 'scenario')
  const withStatus = (status: string) => scenarios.filter(item => item.counting?.status === status).length
  const { status, tier, stale, flaky } = signOf(items)
  return {
    status,
    tier,
    tier_reason: leading?.tier_reason ?? null,
    at: leading?.at ?? null,
    commit: leading?.commit ?? null,
    repository_id: leading?.repository_id ?? null,
    report_id: leading?.report_id ?? null,
    run_id: leading?.run_id ?? null,
    flaky,
    stale,
    stale_reason: uncovered[0]?.reason ?? null,
    newer: [...newer.values()].slice(0, maxNewer).map(commit => ({ ...commit })),
    scenarios: {
      total: scenarios.length,
      passed: withStatus('passed'),
      failed: withStatus('failed'),
      at_tier: scenarios.filter(item => item.counting !== null).length,
    },
    contradicted:
      contradicted === null
        ? null
        : {
            tier: contradicted.tier,
            status: contradicted.status,
            commit: contradicted.commit,
            at: contradicted.at,
          },
    waived: [...waived],
    done_tier,
  }
}
