import { z } from 'zod'
import { bare, type IssueItem, issueItems } from './issues.ts'
import type { AnyOperation, InputOf } from './operation.ts'
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

/** Judges a call by its operation's schemas: path, query and body all together (general, Errors: 422). */
export function parseInput(operation: AnyOperation, raw: RawInput): ParsedInput {
  const { params, query } = parsersOf(operation)
  const { body, conflicts } = withoutAliases(operation, raw.body)
  const parsedParams = params.safeParse(raw.params)
  const parsedQuery = query.safeParse(raw.query)
  const bodySchema = bodySchemaOf(operation, raw)
  const parsedBody = bodySchema?.safeParse(body === undefined && operation.bodyOptional ? {} : body)
  const items = [
    ...(parsedParams.success ? [] : issueItems('path', params, parsedParams.error, raw.params)),
    ...(parsedQuery.success ? [] : issueItems('query', query, parsedQuery.error, raw.query)),
    ...(bodySchema === undefined || parsedBody === undefined || parsedBody.success
      ? []
      : issueItems('body', bodySchema, parsedBody.error, body)),
  ]
  if (items.length > 0) return { ok: false, items }
  const input = {
    params: parsedParams.data,
    query: parsedQuery.data,
    body: parsedBody?.data,
    ...(conflicts.length > 0 && { conflicts }),
  }
  return { ok: true, input: input as InputOf<AnyOperation> }
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
