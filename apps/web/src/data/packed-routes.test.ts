import { routes } from '@specboard/client'
import { expect, test } from 'vitest'
import { packed, unpacked } from './packed-routes.ts'

test('routes are the same once they are unpacked', () => {
  expect(unpacked(packed(routes()))).toEqual(routes())
})
