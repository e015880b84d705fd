import { expect, test } from 'vitest'
import { labelsAfter } from './labels.ts'

const many = Array.from({ length: 50 }, (_, index) => `label ${index}`)

test.each<[string[] | null, string[] | undefined, string[] | undefined, string[] | null]>([
  [null, ['a'], undefined, ['a']],
  [null, undefined, ['a'], null],
  [null, [], [], null],
  [['a'], ['b'], undefined, ['a', 'b']],
  [['a', 'b'], undefined, ['a'], ['b']],
  [['a'], undefined, ['a'], []],
  [['a', 'b'], ['a'], ['a'], ['b', 'a']],
  [['a'], ['a', 'b', 'b'], ['c'], ['a', 'b']],
  [many, ['new'], ['label 0'], [...many.slice(1), 'new']],
])('%j with %j and without %j is %j', (before, added, removed, after) => {
  expect(labelsAfter(before, added, removed)).toEqual(after)
})

test('more than 50 are refused', () => {
  expect(() => labelsAfter(many, ['new'])).toThrow(/at most 50/)
})
