import type { SourcePlace } from '../neutral.ts'
import type { Columns } from './columns.ts'
import type { DateColumn } from './dates.ts'
import type { Field } from './field-names.ts'
import type { Row } from './table.ts'

/** The fields with dates; a comment begins with one. */
export const dateFields = ['created', 'updated', 'due', 'closed', 'cancelled', 'comment'] as const satisfies Field[]

export type DateField = (typeof dateFields)[number]

/** What the rows of a table share. */
export interface Layout {
  readonly columns: Columns
  /** The date columns, by index. */
  readonly dates: ReadonlyMap<number, DateColumn>
}

/** A row with its cells by field. */
export class Item {
  readonly place: SourcePlace
  readonly #cells: readonly string[]
  readonly #layout: Layout

  constructor({ cells, place }: Row, layout: Layout) {
    this.place = place
    this.#cells = cells
    this.#layout = layout
  }

  /** All cells of a field that are not empty. */
  cells(field: Field): string[] {
    return this.#layout.columns.placesOf(field).flatMap(at => this.#cells[at]?.trim() || [])
  }

  /** The first cell of a field that is not empty. */
  text(field: Field): string | null {
    return this.cells(field)[0] ?? null
  }

  /** The time in a field; null if there is none, or it cannot be read. */
  moment(field: DateField): string | null {
    for (const at of this.#layout.columns.placesOf(field)) {
      const text = this.#cells[at]?.trim()
      if (text) return this.#layout.dates.get(at)!.read(text)
    }
    return null
  }

  /** The comments; Jira writes time, author and text into one cell. */
  comments(): { readonly text: string; readonly author: string | null; readonly created_at: string | null }[] {
    return this.#layout.columns.placesOf('comment').flatMap(at => {
      const cell = this.#cells[at]?.trim() ?? ''
      const [time = '', author = '', ...text] = cell.split(';')
      const created_at = text.length === 0 ? null : this.#layout.dates.get(at)!.read(time)
      if (created_at !== null) return { text: text.join(';').trim(), author: author.trim() || null, created_at }
      return cell === '' ? [] : { text: cell, author: null, created_at: null }
    })
  }

  /** The depth in the tree of a table with one title column for each level; 0 in any other table. */
  get depth(): number {
    return Math.max(
      0,
      this.#layout.columns.placesOf('title').findIndex(at => (this.#cells[at] ?? '').trim() !== ''),
    )
  }

  hasColumn(field: Field): boolean {
    return this.#layout.columns.has(field)
  }

  /** The cells that belong to no field, and those of some fields, by column. */
  rest(...fields: readonly Field[]): Record<string, string> {
    const { columns } = this.#layout
    const places = new Set(fields.flatMap(field => columns.placesOf(field)))
    const rest = new Map<string, string>()
    for (const [at, cell] of this.#cells.entries()) {
      if ((columns.isTaken(at) && !places.has(at)) || cell.trim() === '') continue
      const name = columns.names[at]?.trim() || `column ${at + 1}`
      const before = rest.get(name)
      rest.set(name, before === undefined ? cell : `${before}\n${cell}`)
    }
    return Object.fromEntries(rest)
  }

  /** All cells as one text, which is different for different rows. */
  whole(): string {
    return JSON.stringify(this.#cells)
  }
}
