/** The period over which calls are counted, ms. */
const minuteMs = 60_000

/** Limits the calls of each agent to a number in any 60 s, counted in memory (knowledge-graph 11.1). */
export class CallsPerMinute {
  readonly #perMinute: number
  readonly #clock: () => number
  readonly #calls = new Map<string, number[]>()

  constructor(perMinute: number, clock: () => number) {
    this.#perMinute = perMinute
    this.#clock = clock
  }

  /** Counts a call and returns null; if the limit is reached, returns the seconds until the next call is allowed. */
  take(agentId: string): number | null {
    const now = this.#clock()
    const recent = (this.#calls.get(agentId) ?? []).filter(at => now - at < minuteMs)
    this.#calls.set(agentId, recent)
    if (recent.length >= this.#perMinute) return Math.max(1, Math.ceil((recent[0]! + minuteMs - now) / 1_000))
    recent.push(now)
    return null
  }
}
