/** The effect of a report on a scenario (evidence 4). Pure. */
import type { MappedScenario } from '@specboard/contract'
import type { z } from 'zod'
import type { ReportScenario } from '../../schema/contents.ts'

/** The tests of a scenario in several reports of one run, combined into one (evidence 4, rule 1). */
export function mergedTests(parts: readonly ReportScenario[]): ReportScenario {
  const sum = (of: (part: ReportScenario) => number) => parts.reduce((all, part) => all + of(part), 0)
  const first = parts.find(({ tests }) => tests > 0) ?? parts[0]!
  return {
    tests: sum(({ tests }) => tests),
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    flaky: parts.some(({ flaky }) => flaky),
    cases: parts.flatMap(({ cases }) => cases).slice(0, 5),
    matched: [...new Set(parts.flatMap(({ matched }) => matched))],
    failure: parts.find(({ failure }) => failure !== null)?.failure ?? null,
    file: first.file,
    name: first.name,
  }
}

/** The result for a scenario, regardless of its spec's state. */
export interface Outcome {
  readonly result: 'passed' | 'failed' | 'incomplete'
  readonly unmatched: readonly string[]
}

/**
 * Passed if each pattern matched a test and all passed; failed if any failed; otherwise nothing changes (evidence 4,
 * rule 2).
 */
export function outcomeOf(patterns: readonly string[], { tests, passed, failed, matched }: ReportScenario): Outcome {
  const named = new Set(matched)
  const unmatched = patterns.filter(pattern => !named.has(pattern))
  if (failed > 0) return { result: 'failed', unmatched }
  return { result: unmatched.length === 0 && tests > 0 && passed === tests ? 'passed' : 'incomplete', unmatched }
}

/** Statuses of specs whose scenarios accept results (evidence 4, rule 3). */
const open: ReadonlySet<string> = new Set(['approved', 'validated', 'in_progress', 'done'])

/** What decides whether a report counts for a spec. */
export interface SpecState {
  readonly status: string
  readonly archived: boolean
  /** Whether the report is of the default branch. */
  readonly onDefault: boolean
  /** Whether it belongs to the work on this spec: by its changes, or by name; also if it has no change at all. */
  readonly isOwn: boolean
}

/** Why a report does not count for a spec; null if it does (evidence 4, rule 3). */
export function ignoredBecause({
  status,
  archived,
  onDefault,
  isOwn,
}: SpecState): z.output<typeof MappedScenario>['reason'] {
  if (archived) return 'archived'
  if (!open.has(status)) return 'spec_status'
  const counts = status === 'done' ? onDefault : onDefault || isOwn
  return counts ? null : 'other_branch'
}

/** The counts and the first failure in one line, as evidence of a scenario. */
export const snippetOf = ({ passed, failed, skipped, failure }: ReportScenario): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped${failure === null ? '' : `; ${failure}`}`.slice(0, 500)
