import { z } from 'zod'
import { leftOutMembers } from './cut-texts.ts'
import { bare, type IssueItem, issueItem, issueItems, type LongFields, type Target } from './issues.ts'
import { hasLongText, longTextIssues } from './long-texts.ts'
import type { AnyOperation, InputOf } from './operation.ts'
import { atOnce, type InPieces } from './pieces.ts'
import { parseInPieces } from './piecewise.ts'
import { FreeObject } from './shared.ts'
import { longFields, readOf } from './unchanged.ts'
import { unknownGuardsIn } from './unknown-guards.ts'
import { unstorable } from './unstorable-text.ts'

/** The input of a call as an adapter read it, before validation. */
export interface RawInput {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Parsed input, or one item for each fault in it. */
export type ParsedInput =
  | { readonly ok: true; readonly input: InputOf<AnyOperation> }
  | { readonly ok: false; readonly items: readonly IssueItem[] }

interface Parsers {
  readonly params: z.ZodObject
  readonly query: z.ZodObject
}

const parsers = new WeakMap<AnyOperation, Parsers>()

function parsersOf(operation: AnyOperation): Parsers {
  const schemas = parsers.get(operation) ?? { params: z.object(operation.params), query: z.object(operation.query) }
  parsers.set(operation, schemas)
  return schemas
}

/** Maximum items of a 422, before a last one that says there are more faults (trust 1). */
const maxItems = 100

/** Bodies with more members are validated in pieces: zod alone is faster for few, but slower with many faults. */
const fewMembers = 200

/** Validates a call against its operation's schemas: path, query and body all together (general, Errors: 422). */
export const parseInput = (operation: AnyOperation, raw: RawInput): ParsedInput =>
  atOnce(parseInputInPieces(operation, raw))

/** Like `parseInput`, but in pieces, for bodies that may be large. */
export function* parseInputInPieces(operation: AnyOperation, raw: RawInput): InPieces<ParsedInput> {
  const { params, query } = parsersOf(operation)
  const { value: body, conflicts } = withoutAliases(operation, raw.body, operation.body)
  const canonicalQuery = withoutAliases(operation, raw.query, query)
  conflicts.push(...canonicalQuery.conflicts)
  const parsedParams = parsed('path', params, raw.params)
  const parsedQuery = parsed('query', query, canonicalQuery.value)
  const bodySchema = bodySchemaOf(operation, raw)
  const effectiveBody = body === undefined && operation.bodyOptional ? {} : body
  const parsedBody =
    bodySchema === undefined ? passed(undefined) : yield* parsedBodyOf(operation, bodySchema, effectiveBody)
  const other = [
    ...unstorable('path', raw.params),
    ...unstorable('query', raw.query),
    ...parsedParams.items,
    ...parsedQuery.items,
    ...unknownGuardsIn(operation, raw.body),
    ...leftOutMembers(operation, raw.body, name => ['body', name]),
  ]
  const items = [...other, ...parsedBody.items, ...(other.length > 0 ? (parsedBody.long?.items ?? []) : [])]
  if (items.length > 0) return { ok: false, items: firstOf(items) }
  const input = {
    params: parsedParams.value,
    query: parsedQuery.value,
    body: parsedBody.value,
    ...(conflicts.length > 0 && { conflicts }),
    ...(parsedBody.long !== undefined && { long: parsedBody.long }),
  }
  return { ok: true, input: input as InputOf<AnyOperation> }
}

/** A parsed part of a call, or its faults. */
interface ParsedPart {
  readonly value: unknown
  readonly items: readonly IssueItem[]
  readonly issues: readonly z.core.$ZodIssue[]
  /** Fields that are missing from the value, because they are too long unless the stored value is the same. */
  readonly long?: LongFields
}

const passed = (value: unknown): ParsedPart => ({ value, items: [], issues: [] })

const failed = (
  target: Target,
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
): ParsedPart => ({
  value: undefined,
  items: issueItems(target, schema, issues, value),
  issues,
})

function parsed(target: Target, schema: z.ZodType, value: unknown): ParsedPart {
  const result = schema.safeParse(value)
  return result.success
    ? passed(result.data)
    : failed(target, schema, result.error.issues.slice(0, maxItems + 1), value)
}

function* parsedInPieces(schema: z.ZodType, value: unknown): InPieces<ParsedPart> {
  const result = yield* parseInPieces(schema, value, maxItems + 1)
  return result.ok ? passed(result.value) : failed('body', schema, result.issues, value)
}

function* parsedBodyOf(operation: AnyOperation, schema: z.ZodType, value: unknown): InPieces<ParsedPart> {
  const judged = yield* withoutEndlessTexts(
    hasManyMembers(value) ? yield* parsedInPieces(schema, value) : parsed('body', schema, value),
    schema,
    value,
  )
  const inner = bare(schema)
  const names =
    judged.issues.length > 0 && inner instanceof z.ZodObject && readOf(operation) !== undefined
      ? longFields(judged.issues)
      : undefined
  return names === undefined ? judged : yield* withoutLong(judged, inner as z.ZodObject, names, value as object)
}

/** The result for a body, with the texts that are too long although their schemas have no limit. */
function* withoutEndlessTexts(judged: ParsedPart, schema: z.ZodType, value: unknown): InPieces<ParsedPart> {
  if (!hasLongText(value)) return judged
  const issues = yield* longTextIssues(schema, value)
  return issues.length === 0 ? judged : failed('body', schema, [...judged.issues, ...issues], value)
}

/**
 * An update without its long fields, which may equal the stored ones: everything else must be valid. A field that the
 * schema requires stays as it was sent.
 */
function* withoutLong(
  judged: ParsedPart,
  { shape }: z.ZodObject,
  names: readonly string[],
  value: object,
): InPieces<ParsedPart> {
  const parts = Object.entries(value)
  const rest = yield* parseInPieces(
    z.object(Object.fromEntries(Object.entries(shape).filter(([name]) => !names.includes(name)))),
    Object.fromEntries(parts.filter(([name]) => !names.includes(name))),
    1,
  )
  if (!rest.ok) return judged
  const longValues = Object.fromEntries(parts.filter(([name]) => names.includes(name)))
  const required = Object.entries(longValues).filter(
    ([name]) => !z.safeParse(z.object({ [name]: shape[name]! }), {}).success,
  )
  return {
    ...passed({ ...(rest.value as object), ...Object.fromEntries(required) }),
    long: { items: firstOf(judged.items), sent: longValues },
  }
}

/** The first items, and one more that says so if there are others. */
const firstOf = (items: readonly IssueItem[]): readonly IssueItem[] =>
  items.length <= maxItems
    ? items
    : [
        ...items.slice(0, maxItems),
        issueItem(['body'], 'too_many_errors', `More than ${maxItems} things are wrong; the others are not listed.`),
      ]

/** Whether a value has many members in total, at any depth; examines no more of them than necessary. */
function hasManyMembers(value: unknown): boolean {
  let found = 0
  const waiting = [value]
  while (waiting.length > 0) {
    const at = waiting.pop()
    if (typeof at !== 'object' || at === null) continue
    const members: readonly unknown[] = Array.isArray(at) ? at : Object.values(at)
    found += members.length
    if (found > fewMembers) return true
    waiting.push(...members)
  }
  return false
}

/** The schema for the body of this call. */
const bodySchemaOf = ({ body, bodyFreeBeside }: AnyOperation, { query }: RawInput): z.ZodType | undefined =>
  bodyFreeBeside !== undefined && query[bodyFreeBeside] !== undefined ? FreeObject : body

/**
 * A body or query with its aliases replaced by their proper names. A null value gives way to the other one. Of two
 * different values, one that the schema refuses is kept, so that the 422 comes before the 400 for their difference.
 */
function withoutAliases(
  { aliases }: AnyOperation,
  value: unknown,
  schema: z.ZodType | undefined,
): { value: unknown; conflicts: string[] } {
  const conflicts: string[] = []
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value, conflicts }
  const named: Record<string, unknown> = { ...value }
  for (const [alias, name] of Object.entries(aliases)) {
    if (!Object.hasOwn(named, alias)) continue
    const { [alias]: under, [name]: own } = named
    const differ = own != null && under != null && own !== under
    if (differ) conflicts.push(name)
    named[name] = differ && !takes(schema, name, under) ? under : (own ?? under)
    delete named[alias]
  }
  return { value: named, conflicts }
}

const takes = (schema: z.ZodType | undefined, field: string, value: unknown): boolean =>
  schema instanceof z.ZodObject && z.safeParse(schema.shape[field]!, value).success
