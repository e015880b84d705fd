import { expect, test } from 'vitest'
import { routes } from './routes.ts'

test('every page of the navigation has a key of its own', () => {
  const keys = routes.flatMap(({ navigation }) => navigation?.key ?? [])
  expect(new Set(keys).size).toBe(keys.length)
})
