import { setTimeout as pause } from 'node:timers/promises'
import type { Callers } from './callers.ts'

/** How background work is spaced while there are callers. */
export interface Spacing {
  /** The time between the beginnings of two pieces, ms. */
  readonly apartMs: number
  /** The longest time that a piece waits, ms. */
  readonly maxMs: number
}

/**
 * Spaces the pieces of background work while somebody calls, so that callers find the thread and the disk free between
 * two of them; as long as nobody calls, nothing waits (walls 7).
 */
export class SpacedTurns {
  readonly #callers: Pick<Callers, 'areQuiet'>
  readonly #spacing: Spacing
  readonly #now: () => number
  readonly #pause: (ms: number) => Promise<unknown>
  /** When the next piece may begin, ms. */
  #next = Number.NEGATIVE_INFINITY

  /** @param now and `pause` are replaced by tests */
  constructor(
    callers: Pick<Callers, 'areQuiet'>,
    spacing: Spacing,
    now: () => number = () => performance.now(),
    wait: (ms: number) => Promise<unknown> = ms => pause(ms),
  ) {
    this.#callers = callers
    this.#spacing = spacing
    this.#now = now
    this.#pause = wait
  }

  /** Resolves when the next piece may begin. */
  async turn(): Promise<void> {
    if (this.#callers.areQuiet) return
    const { apartMs, maxMs } = this.#spacing
    const now = this.#now()
    const begin = Math.min(Math.max(this.#next, now), now + maxMs)
    this.#next = begin + apartMs
    if (begin > now) await this.#pause(begin - now)
  }
}
