/** The messages to and from a thread that reads files of other tools. */
import type { ErrorCode } from '@specboard/contract'
import type { AmbiguousFit, ImportFormat, NeutralRecord, ReadOptions, SourceContent } from '@specboard/importers'
import type { UploadedFile } from './received.ts'

export interface ToReader {
  readonly file: Pick<UploadedFile, 'path' | 'filename' | 'isZip'>
  readonly format: ImportFormat | undefined
  readonly options: Omit<ReadOptions, 'known'>
  /** Digests of the titles of the records that the board knows, by external id. */
  readonly digests: readonly (readonly [string, string])[]
}

/** What was read, including the format. */
export type Whole = SourceContent & { readonly format: ImportFormat }

export type FromReader =
  | { readonly type: 'records'; readonly records: readonly NeutralRecord[] }
  | { readonly type: 'end'; readonly rest: Omit<Whole, 'records'> }
  | {
      readonly type: 'unreadable'
      readonly message: string
      readonly entry: string | null
      readonly line: number | null
    }
  | { readonly type: 'ambiguous'; readonly message: string; readonly fits: readonly AmbiguousFit[] }
  | {
      readonly type: 'refused'
      readonly code: ErrorCode
      readonly message: string
      readonly extra: Readonly<Record<string, unknown>>
    }
  | { readonly type: 'failed'; readonly message: string }
