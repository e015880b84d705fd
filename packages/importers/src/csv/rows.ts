import { createHash } from 'node:crypto'
import type { InPieces } from '@specboard/contract'
import { inPieces } from '../in-pieces.ts'
import type { Place } from '../neutral.ts'
import type { Columns } from './columns.ts'
import type { Row } from './table.ts'
import type { Field } from './words.ts'

/** A row with its cells by their fields. */
export interface Item {
  readonly place: Place
  /** The first cell of a field that is not empty. */
  text(field: Field): string | null
  /** All cells of a field, divided at commas. */
  list(field: Field): string[]
  /** The cells that no field takes, by their columns. */
  rest(): Record<string, string>
}

export function itemOf({ cells, place }: Row, header: readonly string[], columns: Columns): Item {
  const cellsOf = (field: Field): string[] =>
    cells.filter((cell, at) => columns[at] === field && cell.trim() !== '').map(cell => cell.trim())
  const text = (field: Field): string | null => cellsOf(field)[0] ?? null
  return {
    place,
    text,
    list: field =>
      cellsOf(field)
        .flatMap(cell => cell.split(',').map(part => part.trim()))
        .filter(part => part !== ''),
    rest: () => {
      const rest: Record<string, string> = {}
      for (const [at, cell] of cells.entries()) {
        const name = header[at]?.trim() || `column ${at + 1}`
        if (columns[at] === undefined && cell.trim() !== '')
          rest[name] = Object.hasOwn(rest, name) ? `${rest[name]}\n${cell}` : cell
      }
      return rest
    },
  }
}

/** The id of a row: that of its first id column, else made of its title and time. */
export const idOf = (item: Item): string =>
  item.text('id') ??
  createHash('sha256')
    .update(`${item.text('title')}\n${item.text('created')}`)
    .digest('hex')
    .slice(0, 32)

/** The rows, and how they name one another: by any of their ids, or by title. */
export class Items {
  readonly all: readonly Item[]
  readonly #named = new Map<string, Item>()
  readonly #parents = new Set<Item>()

  private constructor(all: readonly Item[]) {
    this.all = all
  }

  static *of(all: readonly Item[]): InPieces<Items> {
    const items = new Items(all)
    yield* inPieces(all, item => items.#name(item, item.list('id')))
    yield* inPieces(all, item => items.#name(item, [item.text('title') ?? '']))
    yield* inPieces(all, item => {
      const parent = items.parentOf(item)
      if (typeof parent === 'object') items.#parents.add(parent)
    })
    return items
  }

  #name(item: Item, names: readonly string[]): void {
    for (const name of names) if (!this.#named.has(name)) this.#named.set(name, item)
  }

  named(name: string): Item | undefined {
    return this.#named.get(name)
  }

  /** The row that a row names as its parent, or the name of one that is no row. */
  parentOf(item: Item): Item | string | undefined {
    const names = item.list('parent')
    const rows = names.map(name => this.named(name)).filter(row => row !== undefined && row !== item)
    return rows[0] ?? names.find(name => this.named(name) === undefined)
  }

  /** Whether others name it as their parent. */
  isParent(item: Item): boolean {
    return this.#parents.has(item)
  }
}
