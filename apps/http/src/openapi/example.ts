/**
 * Examples of bodies and answers, made by walking their schemas. A field has the value given for it by record or by
 * name; otherwise its schema's own example, its default, its first enumerated value, or what its type and limits allow.
 */
import { bare, bodyExamples, fieldExamples, figureExamples, recordExamples } from '@specboard/contract'
import { z } from 'zod'

/** A request leaves out optional fields, unless an example is given for their names. */
export type Side = 'request' | 'answer'

/** The position of a value in a body or answer. */
interface ValuePosition {
  readonly side: Side
  /** The id of the component around it. */
  readonly owner: string
  /** How many lists are around it. */
  readonly lists: number
}

/** Lists nested within this many others are shown empty. */
const maxLists = 2

/**
 * An example that satisfies a schema, the same each time.
 *
 * @example
 * exampleOf(z.object({ board_id: Id, limit: z.int().default(50) }), 'answer')
 * // { board_id: '019cadd3-d676-7a41-8c3d-4f6e2b9a7d01', limit: 50 }
 */
export const exampleOf = (schema: z.ZodType, side: Side): unknown => exampleValue(schema, { side, owner: '', lists: 0 })

/** The example for a field name in a record or elsewhere; undefined if there is none that its schema accepts. */
export function namedExample(schema: z.ZodType, name: string, owner = ''): unknown {
  return candidatesFor(name, owner).find(candidate => schema.safeParse(candidate).success)
}

function candidatesFor(name: string, owner: string): readonly unknown[] {
  const record = recordExamples[owner]
  if (record !== undefined && Object.hasOwn(record, name)) return [record[name]]
  if (!Object.hasOwn(fieldExamples, name))
    return figureExamples.filter(([form]) => form.test(name)).map(([, figure]) => figure)
  const example = fieldExamples[name]
  return Array.isArray(example) ? [...example, example] : [example]
}

/** The example in a schema's own metadata, or in that of what it wraps. */
function ownExample(schema: z.ZodType): unknown {
  for (const { examples } of [schema.meta() ?? {}, bare(schema).meta() ?? {}])
    if (Array.isArray(examples)) return examples[0]
  return undefined
}

function exampleValue(schema: z.ZodType, place: ValuePosition): unknown {
  const own = (place.side === 'request' && bodyExamples[schema.meta()?.id ?? '']) || ownExample(schema)
  if (own !== undefined) return own
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return schema.def.defaultValue
  if (schema instanceof z.ZodPipe) return exampleValue(schema.in as z.ZodType, place)
  if (schema instanceof z.ZodNullable) return isScalar(bare(schema)) ? null : exampleValue(bare(schema), place)
  const inner = bare(schema)
  if (inner instanceof z.ZodObject) return objectOf(inner, place)
  if (inner instanceof z.ZodArray) return arrayOf(inner, place)
  if (inner instanceof z.ZodRecord) return recordOf(inner, place)
  if (inner instanceof z.ZodUnion) return exampleValue(inner.options[0] as z.ZodType, place)
  if (inner instanceof z.ZodEnum) return inner.options[0]
  if (inner instanceof z.ZodLiteral) return inner.value
  return scalarOf(inner)
}

const isScalar = (schema: z.ZodType): boolean =>
  !(schema instanceof z.ZodObject || schema instanceof z.ZodArray || schema instanceof z.ZodUnion)

function objectOf(object: z.ZodObject, place: ValuePosition): Record<string, unknown> {
  const owner = object.meta()?.id ?? place.owner
  const fields = Object.entries(object.shape).flatMap(([name, field]) => {
    const value = fieldOf(name, field as z.ZodType, { ...place, owner })
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(fields)
}

/**
 * The value that a request sends for an optional field: no default, no reference to another record and no state, so
 * that a new board accepts the example.
 */
function fieldOf(name: string, field: z.ZodType, place: ValuePosition): unknown {
  const mayBeAbsent = field._zod.optin !== undefined
  if (place.side === 'request' && mayBeAbsent) return sentValue(name, field, place.owner)
  const named = namedExample(field, name, place.owner)
  if (named !== undefined || (mayBeAbsent && !(field instanceof z.ZodDefault))) return named
  return exampleValue(field, place)
}

/**
 * The value that a request sends for a field that may be absent: no default, no reference to another record and no
 * state, so that a new board accepts the example.
 */
function sentValue(name: string, field: z.ZodType, owner: string): unknown {
  if (field instanceof z.ZodDefault || /_ids?$|^status$/.test(name)) return undefined
  return namedExample(field, name, owner) ?? ownExample(field)
}

function arrayOf(array: z.ZodArray, place: ValuePosition): unknown[] {
  const element = array.element as z.ZodType
  const isEmpty = place.lists >= maxLists || (isScalar(bare(element)) && ownExample(element) === undefined)
  return isEmpty ? [] : [exampleValue(element, { ...place, lists: place.lists + 1 })]
}

/** A record has every key that its schema enumerates, lists only under the usual status, and no freely chosen keys. */
function recordOf({ keyType, valueType }: z.ZodRecord, place: ValuePosition): Record<string, unknown> {
  if (!(keyType instanceof z.ZodEnum)) return {}
  const listed = valueType instanceof z.ZodArray ? namedExample(keyType, 'status') : undefined
  return Object.fromEntries(
    keyType.options.map(key => [
      key,
      listed === undefined || listed === key ? exampleValue(valueType as z.ZodType, place) : [],
    ]),
  )
}

/** A value derived from the type alone, as small as the limits of the schema allow. */
function scalarOf(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodNumber) return Math.max(schema.minValue ?? 0, 0)
  if (schema instanceof z.ZodBoolean) return false
  if (schema instanceof z.ZodString)
    return 'text'.padEnd(schema.minLength ?? 0, ' text').slice(0, schema.maxLength ?? undefined)
  return null
}
