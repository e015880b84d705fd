/** How alike a query and nodes are: the pure part of knowledge-graph 7.2. */

/** How much a term tells: the rarer among the searched nodes, the more. */
export const inverseFrequency = (nodes: number, withTerm: number): number =>
  Math.log(1 + (nodes - withTerm + 0.5) / (withTerm + 0.5))

/** Weight of the words that a query and a node share, beside that of their vectors. */
const coverageWeight = 0.9

/** The likeness of a node: that of its vector or of its words, whichever is greater. */
export const similarity = (cosine: number, coverage: number): number =>
  Math.min(1, Math.max(0, cosine, coverageWeight * coverage))

/**
 * For each ordinal the part of the query's terms, weighed by how much they tell, that the node holds.
 * @param holders for each distinct term of the query the searched nodes that hold it
 */
export function coverages(holders: readonly (readonly number[])[], nodes: number): Map<number, number> {
  const weights = holders.map(ordinals => inverseFrequency(nodes, ordinals.length))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const covered = new Map<number, number>()
  if (whole === 0) return covered
  for (const [index, ordinals] of holders.entries())
    for (const ordinal of ordinals) covered.set(ordinal, (covered.get(ordinal) ?? 0) + weights[index]! / whole)
  return covered
}

/** Keeps the best of what it is given, in order, without sorting all of it. */
export class Best<Item> {
  readonly #limit: number
  readonly #before: (a: Item, b: Item) => boolean
  readonly #kept: Item[] = []

  /** @param before whether one item comes before another; a total order */
  constructor(limit: number, before: (a: Item, b: Item) => boolean) {
    this.#limit = limit
    this.#before = before
  }

  add(item: Item): void {
    const kept = this.#kept
    if (kept.length === this.#limit && !this.#before(item, kept.at(-1)!)) return
    let at = kept.length
    while (at > 0 && this.#before(item, kept[at - 1]!)) at--
    kept.splice(at, 0, item)
    if (kept.length > this.#limit) kept.pop()
  }

  get items(): readonly Item[] {
    return this.#kept
  }
}
