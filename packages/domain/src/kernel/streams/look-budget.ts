import { setTimeout as sleep } from 'node:timers/promises'

/** How long looks may take at once, and which part of the time afterwards. */
const burstMs = 400
const share = 0.1

/**
 * The time that calls which wait may spend on looking again. Much may be looked at once, so that all are answered soon
 * after a quiet time; while there is always something new they take a tenth of the processor together, and look less often.
 */
export class LookBudget {
  readonly #clock: () => number
  /** What was spent beyond what time has given back, ms. */
  #owed = 0
  #since: number
  /** What a look took lately, ms. */
  #usual = 1

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
    this.#since = clock()
  }

  /** Waits until a look may begin; ends at once when `gone` fires. */
  async turn(gone: AbortSignal): Promise<void> {
    while (!gone.aborted) {
      const over = this.#settle() - burstMs
      if (over <= 0) break
      await sleep(Math.ceil(over / share), undefined, { signal: gone, ref: false }).catch(() => {})
    }
    this.#owed += this.#usual
  }

  /** Counts what a look took, ms. */
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
