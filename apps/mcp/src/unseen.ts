/**
 * Characters that are invisible or change what is displayed: control characters, other line ends, unpaired surrogates,
 * bidirectional controls, and zero-width ones, such as tag characters (trust 4, walls 9).
 */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{E0000}-\u{E007F}]/gu

/**
 * The selectors that display a character as a picture or as text: without this exception, emoji would be spelled out.
 */
const presentation = /[\uFE0E\uFE0F]/

/** A character as `\u….`, four hex digits for each UTF-16 unit. */
const spelledOut = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('')

/**
 * A text in which invisible characters are spelled out.
 * @param isKept whether one of them is left unchanged
 */
export const withUnseenSpelledOut = (text: string, isKept: (character: string) => boolean = () => false): string =>
  text.replace(unseen, character =>
    presentation.test(character) || isKept(character) ? character : spelledOut(character),
  )

/** Whether JSON escapes a character anyway, so that a value may keep it: above all line breaks and tabs. */
const isSpelledOutByJson = (character: string): boolean => character < ' '

/** A JSON value in whose texts and keys invisible characters are spelled out, except those that JSON escapes itself. */
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
