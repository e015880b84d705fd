/** The shortest time between two notifications of one board, ms: a backfill changes it hundreds of times a second. */
const restMs = 100

/**
 * Notifies waiting streams that the graph or queue of a board has changed: immediately, or together with changes that
 * follow soon after; all waiting streams in the same turn.
 */
export class BoardSignals {
  readonly #waiting = new Map<string, Set<() => void>>()
  /** Boards that were notified just now, and whether they have changed since. */
  readonly #resting = new Map<string, boolean>()

  /** Call when something has changed on a board. */
  tell(boardId: string): void {
    if (this.#resting.has(boardId)) {
      this.#resting.set(boardId, true)
      return
    }
    this.#resting.set(boardId, false)
    setTimeout(() => {
      const changed = this.#resting.get(boardId)
      this.#resting.delete(boardId)
      if (changed) this.tell(boardId)
    }, restMs).unref()
    this.#wake(boardId)
  }

  #wake(boardId: string): void {
    const waiting = this.#waiting.get(boardId)
    this.#waiting.delete(boardId)
    for (const wake of waiting ?? []) wake()
  }

  /** Wakes everyone, because the service is stopping. */
  tellAll(): void {
    for (const boardId of [...this.#waiting.keys()]) this.#wake(boardId)
  }

  /** Waits for the next change of a board, at most `ms`; ends immediately when the signal aborts. */
  next(boardId: string, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const waiting = this.#waiting.get(boardId) ?? new Set()
      this.#waiting.set(boardId, waiting)
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        waiting.delete(done)
        if (waiting.size === 0 && this.#waiting.get(boardId) === waiting) this.#waiting.delete(boardId)
        resolve()
      }
      const timer = setTimeout(done, ms).unref()
      waiting.add(done)
      signal.addEventListener('abort', done, { once: true })
    })
  }
}
