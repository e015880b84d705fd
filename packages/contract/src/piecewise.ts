import { z } from 'zod'
import { freeJsonLimits, tooManyKeys } from './free-json.ts'
import type { InPieces } from './pieces.ts'
import { FreeArray, FreeObject } from './shared.ts'

type Issue = z.core.$ZodIssue

/** The result of a piecewise parse: the value, or its issues. */
export type ParseResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/** Values parsed in one step, which takes about a millisecond. */
const valuesOfAPiece = 500

/** The state that the parts of a piecewise parse share. */
interface ParseState {
  readonly issues: Issue[]
  /** Parsing stops at this number of issues. */
  readonly max: number
  judged: number
}

/**
 * Parses a value like its schema does, but one element and field at a time: in pieces, and only until enough issues
 * are found, where zod itself would first collect every issue of millions of elements. It does not examine the
 * elements of an array that is longer than its schema allows (trust 1).
 * @param max number of issues at which it stops
 */
export function* parseInPieces(schema: z.ZodType, value: unknown, max: number): InPieces<ParseResult> {
  const judging: ParseState = { issues: [], max, judged: 0 }
  const parsed = yield* parsePart(schema, value, [], judging)
  return judging.issues.length === 0 ? { ok: true, value: parsed } : { ok: false, issues: judging.issues }
}

type Path = readonly (string | number)[]

function* parsePart(schema: z.ZodType, value: unknown, path: Path, judging: ParseState): InPieces<unknown> {
  if (judging.issues.length >= judging.max) return undefined
  if (++judging.judged % valuesOfAPiece === 0) yield
  if (value !== null && value !== undefined) {
    const inner = optionFor(unwrapped(schema), value)
    if (inner instanceof z.ZodArray && Array.isArray(value)) return yield* parseArray(inner, value, path, judging)
    if (inner instanceof z.ZodRecord && typeof value === 'object' && hasMoreKeys(value, freeJsonLimits.members)) {
      judging.issues.push({ ...tooManyKeys, path: [...path] })
      return undefined
    }
    if (isPlain(inner) && typeof value === 'object' && !Array.isArray(value))
      return yield* parseObject(inner, value, path, judging)
  }
  return parseWhole(schema, value, path, judging)
}

function* parseArray(
  schema: z.ZodArray,
  values: readonly unknown[],
  path: Path,
  judging: ParseState,
): InPieces<unknown> {
  const before = judging.issues.length
  // No array may have more elements than free JSON has members; zod would first visit each of millions.
  const first = values.slice(0, freeJsonLimits.members + 1)
  parseWhole(sizesOf(schema), first, path, judging)
  if (judging.issues.length > before) return undefined
  const parsed: unknown[] = []
  for (const [index, value] of first.entries()) {
    parsed.push(yield* parsePart(schema.element as z.ZodType, value, [...path, index], judging))
    if (judging.issues.length >= judging.max) return undefined
  }
  // The array as a whole may keep fewer: labels drop duplicates.
  return judging.issues.length > before ? undefined : parseWhole(boundsOf(schema), parsed, path, judging)
}

function* parseObject(schema: z.ZodObject, value: object, path: Path, judging: ParseState): InPieces<unknown> {
  const parsed: Record<string, unknown> = {}
  const members = value as Readonly<Record<string, unknown>>
  for (const [name, field] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const present = Object.hasOwn(members, name)
    if (!present && field instanceof z.ZodExactOptional) continue
    const part = yield* parsePart(field, present ? members[name] : undefined, [...path, name], judging)
    if (present || part !== undefined) parsed[name] = part
    if (judging.issues.length >= judging.max) return undefined
  }
  return parsed
}

/** Parses with the schema itself. */
function parseWhole(schema: z.ZodType, value: unknown, path: Path, judging: ParseState): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  for (const issue of result.error.issues.slice(0, judging.max - judging.issues.length))
    judging.issues.push({ ...issue, path: [...path, ...issue.path] })
  return undefined
}

/** A schema without the wrappers that allow undefined and null, for a value that is neither. */
function unwrapped(schema: z.ZodType): z.ZodType {
  let inner = schema
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodExactOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodDefault
  )
    inner = inner.unwrap() as z.ZodType
  return inner
}

/** The option of a union that takes free JSON, for an array or object that only it can take. */
function optionFor(schema: z.ZodType, value: unknown): z.ZodType {
  if (!(schema instanceof z.ZodUnion) || typeof value !== 'object') return schema
  const free: z.ZodType = Array.isArray(value) ? FreeArray : FreeObject
  return schema.options.includes(free) ? free : schema
}

/** Whether a schema is an object of declared fields without rules for the whole, so that each can be parsed alone. */
const isPlain = (schema: z.ZodType): schema is z.ZodObject =>
  schema instanceof z.ZodObject && schema.def.catchall === undefined && (schema.def.checks ?? []).length === 0

/** Whether an object has more than a number of keys, without copying it as its schema would. */
export const hasMoreKeys = (value: object, max: number): boolean => Object.keys(value).length > max

const withAnyElement = (schema: z.ZodArray, checks: typeof schema.def.checks): z.ZodType =>
  schema.clone({ ...schema.def, element: z.unknown(), ...(checks !== undefined && { checks }) })

const sizes = new WeakMap<z.ZodArray, z.ZodType>()
const bounds = new WeakMap<z.ZodArray, z.ZodType>()

const sizeChecks: ReadonlySet<string> = new Set(['min_length', 'max_length', 'length_equals'])

/** The number of elements that an array may have; it looks at none of them. */
function sizesOf(schema: z.ZodArray): z.ZodType {
  const sizeSchema =
    sizes.get(schema) ??
    withAnyElement(
      schema,
      (schema.def.checks ?? []).filter(check => sizeChecks.has(check._zod.def.check)),
    )
  sizes.set(schema, sizeSchema)
  return sizeSchema
}

/** The rules for an array as a whole, for elements that were parsed: like zod, none looks at an element of another type. */
function boundsOf(schema: z.ZodArray): z.ZodType {
  const boundsSchema = bounds.get(schema) ?? withAnyElement(schema, schema.def.checks)
  bounds.set(schema, boundsSchema)
  return boundsSchema
}
