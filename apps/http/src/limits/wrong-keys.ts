import { DomainError } from '@specboard/domain'
import { type Minute, MinuteCounts } from './minute-counts.ts'

/** Wrong keys of one address in a minute; further ones are refused. */
const mostWrongKeys = 200

/** How long the answer to a wrong key is delayed, ms. */
const delayMs = 1_000

/** Answers that wait at once; further ones are refused. */
const mostWaiting = 100

/** What the limit works with; tests bring their own. */
export interface WrongKeysOptions {
  /** Milliseconds, steady. */
  readonly clock?: () => number
  /** Wrong keys of one address in a minute that are answered at once; 20 by default. */
  readonly free?: number
  /** Settles after so many milliseconds. */
  readonly pause?: (ms: number) => Promise<void>
  /** Called with an address for every so many wrong keys that it sent in a row. */
  readonly onMany?: (address: string) => void
}

/**
 * Slows and then refuses callers that try keys: wrong, malformed and missing keys and wrong tickets are counted by
 * address (trust 1). Right keys are never slowed.
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
   * Counts a wrong key; settles when its refusal may be sent.
   * @throws DomainError RATE_LIMITED
   */
  async refused(address: string): Promise<void> {
    const minute = this.#counts.count(address)
    if (minute.count % this.#free === 0) this.#onMany(address)
    if (minute.count <= this.#free) return
    if (minute.count > mostWrongKeys || this.#waiting >= mostWaiting) throw this.#tooMany(minute)
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
