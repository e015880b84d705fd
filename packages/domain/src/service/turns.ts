/** Lets what has one name happen one after the other. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs once everything that was taken under this name before has ended, well or not. */
  async take<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(run, run)
    this.#last.set(name, turn)
    try {
      return await turn
    } finally {
      if (this.#last.get(name) === turn) this.#last.delete(name)
    }
  }
}
