/**
 * Characters that a reader cannot see or that change what is seen: control characters, other line ends, halves of
 * surrogate pairs, bidirectional controls, and those that take no room, such as tag characters and zero-width ones
 * (trust 4, walls 9).
 */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{E0000}-\u{E007F}]/gu

/** The selectors by which a character is shown as a picture or as text: without them, pictures would be spelled out. */
const presentation = /[\uFE0E\uFE0F]/

/** A character as `\u….`, four hex digits for each UTF-16 unit. */
const spelledOut = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('')

/**
 * A text in which unseen characters are spelled out.
 * @param isKept whether one of them stays as it is
 */
export const withUnseenSpelledOut = (text: string, isKept: (character: string) => boolean = () => false): string =>
  text.replace(unseen, character =>
    presentation.test(character) || isKept(character) ? character : spelledOut(character),
  )

/** Whether JSON spells a character out in any case, so that a value may keep it: line breaks and tabs, above all. */
const isSpelledOutByJson = (character: string): boolean => character < ' '

/** A value of JSON in whose texts and keys unseen characters are spelled out, all but those that JSON spells out itself. */
export function withUnseenSpelledOutWithin(value: unknown): unknown {
  if (typeof value === 'string') return withUnseenSpelledOut(value, isSpelledOutByJson)
  if (Array.isArray(value)) return value.map(withUnseenSpelledOutWithin)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      withUnseenSpelledOut(name, isSpelledOutByJson),
      withUnseenSpelledOutWithin(member),
    ]),
  )
}
