import { z } from 'zod'
import { core, objectOptions } from '../tools/lean-schema.ts'
import { isObject, type JsonObject } from './lean-value.ts'

/** Paths as a tree of the requested keys; an empty tree requests the whole value. */
interface Wanted {
  readonly [key: string]: Wanted
}

/** The paths that `fields` names. */
export const pathsOf = (fields: string): string[] =>
  fields
    .split(',')
    .map(path => path.trim())
    .filter(path => path !== '')

/**
 * Picks the parts of a record that paths name, walking arrays; `id` always stays (mcp 9.3).
 *
 * @example
 * pick(spec, ['title', 'test_scenarios.title'])
 */
export function pick(record: JsonObject, paths: readonly string[]): JsonObject {
  const wanted: Record<string, Wanted> = {}
  for (const path of paths) {
    let at = wanted
    for (const step of path.split('.')) {
      at[step] ??= {}
      at = at[step] as Record<string, Wanted>
    }
  }
  return picked(record, { id: {}, ...wanted }) as JsonObject
}

function picked(value: unknown, wanted: Wanted): unknown {
  const keys = Object.keys(wanted)
  if (keys.length === 0) return value
  if (Array.isArray(value)) return value.map(item => picked(item, wanted))
  if (!isObject(value)) return value
  const all: Wanted = 'id' in value ? { id: {}, ...wanted } : wanted
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const deeper = Object.hasOwn(all, key) ? all[key] : all[anyKey]
      return deeper === undefined ? [] : [[key, picked(inner, deeper)]]
    }),
  )
}

/** Stands in a path for every key of an object of arrays. */
const anyKey = '*'

/**
 * A path counted from where the answer has its records: the path itself where it begins with a member of the answer; else,
 * in an answer without an id that holds one array of records or one object of such arrays, the path below them (mcp 9.3).
 *
 * @example
 * pathIn(BoardColumns, 'title') // 'columns.*.title'
 */
export function pathIn(schema: z.ZodType | undefined, path: string): string {
  const inner = schema === undefined ? undefined : core(schema)
  if (!(inner instanceof z.ZodObject) || 'id' in inner.shape || path.split('.')[0]! in inner.shape) return path
  const [records, ...others] = Object.entries(inner.shape).flatMap(([name, member]) => recordsIn(name, member))
  return records === undefined || others.length > 0 ? path : `${records}.${path}`
}

/** The path to the records that a member holds as an array or as an object of arrays. */
function recordsIn(name: string, member: z.ZodType): string[] {
  const inner = core(member)
  if (inner instanceof z.ZodRecord) return recordsIn(`${name}.${anyKey}`, inner.valueType as z.ZodType)
  return inner instanceof z.ZodArray && core(inner.element as z.ZodType) instanceof z.ZodObject ? [name] : []
}

/** Whether values of a schema can have a path; free-form parts accept any path. */
export function knowsPath(schema: z.ZodType | undefined, path: string): boolean {
  return leads(schema, path.split('.'))
}

function leads(schema: z.ZodType | undefined, steps: readonly string[]): boolean {
  const [step, ...rest] = steps
  if (step === undefined || schema === undefined) return true
  const inner = core(schema)
  if (inner instanceof z.ZodArray) return leads(inner.element as z.ZodType, steps)
  const objects = inner instanceof z.ZodObject ? [inner] : objectOptions(inner)
  if (inner instanceof z.ZodRecord) return leads(inner.valueType as z.ZodType, rest)
  if (objects === undefined) return inner.def.type === 'unknown' || inner.def.type === 'any'
  return objects.some(object =>
    step in object.shape ? leads(object.shape[step] as z.ZodType, rest) : object.def.catchall !== undefined,
  )
}
