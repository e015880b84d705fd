import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SortedList } from './sorted.ts'

const byNumber = (a: number, b: number): number => a - b

test('keeps items in their order while they come and go', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(3_000), { minLength: 0, maxLength: 3_000, size: 'max' }),
      fc.nat(3_000),
      (numbers, from) => {
        const sorted = new SortedList<number>(byNumber)
        const right = new Set<number>()
        for (const number of numbers) {
          if (right.delete(number)) sorted.remove(number)
          else {
            right.add(number)
            sorted.add(number)
          }
        }
        const ordered = [...right].sort(byNumber)
        expect(sorted.blocks.flat()).toEqual(ordered)
        expect(sorted.size).toBe(ordered.length)
        expect([...sorted.from(from)]).toEqual(ordered.slice(from))
        const at = from % Math.max(1, ordered.length)
        if (ordered.length > 0)
          expect(sorted.beside(ordered[at]!)).toEqual(
            [ordered[at - 1], ordered[at + 1]].filter(next => next !== undefined),
          )
        expect(sorted.rank(from)).toBe(ordered.filter(number => number < from).length)
      },
    ),
    { numRuns: 50 },
  )
})
