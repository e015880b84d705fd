import type { Check, SentCheck } from '@specboard/contract'
import type { z } from 'zod'
import { blocked, type DomainError, invalid } from '../../../kernel/errors.ts'
import type { CardRecord, Report, Status } from '../../card-record/record.ts'

/** An execution report as sent with a move (cards 4.4). */
export interface SentReport {
  readonly conclusion?: string | null
  readonly completeness?: number | null
  readonly completeness_justification?: string | null
  readonly drift?: number | null
  readonly drift_justification?: string | null
  readonly check?: z.output<typeof SentCheck> | null
}

/** A check as stored: a sentence says how it was done. */
export function checkOf(check: SentReport['check']): z.output<typeof Check> | null {
  if (isBlank(check) || check == null) return null
  const parts = typeof check === 'string' ? { how: check.trim() } : check
  const { how, test = null, command = null, result = null, output_snippet = null, run_id = null } = parts
  return { how, test, command, result, output_snippet, run_id }
}

const parts = [
  'conclusion',
  'completeness',
  'completeness_justification',
  'drift',
  'drift_justification',
] as const satisfies readonly (keyof SentReport)[]

/** Whether a value is absent, null or only white space. */
export const isBlank = (value: unknown): boolean => value == null || (typeof value === 'string' && value.trim() === '')

/** Whether a report was sent at all. */
export const isSent = (report: SentReport): boolean => !isBlank(report.conclusion)

/** The default report of a small change (crew 6.3). */
const usual = { completeness: 100, drift: 0 } as const

/** The missing parts of the report of a small change: shares are required only if they differ from the defaults. */
function missingOfSmall(report: SentReport): string[] {
  const unexplained = (['completeness', 'drift'] as const)
    .filter(name => (report[name] ?? usual[name]) !== usual[name])
    .map(name => `${name}_justification` as const)
    .filter(name => isBlank(report[name]))
  return [...(['conclusion', 'check'] as const).filter(name => isBlank(report[name])), ...unexplained]
}

/**
 * The missing parts of a report.
 * @param isSmall whether it is that of a small change
 */
export const missingParts = (report: SentReport, isSmall: boolean): string[] =>
  isSmall ? missingOfSmall(report) : parts.filter(name => isBlank(report[name]))

/**
 * Refuses shares outside 0..100.
 * @throws DomainError VALIDATION_ERROR
 */
export function checkShares(report: SentReport): void {
  for (const name of ['completeness', 'drift'] as const) {
    const share = report[name]
    if (share != null && (share < 0 || share > 100)) throw invalid(name, `${name} must be from 0 to 100, not ${share}.`)
  }
}

/** The facts that a report depends on. */
export interface ReportFacts {
  readonly card: Pick<CardRecord, 'card_type' | 'status' | 'conclusions'>
  /** When work on a test card last began; null for others. */
  readonly workedSince: string | null
}

/** Whether a test card has a report from its current period of work. */
const hasReported = ({ card, workedSince }: ReportFacts): boolean =>
  workedSince !== null && card.conclusions.some(({ created_at, imported }) => !imported && created_at >= workedSince)

/**
 * Whether a move needs a report (cards 4.4).
 * @param approved whether the active validation succeeded; its record then replaces the report
 */
export function needsReport(facts: ReportFacts, to: Status, approved: boolean): boolean {
  const { card_type, status: from } = facts.card
  if (from === to) return false
  if (to === 'validation') return card_type !== 'test' && from !== 'done'
  return to === 'done' && !(from === 'validation' && approved) && !hasReported(facts)
}

/** The refusal of an incomplete report; it names all missing parts at once. */
export const reportRequired = (missing: readonly string[]): DomainError =>
  blocked('CONCLUSION_REQUIRED', `The move needs a complete report. Send ${missing.join(', ')} with it.`, { missing })

/** The refusal of `done` with a check that failed. */
export const checkFailed = (): DomainError =>
  blocked('CHECK_FAILED', 'The check failed, so the card is not done. Fix it, check again, and send the new result.')

/** A complete report as stored on the card. */
export const reportOf = (
  report: SentReport,
  { to, isSmall, authorId, now }: { to: Status; isSmall: boolean; authorId: string; now: string },
): Report => ({
  text: (report.conclusion ?? '').trim(),
  author_id: authorId,
  created_at: now,
  completeness: report.completeness ?? (isSmall ? usual.completeness : null),
  completeness_justification: (report.completeness_justification ?? '').trim(),
  drift: report.drift ?? (isSmall ? usual.drift : null),
  drift_justification: (report.drift_justification ?? '').trim(),
  source: `move_to_${to}`,
  ...withCheck(checkOf(report.check)),
})

const withCheck = (check: z.output<typeof Check> | null) => check !== null && { check, check_tier: 'claimed' as const }
