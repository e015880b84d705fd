/** What `doctor` finds. */

/** One thing that `doctor` looked at. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly says: string
  /** Whether `doctor --fix` fixes it. */
  readonly isFixable?: true
}

/**
 * What is at stake if something is wrong, the worst first: stored records, whether the service answers at all, what
 * would be needed after an accident, what the service can derive again, and the rest.
 */
const stakes = ['records', 'service', 'safety', 'derived', 'setup'] as const

export type Stake = (typeof stakes)[number]

/** A finding with what is at stake. */
export interface StakedFinding extends Finding {
  readonly stake: Stake
}

/** Findings with problems first, the worst before the rest; otherwise in their order. */
export const worstFirst = (findings: readonly StakedFinding[]): StakedFinding[] => {
  const rank = ({ ok, stake }: StakedFinding) => (ok ? stakes.length : stakes.indexOf(stake))
  return findings.toSorted((one, other) => rank(one) - rank(other))
}

/** What was found, in a sentence. */
export function sumOf(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ ok }) => !ok)
  const [worst] = wrong
  const checks = `${findings.length} checks`
  if (worst === undefined) return `${checks}, all in order.`
  const fixable = wrong.filter(({ isFixable }) => isFixable).length
  const remedy = fixable === 0 ? '' : ` "specboard doctor --fix" fixes ${fixable} of them.`
  return `${checks}, ${wrong.length} wrong; the worst is ${worst.name}.${remedy}`
}

/** The names of a list that are printed. */
const maxNames = 20

export const listed = (names: readonly string[]): string =>
  names.length <= maxNames
    ? names.join(', ')
    : `${names.slice(0, maxNames).join(', ')} and ${names.length - maxNames} more`

/** Who is using the database, and whether derived data should be repaired. */
export interface Use {
  readonly fix: boolean
  /** Whether a server uses it, whose writes a repair would delay. */
  readonly served: boolean
}

/** How to start a repair; while a server runs, it must be stopped first. */
export const repairOf = ({ served }: Use): string =>
  served ? 'stop the server, then "specboard doctor --fix"' : '"specboard doctor --fix"'
