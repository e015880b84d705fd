/** How long after the last call callers count as quiet, ms. */
const quietMs = 100

/** Tracks whether anybody is calling the service: background work that can wait lets callers go first. */
export class Callers {
  #calledAt = Number.NEGATIVE_INFINITY

  /** Call it whenever somebody calls. */
  called(): void {
    this.#calledAt = performance.now()
  }

  /** Whether nobody has called for a moment. */
  get areQuiet(): boolean {
    return performance.now() - this.#calledAt > quietMs
  }
}
