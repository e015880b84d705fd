/** A value whose lists, at any depth, count how often one of their elements is read. */
export interface CountedReads<Value> {
  readonly value: Value
  /** The elements of all of its lists. */
  readonly elements: number
  readonly reads: () => number
}

/**
 * Counts what work reads of its lists, to find work that is the product of two of them (walls 3, rule 4): searching a list
 * for each element of another one reads as many elements as their product.
 *
 * @example
 * const { value, elements, reads } = countedReads({ ids, items })
 * pick(value)
 * expect(reads()).toBeLessThan(10 * elements)
 */
export function countedReads<Value>(plain: Value): CountedReads<Value> {
  let [elements, reads] = [0, 0]
  const counted = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      elements += value.length
      return new Proxy(value.map(counted), {
        get: (list, name, receiver) => {
          if (typeof name === 'string' && /^\d+$/.test(name)) reads++
          return Reflect.get(list, name, receiver)
        },
      })
    }
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, counted(member)]))
  }
  return { value: counted(plain) as Value, elements, reads: () => reads }
}
