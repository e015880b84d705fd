/** The first characters of a text, for activity entries; never splits a character in two. */
export const excerpt = (text: string, characters = 100): string =>
  text.length <= characters ? text : [...text.slice(0, 2 * characters)].slice(0, characters).join('')
