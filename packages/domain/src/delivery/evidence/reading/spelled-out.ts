/** Texts of reports are untrusted: invisible characters are spelled out (evidence 2, rule 8, trust 4). */

/** Control characters except tab and line feed, unpaired surrogates, bidirectional controls, other line ends. */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** A text with invisible characters as `\u….`; line feeds and tabs stay. */
export const withSpelledOut = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(unseen, character =>
      character === '\n' || character === '\t'
        ? character
        : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
