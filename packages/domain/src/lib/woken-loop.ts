/** The longest time that a timer takes, ms. */
export const longestTimerMs = 2 ** 31 - 1

/** How long a loop rests after a fault, ms. */
const faultRestMs = 5_000

interface LoopParts {
  /** Does what there is to do. */
  readonly act: () => Promise<void>
  readonly onFault: (error: unknown) => void
  /** Ends all work, because the service stops. */
  readonly stop: AbortSignal
}

/** Acts whenever it is woken, never twice at once; what wakes it meanwhile has it act again. After a fault it rests. */
export class WokenLoop {
  readonly #parts: LoopParts
  #running: Promise<void> | undefined
  #isWoken = false
  #timer: NodeJS.Timeout | undefined

  constructor(parts: LoopParts) {
    this.#parts = parts
  }

  /** Whether it was woken since it began to act. */
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

  /** Wakes it after a time, in place of the time that was set before. */
  wakeIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.wake(), Math.min(Math.max(ms, 0), longestTimerMs)).unref()
  }

  /** Waits until what is being done has ended; the signal of the parts has fired. */
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
