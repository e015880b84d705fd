import { tooManyCalls } from '@specboard/domain'

const minuteMs = 60_000

/** The number of addresses remembered; beyond it, those whose minute is over are dropped. */
const keptAddresses = 10_000

/** How often something happened for one address in its current minute. */
export interface Minute {
  readonly since: number
  count: number
}

/** Counts by address, each over a minute, or another period, that begins with its first event. */
export class MinuteCounts {
  readonly #clock: () => number
  readonly #lastsMs: number
  readonly #minutes = new Map<string, Minute>()

  /**
   * @param clock milliseconds, monotonic
   * @param lastsMs how long a count lasts; by default a minute
   */
  constructor(clock: () => number, lastsMs = minuteMs) {
    this.#clock = clock
    this.#lastsMs = lastsMs
  }

  /** Counts one more event of an address. */
  count(address: string): Minute {
    const minute = this.#minuteOf(address)
    minute.count++
    return minute
  }

  /**
   * Counts one more call of an address.
   * @throws DomainError RATE_LIMITED when it makes more than `max` before its count begins anew
   */
  limit(address: string, max: number): void {
    const minute = this.count(address)
    if (minute.count > max)
      throw tooManyCalls(this.secondsLeft(minute) * 1_000, 'This address calls too often. Wait and call again.')
  }

  /** The current minute of an address. */
  present(address: string): Readonly<Minute> {
    return this.#minuteOf(address)
  }

  /** Seconds until a minute is over, at least one. */
  secondsLeft({ since }: Minute): number {
    return Math.max(1, Math.ceil((since + this.#lastsMs - this.#clock()) / 1_000))
  }

  #minuteOf(address: string): Minute {
    const now = this.#clock()
    const current = this.#minutes.get(address)
    if (current !== undefined && now - current.since < this.#lastsMs) return current
    if (this.#minutes.size >= keptAddresses)
      for (const [other, { since }] of this.#minutes) if (now - since >= this.#lastsMs) this.#minutes.delete(other)
    const minute = { since: now, count: 0 }
    this.#minutes.set(address, minute)
    return minute
  }
}
