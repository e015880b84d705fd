import { z } from 'zod'
import { stepsOf } from '../tools/field-paths.ts'
import { core, objectOptions } from '../tools/lean-schema.ts'
import { isObject, type JsonObject } from './lean-value.ts'

/** Paths as a tree of the requested keys, which the caller chose; an empty tree requests the whole value. */
type FieldTree = Map<string, FieldTree>

/**
 * Selects the parts of a record given by paths, walking arrays; `id` always stays (mcp 9.3).
 *
 * @example
 * pick(spec, ['title', 'test_scenarios.title'])
 */
export function pick(record: JsonObject, paths: readonly string[]): JsonObject {
  const tree: FieldTree = new Map([idAlone])
  for (const path of paths) {
    let at = tree
    for (const step of stepsOf(path)) {
      const below = at.get(step) ?? new Map()
      at.set(step, below)
      at = below
    }
  }
  return picked(record, tree) as JsonObject
}

/** The entry that requests an id. */
const idAlone: readonly [string, FieldTree] = ['id', new Map()]

function picked(value: unknown, tree: FieldTree): unknown {
  if (tree.size === 0) return value
  if (Array.isArray(value)) return value.map(item => picked(item, tree))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const deeper = tree.get(key) ?? (key === 'id' ? idAlone[1] : tree.get(anyKey))
      return deeper === undefined ? [] : [[key, picked(inner, deeper)]]
    }),
  )
}

/** Matches every key of an object of arrays in a path. */
const anyKey = '*'

/**
 * A path relative to the records of an answer: the path itself if it begins with a member of the answer; otherwise, in
 * an answer without an id that contains one array of records or one object of such arrays, the path below them (mcp
 * 9.3).
 *
 * @example
 * pathIn(BoardColumns, 'title') // 'columns.*.cards.title'
 */
export function pathIn(schema: z.ZodType | undefined, path: string): string {
  const inner = schema === undefined ? undefined : core(schema)
  if (!(inner instanceof z.ZodObject) || Object.hasOwn(inner.shape, 'id')) return path
  if (Object.hasOwn(inner.shape, stepsOf(path)[0]!)) return path
  const [records, ...others] = Object.entries(inner.shape).flatMap(([name, member]) => recordsIn(name, member))
  return records === undefined || others.length > 0 ? path : `${records}.${path}`
}

/** The path to the records that a member contains as an array, or as an object of arrays or of their pages. */
function recordsIn(name: string, member: z.ZodType): string[] {
  const inner = core(member)
  if (inner instanceof z.ZodRecord) return recordsIn(`${name}.${anyKey}`, inner.valueType as z.ZodType)
  // Over MCP, columns are pages, each an object with its cards.
  if (inner instanceof z.ZodUnion)
    return inner.options.flatMap(option =>
      option instanceof z.ZodObject
        ? Object.entries(option.shape).flatMap(([key, part]) => recordsIn(`${name}.${key}`, part as z.ZodType))
        : [],
    )
  return inner instanceof z.ZodArray && holdsRecords(core(inner.element as z.ZodType)) ? [name] : []
}

/** Whether a schema describes records, of one kind or several. */
const holdsRecords = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodObject || objectOptions(schema) !== undefined

/** Whether values of a schema can have a path; free-form parts accept any path. */
export function knowsPath(schema: z.ZodType | undefined, path: string): boolean {
  return leads(schema, stepsOf(path))
}

function leads(schema: z.ZodType | undefined, steps: readonly string[]): boolean {
  const [step, ...rest] = steps
  if (step === undefined || schema === undefined) return true
  const inner = core(schema)
  if (inner instanceof z.ZodArray) return leads(inner.element as z.ZodType, steps)
  if (inner instanceof z.ZodUnion && objectOptions(inner) === undefined)
    return inner.options.some(option => leads(option as z.ZodType, steps))
  const objects = inner instanceof z.ZodObject ? [inner] : objectOptions(inner)
  if (inner instanceof z.ZodRecord) return leads(inner.valueType as z.ZodType, rest)
  if (objects === undefined) return inner.def.type === 'unknown' || inner.def.type === 'any'
  return objects.some(object =>
    Object.hasOwn(object.shape, step)
      ? leads(object.shape[step] as z.ZodType, rest)
      : object.def.catchall !== undefined,
  )
}
