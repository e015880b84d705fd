import { expect, test } from 'vitest'
import { addressOfView, shows, storedQuery } from './view-address.ts'

const view = { id: 'v1', page: 'list', query: 'due=overdue&label=b&label=a' }

test('a view keeps of an address what filters and shows, in one order', () => {
  expect(storedQuery(new URLSearchParams('sort=-age&view=v1&card=SHP-1&due=overdue'))).toBe('due=overdue&sort=-age')
})

test('an address shows a view whatever is open over it', () => {
  const address = addressOfView('SHP', view)
  expect(address).toBe('/b/SHP/list?due=overdue&label=b&label=a&view=v1')
  const query = new URLSearchParams(address.split('?')[1])
  query.set('card', 'SHP-3')
  expect(shows(query, view)).toBe(true)
  query.set('sort', 'due')
  expect(shows(query, view)).toBe(false)
})
