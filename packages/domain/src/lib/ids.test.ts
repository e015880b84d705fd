import { expect, test } from 'vitest'
import { idSource } from './ids.ts'

test('ids sort in the order of their creation, within a millisecond and when the clock steps back', () => {
  let now = 1_700_000_000_000
  const newId = idSource(() => now)
  const ids = Array.from({ length: 10_000 }, (_, index) => {
    if (index === 5_000) now -= 60_000
    return newId()
  })
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
