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
      const deeper = Object.hasOwn(all, key) ? all[key] : undefined
      return deeper === undefined ? [] : [[key, picked(inner, deeper)]]
    }),
  )
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
  if (objects === undefined)
    return inner instanceof z.ZodRecord || inner.def.type === 'unknown' || inner.def.type === 'any'
  return objects.some(object =>
    step in object.shape ? leads(object.shape[step] as z.ZodType, rest) : object.def.catchall !== undefined,
  )
}
