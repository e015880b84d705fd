const dayMs = 86_400_000

/** The half-life of hits, boosts and the freshness of a node, days. */
const halfLifeDays = 30

/** The maximum relevance score. */
const maxScore = 1.5

/** What one boost adds, up to the maximum score (knowledge-graph 5.4). */
export const boostStep = 0.3

/** Rounds to four decimals, as all shown or stored scores, similarities and confidences are. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/** The days between two times, with a fraction; 0 when `to` is before `from`. */
const daysBetween = (from: string, to: string): number => Math.max(0, (Date.parse(to) - Date.parse(from)) / dayMs)

/** The fraction of 1 that remains after this many days. */
export const decay = (days: number): number => 0.5 ** (days / halfLifeDays)

/** A count on a logarithmic scale from 0 to 1, where 99 and more are 1. */
const logScale = (count: number): number => Math.min(1, Math.log(1 + count) / Math.log(100))

/** The inputs to the relevance of a node. */
export interface Measures {
  readonly source_confidence: number
  /** Edges in and out. */
  readonly degree: number
  readonly query_hits: number
  readonly last_queried_at: string | null
  readonly priority_boost: number
  readonly manual_boost: number
  readonly boosted_at: string | null
  /** The sum of the confidences of incoming contradictions. */
  readonly contradictions: number
  readonly revocation_reason: string | null
}

/** The number of hits, decayed since the last one, 4 decimals; 0 when never queried. */
export const decayedHits = (hits: number, lastQueriedAt: string | null, now: string): number =>
  lastQueriedAt === null ? 0 : rounded(hits * decay(daysBetween(lastQueriedAt, now)))

/** A manual boost, decayed since it was last given. */
const decayedBoost = (boost: number, boostedAt: string | null, now: string): number =>
  boostedAt === null ? 0 : boost * decay(daysBetween(boostedAt, now))

/** The relevance of a node at a time, from 0 to 1.5 with four decimals (knowledge-graph 5.1). */
export function relevance(node: Measures, now: string): number {
  const hits = decayedHits(node.query_hits, node.last_queried_at, now)
  const score =
    0.4 * node.source_confidence +
    0.3 * logScale(node.degree) +
    0.3 * logScale(hits) +
    node.priority_boost +
    decayedBoost(node.manual_boost, node.boosted_at, now) -
    Math.min(0.5, node.contradictions) -
    (node.revocation_reason === 'source_cancelled' ? 0.5 : 0)
  return rounded(Math.min(maxScore, Math.max(0, score)))
}

/** The score after a boost, and the manual boost to store so that a recomputation gives the same score. */
export function boosted(
  node: { readonly relevance_score: number; readonly manual_boost: number; readonly boosted_at: string | null },
  now: string,
): { readonly score: number; readonly manual_boost: number } {
  const score = rounded(Math.min(maxScore, node.relevance_score + boostStep))
  return {
    score,
    manual_boost: rounded(decayedBoost(node.manual_boost, node.boosted_at, now) + score - node.relevance_score),
  }
}

const byPriority: Readonly<Record<string, number>> = { medium: 0.05, high: 0.1, very_high: 0.15, critical: 0.2 }
const bySeverity: Readonly<Record<string, number>> = { minor: 0.1, major: 0.15, critical: 0.2 }

/** What priority, and for bugs severity, add to the relevance of a card (knowledge-graph 5.2). */
export function priorityBoost(card: {
  readonly card_type: string
  readonly priority: string | null
  readonly severity: string | null
}): number {
  const priority = byPriority[card.priority ?? ''] ?? 0
  if (card.card_type !== 'bug') return priority
  return Math.max(priority, bySeverity[card.severity ?? ''] ?? 0)
}

/** The score by which similar nodes are ranked (knowledge-graph 7.2). */
export function combinedScore(
  node: {
    readonly degree: number
    readonly age_days: number
    readonly source_confidence: number
    readonly dimmed: boolean
  },
  similarity: number,
): number {
  const score =
    0.5 * similarity + 0.2 * logScale(node.degree) + 0.2 * decay(node.age_days) + 0.1 * node.source_confidence
  return rounded(node.dimmed ? score * 0.5 : score)
}
