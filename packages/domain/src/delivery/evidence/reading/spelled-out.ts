/** Texts of reports are untrusted: what a reader cannot see is spelled out (evidence 2, rule 8, trust 4). */

/** Control characters but tab and line feed, halves of pairs, bidirectional controls, other line ends. */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** A text with unseen characters as `\u….`; line feeds and tabs stay. */
export const withSpelledOut = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(unseen, character =>
      character === '\n' || character === '\t'
        ? character
        : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
