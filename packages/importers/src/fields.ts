import { momentOf } from './moments.ts'

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** The fields of one record of a source. What a reader has not taken in the end is its `rest`. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>
  readonly #taken = new Set<string>()

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values
  }

  /** A text; null if there is none or only white space. Something else than a text stays in the rest. */
  text(name: string): string | null {
    const value = this.#values[name]
    if (!isScalar(value)) return null
    this.#taken.add(name)
    return String(value).trim() === '' ? null : String(value)
  }

  /** The same, and it stays in the rest. */
  peek(name: string): string | null {
    const value = this.#values[name]
    return isScalar(value) && String(value).trim() !== '' ? String(value) : null
  }

  /** The elements of a list of texts, or of a text with commas. Anything else stays in the rest. */
  list(name: string): string[] {
    const value = this.#values[name]
    const elements = isScalar(value) ? String(value).split(',') : value
    if (!Array.isArray(elements) || !elements.every(isScalar)) return []
    this.#taken.add(name)
    return elements.map(element => String(element).trim()).filter(element => element !== '')
  }

  /** A time; null if there is none. What cannot be read as a time stays in the rest. */
  moment(name: string): string | null {
    const value = this.#values[name]
    const moment = typeof value === 'string' ? momentOf(value) : null
    if (moment !== null) this.#taken.add(name)
    return moment
  }

  /** Takes fields that say nothing new. */
  drop(...names: readonly string[]): void {
    for (const name of names) this.#taken.add(name)
  }

  /** What was not taken. */
  rest(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this.#values).filter(([name]) => !this.#taken.has(name)))
  }
}
