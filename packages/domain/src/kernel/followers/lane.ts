/** The longest delay that a timer accepts, ms. */
const maxTimerMs = 2 ** 31 - 1

/** How long a lane rests after a fault, ms. */
const faultRestMs = 5_000

/** What a lane does after a step: it continues, ends, or rests until a time, ms, or until it is woken. */
export type Next = 'continue' | 'end' | { readonly until: number | undefined }

/** What a lane works on, step by step. Its state is stored with each step: a crash loses nothing. */
export interface LaneWork {
  /**
   * Whether this node, and no other, works on it; asked before each step. If not, the lane rests until another node
   * releases something or ends, which wakes the lanes of the others.
   */
  take(): Promise<boolean>
  /** Runs the next step that is due. */
  step(): Promise<Next>
  /** Lets other nodes work on it: this one has nothing left to do. */
  release?(): Promise<void>
}

/** What the lanes of a follower share. */
export interface LaneParts {
  readonly clock: () => number
  readonly onFault: (error: unknown) => void
  /** Ends all work, because the service stops. */
  readonly stop: AbortSignal
}

/**
 * Works on one thing, never twice at once: whenever it is woken, until there is nothing to do. Being woken while it
 * works makes it look again. After a fault it rests.
 */
export class Lane<Work extends LaneWork> {
  readonly work: Work
  readonly #parts: LaneParts
  readonly #onEnd: () => void
  #running: Promise<void> | undefined
  /** Whether it was woken since it began its last look. */
  #isWoken = false
  #timer: NodeJS.Timeout | undefined
  /** When the timer wakes it, ms of `performance.now`. */
  #wakesAt = Number.POSITIVE_INFINITY

  /** @param onEnd called when there is nothing left to do, until somebody opens a lane for it again */
  constructor(work: Work, parts: LaneParts, onEnd: () => void = () => {}) {
    this.work = work
    this.#parts = parts
    this.#onEnd = onEnd
  }

  /** Looks for something to do. */
  wake(): void {
    this.#isWoken = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      if (this.#isWoken && !this.#parts.stop.aborted) this.wake()
    })
  }

  /** Wakes it after a time, unless it is woken sooner anyway. */
  wakeIn(ms: number): void {
    const wait = Math.min(Math.max(ms, 0), maxTimerMs)
    const at = performance.now() + wait
    if (at >= this.#wakesAt || this.#parts.stop.aborted) return
    this.#cancelTimer()
    this.#wakesAt = at
    this.#timer = setTimeout(() => {
      this.#cancelTimer()
      this.wake()
    }, wait).unref()
  }

  /** Waits until it has ended its step; call it after the signal has fired. */
  async stopped(): Promise<void> {
    this.#cancelTimer()
    await this.#running
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer)
    this.#wakesAt = Number.POSITIVE_INFINITY
  }

  async #run(): Promise<void> {
    const { stop, onFault } = this.#parts
    this.#cancelTimer()
    while (this.#isWoken && !stop.aborted) {
      this.#isWoken = false
      try {
        await this.#work()
      } catch (error) {
        if (stop.aborted) return
        onFault(error)
        this.wakeIn(faultRestMs)
      }
    }
  }

  async #work(): Promise<void> {
    const { clock, stop } = this.#parts
    while (!stop.aborted && (await this.work.take())) {
      const next = await this.work.step()
      if (next === 'continue') continue
      if (next === 'end') await this.#end()
      else if (next.until !== undefined) this.wakeIn(next.until - clock())
      return
    }
  }

  /** If it is woken during a step, there may be new work that the step has not seen. */
  async #end(): Promise<void> {
    if (!this.#isWoken) await this.work.release?.()
    if (!this.#isWoken) this.#onEnd()
  }
}
