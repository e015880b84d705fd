/** The span in which calls are counted, ms. */
const minuteMs = 60_000

/** Limits the calls of each agent in any one minute, in memory: those of the last 60 s are counted (knowledge-graph 11.1). */
export class CallsPerMinute {
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
