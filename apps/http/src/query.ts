import { type AnyOperation, bare, isInt } from '@specboard/contract'
import { z } from 'zod'
import type { Exchange } from './exchange.ts'

/** How a query parameter's text is read. What cannot be read stays a text, and the schema refuses it. */
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

const readers = new WeakMap<
  AnyOperation,
  { readonly query: ReadonlyMap<string, Reader>; readonly path: ReadonlyMap<string, Reader> }
>()

function readersOf(operation: AnyOperation) {
  const made = readers.get(operation)
  if (made !== undefined) return made
  const of = (shape: AnyOperation['query']) =>
    new Map(Object.entries(shape).map(([name, schema]) => [name, readerOf(schema)]))
  const readersMade = { query: of(operation.query), path: of(operation.params) }
  readers.set(operation, readersMade)
  return readersMade
}

/** The query parameters of a call as its schemas want them; of a repeated one the last counts, unless the schema takes a list. */
export function readQuery(operation: AnyOperation, exchange: Exchange): Record<string, unknown> {
  if (!exchange.hasQuery) return {}
  const search = exchange.query
  const values: Record<string, unknown> = {}
  for (const [name, read] of readersOf(operation).query) {
    const schema = bare(operation.query[name]!)
    const all = search.getAll(name)
    if (schema instanceof z.ZodArray && all.length > 0) values[name] = all
    else if (all.length > 0) values[name] = read(all.at(-1)!)
  }
  return values
}

/** The path parameters of a call as its schemas want them. */
export function readParams(operation: AnyOperation, params: Readonly<Record<string, string>>): Record<string, unknown> {
  const { path } = readersOf(operation)
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, path.get(name)?.(text) ?? text]))
}
