/** Rounding, rates and means, the same in every answer (B.1). */

/** One decimal, half up. */
export const oneDecimal = (value: number): number => Math.round(value * 10) / 10

/** A part of a whole in percent, one decimal; `whole` 0 gives what stands for nothing to measure. */
export function percent(part: number, whole: number): number | null
export function percent<Nothing extends number>(part: number, whole: number, nothing: Nothing): number
export function percent(part: number, whole: number, nothing: number | null = null): number | null {
  // Multiplied first: 23 of 80 is 28.75 exactly, which 23 / 80 * 100 falls short of.
  return whole === 0 ? nothing : Math.round((part * 1000) / whole) / 10
}

/** The mean of what is there, one decimal; null over nothing. */
export function mean(values: readonly (number | null | undefined)[]): number | null {
  const given = values.filter(value => value !== null && value !== undefined)
  return meanOf(
    given.reduce((sum, value) => sum + value, 0),
    given.length,
  )
}

/** The mean of so many values by their sum, one decimal; null over nothing. */
export const meanOf = (sum: number, count: number): number | null => (count === 0 ? null : oneDecimal(sum / count))

/** Hours from one time to another, unrounded. */
export const hoursBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 3_600_000

/** How many of each key occur, in the order of the keys, zeros included. */
export function breakdown<const Key extends string>(
  keys: readonly Key[],
  values: readonly (string | null)[],
): Record<Key, number> {
  const counted = Object.fromEntries(keys.map(key => [key, 0])) as Record<string, number>
  for (const value of values) if (value !== null && value in counted) counted[value]!++
  return counted as Record<Key, number>
}
