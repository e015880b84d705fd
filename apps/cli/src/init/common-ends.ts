/** How much two texts, or two lists of lines, have in common. */
interface CommonEnds {
  /** The number of equal characters or lines at the beginning. */
  readonly start: number
  /** The number of equal characters or lines at the end, not counting those in `start`. */
  readonly tail: number
}

/** What two texts or lists have in common at their beginning and their end. */
export function commonEnds(one: ArrayLike<string>, other: ArrayLike<string>): CommonEnds {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let tail = 0
  while (tail < shorter - start && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++
  return { start, tail }
}
