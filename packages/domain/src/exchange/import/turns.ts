import { turn } from '../../lib/turn.ts'

/** Work goes on for this long before others get a turn, ms. */
const turnMs = 8

/** Gives other calls a turn whenever work went on for long enough. */
export class Turns {
  #since = performance.now()

  /** Call between two pieces of work. */
  async between(): Promise<void> {
    if (performance.now() - this.#since < turnMs) return
    await turn()
    this.#since = performance.now()
  }
}
