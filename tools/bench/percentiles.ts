/** The value below which a share of the values lies; the list must not be empty. */
export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

/** The median. */
export const p50 = (values: readonly number[]): number => percentile(values, 0.5)
