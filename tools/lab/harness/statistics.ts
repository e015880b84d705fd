/** The value below which a share of the values lies; the list must not be empty. */
export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

/** The median. */
export const p50 = (values: readonly number[]): number => percentile(values, 0.5)

/** The ratio of two values, as text. */
export const ratio = (value: number, base: number, digits = 1): string => `${(value / base).toFixed(digits)} ×`

/** The sum of some numbers. */
export const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0)

/** How long a call takes, ms. */
export async function timed(run: () => unknown): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

/** The durations of a number of sequential calls, ms. */
export async function times(rounds: number, run: (round: number) => unknown): Promise<number[]> {
  const took: number[] = []
  for (let round = 0; round < rounds; round++) took.push(await timed(() => run(round)))
  return took
}
