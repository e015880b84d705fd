import { atOnce } from '@specboard/contract'
import { expect, test } from 'vitest'
import { Collection } from './collected.ts'

const about = { place: { entry: null, line: null }, kind: 'card' } as const

test('an id that is used again gets the next number, which no other record has', () => {
  const collected = new Collection()
  const ids = ['a', 'a', 'a~3', 'a', 'a', 'a~3', 'b'].map(id => collected.freeId(id, about))
  expect(ids).toEqual(['a', 'a~2', 'a~3', 'a~4', 'a~5', 'a~3~2', 'b'])
})

test('an id that is used by all records is numbered without a search from the beginning', () => {
  const collected = new Collection()
  let looked = 0
  const { has } = Set.prototype
  Set.prototype.has = function (value) {
    looked++
    return has.call(this, value)
  }
  try {
    for (let record = 0; record < 1_000; record++) collected.freeId('a', about)
  } finally {
    Set.prototype.has = has
  }
  expect(looked).toBeLessThan(5_000)
  expect(atOnce(collected.finish('A')).problems).toHaveLength(999)
})
