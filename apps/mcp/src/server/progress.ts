/** Maximum progress reports in a second (mcp 14.4). */
const maxPerSecond = 10

/**
 * Reports progress at a limited rate; skips values that come too soon or do not increase.
 * @param clock gives the time in ms
 */
export function risingProgress(
  tell: (done: number, total?: number) => void,
  clock: () => number = () => performance.now(),
): (done: number, total?: number) => void {
  const times: number[] = []
  let highest = Number.NEGATIVE_INFINITY
  return (done, total) => {
    const now = clock()
    const before = times[0]
    if (done <= highest || (times.length === maxPerSecond && now - before! < 1000)) return
    highest = done
    if (times.push(now) > maxPerSecond) times.shift()
    tell(done, total)
  }
}
