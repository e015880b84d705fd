/** The size at which a block is split in two: adding to a block moves its items, finding one searches the blocks. */
const largestBlock = 512

/**
 * Ordered items, in blocks, so that adding, removing and finding one costs next to nothing however many there are. The
 * order of an item must not change while it is contained.
 */
export class SortedList<Item> {
  readonly #order: (a: Item, b: Item) => number
  readonly #blocks: Item[][] = []
  #size = 0

  /** @param order never 0 for two different items */
  constructor(order: (a: Item, b: Item) => number) {
    this.#order = order
  }

  /** The number of items. */
  get size(): number {
    return this.#size
  }

  /** The items in order, block by block. */
  get blocks(): readonly (readonly Item[])[] {
    return this.#blocks
  }

  add(item: Item): void {
    this.#size++
    const at = Math.min(this.#blockOf(item), this.#blocks.length - 1)
    const block = this.#blocks[at]
    if (block === undefined) {
      this.#blocks.push([item])
      return
    }
    block.splice(this.#placeIn(block, item), 0, item)
    if (block.length === largestBlock) this.#blocks.splice(at + 1, 0, block.splice(largestBlock / 2))
  }

  /** Removes a contained item. */
  remove(item: Item): void {
    this.#size--
    const at = this.#blockOf(item)
    const block = this.#blocks[at]!
    block.splice(this.#placeIn(block, item), 1)
    if (block.length === 0) this.#blocks.splice(at, 1)
  }

  /** How many items precede this one. */
  rank(item: Item): number {
    const at = this.#blockOf(item)
    const block = this.#blocks[at]
    let before = block === undefined ? 0 : this.#placeIn(block, item)
    for (const earlier of this.#blocks.slice(0, at)) before += earlier.length
    return before
  }

  /** The neighbours of a contained item: the ones before and after it, where they exist. */
  beside(item: Item): Item[] {
    const at = this.#blockOf(item)
    const block = this.#blocks[at]!
    const place = this.#placeIn(block, item)
    const before = place > 0 ? block[place - 1] : this.#blocks[at - 1]?.at(-1)
    const behind = place + 1 < block.length ? block[place + 1] : this.#blocks[at + 1]?.[0]
    return [before, behind].filter(next => next !== undefined)
  }

  /** The items from a rank on. */
  *from(rank: number): Generator<Item, void, undefined> {
    let before = 0
    for (const block of this.#blocks) {
      for (let at = Math.max(0, rank - before); at < block.length; at++) yield block[at]!
      before += block.length
    }
  }

  /** The first block that ends with the item or a later one; the last block plus one if there is none. */
  #blockOf(item: Item): number {
    return firstWhere(this.#blocks.length, at => this.#order(this.#blocks[at]!.at(-1)!, item) >= 0)
  }

  #placeIn(block: readonly Item[], item: Item): number {
    return firstWhere(block.length, at => this.#order(block[at]!, item) >= 0)
  }
}

/** The first number for which a monotonic condition holds; the count if there is none. */
function firstWhere(count: number, holds: (number: number) => boolean): number {
  let [from, to] = [0, count]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}
