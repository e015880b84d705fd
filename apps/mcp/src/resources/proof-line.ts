import type { BodyOf } from '../calls/reader.ts'

type Proof = NonNullable<BodyOf<'get_card'>['proof']>

const digitsShown = 7

const short = (sha: string): string => sha.slice(0, digitsShown)

/** The description of each status. */
const words: Readonly<Record<Proof['status'], string>> = {
  proven: 'passed',
  failing: 'failed',
  partial: 'passed in part',
  below: 'below what the board asks for',
  none: 'none',
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** How long ago something was, in the largest unit that fits. */
function ago(at: string, now: number): string {
  const elapsed = Math.max(0, now - Date.parse(at))
  if (elapsed < hour) return `${Math.floor(elapsed / minute)} min ago`
  return elapsed < 2 * day ? `${Math.floor(elapsed / hour)} h ago` : `${Math.floor(elapsed / day)} days ago`
}

/** Why a result does not count for the current state. */
function staleness({ stale_reason, newer: [first], commit }: Proof): string {
  if (stale_reason === 'no_commit') return 'no commit was given'
  if (stale_reason === 'unknown_commit') return `${commit === null ? 'its commit' : short(commit)} is unknown`
  return first === undefined ? 'there are newer commits' : `${short(first.sha)} is newer`
}

/**
 * The proof of a record in one line (evidence 12), without a label; undefined for a record without proof.
 * @param now in milliseconds
 */
export function proofLine(proof: Proof | null, now: number): string | undefined {
  if (proof === null) return undefined
  const { status, tier, at, commit, flaky, stale, waived } = proof
  const verdict = [tier, words[status]].filter(word => word !== null).join(', ')
  const where = commit === null ? '' : ` at ${short(commit)}`
  return [
    `${verdict}${where}${at === null ? '' : `, ${ago(at, now)}`}`,
    ...(flaky ? ['flaky'] : []),
    ...(stale ? [`stale: ${staleness(proof)}`] : []),
    ...(waived.length === 0 ? [] : [`waived: ${waived.join(', ')}`]),
  ].join('; ')
}
