import type { Json } from '@specboard/storage'
import { expect, test } from 'vitest'
import { parseJson, parseNullable, sameJson, toJson } from './json.ts'

const labels: Json<string[]> = toJson(['a', 'b'] as readonly string[])

test('a value is read as it was written, and null as null', () => {
  expect(labels).toBe('["a","b"]')
  expect(parseJson(labels)).toEqual(['a', 'b'])
  expect([toJson(null), toJson(undefined), parseNullable(null)]).toEqual([null, null, null])
  expect(parseNullable(labels)).toEqual(['a', 'b'])
})

test.each<[string, unknown, unknown, boolean]>([
  ['objects in another order', { a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }, true],
  ['lists in another order', [1, 2], [2, 1], false],
  ['an object and a part of it', { a: 1, b: 2 }, { a: 1 }, false],
  ['another key', { a: undefined }, { b: undefined }, false],
  ['null and an object', null, {}, false],
])('%s', (_, a, b, same) => expect(sameJson(a, b)).toBe(same))

/** `check:types` fails if the compiler accepts one of them. */
const refused = {
  'plain text as JSON': () => {
    // @ts-expect-error the type of its value is unknown
    const json: Json<string[]> = '["a"]'
    return json
  },
  'reading a different type than was written': () => {
    // @ts-expect-error they are texts
    const numbers: number[] = parseJson(labels)
    return numbers
  },
  'a type argument that contradicts what was written': () =>
    // @ts-expect-error they are texts
    parseJson<number[]>(labels),
  'writing a different type than the column holds': () => {
    // @ts-expect-error the column holds texts
    const json: Json<string[]> = toJson([1])
    return json
  },
} satisfies Record<string, () => unknown>

test.each(Object.entries(refused))('the compiler refuses %s', (_, code) => expect(code()).toBeDefined())
