import { DomainError } from '@specboard/domain'

/** Wrong keys of one address in a minute; further ones are refused. */
const mostWrongKeys = 200

/** How long the answer to a wrong key is delayed, ms. */
const delayMs = 1_000

/** Answers that wait at once; further ones are refused. */
const mostWaiting = 100

const minuteMs = 60_000

/** Addresses remembered; where there are more, those whose minute is over are forgotten. */
const keptAddresses = 10_000

/** The wrong keys of one address in its present minute. */
interface Minute {
  readonly since: number
  count: number
}

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
  readonly #clock: () => number
  readonly #free: number
  readonly #pause: (ms: number) => Promise<void>
  readonly #onMany: (address: string) => void
  readonly #minutes = new Map<string, Minute>()
  #waiting = 0

  constructor({
    clock = () => performance.now(),
    free = 20,
    pause = pauseFor,
    onMany = () => {},
  }: WrongKeysOptions = {}) {
    this.#clock = clock
    this.#free = free
    this.#pause = pause
    this.#onMany = onMany
  }

  /**
   * Counts a wrong key; settles when its refusal may be sent.
   * @throws DomainError RATE_LIMITED
   */
  async refused(address: string): Promise<void> {
    const minute = this.#minuteOf(address)
    minute.count++
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

  #minuteOf(address: string): Minute {
    const now = this.#clock()
    const known = this.#minutes.get(address)
    if (known !== undefined && now - known.since < minuteMs) return known
    if (this.#minutes.size >= keptAddresses)
      for (const [other, { since }] of this.#minutes) if (now - since >= minuteMs) this.#minutes.delete(other)
    const begun = { since: now, count: 0 }
    this.#minutes.set(address, begun)
    return begun
  }

  #tooMany({ since }: Minute): DomainError {
    const retry_after = Math.max(1, Math.ceil((since + minuteMs - this.#clock()) / 1_000))
    return new DomainError('RATE_LIMITED', `Too many wrong keys came from this address. Wait ${retry_after} s.`, {
      retry_after,
    })
  }
}

const pauseFor = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref())
