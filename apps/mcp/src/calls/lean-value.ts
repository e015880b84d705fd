/** A JSON object with any members. */
export type JsonObject = { [key: string]: unknown }

/** Whether a value is an object, not an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean => {
  if (value === null || value === undefined) return true
  if (typeof value !== 'object') return false
  return (Array.isArray(value) ? value : Object.keys(value)).length === 0
}

/** A value without keys whose value is null, `[]` or `{}` (mcp 9.1). Array elements stay in place. */
export function leanValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(leanValue)
  const lean: JsonObject = {}
  for (const [key, inner] of Object.entries(value)) {
    const member = typeof inner === 'object' ? leanValue(inner) : inner
    if (!isEmpty(member)) lean[key] = member
  }
  return lean
}
