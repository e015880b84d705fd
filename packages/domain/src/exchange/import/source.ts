import type { ImportFormat, ImportProblem } from '@specboard/contract'
import type { SourceContent } from '@specboard/importers'
import type { z } from 'zod'
import type { NamedAgent } from '../archive/authors.ts'
import type { RecordType } from '../kinds/kinds.ts'
import type { TitleDigests } from './known-records.ts'
import type { FilePosition } from './refused.ts'

export type Format = z.output<typeof ImportFormat>
export type Problem = z.output<typeof ImportProblem>

/** What a source reports besides its records. */
export type SourceFindings = Pick<SourceContent, 'problems' | 'mapped_words' | 'inferred'>

/** A record as in the file: ids, references and authors are those of the file. */
export interface SourceRecord {
  readonly type: RecordType
  /** Unique among the records of its kind. */
  readonly id: string
  /** The values of an archive's line, without `type`. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The fields that the file itself contains; undefined if it contains all of them. */
  readonly fileFields?: readonly string[] | undefined
  readonly place: FilePosition
}

/** A file in a source. */
export interface SourceFile {
  readonly size: number
  /** The bytes; the consumer compares their hash. */
  readonly bytes: () => AsyncIterable<Uint8Array>
}

/** A file that can be read record by record, more than once. */
export interface Source {
  readonly format: Format
  readonly board: { readonly id: string | null; readonly name: string }
  /** The service that an archive comes from, in words. */
  readonly service?: string
  /** The agents that the file names, by the ids that it uses. */
  readonly agents: ReadonlyMap<string, NamedAgent>
  /** Whether its records lack the number of their changes, which its log provides. */
  readonly countsRevisions?: boolean
  /** What was reported while it was read; archives are imported completely or refused, and report nothing. */
  readonly found?: SourceFindings
  /** The number of records and events. */
  readonly total: number
  /**
   * The records in the order of kinds of an archive; for an archive, the board comes first.
   * @param again whether all were read before, so that nothing in the file is checked again
   */
  records(again: boolean): AsyncIterable<SourceRecord>
  /** The entries of the event log, in order; only archives have them. */
  events(again: boolean): AsyncIterable<SourceRecord>
  /** The spec "Imported", for cards that have lost their own; only sources whose cards need a spec have it. */
  readonly imported?: (place: FilePosition) => SourceRecord
  /** An attachment by its hash; undefined if there is none. */
  attachment(sha256: string): SourceFile | undefined
  close(): Promise<void>
}

/** The options for reading another tool's file (exchange 2). */
export interface ReadOptions {
  readonly name?: string | undefined
  readonly mapping?: string | undefined
  readonly all?: boolean | undefined
  readonly inferred_order?: boolean | undefined
  /** The digests of the titles that were imported into the board before. */
  readonly titles: TitleDigests
}
