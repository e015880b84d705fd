/**
 * Whether two lists are equal, item by item: null when that depends on an item that is null or is compared with an
 * item of another kind.
 */
export function listsEqual(a: readonly unknown[], b: readonly unknown[]): boolean | null {
  if (a.length !== b.length) return false
  const equal = a.map((item, index) => itemsEqual(item, b[index]))
  return equal.includes(false) ? false : equal.includes(null) ? null : true
}

function itemsEqual(a: unknown, b: unknown): boolean | null {
  if (a === null || b === null) return null
  if (Array.isArray(a) && Array.isArray(b)) return listsEqual(a, b)
  if (typeof a !== typeof b || Array.isArray(a) || Array.isArray(b)) return null
  return typeof a === 'object' ? JSON.stringify(a) === JSON.stringify(b) : a === b
}
