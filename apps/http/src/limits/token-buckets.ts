/** Calls allowed at once, as a multiple of those in a second (mcp 15: 100 a second, burst 400). */
const burstSeconds = 4

/** Maximum keys remembered; a forgotten one starts with a full bucket. */
const keptKeys = 10_000

interface Bucket {
  tokens: number
  at: number
}

/**
 * Limits the calls of each key by a token bucket that is refilled at a steady rate: bursts pass until it is empty (mcp
 * 15).
 */
export class TokenBuckets {
  readonly #perSecond: number
  readonly #clock: () => number
  readonly #buckets = new Map<string, Bucket>()

  /** @param perSecond calls a key may make; 0 turns the limit off */
  constructor(perSecond: number, clock: () => number = () => performance.now()) {
    this.#perSecond = perSecond
    this.#clock = clock
  }

  /** Takes a token; returns 0, or the milliseconds until there is one. */
  take(key: string): number {
    if (this.#perSecond === 0) return 0
    const now = this.#clock()
    const full = this.#perSecond * burstSeconds
    const bucket = this.#buckets.get(key) ?? { tokens: full, at: now }
    bucket.tokens = Math.min(full, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond)
    bucket.at = now
    if (!this.#buckets.has(key) && this.#buckets.size >= keptKeys) this.#buckets.clear()
    this.#buckets.set(key, bucket)
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / this.#perSecond) * 1000)
    bucket.tokens -= 1
    return 0
  }
}
