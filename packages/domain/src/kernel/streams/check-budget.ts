import { setTimeout as sleep } from 'node:timers/promises'

/** How long checks may take in a burst; after that they get a fixed share of the time. */
const burstMs = 400
const share = 0.1

/** How many checks run at a time: more would only wait for each other, and others for all of them. */
const atOnce = 4

/**
 * The time that waiting calls may spend on checking again. Many checks may run in a burst, so that everyone is answered
 * soon after a quiet time; while there is always something new, together they take a tenth of the processor and check
 * less often. What counts is the time in which any check runs, not the sum of their durations: those that run at once
 * wait for each other.
 */
export class CheckBudget {
  readonly #clock: () => number
  /** Time spent beyond what has been earned back, ms. */
  #owed = 0
  #since: number
  #running = 0
  /** The callbacks of checks that wait for another one to end, in order. */
  readonly #next = new Set<() => void>()

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
    this.#since = clock()
  }

  /** Checks as soon as it is this one's turn; at once when `signal` fires. */
  async run<Value>(signal: AbortSignal, check: () => Promise<Value>): Promise<Value> {
    while (!signal.aborted) {
      const over = this.#settle() - burstMs
      if (over > 0) await sleep(Math.ceil(over / share), undefined, { signal, ref: false }).catch(() => {})
      else if (this.#running >= atOnce) await this.#ended(signal)
      else break
    }
    this.#settle()
    this.#running++
    try {
      return await check()
    } finally {
      this.#settle()
      this.#running--
      const [next] = this.#next
      next?.()
    }
  }

  /** Resolves when another check has ended and freed its place, or when `signal` fires. */
  #ended(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const go = () => {
        this.#next.delete(go)
        signal.removeEventListener('abort', go)
        resolve()
      }
      signal.addEventListener('abort', go)
      this.#next.add(go)
    })
  }

  #settle(): number {
    const now = this.#clock()
    const ms = now - this.#since
    this.#owed = Math.max(0, this.#owed + (this.#running > 0 ? ms : 0) - share * ms)
    this.#since = now
    return this.#owed
  }
}
