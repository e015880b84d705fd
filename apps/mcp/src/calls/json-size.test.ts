import { atOnce } from '@specboard/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLargerThan } from './json-size.ts'

test('is the size of the JSON', () =>
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), text => {
      const value: unknown = JSON.parse(text)
      const bytes = Buffer.byteLength(JSON.stringify(value))
      expect([atOnce(isLargerThan(bytes, value)), atOnce(isLargerThan(bytes - 1, value))]).toEqual([false, true])
    }),
  ))
