import { z } from 'zod'
import { bare } from './issues.ts'
import type { AnyOperation } from './operation.ts'
import { registry } from './registry.ts'
import { readOf } from './unchanged.ts'

/** A member inside an item of a call that no schema declares (crew 1.6). */
export interface UnknownMember {
  readonly loc: readonly (string | number)[]
  /** The names that could have been meant. */
  readonly candidates: readonly string[]
}

/** Maximum number of members that are reported. */
const maxReported = 20

/**
 * The members inside the objects of a body that no schema declares, in order. Members that responses contain and nobody
 * may set are not faults: a record that was read may be sent back. Open objects take any member; unknown members of the
 * body itself are reported elsewhere (mcp 8.6).
 */
export function unknownMembers(operation: AnyOperation, body: unknown): UnknownMember[] {
  const schema = operation.body === undefined ? undefined : bare(operation.body)
  if (!(schema instanceof z.ZodObject) || typeof body !== 'object' || body === null) return []
  const found: UnknownMember[] = []
  const ofRows = namesOfRows(operation)
  for (const [name, value] of Object.entries(body))
    if (Object.hasOwn(schema.shape, name))
      collect(schema.shape[name] as z.ZodType, answeredAs(operation, name), value, [name], found)
  return found.filter(({ loc }) => !ofRows.has(String(loc.at(-1)))).slice(0, maxReported)
}

const rows = new Map<AnyOperation, ReadonlySet<string>>()

/** The members of the rows in the list that a call changes, such as the name of an item's list. */
function namesOfRows(operation: AnyOperation): ReadonlySet<string> {
  const cached = rows.get(operation)
  if (cached !== undefined) return cached
  const list =
    operation.status === 201
      ? undefined
      : registry.find(({ method, path }) => method === 'GET' && path === operation.path)?.list
  const row = list === undefined ? undefined : bare(list)
  const members = row instanceof z.ZodObject ? Object.entries(row.shape) : []
  // The members that every row has determine its type; the others only occur in some rows.
  const names = new Set(members.filter(([, member]) => !(member instanceof z.ZodExactOptional)).map(([name]) => name))
  rows.set(operation, names)
  return names
}

/**
 * The schema of a body's member in responses: that of the GET of what is changed, of the call itself, or of the GET of
 * its record.
 */
function answeredAs(operation: AnyOperation, name: string): z.ZodType | undefined {
  for (const each of [readOf(operation) ?? operation, ...readsAbove(operation)]) {
    const member = memberOf(bare(each.response ?? z.unknown()), name)
    if (member !== undefined) return member
  }
  return undefined
}

const above = new Map<AnyOperation, readonly AnyOperation[]>()

/** The reads of the records that a call is about: the GETs whose path is a prefix of its path, the longest first. */
function readsAbove(operation: AnyOperation): readonly AnyOperation[] {
  const cached = above.get(operation)
  if (cached !== undefined) return cached
  const reads = registry
    .filter(({ method, path }) => method === 'GET' && operation.path.startsWith(`${path}/`))
    .toSorted((a, b) => b.path.length - a.path.length)
  above.set(operation, reads)
  return reads
}

const memberOf = (schema: z.ZodType | undefined, name: string): z.ZodType | undefined =>
  schema instanceof z.ZodObject && Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined

function collect(
  declared: z.ZodType,
  answered: z.ZodType | undefined,
  value: unknown,
  loc: readonly (string | number)[],
  into: UnknownMember[],
): void {
  if (into.length >= maxReported || typeof value !== 'object' || value === null) return
  const schema = objectIn(bare(declared), value)
  const responseSchema = answered === undefined ? undefined : objectIn(bare(answered), value)
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const element = responseSchema instanceof z.ZodArray ? (responseSchema.element as z.ZodType) : undefined
    for (const [index, item] of value.entries())
      collect(schema.element as z.ZodType, element, item, [...loc, index], into)
  } else if (schema instanceof z.ZodObject && !Array.isArray(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (Object.hasOwn(schema.shape, name))
        collect(schema.shape[name] as z.ZodType, memberOf(responseSchema, name), member, [...loc, name], into)
      else if (schema.def.catchall === undefined && memberOf(responseSchema, name) === undefined && !isLeftOut(name))
        into.push({ loc: [...loc, name], candidates: Object.keys(schema.shape) })
    }
  }
}

/** A member of a shortened response, which is refused separately (crew 1.5). */
const isLeftOut = (name: string): boolean => name === '_omitted' || name.endsWith('_count')

/** The option of a union that takes an object or array. */
function objectIn(schema: z.ZodType, value: object): z.ZodType {
  if (!(schema instanceof z.ZodUnion)) return schema
  const options = schema.options.map(option => bare(option as z.ZodType))
  return (
    options.find(option => (Array.isArray(value) ? option instanceof z.ZodArray : option instanceof z.ZodObject)) ??
    schema
  )
}
