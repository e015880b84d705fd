/** Ranks surrogates above all other units, because they encode the highest code points. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

/** Compares texts by code point, which is the contract's order; `<` would compare them by UTF-16 unit. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Compares ASCII-only texts, such as ids and times, in which code points and units have the same order. */
export const byAscii = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
