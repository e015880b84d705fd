import { expect, test } from 'vitest'
import { TextCache } from './text-cache.ts'

test('what was made for a text is made once, null and undefined too, until too much is remembered', () => {
  const remembered = new TextCache<string | null | undefined>(2)
  const calls: string[] = []
  const get = (text: string, value: string | null | undefined) =>
    remembered.of(text, () => {
      calls.push(text)
      return value
    })
  expect([get('a', null), get('a', 'b'), get('b', undefined), get('b', 'c')]).toEqual([
    null,
    null,
    undefined,
    undefined,
  ])
  expect(calls).toEqual(['a', 'b'])
  expect([get('c', 'c'), get('a', 'again')]).toEqual(['c', 'again'])
  expect(calls).toEqual(['a', 'b', 'c', 'a'])
})
