/** What no JSON of ours may hold, and where. */
export interface JsonFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Deepest nesting of a body that is taken. */
const maxDepth = 128

/** The first text with a NUL character, which no database stores alike, or a value nested too deep. */
export function jsonFault(value: unknown): JsonFault | undefined {
  return faultIn(value, [])
}

function faultIn(at: unknown, path: readonly (string | number)[]): JsonFault | undefined {
  if (typeof at === 'string')
    return at.includes('\0') ? { path, message: 'must not contain the NUL character' } : undefined
  if (typeof at !== 'object' || at === null) return undefined
  if (path.length >= maxDepth) return { path: path.slice(0, 8), message: `must not be nested deeper than ${maxDepth}` }
  for (const [key, inner] of Object.entries(at)) {
    const found = key.includes('\0')
      ? { path, message: 'keys must not contain the NUL character' }
      : faultIn(inner, [...path, Array.isArray(at) ? Number(key) : key])
    if (found !== undefined) return found
  }
  return undefined
}
