/** Lets so many run at once; others wait for their turn, in order. */
export class Slots {
  readonly #count: number
  #taken = 0
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#count = count
  }

  /** Runs once a slot is free, and gives it back afterwards. */
  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#taken === this.#count) await new Promise<void>(resolve => this.#waiting.push(resolve))
    else this.#taken++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#taken--
      else next()
    }
  }
}
