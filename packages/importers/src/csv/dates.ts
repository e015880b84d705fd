/** Dates in a column of a table: the whole column determines whether the day or the month comes first (imports 5). */
import { type DateOrder, momentOf, numericMoment } from '../moments.ts'
import { Unreadable } from '../neutral.ts'

export class DateColumn {
  /** The order that the caller states for all columns. */
  readonly #said: DateOrder | null
  readonly #seen = new Set<DateOrder>()
  readonly #unclear: string[] = []

  constructor(order: DateOrder | null) {
    this.#said = order
  }

  /** Notes a text of the column; all are noted before one is read. */
  see(text: string): void {
    if (this.#said !== null || momentOf(text) !== null) return
    const [day, month] = [numericMoment(text, 'DMY', false), numericMoment(text, 'MDY', false)]
    if (day === month) return
    if (month === null) this.#seen.add('DMY')
    else if (day === null) this.#seen.add('MDY')
    else this.#unclear.push(text)
  }

  /** A text of the column as a time; null if it is invalid or ambiguous. */
  read(text: string): string | null {
    if (this.#said !== null) return numericMoment(text, this.#said, true) ?? momentOf(text)
    const [order = 'DMY', other] = this.#seen
    if (other === undefined && this.#seen.size === 1) return momentOf(text) ?? numericMoment(text, order, false)
    const day = numericMoment(text, 'DMY', false)
    return momentOf(text) ?? (day === numericMoment(text, 'MDY', false) ? day : null)
  }

  /** The ambiguous texts, if nothing in the column determines their meaning. */
  get unclear(): readonly string[] {
    return this.#seen.size === 1 ? [] : this.#unclear
  }
}

/**
 * The order in a mapping, such as `DD/MM/YYYY`; other letters are ignored.
 * @throws Unreadable for a text without an order
 */
export function orderOf(pattern: string): DateOrder {
  const letters = [...pattern.toUpperCase().split(/[ T]/)[0]!].filter(letter => 'DMY'.includes(letter))
  const order = [...new Set(letters)].join('')
  if (order === 'DMY' || order === 'MDY' || order === 'YMD') return order
  throw new Unreadable(
    `The mapping says that dates are written "${pattern.slice(0, 100)}". It can be DD/MM/YYYY, MM/DD/YYYY or YYYY/MM/DD.`,
  )
}
