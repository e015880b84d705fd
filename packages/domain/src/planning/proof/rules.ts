/** What results prove, and whether that is what a board requires (evidence 7, 8). Pure. */
import type { Settings } from '../../kernel/board-settings.ts'
import { isAbove, type Tier, type TierVerdict } from './tiers.ts'

/** The part of a board's settings that says what counts as proof. */
export type ProofSettings = Pick<Settings, 'min_evidence_tier' | 'require_fresh_evidence'>

/** Whether a board requires proof at all: only then can its gate close (evidence 8, rule 1). */
export const asksProof = ({ min_evidence_tier, require_fresh_evidence }: ProofSettings): boolean =>
  min_evidence_tier !== 'claimed' || require_fresh_evidence

/** What changed in a scenario after a result: its text, or its tests. */
export type OutdatedReason = 'scenario_changed' | 'tests_changed'

/** What was found out about a scenario or card. */
export interface Result extends TierVerdict {
  readonly status: 'passed' | 'failed'
  readonly at: string
  readonly commit: string | null
  /** The commit that was checked out, if it is a different one. */
  readonly tested_commit: string | null
  readonly tree: string | null
  readonly repository_id: string | null
  readonly report_id: string | null
  readonly run_id: string | null
  readonly flaky: boolean
  /** What changed in the scenario since, so that it no longer counts; null if nothing did (evidence 4, rule 7). */
  readonly outdated: OutdatedReason | null
}

/** Why a result does not cover all changes; null if it does. */
export type StaleReason = 'no_commit' | 'unknown_commit' | 'newer_commit'

/** What a result does not cover. */
export interface CoverageGap {
  readonly reason: StaleReason | null
  readonly commits: readonly { readonly sha: string; readonly title: string; readonly repository_id: string }[]
}

/** Something that has to be proven. */
export interface Subject {
  readonly kind: 'scenario' | 'card'
  readonly id: string
  /** `SPE-3/S2` of a scenario. */
  readonly ref: string
  readonly title: string
  /** Whether only a person can run it. */
  readonly isManual: boolean
  readonly results: readonly Result[]
}

export type Problem = 'none' | 'tier' | 'failed' | 'stale' | 'outdated' | 'needs_person'

/** A subject with its evaluation. */
export interface JudgedItem {
  readonly subject: Subject
  readonly required: Tier
  readonly problem: Problem
  /** The result that counts; null if none reaches the tier. */
  readonly counting: Result | null
  readonly uncovered: CoverageGap
  /** The newest result of each tier. */
  readonly results: readonly Result[]
  /** A newer result of a higher tier that contradicts it. */
  readonly contradicted: Result | null
}

const newest = (results: readonly Result[]): Result | null =>
  results.reduce<Result | null>((last, each) => (last === null || each.at > last.at ? each : last), null)

const tiers: readonly Tier[] = ['claimed', 'observed', 'ci', 'person']

/** The newest result of each tier, the lowest first. */
function newestOfEach(results: readonly Result[]): readonly Result[] {
  if (results.length < 2) return results
  const byTier = new Map<Tier, Result>()
  for (const each of results) {
    const last = byTier.get(each.tier)
    if (last === undefined || each.at > last.at) byTier.set(each.tier, each)
  }
  return tiers.flatMap(tier => byTier.get(tier) ?? [])
}

const reaches = (tier: Tier, required: Tier): boolean => !isAbove(required, tier)

const requiredOf = ({ isManual }: Subject, { min_evidence_tier }: ProofSettings): Tier =>
  isManual && min_evidence_tier !== 'claimed' ? 'person' : min_evidence_tier

/**
 * The result that counts for a subject: the newest that reaches what a board requires; null if none does. Imported
 * results vouch for nothing (walls 5).
 */
export const countingOf = (subject: Subject, settings: ProofSettings): Result | null =>
  newest(
    newestOfEach(subject.results.filter(({ tier_reason }) => tier_reason !== 'imported')).filter(
      ({ outdated, tier }) => outdated === null && reaches(tier, requiredOf(subject, settings)),
    ),
  )

/**
 * Judges a subject by what a board requires (evidence 8, rule 2).
 * @param found the result that counts, and what it does not cover
 */
export function judgeSubject(
  subject: Subject,
  settings: ProofSettings,
  { counting, uncovered }: { readonly counting: Result | null; readonly uncovered: CoverageGap },
): JudgedItem {
  const { require_fresh_evidence } = settings
  const required = requiredOf(subject, settings)
  const results = newestOfEach(subject.results)
  const current = results.filter(({ outdated }) => outdated === null)
  const above = counting === null ? [] : current.filter(({ tier }) => isAbove(tier, counting.tier))
  const problem = (): Problem => {
    if (counting === null) {
      if (current.length === 0 && results.length > 0) return 'outdated'
      return required === 'person' ? 'needs_person' : 'tier'
    }
    if (counting.status === 'failed') return 'failed'
    return require_fresh_evidence && uncovered.reason !== null ? 'stale' : 'none'
  }
  return {
    subject,
    required,
    problem: problem(),
    counting,
    uncovered,
    results,
    contradicted: above.findLast(({ status }) => status !== counting!.status) ?? null,
  }
}

/** How far something is proven. */
export type ProofStatus = 'proven' | 'failing' | 'partial' | 'below' | 'none'

/** How far a record is proven, by its items. */
export function statusOf(items: readonly JudgedItem[]): ProofStatus {
  const counting = items.flatMap(({ counting }) => counting ?? [])
  if (counting.some(({ status }) => status === 'failed')) return 'failing'
  if (counting.length > 0) return counting.length === items.length ? 'proven' : 'partial'
  return items.some(({ results }) => results.length > 0) ? 'below' : 'none'
}

/** The result that represents a record: the newest that counts, else the newest of the highest tier present. */
export function leadingOf(items: readonly JudgedItem[]): Result | null {
  const counting = newest(items.flatMap(({ counting }) => counting ?? []))
  if (counting !== null) return counting
  const all = items.flatMap(({ results }) => results)
  const highest = tiers.findLast(tier => all.some(each => each.tier === tier))
  return newest(all.filter(({ tier }) => tier === highest))
}

/** Whether there is anything beyond claims (evidence 7). */
export const isMoreThanClaims = (items: readonly JudgedItem[]): boolean =>
  items.some(({ results }) => results.some(({ tier }) => tier !== 'claimed'))
