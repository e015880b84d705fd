/** The parent of a row, which is a row or a spec (exchange 2.5). */
import type { InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import { inPieces } from '../in-pieces.ts'
import { ownSpec } from '../records.ts'
import type { Item } from './item.ts'
import type { References } from './references.ts'

/** A row's reference to its parent: candidate ids, the best first, and a title. */
interface ParentReference {
  readonly ids: readonly string[]
  readonly title: string | null
}

/** A parent that is not a row. */
export interface AbsentParent {
  readonly name: string
  readonly title: string | null
}

/** A row that is the parent of others, or the reference to one that is missing. */
export type Parent = Item | AbsentParent

export const isRow = (parent: Parent): parent is Item => 'cells' in parent

export class Parents {
  readonly #references: References
  readonly #collected: Collection
  readonly #parents = new Map<Item, Parent>()
  readonly #rows = new Set<Item>()
  /** By every name that rows use for them. */
  readonly #absent = new Map<string, AbsentParent>()

  private constructor(references: References, collected: Collection) {
    this.#references = references
    this.#collected = collected
  }

  /** @param trees the parent rows, if the table has a title column for each level */
  static *of(
    items: readonly Item[],
    trees: ReadonlyMap<Item, Item>,
    references: References,
    collected: Collection,
  ): InPieces<Parents> {
    const parents = new Parents(references, collected)
    yield* inPieces(items, item => parents.#gather(item))
    yield* inPieces(items, item => {
      const parent = trees.get(item) ?? parents.#find(item)
      if (parent === undefined) return
      parents.#parents.set(item, parent)
      if (isRow(parent)) parents.#rows.add(parent)
    })
    return parents
  }

  /** The parent of a row; undefined without one. */
  of(item: Item): Parent | undefined {
    return this.#parents.get(item)
  }

  /** Whether a row is the parent of others. */
  isParent(item: Item): boolean {
    return this.#rows.has(item)
  }

  /** Records that several names in a row mean the same parent. */
  #gather(item: Item): void {
    for (const { ids, title } of namings(item)) {
      if (ids.length === 0 || (ids.length === 1 && title === null)) continue
      const existing = ids.map(id => this.#absent.get(id)).find(parent => parent !== undefined)
      const parent = { name: existing?.name ?? ids[0]!, title: existing?.title ?? title }
      for (const id of [parent.name, ...ids]) this.#absent.set(id, parent)
    }
  }

  #find(item: Item): Parent | undefined {
    const named = namings(item)
    for (const naming of named) {
      const row = this.#rowOf(item, naming)
      if (row !== undefined) return row
    }
    return named.map(naming => this.#absentOf(naming)).find(parent => parent !== undefined)
  }

  #rowOf(item: Item, { ids, title }: ParentReference): Item | undefined {
    for (const name of ids.length > 0 || title === null ? ids : [title]) {
      const rows = this.#references.named(name).filter(row => row !== item)
      if (rows.length === 1) return rows[0]
      if (rows.length > 1) this.#tellUnclear(item, name, rows)
    }
    return undefined
  }

  #absentOf({ ids, title }: ParentReference): AbsentParent | undefined {
    const name = ids[0] ?? title
    if (name === null || name === undefined || this.#references.named(name).length > 0) return undefined
    return this.#absent.get(name) ?? { name, title: ids.length === 0 ? null : title }
  }

  #tellUnclear({ place }: Item, name: string, rows: readonly Item[]): void {
    const lines = rows.map(row => row.place.line).join(' and ')
    this.#collected.note({ place }, `Its parent "${name}" could be the row in line ${lines}; it gets none.`)
  }
}

/** The references to a parent, and to an epic, which counts if there is no parent. */
function namings(item: Item): ParentReference[] {
  const all = [
    { ids: item.cells('parent'), title: item.text('parent_title') },
    { ids: item.cells('epic'), title: item.text('epic_title') },
  ]
  return all.filter(({ ids, title }) => ids.length > 0 || title !== null)
}

/** The id of the spec for a parent: the same whether or not the parent is a row. */
export const specIdOf = (name: string): string => ownSpec(name, { entry: null, line: null }).id
