/** An item of a list of a spec: its id, and named texts. */
export type Item = Readonly<Record<string, unknown>> & { readonly id: string }

/** A line of a list: a text, or a requirement that carries one. */
export type Line = string | (Item & { readonly text: string })

export const textOfLine = (line: Line): string => (typeof line === 'string' ? line : line.text)

/** The current index of a line; lines may have been added or removed above it. */
export function lineAt(lines: readonly Line[], index: number, from: string): number {
  if (lines[index] !== undefined && textOfLine(lines[index]) === from) return index
  const found = lines.findIndex(line => textOfLine(line) === from)
  return found === -1 ? index : found
}

/** A list with a line rewritten, removed if it is empty, or added at the end. */
export function withLine(lines: readonly Line[], index: number, text: string): Line[] {
  const before = lines[index]
  if (before === undefined) return [...lines, text]
  if (text.trim() === '') return lines.toSpliced(index, 1)
  return lines.with(index, typeof before === 'string' ? text : { ...before, text })
}

/** A list with an item replaced or, if it is new, added. */
export const withItem = (items: readonly Item[], item: Item): Item[] =>
  items.some(({ id }) => id === item.id) ? items.map(other => (other.id === item.id ? item : other)) : [...items, item]

/** The first id with a prefix that no item has: `br1`, `br2`, … */
export function freeId(items: readonly Item[], prefix: string): string {
  const usedIds = new Set(items.map(({ id }) => id))
  let number = items.length + 1
  while (usedIds.has(`${prefix}${number}`)) number++
  return `${prefix}${number}`
}

/** The indexes of the sentences that an item names, by index or by text (specs 4.1). */
export function placesNamed(item: Item, field: string, sentences: readonly string[]): number[] {
  const named = item[field]
  const references: readonly unknown[] = Array.isArray(named) ? named : []
  return sentences.flatMap((text, place) =>
    references.includes(String(place)) || references.includes(text) ? place : [],
  )
}
