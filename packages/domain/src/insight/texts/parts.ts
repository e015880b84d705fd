/** How many characters before the search words a part begins. */
const before = 500

const isLowHalf = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

/** The nearest position, at or after a given one, that does not split a character. */
const wholePlace = (text: string, at: number): number =>
  at > 0 && at < text.length && isLowHalf(text, at) ? at + 1 : at

/**
 * Where a part begins that shows the first occurrence of words, ignoring case; null if they do not occur (crew 1.7).
 */
export function firstPlaceOf(text: string, words: string): number | null {
  const at = text.toLowerCase().indexOf(words.toLowerCase())
  return at === -1 ? null : wholePlace(text, Math.max(0, at - before))
}

/** A part of a text that never splits a character, and where the next one begins. */
export function partOf(text: string, offset: number, length: number) {
  const from = wholePlace(text, Math.min(offset, text.length))
  const to = wholePlace(text, Math.min(from + length, text.length))
  return {
    text: text.slice(from, to),
    offset: from,
    length: to - from,
    total: text.length,
    next_offset: to < text.length ? to : null,
  }
}
