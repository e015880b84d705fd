/** The request to a thread that reads a report, and its answer (evidence 2, 3). */
import type { ReportFormat, ReportOutcome } from '@specboard/contract'
import type { UnreadableReport } from '@specboard/importers'
import type { z } from 'zod'
import type { ReportFile } from '../../../schema/contents.ts'

type Format = z.output<typeof ReportFormat>

/** The request to a thread. */
export interface ReadingRequest {
  readonly reportId: string
  readonly boardId: string
  readonly format: Format | undefined
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  /** The keys of the board, the current one first. */
  readonly keys: readonly string[]
  /** Its specs, with the JSON of their scenarios. */
  readonly specs: readonly { readonly id: string; readonly number: number; readonly scenarios: string }[]
}

/** The results of a scenario's tests in a report. */
export interface ScenarioTests {
  readonly spec_id: string
  readonly scenario_id: string
  readonly tests: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly flaky: boolean
  /** The first addresses. */
  readonly cases: readonly string[]
  /** The patterns that matched at least one test. */
  readonly matched: readonly string[]
  readonly failure: string | null
  /** The file and the name of its first test. */
  readonly file: string | null
  readonly name: string | null
}

/** Totals of a report. */
export interface Totals {
  readonly cases: number
  readonly executed: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly flaky: number
}

/** The first of many, and the total number. */
export interface FirstOf {
  readonly items: readonly string[]
  readonly total: number
}

/** A report as it was read. */
export interface ReportSummary {
  readonly files: readonly ReportFile[]
  readonly totals: Totals
  readonly outcome: z.output<typeof ReportOutcome>
  readonly content_sha256: string
  /** Rows of its cases, as JSON lists that are stored unchanged. */
  readonly rows: readonly string[]
  readonly scenarios: readonly ScenarioTests[]
  readonly unknownRefs: FirstOf
  /** Tests that ran but prove nothing. */
  readonly unmapped: FirstOf
}

/** Why a report is refused: a fault in a file, or too much of something. */
export type NotTaken =
  | {
      readonly entry: string
      readonly reason: UnreadableReport['reason']
      readonly line: number | null
      readonly message: string
    }
  | { readonly maxBytes: number }

/** The number of entries of a list that a mapping shows. */
export const maxShown = 200

/** The columns of a case, in this order. */
export const caseColumns = [
  'report_id',
  'position',
  'board_id',
  'rank',
  'address',
  'suite',
  'class',
  'name',
  'file',
  'status',
  'is_flaky',
  'duration_ms',
  'message',
  'refs',
  'is_named',
] as const
