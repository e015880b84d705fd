/** How long an upload may be silent, ms. */
const silentMs = 10_000

/** The period over which the rate is measured, ms, and the bytes that must arrive in it. */
const measuredMs = 60_000
const minBytes = 60_000

/**
 * Measures the pace of an upload: it ends after 10 s without a byte, or with less than 1 kB/s over a minute (walls 4).
 */
export class Pace {
  readonly #samples: { readonly at: number; readonly bytes: number }[]
  #lastAt: number

  /** @param now when it begins, ms */
  constructor(now: number) {
    this.#samples = [{ at: now, bytes: 0 }]
    this.#lastAt = now
  }

  /** Restarts the measurement, because nobody wanted the bytes in the meantime. */
  rest(now: number, bytes: number): void {
    this.#samples.splice(0, Number.POSITIVE_INFINITY, { at: now, bytes })
    this.#lastAt = now
  }

  /**
   * Whether it is too slow.
   * @param bytes received since it began
   */
  isTooSlow(now: number, bytes: number): boolean {
    if (bytes > this.#samples.at(-1)!.bytes) this.#lastAt = now
    this.#samples.push({ at: now, bytes })
    while (this.#samples.length > 1 && this.#samples[1]!.at <= now - measuredMs) this.#samples.shift()
    const first = this.#samples[0]!
    return now - this.#lastAt >= silentMs || (now - first.at >= measuredMs && bytes - first.bytes < minBytes)
  }
}
