/** The value of a JSON column that is never null. The column was written by this program. */
export const parseJson = <Value>(text: string): Value => JSON.parse(text) as Value

/** The value of a JSON column, null for null. */
export const parseNullable = <Value>(text: string | null): Value | null =>
  text === null ? null : (JSON.parse(text) as Value)

/** The text of a JSON column, null for null. */
export const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

/** Deep equality of JSON values: the order of an object's keys does not matter. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every(
    key => Object.hasOwn(b, key) && sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  )
}
