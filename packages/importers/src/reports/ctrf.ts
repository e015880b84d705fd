/** CTRF: Common Test Report Format (evidence 2). */
import { z } from 'zod'
import { type CaseStatus, type Cases, firstText, partOf, partsOf, UnreadableReport } from './case.ts'

const Attempt = z.looseObject({ status: z.string().optional() })

const Test = z.looseObject({
  name: z.string(),
  status: z.string(),
  duration: z.number().optional(),
  suite: z.union([z.string(), z.array(z.string())]).nullish(),
  filePath: z.string().nullish(),
  message: z.string().nullish(),
  trace: z.string().nullish(),
  flaky: z.boolean().nullish(),
  retries: z.number().nullish(),
  retryAttempts: z.array(Attempt).nullish(),
  tags: z.array(z.string()).nullish(),
})

const Report = z.looseObject({ results: z.looseObject({ tests: z.array(z.unknown()) }) })

/** Whether a parsed file is a CTRF report. */
export const isCtrf = (value: unknown): boolean => Report.safeParse(value).success

const statuses: Readonly<Record<string, CaseStatus>> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  other: 'skipped',
}

/**
 * Reads a CTRF report.
 * @throws UnreadableReport
 */
export function readCtrf(text: string, cases: Cases): void {
  const report = Report.safeParse(parsedJson(text))
  if (!report.success) throw new UnreadableReport('malformed', 'A CTRF report must have results with tests')
  for (const [at, value] of report.data.results.tests.entries()) {
    const { data, error } = Test.safeParse(value)
    if (data === undefined)
      throw new UnreadableReport('malformed', `Test ${at + 1}: ${error.issues[0]!.path.join('.')} is not as in CTRF`)
    const status = statuses[data.status]
    if (status === undefined) throw new UnreadableReport('malformed', `Test ${at + 1} has an unknown status`)
    const suites = typeof data.suite === 'string' ? [data.suite] : (data.suite ?? [])
    const retried = data.retryAttempts?.some(attempt => attempt.status === 'failed') || (data.retries ?? 0) > 0
    cases.add({
      parts: partsOf([...(suites.length > 0 ? suites : [data.filePath]), data.name]),
      suite: firstText(partsOf(suites).join('::')),
      class: null,
      name: partOf(data.name),
      file: data.filePath ?? null,
      status,
      flaky: status === 'passed' && (data.flaky === true || retried),
      durationMs: durationOf(data.duration),
      message: firstText(data.message, data.trace),
      tags: data.tags ?? [],
    })
  }
}

const durationOf = (ms: number | undefined): number | null =>
  ms === undefined || !(ms >= 0) || ms > Number.MAX_SAFE_INTEGER ? null : Math.round(ms)

/** Whether the parser's message says that a text is only incomplete. */
function isAtEnd(message: string, text: string): boolean {
  if (/Unexpected end|Unterminated/.test(message)) return true
  const [, position] = / at position (\d+)/.exec(message) ?? []
  return position !== undefined && Number(position) >= text.trimEnd().length
}

/**
 * Parses a JSON file; truncated JSON is distinguished from invalid JSON.
 * @throws UnreadableReport
 */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const isCut = error instanceof Error && isAtEnd(error.message, text)
    throw new UnreadableReport(isCut ? 'cut' : 'malformed', isCut ? 'The JSON ends early' : 'It is not JSON')
  }
}
