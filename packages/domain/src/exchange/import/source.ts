import type { ImportFormat, ImportProblem } from '@specboard/contract'
import type { Reading } from '@specboard/importers'
import type { z } from 'zod'
import type { RecordType } from '../kinds/kinds.ts'
import type { TitleDigests } from './known-records.ts'
import type { Place } from './refused.ts'

export type Format = z.output<typeof ImportFormat>
export type Problem = z.output<typeof ImportProblem>

/** What is told of a source beside its records. */
export type Found = Pick<Reading, 'problems' | 'mapped_words' | 'inferred'>

/** A record as a file has it: ids, references and authors are those of the file. */
export interface Incoming {
  readonly type: RecordType
  /** Unique among the records of its kind. */
  readonly id: string
  /** The values of an archive's line, without `type`. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The fields that the file itself has; undefined for all. */
  readonly given?: readonly string[] | undefined
  readonly place: Place
}

/** A file in a source. */
export interface SourceFile {
  readonly size: number
  /** The bytes, whose hash whoever takes them compares. */
  readonly bytes: () => AsyncIterable<Uint8Array>
}

/** A file that can be read record by record, more than once. */
export interface Source {
  readonly format: Format
  readonly board: { readonly id: string | null; readonly name: string }
  /** The agents that the file names, by the ids that it uses. */
  readonly agents: ReadonlyMap<string, string>
  /** Whether its records lack how often they have changed, which its log tells. */
  readonly countsRevisions?: boolean
  /** What was told while it was read; archives are whole or refused and tell nothing. */
  readonly found?: Found
  /** How many records and events there are. */
  readonly total: number
  /**
   * The records in the order of kinds of an archive; of an archive, the board comes first.
   * @param again whether all were read before, so that nothing in the file is judged anew
   */
  records(again: boolean): AsyncIterable<Incoming>
  /** The entries of the event log, in order; only archives have them. */
  events(again: boolean): AsyncIterable<Incoming>
  /** The spec "Imported", for cards that have lost their own; only sources whose cards need a spec have it. */
  readonly imported?: (place: Place) => Incoming
  /** An attachment by its hash; undefined where there is none. */
  attachment(sha256: string): SourceFile | undefined
  close(): Promise<void>
}

/** What a file of another tool is read with (exchange 2). */
export interface ReadOptions {
  readonly name?: string | undefined
  readonly mapping?: string | undefined
  readonly all?: boolean | undefined
  readonly inferred_order?: boolean | undefined
  /** What was imported before into the board. */
  readonly titles: TitleDigests
}
