/** What a row waits for and what waits for it, from the tools' columns (imports 5). */
import type { Item } from './item.ts'
import type { References } from './references.ts'

/** `Blocked by #12` and the like in Redmine's "Related issues". */
const related = /^(?<kind>blocked by|blocks|follows|precedes) #?(?<id>[^\s(]+)/i

export interface Relations {
  readonly waitsFor: readonly string[]
  readonly blocks: readonly string[]
}

/** The rows, by name, that a row waits for, and that wait for it. */
export function relationsOf(item: Item, references: References): Relations {
  const waitsFor = item.cells('blocked_by').flatMap(cell => references.namesIn(cell))
  const blocks = item.cells('blocks').flatMap(cell => references.namesIn(cell))
  for (const { kind, id } of relatedIn(item))
    if (kind === 'blocked by' || kind === 'follows') waitsFor.push(id)
    else if (kind !== '') blocks.push(id)
  return { waitsFor, blocks }
}

/** Other relations of a row, such as `Relates to #3`. */
export const otherRelations = (item: Item): string[] =>
  relatedIn(item).flatMap(({ kind, id }) => (kind === '' ? [id] : []))

/** The entries of "Related issues"; an entry that does not mean waiting is kept as a whole with an empty kind. */
const relatedIn = (item: Item): { readonly kind: string; readonly id: string }[] =>
  item
    .cells('related')
    .flatMap(cell => cell.split(/[,\n]/))
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => {
      const { kind = '', id = part } = related.exec(part)?.groups ?? {}
      return { kind: kind.toLowerCase(), id }
    })
