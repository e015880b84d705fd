/** A change of a file's bytes: written at an offset, or truncated to a size. */
export type Change = { readonly at: number; readonly bytes: Buffer } | { readonly size: number }

/** The bytes of a file, which changes are applied to. */
export class Content {
  #room: Buffer
  #size: number

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#room = bytes
    this.#size = bytes.length
  }

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#size)
  }

  /** Applies changes in order; gaps are filled with zeros. */
  apply(changes: readonly Change[]): void {
    for (const change of changes) {
      if ('size' in change) this.#resize(change.size)
      else {
        this.#resize(Math.max(this.#size, change.at + change.bytes.length))
        change.bytes.copy(this.#room, change.at)
      }
    }
  }

  copy(): Content {
    return new Content(Buffer.from(this.bytes))
  }

  #resize(size: number): void {
    if (size < this.#size) this.#room.fill(0, size, this.#size)
    if (size > this.#room.length) this.#room = Buffer.concat([this.bytes], Math.max(size, 2 * this.#room.length))
    this.#size = size
  }
}
