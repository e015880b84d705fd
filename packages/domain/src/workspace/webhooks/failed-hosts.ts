/** How long a host counts as failed, ms. */
const rememberedMs = 30_000

/** The number of hosts remembered; beyond it, all are forgotten. */
const maxHosts = 1_000

/** The hosts whose names could not be resolved recently, so that nobody waits for another look-up (walls 7). */
export class FailedHosts {
  readonly #clock: () => number
  readonly #until = new Map<string, number>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Remembers that a host failed. */
  add(host: string): void {
    if (this.#until.size >= maxHosts) this.#until.clear()
    this.#until.set(host, this.#clock() + rememberedMs)
  }

  /** @throws Error for a host that has just failed */
  refuse(host: string): void {
    const until = this.#until.get(host)
    if (until === undefined) return
    if (until > this.#clock()) throw Object.assign(new Error('The name was just not found.'), { code: 'ENOTFOUND' })
    this.#until.delete(host)
  }
}
