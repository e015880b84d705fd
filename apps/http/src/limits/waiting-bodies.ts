import { DomainError } from '@specboard/domain'

/** The maximum total size of all bodies that have arrived in part, or wait to be parsed, bytes (walls 4). */
const maxBytes = 64 << 20

/** Counts the bytes of waiting bodies. */
export class WaitingBodies {
  readonly #maxBytes: number
  #bytes = 0

  constructor(max: number = maxBytes) {
    this.#maxBytes = max
  }

  /** The waiting bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Counts bytes that have arrived.
   * @throws DomainError BUSY when too many are waiting
   */
  take(bytes: number): void {
    if (this.#bytes + bytes > this.#maxBytes)
      throw new DomainError('BUSY', 'Too many bodies are being received. Send this one again in a second.', {
        retry_after: 1,
      })
    this.#bytes += bytes
  }

  /** Releases what was counted. */
  release(bytes: number): void {
    this.#bytes -= bytes
  }
}
