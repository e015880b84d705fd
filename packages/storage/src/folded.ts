/**
 * A text as it is compared where case and normal form do not matter: composed and in lower case, in every script.
 *
 * @example
 * foldedText('U\u0308ber') === foldedText('\u00fcber') // true
 */
export const foldedText = (text: string): string => text.normalize('NFC').toLowerCase()

/** Whether a folded text can be found only by folding what it is compared with; else lower case for ASCII is enough. */
export const needsFolding = (texts: readonly string[]): boolean => texts.some(text => /[\u0080-\u{10ffff}]/u.test(text))
