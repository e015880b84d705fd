/** How a format is detected from its content and read (imports 1, 2). */
import type { InPieces } from '@specboard/contract'
import type { Collection } from './collected.ts'
import type { ImportFormat, ReadOptions, Source } from './neutral.ts'

/** Where a format was expected, and why it was not found (imports 1). */
export interface Miss {
  readonly verdict: 'no'
  /** The file or folder that nearly matches; null for the source as a whole. */
  readonly at: string | null
  /** The line at fault, if there is one. */
  readonly line?: number | null
  readonly reason: string
}

/** A file or folder that a format can read. */
export interface Fit {
  /** An empty result is never `sure` (imports 2). */
  readonly verdict: 'sure' | 'possible'
  /** The file or folder that would be read; null for the source as a whole. */
  readonly at: string | null
  readonly reason: string
  /**
   * Reads it; returns the board name in the source, or null. Files that no record and no problem mentions are reported
   * as skipped, so that nothing is lost silently (imports 1).
   * @throws Unreadable
   */
  read(collected: Collection, options: ReadOptions): InPieces<string | null>
}

/** A format: how it is detected, and how it is read. */
export interface Format {
  /** What it looks for in a source, for refusals: "`tasks.json` with a list of tasks". */
  readonly looksFor: string
  /**
   * Inspects a source (imports 2): returns a fit for each readable location (only the best one of several copies of the
   * same records), and near misses. Entries are sorted, without files that operating systems create.
   */
  look(source: Source, options: ReadOptions): readonly (Fit | Miss)[]
}

/** What a format finds in a source. */
export interface FormatFindings {
  readonly name: ImportFormat
  readonly found: Fit | Miss
}
