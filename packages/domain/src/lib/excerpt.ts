const surrogates = /[\uD800-\uDFFF]/

/** The first characters of a text, for activity entries; never splits a character in two. */
export function excerpt(text: string, characters = 100): string {
  if (text.length <= characters) return text
  const start = text.slice(0, characters)
  return surrogates.test(start) ? [...text.slice(0, 2 * characters)].slice(0, characters).join('') : start
}
