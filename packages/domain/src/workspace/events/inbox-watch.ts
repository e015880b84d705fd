import type { Steps } from '../../kernel/implement.ts'

/**
 * Counts the items waiting for the caller of some steps, on boards or everywhere. `nextAt` is when there may next be
 * more merely because time has passed.
 */
export type CountWaiting = (
  steps: Steps,
  boards: readonly string[],
  everywhere: boolean,
) => Promise<{ readonly counts: Readonly<Record<string, number>>; readonly nextAt: string | null }>

/** The shortest time between two counts for one stream, ms. */
const restMs = 1_000

/** The longest time that a timer accepts, ms. */
const maxTimerMs = 2 ** 31 - 1

/** Tracks how much is waiting for the reader of a stream: counted when its boards have changed, or at certain times. */
export class InboxWatch {
  readonly #steps: Steps
  readonly #count: CountWaiting
  readonly #everywhere: boolean
  readonly #wake: () => void
  #timer: NodeJS.Timeout | undefined
  #shown: string | undefined
  #countedAt = Number.NEGATIVE_INFINITY
  #nextAt = Number.POSITIVE_INFINITY
  #touched = true

  /**
   * @param everywhere whether items that belong to no board count
   * @param wake called when it is time to call `changed` again
   */
  constructor(steps: Steps, count: CountWaiting, everywhere: boolean, wake: () => void) {
    this.#steps = steps
    this.#count = count
    this.#everywhere = everywhere
    this.#wake = wake
  }

  /** Call when something has changed on the reader's boards. */
  touch(): void {
    this.#touched = true
  }

  /** The counts, when they differ from the last ones; null otherwise, and while it is too early to count again. */
  async changed(boards: readonly string[]): Promise<Readonly<Record<string, number>> | null> {
    const counts = this.#dueIn() > 0 ? null : await this.#counted(boards)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#wake, Math.min(maxTimerMs, this.#dueIn())).unref()
    const serialized = counts === null ? this.#shown : JSON.stringify(counts)
    if (serialized === this.#shown) return null
    this.#shown = serialized
    return counts
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  async #counted(boards: readonly string[]): Promise<Readonly<Record<string, number>>> {
    this.#touched = false
    this.#countedAt = performance.now()
    const { counts, nextAt } = await this.#count(this.#steps, boards, this.#everywhere)
    this.#nextAt = nextAt === null ? Number.POSITIVE_INFINITY : Date.parse(nextAt)
    return counts
  }

  /** In how many ms the counts may change. */
  #dueIn(): number {
    if (this.#touched) return Math.max(0, this.#countedAt + restMs - performance.now())
    return Math.max(0, this.#nextAt - this.#steps.environment.clock())
  }
}
