import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'

/** Bytes that are written at once. */
const chunkBytes = 256 << 10

/** A file of lines that waits to be sent. */
export interface SpooledFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
  /** Whether it shrinks little enough that no reader takes it for a bomb. */
  readonly compressible: boolean
}

/** An entry of more than this that shrinks further is refused by import_board (exchange 1). */
const mostShrinking = 90

/** Writes lines of JSON to a file of their own, hashing them. */
export class LineFile {
  readonly #path: string
  readonly #handle: number
  readonly #hash = createHash('sha256')
  #waiting: string[] = []
  #length = 0
  #size = 0
  #shrunk = 0

  constructor(path: string) {
    this.#path = path
    this.#handle = openSync(path, 'wx', 0o600)
  }

  add(line: object): void {
    const text = `${JSON.stringify(line)}\n`
    this.#waiting.push(text)
    this.#length += text.length
    if (this.#length >= chunkBytes) this.#flush()
  }

  end(): SpooledFile {
    this.#flush()
    fsyncSync(this.#handle)
    closeSync(this.#handle)
    return {
      path: this.#path,
      size: this.#size,
      sha256: this.#hash.digest('hex'),
      compressible: this.#size <= mostShrinking * this.#shrunk,
    }
  }

  #flush(): void {
    const bytes = Buffer.from(this.#waiting.join(''))
    this.#waiting = []
    this.#length = 0
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#handle, bytes, written)
    this.#hash.update(bytes)
    this.#size += bytes.length
    // A sample of each part tells how far the whole would shrink.
    const sample = bytes.subarray(0, 16 << 10)
    if (sample.length > 0) this.#shrunk += (deflateRawSync(sample, { level: 1 }).length * bytes.length) / sample.length
  }
}
