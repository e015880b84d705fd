/** Where the bytes of attachments lie (cards 11). */
import { UnsafePath } from '@specboard/storage/safe-path'

/** Size and hash of a completely stored file. */
export interface StoredFile {
  readonly size: number
  /** The hash of the bytes, lower-case hex. */
  readonly sha256: string
}

/** Bytes of a file, from the first up to, but without, the last; all unless said. */
export interface ByteRange {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/**
 * A place for the files of attachments: the data folder, the database that several nodes share, or an S3 store. Files
 * never change. None is named by a record before it is durable, and a record that goes takes its file with it.
 */
export interface AttachmentFiles {
  /** What the place is called in findings and messages. */
  readonly name: string
  /**
   * Stores and hashes bytes as they arrive, and resolves once they are durable under their path. A failure leaves no
   * file behind; a file that is there is not replaced (walls 1).
   * @param bytes of which each piece may overwrite the one before it
   * @throws PresentFile where there is one; UnsafePath for a path that is no attachment's
   * @throws DomainError PAYLOAD_TOO_LARGE with `max_bytes` as soon as there are more bytes
   * @throws StorageError UNREACHABLE; the errors of the source and of the system
   */
  put(path: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile>
  /** The size of a file, bytes; undefined where there is none. */
  size(path: string): Promise<number | undefined>
  /**
   * The bytes of a file, no faster than they are taken. It is opened on the first read.
   * @throws an error of which `isAbsent` is true where there is no file
   */
  read(path: string, range?: ByteRange): AsyncGenerator<Uint8Array>
  /** Removes a file, if it still exists. */
  remove(path: string): Promise<void>
  /** Removes all files of a board. */
  removeAll(boardId: string): Promise<void>
  /** The paths of all complete files, or of those of one board. */
  paths(boardId?: string): AsyncIterable<string>
  /** Removes what uploads that nobody continues left unfinished. */
  removeUnfinished(): Promise<void>
}

/** There is no such file in a place that has no error of the system for it. */
export class AbsentFile extends Error {
  constructor(path: string) {
    super(`${path} is not there.`)
    this.name = 'AbsentFile'
  }
}

/** There is a file already. */
export class PresentFile extends Error {
  constructor(path: string) {
    super(`${path} is there, and is not replaced. Remove it first.`)
    this.name = 'PresentFile'
  }
}

/** Whether an error says that a file does not exist, or could not: none is stored under a path of another form. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof AbsentFile ||
  error instanceof UnsafePath ||
  (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))

/** What is done with a file; undefined where there is none. */
export async function orAbsent<Value>(run: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await run()
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** How long an upload may last, ms: what is older and unfinished was given up, on whichever node it began. */
export const longestUploadMs = 24 * 3_600_000
