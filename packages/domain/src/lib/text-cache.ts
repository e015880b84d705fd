/** Caches a value for each text; when full, it forgets all of them. */
export class TextCache<Value> {
  readonly #most: number
  readonly #kept = new Map<string, Value>()

  /** @param max the maximum number of texts to remember */
  constructor(max: number) {
    this.#most = max
  }

  /** The cached value of a text, or else the one that `make` makes now. */
  of(text: string, make: () => Value): Value {
    const cached = this.#kept.get(text)
    if (cached !== undefined || this.#kept.has(text)) return cached as Value
    const value = make()
    if (this.#kept.size === this.#most) this.#kept.clear()
    this.#kept.set(text, value)
    return value
  }
}
