/** Remembers what was made for each of some texts; forgets all of it when it is full. */
export class TextCache<Value> {
  readonly #most: number
  readonly #kept = new Map<string, Value>()

  /** @param max how many texts are remembered */
  constructor(max: number) {
    this.#most = max
  }

  /** What was made for a text, or what `make` makes for it now. */
  of(text: string, make: () => Value): Value {
    const known = this.#kept.get(text)
    if (known !== undefined || this.#kept.has(text)) return known as Value
    const made = make()
    if (this.#kept.size === this.#most) this.#kept.clear()
    this.#kept.set(text, made)
    return made
  }
}
