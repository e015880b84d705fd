/** One sort key of a ranking, as a comparison of two items. */
export type Order<Item> = (a: Item, b: Item) => number

/** Greatest first. */
export const descending =
  <Item>(value: (item: Item) => number): Order<Item> =>
  (a, b) =>
    value(b) - value(a)

/** Smallest first, by UTF-16 code unit, which is right for times and ids. */
export const ascending =
  <Item>(value: (item: Item) => string): Order<Item> =>
  (a, b) => {
    const [left, right] = [value(a), value(b)]
    return left === right ? 0 : left < right ? -1 : 1
  }

/** The items sorted by the first key in which they differ. */
export const ranked = <Item>(items: readonly Item[], ...orders: readonly Order<Item>[]): Item[] =>
  items.toSorted((a, b) => {
    for (const order of orders) {
      const difference = order(a, b)
      if (difference !== 0) return difference
    }
    return 0
  })
