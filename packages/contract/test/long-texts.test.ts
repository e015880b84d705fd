import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseInput } from '../src/input.ts'
import { longTextIssues, maxCharacters } from '../src/long-texts.ts'
import { atOnce, registry } from '../src/mod.ts'

const long = 'x'.repeat(maxCharacters + 1)

test('a text whose schema names no limit has at most 200,000 characters, wherever it stands (walls 3, rule 2)', () => {
  const Body = z.object({
    plain: z.string().nullable().exactOptional(),
    limited: z.string().max(1_000_000),
    list: z.array(z.object({ inner: z.string() })),
    either: z.union([z.string(), z.object({ a: z.string() })]),
    free: z.record(z.string(), z.unknown()),
  })
  const value = {
    plain: long,
    limited: long,
    list: [{ inner: 'x' }, { inner: long }],
    either: { a: long },
    free: { a: long },
  }
  const issues = atOnce(longTextIssues(Body, value))
  expect(issues.map(({ path }) => path.join('.'))).toEqual(['plain', 'list.1.inner', 'either.a'])
})

/** Longer than any limit that a schema names. */
const endless = 'x'.repeat(9_000_000)

const takes = (schema: unknown, value: unknown): boolean => z.safeParse(schema as z.ZodType, value).success

/** Whether a field takes texts; one that takes any value is free JSON. */
const isText = (schema: unknown): boolean => takes(schema, 'x') && !takes(schema, 1)

test.each(registry.filter(({ body }) => body instanceof z.ZodObject))('$name takes no endless text', operation => {
  const { shape } = operation.body as z.ZodObject
  const unlimited = Object.entries(shape).filter(([, schema]) => isText(schema) && takes(schema, endless))
  for (const [name] of unlimited) {
    const parsed = parseInput(operation, { params: {}, query: {}, body: { [name]: long } })
    const items = parsed.ok ? (parsed.input.long ? parsed.input.long.items : []) : parsed.items
    expect(items).toContainEqual(expect.objectContaining({ loc: ['body', name], type: 'string_too_long' }))
  }
})
