/** The value below which a part of the values lies, of a list that is not empty. */
export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

/** The value in the middle. */
export const p50 = (values: readonly number[]): number => percentile(values, 0.5)
