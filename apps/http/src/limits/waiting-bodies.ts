import { DomainError } from '@specboard/domain'

/** What all bodies that have come in part, or wait to be parsed, may have together, bytes (walls 4). */
const mostBytes = 64 << 20

/** Counts what bodies take while they wait. */
export class WaitingBodies {
  readonly #mostBytes: number
  #bytes = 0

  constructor(most: number = mostBytes) {
    this.#mostBytes = most
  }

  /** What waits now, bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Counts bytes that have come.
   * @throws DomainError BUSY when too many wait
   */
  take(bytes: number): void {
    if (this.#bytes + bytes > this.#mostBytes)
      throw new DomainError('BUSY', 'Too many bodies are being received. Send this one again in a second.', {
        retry_after: 1,
      })
    this.#bytes += bytes
  }

  /** Gives back what was taken. */
  release(bytes: number): void {
    this.#bytes -= bytes
  }
}
