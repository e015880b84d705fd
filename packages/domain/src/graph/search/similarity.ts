/** The similarity of a query and nodes: the pure part of knowledge-graph 7.2. */

/** How distinctive a term is: the rarer it is among the searched nodes, the more. */
export const inverseFrequency = (nodes: number, withTerm: number): number =>
  Math.log(1 + (nodes - withTerm + 0.5) / (withTerm + 0.5))

/** The weight of shared words, relative to that of vectors. */
const coverageWeight = 0.9

/** The similarity of a node: by its vector or by its words, whichever is greater. */
export const similarity = (cosine: number, coverage: number): number =>
  Math.min(1, Math.max(0, cosine, coverageWeight * coverage))

/**
 * The weight of each term of a query as a share of the total, so that the weights of a node's terms add up to its
 * coverage; all 0 when the total is 0.
 * @param holders for each distinct term, how many of the searched nodes contain it
 */
export function termWeights(holders: readonly number[], nodes: number): number[] {
  const weights = holders.map(count => inverseFrequency(nodes, count))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map(weight => (whole === 0 ? 0 : weight / whole))
}

/** Keeps the best items it is given, in order, without sorting all of them. */
export class Best<Item> {
  readonly #limit: number
  readonly #before: (a: Item, b: Item) => boolean
  readonly #items: Item[] = []

  /** @param before whether one item comes before another; must be a total order */
  constructor(limit: number, before: (a: Item, b: Item) => boolean) {
    this.#limit = limit
    this.#before = before
  }

  add(item: Item): void {
    const items = this.#items
    if (items.length === this.#limit && !this.#before(item, items.at(-1)!)) return
    let at = items.length
    while (at > 0 && this.#before(item, items[at - 1]!)) at--
    items.splice(at, 0, item)
    if (items.length > this.#limit) items.pop()
  }

  get items(): readonly Item[] {
    return this.#items
  }
}
