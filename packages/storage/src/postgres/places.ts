import { StorageError } from '../storage-error.ts'

/** The most callers that may wait; further ones are refused. */
const mostWaiting = 4_096

/** A number of places that callers take in the order in which they come. */
export class Places {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(places: number) {
    this.#free = places
  }

  /**
   * Runs something once there is a place for it.
   * @throws StorageError BUSY when too many wait
   */
  async in<Value>(run: () => Promise<Value>): Promise<Value> {
    if (this.#waiting.length >= mostWaiting)
      throw new StorageError('BUSY', 'Too many calls are waiting. Try again in a second.')
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
