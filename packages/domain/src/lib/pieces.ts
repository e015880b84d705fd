/** The items of a list in pieces of a size, in their order; the last one may be shorter. */
export function* piecesOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
