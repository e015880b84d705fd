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
    const known = this.#kept.get(text)
    if (known !== undefined || this.#kept.has(text)) return known as Value
    const made = make()
    if (this.#kept.size === this.#most) this.#kept.clear()
    this.#kept.set(text, made)
    return made
  }
}
