/** The span in which calls are counted, ms. */
const minuteMs = 60_000

/** Counts the calls of each agent over the last minute, in memory. */
export class RateLimit {
  readonly #perMinute: number
  readonly #clock: () => number
  readonly #calls = new Map<string, number[]>()

  constructor(perMinute: number, clock: () => number) {
    this.#perMinute = perMinute
    this.#clock = clock
  }

  /** Counts a call; answers null, or the seconds after which another is let through. */
  take(agentId: string): number | null {
    const now = this.#clock()
    const recent = (this.#calls.get(agentId) ?? []).filter(at => now - at < minuteMs)
    this.#calls.set(agentId, recent)
    if (recent.length >= this.#perMinute) return Math.max(1, Math.ceil((recent[0]! + minuteMs - now) / 1_000))
    recent.push(now)
    return null
  }
}
