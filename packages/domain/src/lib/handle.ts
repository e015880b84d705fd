/** Maximum number of characters of a derived handle, so that a number still fits after it. */
const derivedLength = 28

/** The fewest characters that a derived handle takes from the name. */
const minCharacters = 2

/** The handle derived from a name, before a number is appended (people 1.1). */
export function handleStem(name: string): string {
  const words = name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
    .join('-')
    .slice(0, derivedLength)
  const stem = words.endsWith('-') ? words.slice(0, -1) : words
  return stem.length < minCharacters ? 'user' : stem
}
