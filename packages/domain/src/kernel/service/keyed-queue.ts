/** Runs what has one key one after the other, and what has different keys side by side. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs once everything that was given under this key before has ended, well or not. */
  async run<Value>(key: string, act: () => Promise<Value>): Promise<Value> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(act, act)
    this.#last.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key)
    }
  }
}
