import { LogChecksum } from './log-checksum.ts'

/** The part of an index file that says how far the log extends. */
export const logIndexBytes = 136

const version = 3_007_000

/** The contents of a log's index (`-shm`): connections update it once a commit is on the disk. */
export interface LogIndex {
  readonly pageSize: number
  /** The last committed frame. */
  readonly frames: number
  /** The frames that were written back to the database. */
  readonly writtenBack: number
  /** The frames that are being written back; more than `writtenBack` while that goes on. */
  readonly writingBack: number
  /** The salts of the log that it belongs to, in the log's form. */
  readonly salts: Buffer
}

/**
 * Reads the beginning of an index file; undefined when it is incomplete. The format is that of SQLite's "WAL-index", in
 * the byte order of the machine: the header twice, then the progress of writing back.
 */
export function readLogIndex(bytes: Buffer): LogIndex | undefined {
  if (bytes.length < logIndexBytes || !bytes.subarray(0, 48).equals(bytes.subarray(48, 96))) return undefined
  const words = new Uint32Array(logIndexBytes / 4)
  Buffer.from(words.buffer).set(bytes.subarray(0, logIndexBytes))
  const checksum = new LogChecksum(false)
  checksum.add(words.subarray(0, 10))
  const initialized = bytes[12] === 1
  if (words[0] !== version || !initialized || !checksum.equals(words[10]!, words[11]!)) return undefined
  const pageSize = new Uint16Array(words.buffer, 14, 1)[0]!
  return {
    pageSize: pageSize === 1 ? 65_536 : pageSize,
    frames: words[4]!,
    writtenBack: words[24]!,
    writingBack: words[32]!,
    salts: Buffer.from(bytes.subarray(32, 40)),
  }
}
