/** The output of `specboard report` for people (evidence 11). */
import type { features } from '@specboard/contract'
import type { z } from 'zod'

/** A report as answered by the service. */
export type SentReport = z.output<(typeof features.evidence)['submit_test_report']['response']>

type Scenario = NonNullable<SentReport['mapping']>['scenarios'][number]

/** How many tests that prove nothing are listed. */
const namedUnmapped = 5

const remarksOn = ({ result, reason, unmatched, skipped, flaky }: Scenario): string =>
  [
    result === 'ignored' ? `ignored (${reason})` : '',
    result === 'incomplete' && unmatched.length > 0 ? `no test for ${unmatched.join(', ')}` : '',
    result === 'incomplete' && skipped > 0 ? `${skipped} skipped` : '',
    flaky ? 'flaky' : '',
  ]
    .filter(part => part !== '')
    .join(', ')

/** Rows in columns, each as wide as its longest text. */
function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  return rows.map(row =>
    row
      .map((text, column) => text.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}

/** The outcome, a table of scenarios, and the tests that prove nothing. */
export function reportText(report: SentReport): string {
  const { name, outcome, executed, passed, failed, skipped, tier, id, mapping } = report
  const head = `${name}: ${outcome} (${tier}), ${executed} executed, ${passed} passed, ${failed} failed, ${skipped} skipped`
  const lines = [id === null ? `${head}; preview, nothing is stored` : head]
  if (mapping === undefined) return lines.join('\n')
  const { scenarios, scenarios_total, records, unknown_refs, unmapped, unmapped_total } = mapping
  if (scenarios.length > 0) {
    const rows = scenarios.map(scenario => [
      `${scenario.spec_ref ?? scenario.spec_id}/${scenario.scenario_id}`,
      scenario.from,
      scenario.to,
      String(scenario.tests),
      remarksOn(scenario),
    ])
    lines.push('', ...inColumns([['scenario', 'was', 'is', 'tests', ''], ...rows]))
    if (scenarios_total > scenarios.length) lines.push(`and ${scenarios_total - scenarios.length} more`)
  }
  const refs = records.flatMap(({ ref }) => ref ?? [])
  if (refs.length > 0) lines.push('', `It speaks for ${refs.join(', ')}.`)
  if (unknown_refs.length > 0) lines.push('', `No scenario is called ${unknown_refs.join(', ')}.`)
  if (unmapped_total > 0) {
    lines.push('', `${unmapped_total} of the tests prove nothing; set_scenario_tests links them:`)
    lines.push(...unmapped.slice(0, namedUnmapped).map(address => `- ${address}`))
    if (unmapped_total > namedUnmapped) lines.push(`- and ${unmapped_total - namedUnmapped} more`)
  }
  return lines.join('\n')
}

/** Whether a scenario failed, or a report proves nothing at all: `--strict` then fails. */
export function provesNothing({ outcome, mapping }: SentReport): boolean {
  const scenarios = mapping?.scenarios ?? []
  if (scenarios.some(({ result }) => result === 'failed')) return true
  const isProven = scenarios.some(({ result }) => result === 'passed')
  return !isProven && !(outcome === 'passed' && (mapping?.records_total ?? 0) > 0)
}
