import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fsyncSync, openSync, writeSync } from 'node:fs'
import { createDeflateRaw } from 'node:zlib'
import { zipBombLimits } from './layout.ts'

/** Bytes that are written at once; a longer line is written separately. */
const chunkBytes = 256 << 10

/** Maximum number of bytes of a UTF-16 code unit in UTF-8. */
const widest = 3

/** A file of lines to be sent. */
export interface SpooledFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
  /** Whether it shrinks little enough that no reader takes it for a zip bomb. */
  readonly compressible: boolean
}

/** A reader may count slightly differently. */
const maxCompressionRatio = zipBombLimits.maxCompressionRatio * 0.9

/** Writes lines of JSON to a file of their own, hashing them. */
export class LineFile {
  readonly #path: string
  readonly #handle: number
  readonly #hash = createHash('sha256')
  /** Lines waiting to be written. As strings, most would outlive the young generation of the heap. */
  readonly #waiting = Buffer.allocUnsafeSlow(chunkBytes)
  #length = 0
  #size = 0

  constructor(path: string) {
    this.#path = path
    this.#handle = openSync(path, 'wx', 0o600)
  }

  add(line: object): void {
    const text = `${JSON.stringify(line)}\n`
    const max = text.length * widest
    if (this.#length + max > chunkBytes) this.#flush()
    if (max > chunkBytes) this.#write(Buffer.from(text))
    else this.#length += this.#waiting.write(text, this.#length)
  }

  async end(): Promise<SpooledFile> {
    this.#flush()
    fsyncSync(this.#handle)
    closeSync(this.#handle)
    return {
      path: this.#path,
      size: this.#size,
      sha256: this.#hash.digest('hex'),
      compressible:
        this.#size <= zipBombLimits.largeEntry ||
        (await isCompressedAtLeast(this.#path, this.#size / maxCompressionRatio)),
    }
  }

  #flush(): void {
    this.#write(this.#waiting.subarray(0, this.#length))
    this.#length = 0
  }

  #write(bytes: Buffer): void {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(this.#handle, bytes, offset)
    this.#hash.update(bytes)
    this.#size += bytes.length
  }
}

/** Whether a file still has this many bytes when compressed; for most files its beginning decides. */
async function isCompressedAtLeast(path: string, bytes: number): Promise<boolean> {
  const source = createReadStream(path)
  const compressed = createDeflateRaw()
  source.on('error', error => compressed.destroy(error)).pipe(compressed)
  let size = 0
  try {
    for await (const piece of compressed) {
      size += (piece as Buffer).length
      if (size >= bytes) return true
    }
    return false
  } finally {
    source.destroy()
  }
}
