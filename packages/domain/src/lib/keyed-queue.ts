/** Runs actions with the same key one after the other, and actions with different keys concurrently. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs an action once all earlier ones with its key have ended, whether they succeeded or failed. */
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
