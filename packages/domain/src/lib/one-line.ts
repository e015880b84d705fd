/** The longest text of a record in a message, characters. */
const maxCharacters = 120

/** The characters that no message repeats: control characters, and those that change the direction of writing. */
const unshown = /[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu

/** A text of a record in one line, without characters that could disguise it. */
export function oneLine(text: string): string {
  const line = text.replace(unshown, ' ').replace(/ {2,}/g, ' ').trim()
  const characters = [...line]
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join('')}…`
}
