import { createHash } from 'node:crypto'
import type { IncomingFile } from '../implement.ts'

/** A file on its way in that is hashed on the way: what tells two uploads under one Idempotency-Key apart. */
export class DigestedFile implements IncomingFile {
  readonly filename: string
  readonly mimeType: string | null
  readonly #hash = createHash('sha256')
  readonly #bytes: AsyncGenerator<Uint8Array>
  #size = 0

  constructor(file: IncomingFile) {
    this.filename = file.filename
    this.mimeType = file.mimeType
    this.#hash.update(JSON.stringify([file.filename, file.mimeType]))
    this.#bytes = this.#hashed(file)
  }

  open(): AsyncIterable<Uint8Array> {
    return this.#bytes
  }

  /**
   * Hash of name, type and bytes, once those that nobody read are read.
   * @param maxBytes where it stops: a file with more was never kept, so that its hash is like no other anyway
   */
  async digest(maxBytes: number): Promise<string> {
    while (this.#size <= maxBytes && !(await this.#bytes.next()).done) {
      // They are hashed on the way.
    }
    return this.#hash.digest('hex')
  }

  async *#hashed(file: IncomingFile): AsyncGenerator<Uint8Array> {
    for await (const chunk of file.open()) {
      this.#size += chunk.byteLength
      this.#hash.update(chunk)
      yield chunk
    }
  }
}
