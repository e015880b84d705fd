import { momentOf } from './moments.ts'

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Whether a value says yes or no; a database writes 1 and 0. */
const isFlag = (value: unknown): boolean =>
  typeof value === 'boolean' || (isScalar(value) && ['0', '1', 'true', 'false'].includes(String(value)))

/** The fields of one record of a source. What a reader does not take remains as its `rest`. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>
  readonly #taken = new Set<string>()

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values
  }

  /** A text; null if it is missing or only white space. Any other value remains. */
  text(name: string): string | null {
    const value = this.#values[name]
    if (!isScalar(value)) return null
    this.#taken.add(name)
    return String(value).trim() === '' ? null : String(value)
  }

  /** Returns a text without taking it. */
  peek(name: string): string | null {
    const value = this.#values[name]
    return isScalar(value) && String(value).trim() !== '' ? String(value) : null
  }

  /** The elements of a list of texts, or of a text with commas. Any other value remains. */
  list(name: string): string[] {
    const value = this.#values[name]
    const elements = isScalar(value) ? String(value).split(',') : value
    if (!Array.isArray(elements) || !elements.every(isScalar)) return []
    this.#taken.add(name)
    return elements.map(element => String(element).trim()).filter(element => element !== '')
  }

  /** A time; null if it is missing. An invalid time remains. */
  moment(name: string): string | null {
    const value = this.#values[name]
    const moment = typeof value === 'string' ? momentOf(value) : null
    if (moment !== null) this.#taken.add(name)
    return moment
  }

  /** Discards redundant fields. */
  drop(...names: readonly string[]): void {
    for (const name of names) this.#taken.add(name)
  }

  /** Discards fields whose texts were read elsewhere. Any other value remains. */
  dropTexts(...names: readonly string[]): void {
    this.drop(...names.filter(name => isScalar(this.#values[name])))
  }

  /** Discards flags, which were read elsewhere. Any other value remains. */
  dropFlags(...names: readonly string[]): void {
    this.drop(...names.filter(name => isFlag(this.#values[name])))
  }

  /** The fields that were not taken. */
  rest(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this.#values).filter(([name]) => !this.#taken.has(name)))
  }
}
