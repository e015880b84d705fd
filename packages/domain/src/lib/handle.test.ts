import fc from 'fast-check'
import { expect, test } from 'vitest'
import { handleStem } from './handle.ts'

test.each([
  ['Ada Lovelace', 'ada-lovelace'],
  ['Executor 1', 'executor-1'],
  ['  José & Müller!', 'jos-m-ller'],
  ['x', 'user'],
  ['日本', 'user'],
  ['a-very-long-name-of-somebody who goes on', 'a-very-long-name-of-somebody'],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaa b', 'aaaaaaaaaaaaaaaaaaaaaaaaaaa'],
])('the handle of %j is derived as %s (people 1.1)', (name, stem) => {
  expect(handleStem(name)).toBe(stem)
})

test('every name gives a handle of the form, with room for a number', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), name => {
      expect(handleStem(name)).toMatch(/^[a-z0-9]([a-z0-9-]*)[a-z0-9]$/)
      expect(handleStem(name).length).toBeLessThanOrEqual(28)
    }),
  )
})
