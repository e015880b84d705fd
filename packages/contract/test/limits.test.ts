import { expect, test } from 'vitest'
import { z } from 'zod'
import { FreeArray, FreeObject, registry } from '../src/mod.ts'

/** The arrays of a schema without a maximum length, by path. */
function unbounded(schema: z.core.$ZodType, path: string): string[] {
  if (schema === FreeArray) return []
  if (schema instanceof z.ZodArray) {
    const bounded = schema.def.checks?.some(check => 'maximum' in check._zod.def || 'length' in check._zod.def) === true
    return [...(bounded ? [] : [path]), ...unbounded(schema.element, `${path}[]`)]
  }
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) => unbounded(field, `${path}.${name}`))
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(option => unbounded(option, path))
  if (schema instanceof z.ZodRecord) return unbounded(schema.valueType, `${path}{}`)
  if ('innerType' in schema._zod.def) return unbounded(schema._zod.def.innerType as z.core.$ZodType, path)
  return []
}

test('every array of a body has a maximum in its schema (trust 1)', () => {
  const found = registry.flatMap(({ name, body }) => (body === undefined ? [] : unbounded(body, name)))
  expect(found).toStrictEqual([])
})

test('every list takes limit and offset (general, Wire)', () => {
  const lists = registry.filter(({ method, list }) => method === 'GET' && list !== undefined)
  const whole = lists.filter(({ query = {} }) => !('limit' in query && 'offset' in query))
  expect(whole.map(({ name }) => name)).toStrictEqual([])
})

test.each([
  ['too_deep', JSON.parse(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)],
  ['too_long', Array.from({ length: 20_001 }, () => 0)],
  ['too_long', { a: Array.from({ length: 10_000 }, () => [0]) }],
  ['string_too_long', ['x'.repeat(1_000_001)]],
])('free JSON that is %s is refused (trust 1)', (type, value) => {
  const schema = Array.isArray(value) ? FreeArray : FreeObject
  const issues = schema.safeParse(value).error?.issues ?? []
  expect(issues).toMatchObject([{ code: 'custom', params: { type } }])
})

test('free JSON up to its limits is accepted', () => {
  const deep = JSON.parse(`${'['.repeat(64)}1${']'.repeat(64)}`)
  for (const value of [deep, Array.from({ length: 20_000 }, () => 0), ['x'.repeat(1_000_000)]])
    expect(FreeArray.safeParse(value).success).toBe(true)
})
