/** How a format is told from its content and read (imports 1, 2). */
import type { InPieces } from '@specboard/contract'
import type { Collected } from './collected.ts'
import type { ImportFormat, ReadOptions, Source } from './neutral.ts'

/** Where a format was looked for, and why it is not there (imports 1). */
export interface Miss {
  readonly verdict: 'no'
  /** The file or folder that comes near; null for the source as a whole. */
  readonly at: string | null
  /** The line at fault, where one is. */
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
   * Reads it; gives the name that the source itself has for the board, null if it has none. Files that no record and
   * no problem names are reported as skipped, so that nothing vanishes (imports 1).
   * @throws Unreadable
   */
  read(collected: Collected, options: ReadOptions): InPieces<string | null>
}

/** A format: how its content is told, and how it is read. */
export interface Format {
  /** What it looks for in a source, as a refusal says it: "`tasks.json` with a list of tasks". */
  readonly looksFor: string
  /**
   * Looks at what is there (imports 2): a fit for each place that could be read, of copies of the same records the
   * best one, and what comes near. Entries are sorted; files of operating systems are not among them.
   */
  look(source: Source, options: ReadOptions): readonly (Fit | Miss)[]
}

/** What a format finds in a source. */
export interface Looked {
  readonly name: ImportFormat
  readonly found: Fit | Miss
}
