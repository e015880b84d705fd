/** Rounding, rates and means, the same in every answer (B.1). */

/** Rounds half up to one decimal. */
export const oneDecimal = (value: number): number => Math.round(value * 10) / 10

/**
 * A part of a whole in percent, one decimal; `nothing`, or null, when the whole is 0.
 *
 * @example
 * percent(23, 80) // 28.8
 * percent(0, 0) // null
 * percent(0, 0, 100) // 100
 */
export function percent(part: number, whole: number): number | null
export function percent<Nothing extends number>(part: number, whole: number, nothing: Nothing): number
export function percent(part: number, whole: number, nothing: number | null = null): number | null {
  // Multiplies first: 23 of 80 is exactly 28.75, but 23 / 80 * 100 is less.
  return whole === 0 ? nothing : Math.round((part * 1000) / whole) / 10
}

/** The mean of the values that are present, one decimal; null when there are none. */
export function mean(values: readonly (number | null | undefined)[]): number | null {
  const present = values.filter(value => value !== null && value !== undefined)
  return meanOf(
    present.reduce((sum, value) => sum + value, 0),
    present.length,
  )
}

/** The mean of `count` values with this sum, one decimal; null when there are none. */
export const meanOf = (sum: number, count: number): number | null => (count === 0 ? null : oneDecimal(sum / count))

/** The value at or below which a share of sorted values lies: the nearest existing one; null if there are none. */
export const percentile = (sorted: readonly number[], share: number): number | null =>
  sorted.length === 0 ? null : sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!

/** Hours from one time to another, unrounded. */
export const hoursBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 3_600_000

/** How often each key occurs, in the order of the keys, zeros included. */
export function breakdown<const Key extends string>(
  keys: readonly Key[],
  values: readonly (string | null)[],
): Record<Key, number> {
  const counted = Object.fromEntries(keys.map(key => [key, 0])) as Record<string, number>
  for (const value of values) if (value !== null && Object.hasOwn(counted, value)) counted[value]!++
  return counted as Record<Key, number>
}
