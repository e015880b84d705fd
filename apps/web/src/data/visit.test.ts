import { expect, test } from 'vitest'
import { visitAt } from './visit.ts'

const minute = 60_000

test('a visit begins after a break, and knows when the one before it ended', () => {
  expect(visitAt(undefined, 0)).toEqual({ seen: 0 })
  expect(visitAt({ seen: 0 }, minute)).toEqual({ seen: minute })
  expect(visitAt({ seen: minute }, 60 * minute)).toEqual({ seen: 60 * minute, before: minute })
  expect(visitAt({ seen: 60 * minute, before: minute }, 61 * minute)).toEqual({ seen: 61 * minute, before: minute })
})
