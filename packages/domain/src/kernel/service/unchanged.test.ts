import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAsRead } from './unchanged.ts'

describe('what was read may be sent back', () => {
  test('any JSON is as read when it is the same', () => {
    fc.assert(fc.property(fc.jsonValue(), value => isAsRead(structuredClone(value), value)))
  })

  test.each([
    [{ a: 1 }, { a: 1, b: null }],
    [{ a: 1 }, { a: 1, b: [] }],
    [{ a: 1 }, { a: 1, b: { c: null, d: {} } }],
    [[{ a: 1 }], [{ b: null, a: 1 }]],
  ])('members that hold nothing may be missing: %j for %j', (sent, stored) => {
    expect(isAsRead(sent, stored)).toBe(true)
  })

  test.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1, b: null }, { a: 1 }],
    [{ a: 1 }, { a: 1, b: '' }],
    [{ a: 1 }, { a: 1, b: [null] }],
    [[1], [1, null]],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [null, []],
    ['1', 1],
  ])('%j is not %j', (sent, stored) => {
    expect(isAsRead(sent, stored)).toBe(false)
  })
})
