import { expect, test } from 'vitest'
import { pageAddresses } from '../test/support/page-addresses.ts'
import { routes } from './routes.ts'

test('every page of the navigation has a key of its own', () => {
  const keys = routes.flatMap(({ navigation }) => navigation?.key ?? [])
  expect(new Set(keys).size).toBe(keys.length)
})

test('every page has an address at which tests look at it', () => {
  const looked = new Set(pageAddresses.map(([route]) => route))
  expect(routes.map(({ path }) => path).filter(path => !looked.has(path))).toEqual([])
})
