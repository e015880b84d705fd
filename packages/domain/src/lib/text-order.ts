/** Surrogates stand for code points above all others, so that units compare as code points do. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

/** Orders texts by code point, as the contract sorts them; `<` would order them by UTF-16 unit. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
