import fc, { type Arbitrary } from 'fast-check'
import { z } from 'zod'

/** A value nested `depth` levels deep, in arrays and objects by turns. */
const nested = (depth: number): unknown => {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { level: value }
  return value
}

const awkward = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  ' \n\t',
  '\u0000',
  '\ud800',
  '👩‍👩‍👧‍👦 ﷽ \u202e',
  'x'.repeat(100_000),
  '../../etc/passwd',
  "'; drop table ideations; --",
  [],
  {},
  [null],
  { constructor: 1, toString: {}, ['__proto__']: { polluted: true } },
  nested(64),
)

/** A JSON value of any type, including those that programs often handle wrongly. */
export const anything: Arbitrary<unknown> = fc.oneof(
  awkward,
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.array(fc.string()),
  fc.dictionary(fc.string(), fc.integer()),
)

/** A value that a schema mostly accepts: of its type, in usual sizes. */
function fitting(schema: z.ZodType): Arbitrary<unknown> {
  if (schema instanceof z.ZodNullable) return fc.oneof(fc.constant(null), fitting(schema.unwrap() as z.ZodType))
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault)
    return fitting(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...(schema.options as unknown[]))
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(option => fitting(option as z.ZodType)))
  if (schema instanceof z.ZodNumber) return fc.integer({ min: 0, max: 100 })
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodArray) return fc.array(fitting(schema.element as z.ZodType), { maxLength: 4 })
  if (schema instanceof z.ZodObject) return someFields(schema, fitting, 0)
  if (schema instanceof z.ZodRecord) return fc.dictionary(fc.string(), anything, { maxKeys: 4 })
  return fc.string({ unit: 'grapheme', maxLength: 40 })
}

/** An object with some fields of a schema, each made by `value`; `missing` weighs how often it lacks a required one. */
const someFields = (
  schema: z.ZodObject,
  value: (field: z.ZodType) => Arbitrary<unknown>,
  missing: number,
): Arbitrary<Record<string, unknown>> => {
  const entries = Object.entries(schema.shape).map(([name, field]) => {
    const present = value(field as z.ZodType).map(sample => ({ [name]: sample }))
    const absent = fc.constant({})
    const weight = z.object({ field }).safeParse({}).success ? 3 : missing
    return fc.oneof({ weight: 4, arbitrary: present }, { weight, arbitrary: absent })
  })
  return fc.tuple(...entries).map(parts => Object.assign({}, ...parts) as Record<string, unknown>)
}

/** A body for a schema: right and wrong types, missing and unknown fields, and sometimes not even an object. */
export function generatedBody(schema: z.ZodType): Arbitrary<unknown> {
  if (!(schema instanceof z.ZodObject)) return fc.oneof(fitting(schema), anything)
  const mixed = (field: z.ZodType) =>
    fc.oneof({ weight: 6, arbitrary: fitting(field) }, { weight: 1, arbitrary: anything })
  return fc.oneof(
    { weight: 4, arbitrary: fitting(schema) },
    { weight: 6, arbitrary: someFields(schema, mixed, 1) },
    { weight: 1, arbitrary: fc.dictionary(fc.string(), anything, { maxKeys: 4 }) },
    { weight: 1, arbitrary: anything },
  )
}
