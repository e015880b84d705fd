/** Orders texts by code point, as the contract sorts them; `<` would order them by UTF-16 unit. */
export const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
