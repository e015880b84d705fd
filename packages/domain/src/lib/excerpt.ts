/** The first characters of a text, as entries of the activity quote it; no character is cut in two. */
export const excerpt = (text: string, characters = 100): string =>
  [...text.slice(0, 2 * characters)].slice(0, characters).join('')
