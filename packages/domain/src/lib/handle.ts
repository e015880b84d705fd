/** The most characters of a handle that is derived, so that a number fits behind it. */
const derivedLength = 28

/** The fewest characters that a derived handle has of its own. */
const fewest = 2

/** What a handle is derived as from a name, still without a number behind it (people 1.1). */
export function handleStem(name: string): string {
  const words = name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
    .join('-')
    .slice(0, derivedLength)
  const stem = words.endsWith('-') ? words.slice(0, -1) : words
  return stem.length < fewest ? 'user' : stem
}
