/** A test of a report, as every reader returns it (evidence 2). */

export type CaseStatus = 'passed' | 'failed' | 'skipped'

/** A test in a report. */
export interface ReportedCase {
  /** The parts of its address in order; empty and repeated ones are left out (evidence 3). */
  readonly parts: readonly string[]
  readonly suite: string | null
  readonly class: string | null
  readonly name: string
  readonly file: string | null
  readonly status: CaseStatus
  /** Whether it passed after a failed attempt. */
  readonly flaky: boolean
  readonly durationMs: number | null
  readonly message: string | null
  /** Further texts that may name scenarios. */
  readonly tags: readonly string[]
}

/** The name of a report format (evidence 2). */
export type ReportFormat = 'junit' | 'tap' | 'ctrf' | 'go'

/** Why a file is not read (evidence 2). */
export type ReportFault = 'malformed' | 'doctype' | 'too_deep' | 'too_many' | 'ratio' | 'cut' | 'unknown_format'

/** A file that is not a complete report. */
export class UnreadableReport extends Error {
  readonly reason: ReportFault
  readonly line: number | null

  constructor(reason: ReportFault, message: string, line: number | null = null) {
    super(message)
    this.reason = reason
    this.line = line
  }
}

/** A text or attribute that exceeds the limit. */
export class OversizedText extends Error {}

/** Limits of a report (evidence 2). */
export const reportLimits = {
  /** Bytes of all files, unpacked. */
  unpackedBytes: 32 << 20,
  /** Files above this size, in bytes, may not be compressed more than a hundredfold. */
  ratioFromBytes: 1 << 20,
  ratio: 100,
  cases: 200_000,
  xmlDepth: 64,
  tapDepth: 8,
  /** Characters of a text or attribute. */
  text: 1 << 20,
} as const

/** Collects the cases of a file; refuses more than the limit. */
export class Cases {
  readonly found: ReportedCase[] = []
  readonly #room: number

  /** @param room how many more cases the report may have */
  constructor(room: number) {
    this.#room = room
  }

  add(found: ReportedCase): void {
    if (this.found.length >= this.#room)
      throw new UnreadableReport('too_many', `A report has at most ${reportLimits.cases} cases`)
    this.found.push(found)
  }
}

/** Maximum number of characters of a part of an address. */
const maxPartLength = 2_000

/** A part of an address: runs of white space become one space, ends are trimmed (evidence 3). */
export const partOf = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, maxPartLength)

/** Parts of an address, without empty ones. */
export const partsOf = (texts: readonly (string | null | undefined)[]): string[] =>
  texts.map(text => partOf(text ?? '')).filter(part => part !== '')

/** The first non-empty text; null without one. */
export const firstText = (...texts: readonly (string | null | undefined)[]): string | null =>
  texts.find(text => text !== undefined && text !== null && text.trim() !== '') ?? null
