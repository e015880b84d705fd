/**
 * A text in the form in which it is compared regardless of case and normal form: composed and in lower case, in every
 * script.
 *
 * @example
 * foldedText('U\u0308ber') === foldedText('\u00fcber') // true
 */
export const foldedText = (text: string): string => text.normalize('NFC').toLowerCase()

/**
 * Whether a folded text can only be found by folding what it is compared with; otherwise ASCII lower case is enough.
 */
export const needsFolding = (texts: readonly string[]): boolean => texts.some(text => /[\u0080-\u{10ffff}]/u.test(text))
