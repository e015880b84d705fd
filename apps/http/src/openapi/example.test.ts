import { bodyExamples, recordExamples, registry, Title } from '@specboard/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exampleOf, namedExample } from './example.ts'
import { answerOf, schemasOf } from './schemas.ts'

const cases = registry.flatMap(operation => [
  ...(operation.body === undefined ? [] : [{ name: operation.name, side: 'request' as const, schema: operation.body }]),
  ...(answerOf(operation) === undefined
    ? []
    : [{ name: operation.name, side: 'answer' as const, schema: answerOf(operation)! }]),
])

test.each(cases)('the $side of $name fits its schema', ({ side, schema }) => {
  expect(schema.safeParse(exampleOf(schema, side)).error).toBeUndefined()
})

test('an example reads like what it stands for', () => {
  const card = registry.find(({ name }) => name === 'get_card')!
  const example = exampleOf(card.response!, 'answer') as Record<string, unknown>
  expect(example.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(example.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(example.title).toBe('Merge the guest basket into the account')
})

describe('a request', () => {
  const schema = z.object({
    title: Title,
    description: z.string().exactOptional(),
    unheard_of: z.string().exactOptional(),
    spec_id: z.string().exactOptional(),
    limit: z.int().default(50),
  })

  test('sends what is required and what is known, and refers to no other record', () => {
    expect(Object.keys(exampleOf(schema, 'request') as object)).toStrictEqual(['title', 'description'])
  })

  test('is answered with defaults too', () => {
    expect(Object.keys(exampleOf(schema, 'answer') as object)).toStrictEqual([
      'title',
      'description',
      'spec_id',
      'limit',
    ])
  })
})

test('a schema without any hint is exemplified by its type and limits', () => {
  const schema = z.object({
    flag: z.boolean(),
    figure: z.int().min(3),
    long: z.string().min(6),
    short: z.string().max(2),
    tone: z.enum(['low', 'high']),
    none: z.string().nullable(),
    open: z.unknown(),
    own: z.record(z.string(), z.int()),
    each: z.record(z.enum(['a', 'b']), z.int()),
  })
  expect(exampleOf(schema, 'answer')).toStrictEqual({
    flag: false,
    figure: 3,
    long: 'text t',
    short: 'te',
    tone: 'low',
    none: null,
    open: null,
    own: {},
    each: { a: 0, b: 0 },
  })
})

test('a recursive schema ends', () => {
  const tree = z.object({
    get children() {
      return z.array(tree)
    },
  })
  expect(exampleOf(tree, 'answer')).toStrictEqual({ children: [{ children: [{ children: [] }] }] })
})

test('what is said of a name counts only where the schema takes it', () => {
  expect(namedExample(z.string(), 'completeness')).toBeUndefined()
  expect(namedExample(z.int(), 'completeness')).toBe(95)
  expect(namedExample(z.string(), 'title', 'Sprint')).toBe('Sprint 1: merge baskets')
})

test('examples are kept for components that there are', () => {
  const { components } = schemasOf(registry)
  for (const id of [...Object.keys(recordExamples), ...Object.keys(bodyExamples)])
    expect([id, id in components]).toStrictEqual([id, true])
})
