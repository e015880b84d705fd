import { expect, test } from 'vitest'
import { cursorOf, placeOf } from './cursor.ts'

test('a cursor decodes to its place', () => {
  const place = { at: '2026-01-01T00:00:00.000Z', id: 'x' }
  expect(placeOf(cursorOf(place))).toEqual(place)
  expect(placeOf(undefined)).toBeNull()
})

test.each(['nonsense', '%%%', Buffer.from('[1,2]').toString('base64url'), Buffer.from('{}').toString('base64url')])(
  'refuses any other text: %s',
  cursor => expect(() => placeOf(cursor)).toThrow(expect.objectContaining({ code: 'INVALID_CURSOR' })),
)
