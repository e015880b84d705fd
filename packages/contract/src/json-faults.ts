/** What no JSON of ours may hold, and where. */
export interface JsonFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Deepest nesting of a body that is taken. */
const maxDepth = 128

/** The first text that no database stores alike (a NUL character, half a surrogate pair), or a value nested too deep. */
export function jsonFault(value: unknown): JsonFault | undefined {
  return faultIn(value, [])
}

function faultIn(at: unknown, path: readonly (string | number)[]): JsonFault | undefined {
  if (typeof at === 'string') {
    const wrong = wrongText(at)
    return wrong === undefined ? undefined : { path, message: wrong }
  }
  if (typeof at !== 'object' || at === null) return undefined
  if (path.length >= maxDepth) return { path: path.slice(0, 8), message: `must not be nested deeper than ${maxDepth}` }
  for (const [key, inner] of Object.entries(at)) {
    const wrong = wrongText(key)
    const found =
      wrong === undefined
        ? faultIn(inner, [...path, Array.isArray(at) ? Number(key) : key])
        : { path, message: `keys ${wrong}` }
    if (found !== undefined) return found
  }
  return undefined
}

function wrongText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character'
  return text.isWellFormed() ? undefined : 'must not contain half a surrogate pair'
}
