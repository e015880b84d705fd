/**
 * Notifies those who wait for changes of a board: at once, or together with changes that follow soon after; everyone
 * who waits is notified in the same turn of the event loop.
 */
export class BoardSignals {
  readonly #restMs: number
  readonly #waiting = new Map<string, Set<() => void>>()
  /** Boards that were notified just now, and whether they have changed since. */
  readonly #resting = new Map<string, boolean>()

  /** @param restMs the shortest time between two notifications of one board, ms */
  constructor(restMs: number) {
    this.#restMs = restMs
  }

  /** Call when something has changed on a board. */
  notify(boardId: string): void {
    if (this.#resting.has(boardId)) {
      this.#resting.set(boardId, true)
      return
    }
    this.#resting.set(boardId, false)
    setTimeout(() => {
      const changed = this.#resting.get(boardId)
      this.#resting.delete(boardId)
      if (changed) this.notify(boardId)
    }, this.#restMs).unref()
    // After the turn of the write that caused it, whose answer need not wait for everyone who waits.
    setImmediate(() => this.#wake(boardId))
  }

  /** The same for several boards. */
  notifyEach(boardIds: Iterable<string>): void {
    for (const boardId of boardIds) this.notify(boardId)
  }

  #wake(boardId: string): void {
    const waiting = this.#waiting.get(boardId)
    this.#waiting.delete(boardId)
    for (const wake of waiting ?? []) wake()
  }

  /** Wakes everyone, because the service is stopping. */
  notifyAll(): void {
    for (const boardId of [...this.#waiting.keys()]) this.#wake(boardId)
  }

  /**
   * Waits for the next change of a board, or of any of several, at most `ms`; ends at once when the signal aborts.
   *
   * @example
   * const changed = signals.next(boardId, 10_000, gone) // before the read, so that no change in between is missed
   * send(await readEvents())
   * await changed
   */
  next(boards: string | readonly string[], ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    const boardIds = typeof boards === 'string' ? [boards] : boards
    return new Promise(resolve => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        for (const boardId of boardIds) this.#forget(boardId, done)
        resolve()
      }
      const timer = setTimeout(done, ms).unref()
      for (const boardId of boardIds) this.#await(boardId, done)
      signal.addEventListener('abort', done, { once: true })
    })
  }

  #await(boardId: string, done: () => void): void {
    const waiting = this.#waiting.get(boardId) ?? new Set()
    this.#waiting.set(boardId, waiting.add(done))
  }

  #forget(boardId: string, done: () => void): void {
    const waiting = this.#waiting.get(boardId)
    if (waiting?.delete(done) && waiting.size === 0) this.#waiting.delete(boardId)
  }
}
