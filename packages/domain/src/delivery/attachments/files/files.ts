/** Storage for the bytes of attachments (cards 11). */
import { UnsafePath } from '@specboard/storage/safe-path'

/** Size and hash of a completely stored file. */
export interface StoredFile {
  readonly size: number
  /** The hash of the bytes, lower-case hex. */
  readonly sha256: string
}

/** A range of bytes of a file, from the first up to, but not including, the last; by default all of it. */
export interface ByteRange {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/**
 * Storage for attachment files: the data folder, the database that several nodes share, or an S3 store. Files never
 * change. No record references a file before it is durable, and deleting a record deletes its file.
 */
export interface AttachmentFiles {
  /** The name of the storage in findings and messages. */
  readonly name: string
  /**
   * Stores and hashes bytes as they arrive, and resolves once they are durable under their path. A failure leaves no
   * file behind; an existing file is not replaced (walls 1).
   * @param bytes whose chunks may share one buffer
   * @throws PresentFile if the file exists; UnsafePath for a path that is not an attachment's
   * @throws DomainError PAYLOAD_TOO_LARGE with `max_bytes` as soon as there are more bytes
   * @throws StorageError UNREACHABLE; the errors of the source and of the system
   */
  put(path: string, bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile>
  /** The size of a file, bytes; undefined if it does not exist. */
  size(path: string): Promise<number | undefined>
  /**
   * The bytes of a file, read only as fast as they are consumed. The file is opened on the first read.
   * @throws an error for which `isAbsent` is true if the file does not exist
   */
  read(path: string, range?: ByteRange): AsyncGenerator<Uint8Array>
  /** Removes a file, if it still exists. */
  remove(path: string): Promise<void>
  /** Removes all files of a board. */
  removeAll(boardId: string): Promise<void>
  /** The paths of all complete files, or of those of one board. */
  paths(boardId?: string): AsyncIterable<string>
  /** Removes what abandoned uploads left unfinished. */
  removeUnfinished(): Promise<void>
}

/** The file does not exist, in a storage without a system error for that. */
export class AbsentFile extends Error {
  constructor(path: string) {
    super(`${path} is missing.`)
    this.name = 'AbsentFile'
  }
}

/** The file already exists. */
export class PresentFile extends Error {
  constructor(path: string) {
    super(`${path} already exists. Remove it first.`)
    this.name = 'PresentFile'
  }
}

/** Whether an error says that a file does not exist or cannot exist: nothing is stored under a path of another form. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof AbsentFile ||
  error instanceof UnsafePath ||
  (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))

/** The result of an action on a file; undefined if the file does not exist. */
export async function orAbsent<Value>(run: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await run()
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** How long an upload may last, ms: older unfinished ones have been abandoned, on whichever node they began. */
export const maxUploadMs = 24 * 3_600_000
