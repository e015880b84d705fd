/** Progress is told at most so often in a second (mcp 14.4). */
const mostInSecond = 10

/**
 * Tells of progress that rises, not too often: what comes too soon or does not rise is left out.
 * @param clock ms
 */
export function risingProgress(
  tell: (done: number, total?: number) => void,
  clock: () => number = () => performance.now(),
): (done: number, total?: number) => void {
  const told: number[] = []
  let highest = Number.NEGATIVE_INFINITY
  return (done, total) => {
    const now = clock()
    const before = told[0]
    if (done <= highest || (told.length === mostInSecond && now - before! < 1000)) return
    highest = done
    if (told.push(now) > mostInSecond) told.shift()
    tell(done, total)
  }
}
