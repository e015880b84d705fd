import { setTimeout as sleep } from 'node:timers/promises'

/** How long checks may take in a burst; after that they get a fixed share of the time. */
const burstMs = 400
const share = 0.1

/**
 * The time that waiting calls may spend on checking again. Many checks may run in a burst, so that everyone is answered
 * soon after a quiet time; while there is always something new, together they take a tenth of the processor and check
 * less often.
 */
export class LookBudget {
  readonly #clock: () => number
  /** Time spent beyond what has been earned back, ms. */
  #owed = 0
  #since: number
  /** The recent duration of a check, ms. */
  #usual = 1

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
    this.#since = clock()
  }

  /** Waits until a check may begin; ends at once when `gone` fires. */
  async turn(gone: AbortSignal): Promise<void> {
    while (!gone.aborted) {
      const over = this.#settle() - burstMs
      if (over <= 0) break
      await sleep(Math.ceil(over / share), undefined, { signal: gone, ref: false }).catch(() => {})
    }
    this.#owed += this.#usual
  }

  /** Records the duration of a check, ms. */
  spent(ms: number): void {
    this.#owed = Math.max(0, this.#owed + ms - this.#usual)
    this.#usual = 0.8 * this.#usual + 0.2 * ms
  }

  #settle(): number {
    const now = this.#clock()
    this.#owed = Math.max(0, this.#owed - share * (now - this.#since))
    this.#since = now
    return this.#owed
  }
}
