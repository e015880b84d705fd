import { type AnyOperation, bare, isCommaList, isInt } from '@specboard/contract'
import { z } from 'zod'

/** Converts the text of a parameter. Text that cannot be converted stays text, and the schema refuses it. */
type Reader = (text: string) => unknown

const integer = /^-?(?:0|[1-9]\d{0,15})$/
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
])

function readerOf(schema: z.ZodType): Reader {
  const inner = bare(schema)
  if (isInt(inner)) return text => (integer.test(text) ? Number(text) : text)
  if (inner instanceof z.ZodNumber) return text => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)
  if (inner instanceof z.ZodBoolean) return text => booleans.get(text.toLowerCase()) ?? text
  return text => text
}

interface Parameter {
  readonly schema: z.ZodType
  readonly read: Reader
}

const readers = new WeakMap<
  AnyOperation,
  { readonly query: ReadonlyMap<string, Parameter>; readonly path: ReadonlyMap<string, Parameter> }
>()

function readersOf(operation: AnyOperation) {
  const cached = readers.get(operation)
  if (cached !== undefined) return cached
  const parametersOf = (shape: AnyOperation['query']) =>
    new Map(Object.entries(shape).map(([name, schema]) => [name, { schema: bare(schema), read: readerOf(schema) }]))
  const query = parametersOf(operation.query)
  for (const [alias, name] of Object.entries(operation.aliases)) if (query.has(name)) query.set(alias, query.get(name)!)
  const entry = { query, path: parametersOf(operation.params) }
  readers.set(operation, entry)
  return entry
}

/**
 * The query parameters of a call, converted for its schemas. A repeated parameter becomes a list, which the schema of a
 * single value refuses; of repeated comma-separated lists, all words count. Not `c.req.queries`, which needs 5 µs
 * instead of 1 µs.
 */
export function readQuery(operation: AnyOperation, url: string): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const start = url.indexOf('?')
  if (start === -1) return values
  const search = new URLSearchParams(url.slice(start))
  for (const [name, { schema, read }] of readersOf(operation).query) {
    const all = search.getAll(name)
    if (all.length === 0) continue
    if (schema instanceof z.ZodArray) values[name] = all
    else if (all.length === 1) values[name] = read(all[0]!)
    else values[name] = isCommaList(schema) ? all.join() : all
  }
  return values
}

/** The path parameters of a call, converted for its schemas. */
export function readParams(operation: AnyOperation, params: Readonly<Record<string, string>>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, { read }] of readersOf(operation).path) values[name] = read(params[name] ?? '')
  return values
}
