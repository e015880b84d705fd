import { expect, test } from 'vitest'
import { z } from 'zod'
import { largestBody, largestJson, maxBodyBytes } from './largest-body.ts'
import { operationByName, registry } from './registry.ts'

test.each<[string, z.ZodType, unknown]>([
  ['a text', z.string().max(3), '\u0001\u0002\u0003'],
  ['a list', z.array(z.boolean()).max(4), [false, false, false, false]],
  [
    'an object',
    z.object({ a: z.int(), b: z.string().max(2).nullable() }),
    { a: -9_007_199_254_740_991, b: '\u0001\u0001' },
  ],
  ['a choice', z.enum(['a', 'longest']), 'longest'],
  ['one of several', z.union([z.boolean(), z.string().max(10)]), '\u0001'.repeat(10)],
  ['what may be left out', z.object({ a: z.string().max(2).optional().default('x') }), { a: '\u0001\u0001' }],
])('%s is at least as long as its longest value, and not far above', (_, schema, value) => {
  const length = JSON.stringify(schema.parse(value)).length
  expect(largestJson(schema)).toBeGreaterThanOrEqual(length)
  expect(largestJson(schema)).toBeLessThanOrEqual(length * 6 + 100)
})

test.each<[string, z.ZodType]>([
  ['a text without a limit', z.string()],
  ['a list without a limit', z.array(z.boolean())],
  ['free JSON', z.record(z.string(), z.unknown())],
  ['an object that keeps other keys', z.looseObject({ a: z.boolean() })],
  ['what holds one of them', z.object({ a: z.array(z.string()).max(2) })],
])('%s has no longest JSON', (_, schema) => {
  expect(largestJson(schema)).toBe(Number.POSITIVE_INFINITY)
})

test('an operation has what its schema can hold, and none more than 8 MiB', () => {
  for (const operation of registry) expect(largestBody(operation)).toBeLessThanOrEqual(maxBodyBytes)
  expect(largestBody(operationByName.get('claim_card')!)).toBeLessThan(100_000)
  expect(largestBody(operationByName.get('delete_card')!)).toBeLessThan(100_000)
  expect(largestBody(operationByName.get('update_card')!)).toBe(maxBodyBytes)
})
