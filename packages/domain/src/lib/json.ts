import type { Json } from '@specboard/storage'

/** The value of a JSON column that is never null, as `toJson` wrote it. */
export const parseJson = <Value>(text: Json<Value>): Value => JSON.parse(text) as Value

/** The value of a JSON column, or null. */
export const parseNullable = <Value>(text: Json<Value> | null): Value | null => (text === null ? null : parseJson(text))

/** A list is parsed into a new one, which may be changed even if the original was read-only. */
type Mutable<Value> = Value extends readonly (infer Item)[] ? Item[] : Value

/** The text of a JSON column; null for null or undefined. */
export function toJson<Value extends NonNullable<unknown>>(value: Value): Json<Mutable<Value>>
export function toJson<Value>(value: Value): Json<Mutable<NonNullable<Value>>> | null
export function toJson(value: unknown): Json<unknown> | null {
  return value === null || value === undefined ? null : (JSON.stringify(value) as Json<unknown>)
}

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
