import { z } from 'zod'
import { bare, type IssueItem, issueItem, issueItems, type Target } from './issues.ts'
import type { AnyOperation, InputOf } from './operation.ts'
import { atOnce, type InPieces } from './pieces.ts'
import { parseInPieces } from './piecewise.ts'
import { FreeObject } from './shared.ts'

/** What an adapter read of a call, before any schema judged it. */
export interface RawInput {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Parsed input, or one item for each thing wrong with it. */
export type ParsedInput =
  | { readonly ok: true; readonly input: InputOf<AnyOperation> }
  | { readonly ok: false; readonly items: readonly IssueItem[] }

interface Parsers {
  readonly params: z.ZodObject
  readonly query: z.ZodObject
}

const parsers = new WeakMap<AnyOperation, Parsers>()

function parsersOf(operation: AnyOperation): Parsers {
  const made = parsers.get(operation) ?? { params: z.object(operation.params), query: z.object(operation.query) }
  parsers.set(operation, made)
  return made
}

/** Whether a body has known fields alone; else its keys are the caller's own. */
export function hasFields({ body }: AnyOperation): boolean {
  const inner = body === undefined ? undefined : bare(body)
  return inner instanceof z.ZodObject && inner.def.catchall === undefined
}

/** Items of a 422; where more is wrong, the last says so (trust 1). */
const mostItems = 100

/** Members of a body above which it is judged in pieces; zod at once is faster for few, slower where much is wrong. */
const fewMembers = 200

/** Judges a call by its operation's schemas: path, query and body all together (general, Errors: 422). */
export const parseInput = (operation: AnyOperation, raw: RawInput): ParsedInput =>
  atOnce(parseInputInPieces(operation, raw))

/** As `parseInput`, in pieces: for bodies that may be large. */
export function* parseInputInPieces(operation: AnyOperation, raw: RawInput): InPieces<ParsedInput> {
  const { params, query } = parsersOf(operation)
  const { body, conflicts } = withoutAliases(operation, raw.body)
  const parsedParams = parsed('path', params, raw.params)
  const parsedQuery = parsed('query', query, raw.query)
  const bodySchema = bodySchemaOf(operation, raw)
  const given = body === undefined && operation.bodyOptional ? {} : body
  const parsedBody =
    bodySchema === undefined
      ? nothing
      : hasManyMembers(given)
        ? yield* parsedInPieces(bodySchema, given)
        : parsed('body', bodySchema, given)
  const items = [...parsedParams.items, ...parsedQuery.items, ...parsedBody.items]
  if (items.length > 0) return { ok: false, items: firstOf(items) }
  const input = {
    params: parsedParams.value,
    query: parsedQuery.value,
    body: parsedBody.value,
    ...(conflicts.length > 0 && { conflicts }),
  }
  return { ok: true, input: input as InputOf<AnyOperation> }
}

/** A part of a call as its schema made it, or what is wrong with it. */
interface Judged {
  readonly value: unknown
  readonly items: readonly IssueItem[]
}

const nothing: Judged = { value: undefined, items: [] }

function parsed(target: Target, schema: z.ZodType, value: unknown): Judged {
  const result = schema.safeParse(value)
  return result.success
    ? { value: result.data, items: [] }
    : { value: undefined, items: issueItems(target, schema, result.error.issues.slice(0, mostItems + 1), value) }
}

function* parsedInPieces(schema: z.ZodType, value: unknown): InPieces<Judged> {
  const result = yield* parseInPieces(schema, value, mostItems + 1)
  return result.ok
    ? { value: result.value, items: [] }
    : { value: undefined, items: issueItems('body', schema, result.issues, value) }
}

/** The first items, and one more that says where there are others. */
const firstOf = (items: readonly IssueItem[]): readonly IssueItem[] =>
  items.length <= mostItems
    ? items
    : [
        ...items.slice(0, mostItems),
        issueItem(['body'], 'too_many_errors', `More than ${mostItems} things are wrong; the others are not listed.`),
      ]

/** Whether a value has many members in all, however deep; looks at no more of them than it must. */
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

/** What judges the body of this very call. */
const bodySchemaOf = ({ body, bodyFreeBeside }: AnyOperation, { query }: RawInput): z.ZodType | undefined =>
  bodyFreeBeside !== undefined && query[bodyFreeBeside] !== undefined ? FreeObject : body

/**
 * A body with its aliases under their proper names. Null under one of them leaves the other; of two different
 * values one that the schema refuses is judged, so that it is 422 before their difference is 400.
 */
function withoutAliases(operation: AnyOperation, body: unknown): { body: unknown; conflicts: string[] } {
  const conflicts: string[] = []
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { body, conflicts }
  const named: Record<string, unknown> = { ...body }
  for (const [alias, name] of Object.entries(operation.aliases)) {
    if (!(alias in named)) continue
    const { [alias]: under, [name]: own } = named
    const differ = own != null && under != null && own !== under
    if (differ) conflicts.push(name)
    named[name] = differ && !takes(operation, name, under) ? under : (own ?? under)
    delete named[alias]
  }
  return { body: named, conflicts }
}

const takes = ({ body }: AnyOperation, field: string, value: unknown): boolean =>
  body instanceof z.ZodObject && z.safeParse(body.shape[field]!, value).success
