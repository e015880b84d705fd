import type { InPieces } from '@specboard/contract'
import { inPieces } from '../in-pieces.ts'
import type { Item } from './item.ts'

/** Maximum number of parts of a cell that are joined again to find names with commas. */
const maxParts = 50

/** Maximum number of rows that are kept for a name: enough to show that it is ambiguous, next to the row that uses it. */
const maxRowsOfName = 4

/** Resolves references between rows: by id as it is written, then without `#` and case, then by title (imports 3). */
export class References {
  readonly #byId = new Map<string, Set<Item>>()
  readonly #byForm = new Map<string, Set<Item>>()
  readonly #byTitle = new Map<string, Set<Item>>()

  private constructor() {}

  static *to(items: readonly Item[]): InPieces<References> {
    const references = new References()
    yield* inPieces(items, item => references.#add(item))
    return references
  }

  #add(item: Item): void {
    for (const id of [...item.cells('id'), ...item.cells('url')]) {
      put(this.#byId, id, item)
      put(this.#byForm, formOf(id), item)
    }
    put(this.#byTitle, (item.text('title') ?? '').toLowerCase(), item)
  }

  /** The rows that a name can mean; the first ones if it is ambiguous. */
  named(name: string): Item[] {
    const found = this.#byId.get(name) ?? this.#byForm.get(formOf(name)) ?? this.#byTitle.get(name.toLowerCase())
    return [...(found ?? [])]
  }

  /** The names in a cell: the whole cell if a row has that name, otherwise its parts between commas and semicolons. */
  namesIn(cell: string): string[] {
    if (this.named(cell).length > 0) return [cell]
    const parts = cell
      .split(/[;,\n]/)
      .map(part => part.trim())
      .filter(part => part !== '')
    if (parts.length > maxParts) return parts
    const names: string[] = []
    for (let from = 0; from < parts.length; ) {
      const to = this.#endOfName(parts, from)
      names.push(parts.slice(from, to).join(', '))
      from = to
    }
    return names
  }

  /** Where a name that begins at a part ends: the longest name that a row has, otherwise the part alone. */
  #endOfName(parts: readonly string[], from: number): number {
    for (let to = parts.length; to > from + 1; to--)
      if (this.#byTitle.has(parts.slice(from, to).join(', ').toLowerCase())) return to
    return from + 1
  }
}

const formOf = (id: string): string => id.replace(/^#/, '').toLowerCase()

function put(map: Map<string, Set<Item>>, name: string, item: Item): void {
  if (name === '') return
  const items = map.get(name)
  if (items === undefined) map.set(name, new Set([item]))
  else if (items.size < maxRowsOfName) items.add(item)
}
