import { DomainError } from '@specboard/domain'
import { type Minute, MinuteCounts } from './minute-counts.ts'

/** The maximum wrong keys from one address in a minute; further ones are refused. */
const maxWrongKeys = 200

/** How long the answer to a wrong key is delayed, ms. */
const delayMs = 1_000

/** The maximum delayed answers at once; further ones are refused. */
const maxWaiting = 100

/** Options of the limit; tests supply their own. */
export interface WrongKeysOptions {
  /** Milliseconds, monotonic. */
  readonly clock?: () => number
  /** Wrong keys from one address in a minute that are answered at once; 20 by default. */
  readonly free?: number
  /** Resolves after a number of milliseconds. */
  readonly pause?: (ms: number) => Promise<void>
  /** Called with an address each time it has sent a certain number of wrong keys in a row. */
  readonly onMany?: (address: string) => void
}

/**
 * Slows down and then refuses callers that guess keys: wrong, malformed and missing keys and wrong tickets are counted
 * by address (trust 1). Valid keys are never slowed down.
 */
export class WrongKeys {
  readonly #free: number
  readonly #pause: (ms: number) => Promise<void>
  readonly #onMany: (address: string) => void
  readonly #counts: MinuteCounts
  #waiting = 0

  constructor({
    clock = () => performance.now(),
    free = 20,
    pause = pauseFor,
    onMany = () => {},
  }: WrongKeysOptions = {}) {
    this.#counts = new MinuteCounts(clock)
    this.#free = free
    this.#pause = pause
    this.#onMany = onMany
  }

  /**
   * Counts a wrong key; resolves when its refusal may be sent.
   * @throws DomainError RATE_LIMITED
   */
  async refused(address: string): Promise<void> {
    const minute = this.#counts.count(address)
    if (minute.count % this.#free === 0) this.#onMany(address)
    if (minute.count <= this.#free) return
    if (minute.count > maxWrongKeys || this.#waiting >= maxWaiting) throw this.#tooMany(minute)
    this.#waiting++
    try {
      await this.#pause(delayMs)
    } finally {
      this.#waiting--
    }
  }

  #tooMany(minute: Minute): DomainError {
    const retry_after = this.#counts.secondsLeft(minute)
    return new DomainError('RATE_LIMITED', `Too many wrong keys came from this address. Wait ${retry_after} s.`, {
      retry_after,
    })
  }
}

const pauseFor = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref())
