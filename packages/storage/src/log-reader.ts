import { closeSync, openSync, readSync } from 'node:fs'
import { isSwapped, LogChecksum } from './log-checksum.ts'

/** The format of a write-ahead log: a header, then frames of a header and a page each. */
export const logHeaderBytes = 32
export const frameHeaderBytes = 24

/** The frames that are read from the file together. */
const framesOfBlock = 256

/** The first word; its last bit gives the byte order of the checksums. */
const magic = 0x377f0682
const version = 3_007_000

/** The contents of a log. */
export interface LogReading {
  /** The salts of its header; undefined when the header is damaged or missing: SQLite ignores such a log. */
  readonly salts: Buffer | undefined
  /** The last frame of the last commit that SQLite recovers; frames count from 1. */
  readonly lastCommit: number
  /**
   * Whether the log continues after that frame with a commit and a further frame that was written after it. A commit is
   * synced before the next one begins, so this one was acknowledged but is not recovered.
   */
  readonly continues: boolean
}

/**
 * Reads a log as SQLite recovers it, up to the first frame whose checksum fails, and examines what follows.
 *
 * A frame's checksum continues that of the frame before it, as stored there. So two frames that are intact and were
 * written one after the other can be told from frames that are merely adjacent: remains of a transaction that was
 * rolled back, or was torn by a power cut before it was acknowledged, and was then partly overwritten. Those contain no
 * commit that another frame follows.
 *
 * @param databasePageSize the page size, for a log whose header is damaged
 */
export function readLog(file: string, databasePageSize: number): LogReading {
  const descriptor = openSync(file, 'r')
  try {
    return new Reader(descriptor, databasePageSize).read()
  } finally {
    closeSync(descriptor)
  }
}

interface Frame {
  /** Whether it is the last frame of its transaction. */
  readonly isCommit: boolean
  /** Whether it belongs to this log, rather than to one that was overwritten. */
  readonly isOfLog: boolean
  /** Its checksum as stored. */
  readonly first: number
  readonly second: number
  /** The two salts of the log that it was written to. */
  readonly salts: readonly [number, number]
}

class Reader {
  readonly #descriptor: number
  readonly #header = Buffer.alloc(logHeaderBytes)
  readonly #pageSize: number
  readonly #salts: Buffer | undefined
  readonly #checksum: LogChecksum
  readonly #frameBytes: number
  readonly #block: Buffer
  readonly #words: Uint32Array
  /** The number of the block that was read last, and the complete frames in it. */
  #blockNumber = -1
  #frames = 0

  constructor(descriptor: number, databasePageSize: number) {
    this.#descriptor = descriptor
    readSync(descriptor, this.#header, 0, logHeaderBytes, 0)
    const first = this.#header.readUInt32BE(0)
    const hasMagic = first === magic || first === magic + 1
    this.#checksum = new LogChecksum(hasMagic && isSwapped(first === magic + 1))
    const pageSize = this.#header.readUInt32BE(8)
    const intact = hasMagic && isPageSize(pageSize) && this.#headerIsIntact()
    this.#pageSize = intact ? pageSize : databasePageSize
    this.#salts = intact ? Buffer.from(this.#header.subarray(16, 24)) : undefined
    this.#frameBytes = frameHeaderBytes + this.#pageSize
    const bytes = new ArrayBuffer(framesOfBlock * this.#frameBytes)
    this.#block = Buffer.from(bytes)
    this.#words = new Uint32Array(bytes)
  }

  #headerIsIntact(): boolean {
    const words = new Uint32Array(6)
    Buffer.from(words.buffer).set(this.#header.subarray(0, 24))
    this.#checksum.add(words)
    return (
      this.#header.readUInt32BE(4) === version &&
      this.#checksum.equals(this.#header.readUInt32BE(24), this.#header.readUInt32BE(28))
    )
  }

  read(): LogReading {
    let lastCommit = 0
    let recovered = this.#salts !== undefined
    let continues = false
    let previous: Frame | undefined
    for (let number = 1; !continues; number++) {
      const frame = this.#read(number)
      if (frame === undefined) break
      if (previous !== undefined) this.#checksum.set(previous.first, previous.second)
      const isIntact = this.#addFrame(number).equals(frame.first, frame.second)
      recovered &&= frame.isOfLog && isIntact
      if (recovered && frame.isCommit) lastCommit = number
      continues = !recovered && isIntact && frame.isOfLog && previous?.isCommit === true && isAfter(previous, frame)
      previous = frame
    }
    return { salts: this.#salts, lastCommit, continues }
  }

  /** A frame; undefined after the last complete one. */
  #read(number: number): Frame | undefined {
    const block = Math.floor((number - 1) / framesOfBlock)
    if (block !== this.#blockNumber) this.#readBlock(block)
    const at = this.#placeOf(number)
    if (at >= this.#frames * this.#frameBytes) return undefined
    const salts = [this.#block.readUInt32BE(at + 8), this.#block.readUInt32BE(at + 12)] as const
    return {
      isCommit: this.#block.readUInt32BE(at + 4) > 0,
      isOfLog: this.#block.readUInt32BE(at) > 0 && (this.#salts?.equals(this.#block.subarray(at + 8, at + 16)) ?? true),
      first: this.#block.readUInt32BE(at + 16),
      second: this.#block.readUInt32BE(at + 20),
      salts,
    }
  }

  #readBlock(block: number): void {
    const from = logHeaderBytes + block * this.#block.length
    const bytes = readSync(this.#descriptor, this.#block, 0, this.#block.length, from)
    this.#blockNumber = block
    this.#frames = Math.floor(bytes / this.#frameBytes)
  }

  /** Where a frame begins in its block, bytes. */
  #placeOf(number: number): number {
    return ((number - 1) % framesOfBlock) * this.#frameBytes
  }

  /** Adds the part of a frame that its checksum covers: the first two words of its header, and its page. */
  #addFrame(number: number): LogChecksum {
    const first = this.#placeOf(number) / 4
    this.#checksum.add(this.#words, first, first + 2)
    this.#checksum.add(this.#words, first + frameHeaderBytes / 4, first + this.#frameBytes / 4)
    return this.#checksum
  }
}

const isAfter = (previous: Frame, frame: Frame): boolean =>
  previous.salts[0] === frame.salts[0] && previous.salts[1] === frame.salts[1]

const isPageSize = (size: number): boolean => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0
