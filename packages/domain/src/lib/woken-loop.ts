/** The longest time that a timer accepts, ms. */
export const longestTimerMs = 2 ** 31 - 1

/** How long a loop pauses after a fault, ms. */
const faultRestMs = 5_000

interface LoopParts {
  /** Performs the pending work. */
  readonly act: () => Promise<void>
  readonly onFault: (error: unknown) => void
  /** Ends all work, because the service stops. */
  readonly stop: AbortSignal
}

/**
 * Runs whenever it is woken, never twice at once; being woken while it runs makes it run again. After a fault it
 * pauses.
 */
export class WokenLoop {
  readonly #parts: LoopParts
  #running: Promise<void> | undefined
  #isWoken = false
  #timer: NodeJS.Timeout | undefined

  constructor(parts: LoopParts) {
    this.#parts = parts
  }

  /** Whether it was woken since it began to run. */
  get isWoken(): boolean {
    return this.#isWoken
  }

  wake(): void {
    this.#isWoken = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#isWoken && !this.#parts.stop.aborted) this.wake()
    })
  }

  /** Wakes it after a time, replacing the time set before. */
  wakeIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.wake(), Math.min(Math.max(ms, 0), longestTimerMs)).unref()
  }

  /** Waits until the current run has ended; call it after the signal has fired. */
  async stopped(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer)
    while (this.#isWoken && !this.#parts.stop.aborted) {
      this.#isWoken = false
      try {
        await this.#parts.act()
      } catch (error) {
        if (this.#parts.stop.aborted) return
        this.#parts.onFault(error)
        this.wakeIn(faultRestMs)
      }
    }
  }
}
