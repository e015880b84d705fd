import { expect, test } from 'vitest'
import { shownName } from '../../../lib/external-names.ts'
import { twinFinder } from './rules.ts'

const ada = { id: '1', name: 'Ada Lovelace', handle: 'ada' }
const twinsOf = twinFinder([
  ada,
  { id: 'external:ada lovelace', name: 'ada lovelace', handle: null },
  { id: '2', name: 'Björn', handle: null },
])

test.each([
  ['external:Ada Lovelace', ['1', 'external:ada lovelace']],
  ['external:ada lovelace', ['1']],
  ['ada.lovelace@example.com', ['1', 'external:ada lovelace']],
  ['@ada', ['1']],
  ['ADA', ['1']],
  ['Bjorn', ['2']],
  ['Lovelace', []],
  ['…', []],
])('%s may be %j', (name, ids) => expect(twinsOf(name).map(({ id }) => id)).toEqual(ids))

test('at most five twins are told', () => {
  const many = Array.from({ length: 9 }, (_, index) => ({ ...ada, id: String(index) }))
  expect(twinFinder(many)('external:Ada Lovelace')).toHaveLength(5)
})

test('a name is shown without the prefix of authors', () => {
  expect(['external:Ada', 'external:', 'Ada'].map(shownName)).toEqual(['Ada', '', 'Ada'])
})
