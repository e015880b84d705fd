import { StorageError } from './storage-error.ts'

/** Runs a limited number of actions at once; others wait for their turn, in order of arrival. */
export class Slots {
  #free: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []

  /** @param maxWaiting how many may wait; further ones are refused */
  constructor(count: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#free = count
    this.#maxWaiting = maxWaiting
  }

  /** How many wait for a slot. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Runs an action once a slot is free, and releases it afterwards.
   * @throws StorageError BUSY when too many wait
   */
  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#waiting.length >= this.#maxWaiting)
      throw new StorageError('BUSY', 'Too many calls are waiting. Try again in a second.')
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
