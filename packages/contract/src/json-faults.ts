/** What no JSON of ours may hold, and where. */
export interface JsonFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Deepest nesting of a body that is taken. */
const maxDepth = 128

/**
 * The first thing that would be stored as something else, or not at all: a text with a NUL character or half a
 * surrogate pair, a number beyond the largest, a key `__proto__`; or a value nested too deep.
 * @param fields the keys of the value itself are known fields: one more among them is ignored like any other
 */
export function jsonFault(
  value: unknown,
  { fields = false }: { readonly fields?: boolean } = {},
): JsonFault | undefined {
  return faultIn(value, [], fields)
}

function faultIn(at: unknown, path: readonly (string | number)[], fields = false): JsonFault | undefined {
  if (typeof at === 'string') {
    const wrong = wrongText(at)
    return wrong === undefined ? undefined : { path, message: wrong }
  }
  if (typeof at === 'number' && !Number.isFinite(at)) return { path, message: 'must not be beyond 1.8e308' }
  if (typeof at !== 'object' || at === null) return undefined
  if (path.length >= maxDepth) return { path: path.slice(0, 8), message: `must not be nested deeper than ${maxDepth}` }
  for (const [key, inner] of Object.entries(at)) {
    if (key === '__proto__' && !fields)
      return { path: [...path, key], message: 'must have another name than __proto__' }
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
