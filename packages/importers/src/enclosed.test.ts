import { expect, test } from 'vitest'
import { Closings, fences } from './enclosed.ts'

const closedBy = (lines: readonly string[]) => {
  const closings = new Closings(lines, [fences])
  return lines.map((line, at) => closings.of(line, at))
}

test.each([
  ['a fence by the next one of its kind that is as long', ['````a', '```', '~~~~', '`````'], [3, 3, -1, -1]],
  ['nothing by a fence with words', ['```a', '```b'], [-1, -1]],
  ['a short one past a long one that nothing closes', ['`````', '```', 'x', '```'], [-1, 3, -1, -1]],
  ['nothing that is indented as code is', ['    ```', '```', '   ```'], [-1, 2, -1]],
])('closes %s', (_, lines, closed) => {
  expect(closedBy(lines)).toEqual(closed)
})

test('fences that nothing closes cost one look at each line', () => {
  // Unclosed openings of decreasing size, each of which once caused a scan of all the lines after it.
  const lines = Array.from({ length: 1_400 }, (_, index) => `${'`'.repeat(1_403 - index)}a`)
  const all = [...lines, ...Array(300_000).fill('x')]
  let looked = 0
  const counting = {
    ...fences,
    closing(line: string) {
      looked++
      return fences.closing(line)
    },
  }
  const closings = new Closings(all, [counting])
  expect(lines.every((line, at) => closings.of(line, at) === -1)).toBe(true)
  expect(looked).toBe(all.length)
})
