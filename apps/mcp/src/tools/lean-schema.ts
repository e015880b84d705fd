import { bare, isInt, toolHints } from '@specboard/contract'
import { z } from 'zod'

/** The JSON Schema of one argument, reduced to what a model needs (mcp 7.3). */
export interface LeanProperty {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  readonly description?: string
  readonly enum?: readonly string[]
  readonly items?: LeanProperty
}

type Kind = NonNullable<LeanProperty['type']>

/** The innermost schema, without the wrappers that make it optional, nullable, defaulted, transformed or lazy. */
export function core(schema: z.ZodType): z.ZodType {
  const inner = bare(schema)
  if (inner instanceof z.ZodPipe) return core(inner.in as z.ZodType)
  if (inner instanceof z.ZodReadonly) return core(inner.unwrap() as z.ZodType)
  return inner instanceof z.ZodLazy ? core(inner.unwrap() as z.ZodType) : inner
}

/** Whether a value may be left out. */
export const isOptional = (schema: z.ZodType): boolean => schema._zod.optin !== undefined

/** Whether null is a valid value. */
export const isNullable = (schema: z.ZodType): boolean => schema.safeParse(null).success

/** The `.describe()` text of a schema or of what it wraps. */
export function descriptionOf(schema: z.ZodType): string | undefined {
  const own = schema.description
  if (own !== undefined) return own
  if (!('unwrap' in schema) || schema instanceof z.ZodArray) return undefined
  const inner = (schema.unwrap as () => unknown)()
  return inner instanceof z.ZodType ? descriptionOf(inner) : undefined
}

/** The strings that a schema is limited to, or undefined. */
function stringsOf(inner: z.ZodType): string[] | undefined {
  const values =
    inner instanceof z.ZodEnum ? inner.options : inner instanceof z.ZodLiteral ? [...inner.values] : undefined
  return values?.every(value => typeof value === 'string') ? values : undefined
}

/** The JSON Schema in the metadata of an `unknown` schema, whose values the operation itself validates. */
const Shown = z.object({
  type: z.enum(['string', 'integer', 'number', 'boolean']),
  enum: z.array(z.string()).optional(),
})

function shownType(schema: z.ZodType): z.output<typeof Shown> | undefined {
  if (core(schema).def.type !== 'unknown') return undefined
  const { type, enum: values } = schema.meta() ?? {}
  return Shown.safeParse({ type, enum: values }).data
}

/** The options of a union, or undefined when one of them is not an object. */
export function objectOptions(inner: z.ZodType): z.ZodObject[] | undefined {
  if (!(inner instanceof z.ZodUnion)) return undefined
  const options = inner.options.map(option => core(option as z.ZodType))
  return options.every(option => option instanceof z.ZodObject) ? options : undefined
}

/** The JSON type of a schema; undefined if it accepts several. */
export function kindOf(schema: z.ZodType): Kind | undefined {
  const inner = core(schema)
  if (inner.def.type === 'unknown') return shownType(schema)?.type
  if (stringsOf(inner) !== undefined) return 'string'
  if (isInt(inner)) return 'integer'
  if (inner instanceof z.ZodNumber) return 'number'
  if (inner instanceof z.ZodBoolean) return 'boolean'
  if (inner instanceof z.ZodArray || inner instanceof z.ZodTuple) return 'array'
  if (inner instanceof z.ZodObject || inner instanceof z.ZodRecord) return 'object'
  if (inner instanceof z.ZodLiteral) return typeof inner.value === 'boolean' ? 'boolean' : 'number'
  if (inner.def.type === 'string') return 'string'
  if (inner instanceof z.ZodUnion) {
    const kinds = new Set(inner.options.map(option => kindOf(option as z.ZodType)))
    return kinds.size === 1 ? [...kinds][0] : undefined
  }
  return undefined
}

/**
 * The type of one argument. Objects show no properties: one line of the description gives their shape, at a quarter of
 * the tokens (mcp 7.4).
 */
export function leanType(schema: z.ZodType): LeanProperty {
  const inner = core(schema)
  const type = kindOf(schema)
  const strings = stringsOf(inner) ?? shownType(schema)?.enum
  return {
    ...(type !== undefined && { type }),
    ...(strings !== undefined && { enum: strings }),
    ...(type === 'array' && { items: inner instanceof z.ZodArray ? leanType(inner.element as z.ZodType) : {} }),
  }
}

/** The deepest nesting that a shape line spells out. */
const maxDepth = 4

/**
 * The shape of an object, or of the objects in an array, in one line: keys in order, `*` required, `:int`, `:num`,
 * `:bool`, `:a|b` an enumeration, `[]` an array, `{}` an object; a shape that already occurs in the line is referenced
 * by its key. Undefined for a schema without a shape.
 *
 * @example
 * {id*,title*,description,order:int,annotations[{id*,text*,author_id}]}
 */
export function shapeLine(schema: z.ZodType): string | undefined {
  const inner = core(schema)
  if (inner instanceof z.ZodArray) return shapeLine(inner.element as z.ZodType)
  if (inner instanceof z.ZodObject) return lineOf(inner, 1, new Map())
  return objectOptions(inner)
    ?.map(option => lineOf(option, 1, new Map()))
    .join(' or ')
}

/** The keys of the nested shapes that a line has spelled out so far, by shape. */
type KeysByShape = Map<string, string>

function lineOf(object: z.ZodObject, depth: number, keysByShape: KeysByShape): string {
  if (depth > maxDepth) return '{}'
  const fields = Object.entries(object.shape).filter(([, schema]) => !isHidden(schema as z.ZodType))
  const entries = fields.map(([key, schema]) => {
    const field = schema as z.ZodType
    return `${key}${isOptional(field) ? '' : '*'}${typeMark(key, field, depth, keysByShape)}`
  })
  return `{${entries.join(',')}}`
}

const isHidden = (schema: z.ZodType): boolean =>
  toolHints.get(schema)?.hidden === true || toolHints.get(core(schema))?.hidden === true

function typeMark(key: string, schema: z.ZodType, depth: number, keysByShape: KeysByShape): string {
  const inner = core(schema)
  if (inner instanceof z.ZodObject) return nestedLine(key, inner, depth, keysByShape)
  if (inner instanceof z.ZodArray) {
    const element = core(inner.element as z.ZodType)
    return element instanceof z.ZodObject
      ? `[${nestedLine(key, element, depth, keysByShape)}]`
      : `[]${typeMark(key, element, depth, keysByShape)}`
  }
  const strings = stringsOf(inner)
  if (strings !== undefined) return `:${strings.join('|')}`
  const marks: Partial<Record<Kind, string>> = { integer: ':int', number: ':num', boolean: ':bool', object: '{}' }
  return marks[kindOf(inner) ?? 'string'] ?? ''
}

function nestedLine(key: string, object: z.ZodObject, depth: number, keysByShape: KeysByShape): string {
  const line = lineOf(object, depth + 1, keysByShape)
  const before = keysByShape.get(line)
  if (before !== undefined) return `{as ${before}}`
  keysByShape.set(line, key)
  return line
}
