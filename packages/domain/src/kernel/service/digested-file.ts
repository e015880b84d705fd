import { createHash } from 'node:crypto'
import type { IncomingFile } from '../implement.ts'

/** A file that is hashed while it is uploaded, to tell apart two uploads with the same Idempotency-Key. */
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
   * The hash of name, type and bytes; reads the bytes that have not been read yet.
   * @param maxBytes where reading stops: a larger file was refused, so no answer is stored under its hash
   */
  async digest(maxBytes: number): Promise<string> {
    while (this.#size <= maxBytes && !(await this.#bytes.next()).done) {
      // Reading hashes the bytes.
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
