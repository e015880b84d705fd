import { createHash } from 'node:crypto'
import { DomainError } from '../../../kernel/errors.ts'
import type { StoredFile } from './files.ts'

/** Passes bytes on, and reports their size and hash at the end. */
export class Meter {
  readonly #hash = createHash('sha256')
  readonly #maxBytes: number
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** @throws DomainError PAYLOAD_TOO_LARGE with `max_bytes` as soon as there are more bytes */
  async *of(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#size += chunk.byteLength
      if (this.#size > this.#maxBytes) throw tooLarge(this.#maxBytes)
      this.#hash.update(chunk)
      yield chunk
    }
  }

  /** Call it once, after the last byte. */
  end(): StoredFile {
    return { size: this.#size, sha256: this.#hash.digest('hex') }
  }
}

const tooLarge = (maxBytes: number) =>
  new DomainError('PAYLOAD_TOO_LARGE', `An attachment has at most ${maxBytes} bytes; this one was not stored.`, {
    max_bytes: maxBytes,
  })

/**
 * Bytes in pieces of equal length; only the last one may be shorter, and it is empty only if there are no bytes.
 * Incoming chunks are copied, because their source may reuse the buffer.
 */
export async function* piecesOf(bytes: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Buffer<ArrayBuffer>> {
  let gathered: Uint8Array[] = []
  let size = 0
  let isFirst = true
  const piece = () => {
    const whole = Buffer.concat(gathered, size)
    gathered = []
    size = 0
    isFirst = false
    return whole
  }
  for await (let chunk of bytes) {
    while (size + chunk.byteLength >= length) {
      const fits = length - size
      gathered.push(Buffer.from(chunk.subarray(0, fits)))
      size += fits
      chunk = chunk.subarray(fits)
      yield piece()
    }
    if (chunk.byteLength === 0) continue
    gathered.push(Buffer.from(chunk))
    size += chunk.byteLength
  }
  if (size > 0 || isFirst) yield piece()
}
