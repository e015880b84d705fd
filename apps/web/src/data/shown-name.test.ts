import { expect, test } from 'vitest'
import { shownName } from './shown-name.ts'

test.each([
  ['Ada', 'Ada'],
  ['external:Ada', 'Ada (external)'],
  ['external:Ada (2)', 'Ada (2) (external)'],
  ['external:', ' (external)'],
])('%j is displayed as %j (people 1.5)', (name, expected) => {
  expect(shownName(name)).toBe(expected)
})
