import { yieldToEventLoop } from '../../lib/event-loop.ts'

/** How long work runs before others get a turn, ms. */
const turnMs = 8

/** Yields to other calls whenever work has run for long enough. */
export class Turns {
  #since = performance.now()

  /** Call between two pieces of work. */
  async between(): Promise<void> {
    if (performance.now() - this.#since < turnMs) return
    await yieldToEventLoop()
    this.#since = performance.now()
  }
}
