/** An unchecked JSON object in a draft. */
export type Draft = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether an optional value was given: it is neither absent, null nor blank. */
export const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && (typeof value !== 'string' || value.trim() !== '')

/** Whether a schema or contract is not empty. */
export const isFilled = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) ? Object.keys(value).length > 0 : isGiven(value)
}

/** The key by which references are compared: the text trimmed and case-folded (A.4). */
export const keyOf = (text: string): string => text.trim().toUpperCase().toLowerCase()

/** The key of a reference; undefined when it is not a given text. */
export const keyIn = (value: unknown): string | undefined =>
  typeof value === 'string' && isGiven(value) ? keyOf(value) : undefined

/** Finds the index of the part that a reference names, by id before name; undefined if there is none. */
export type Resolve = (reference: unknown) => number | undefined

/** Makes the resolver of entities or interfaces; if several parts share a key, the first one is found. */
export function resolver(parts: readonly Draft[]): Resolve {
  const byKey = new Map<string, number>()
  for (const member of ['id', 'name']) {
    for (const [index, part] of parts.entries()) {
      const key = keyIn(part[member])
      if (key !== undefined && !byKey.has(key)) byKey.set(key, index)
    }
  }
  return reference => {
    const key = keyIn(reference)
    return key === undefined ? undefined : byKey.get(key)
  }
}

/** The repeated keys in a member: the index of the earlier part, by the index of the later one. */
export function repeats(parts: readonly Draft[], member: 'id' | 'name'): ReadonlyMap<number, number> {
  const first = new Map<string, number>()
  const found = new Map<number, number>()
  for (const [index, part] of parts.entries()) {
    const key = keyIn(part[member])
    if (key === undefined) continue
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, index)
    else found.set(index, earlier)
  }
  return found
}
