import { issueItem, type OperationName } from '@specboard/contract'
import { z } from 'zod'
import { ceilings, underCeiling } from '../calls/ceiling.ts'
import { isObject, type JsonObject } from '../calls/lean-value.ts'
import type { Arguments } from '../calls/read-arguments.ts'
import { invalidArguments, type Outcome } from '../calls/results.ts'

/** Parses a value that was sent as JSON text. */
function fromJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Arguments of run_operations. */
export const RunOperations = z.object({
  calls: z
    .array(
      z.object({
        as: z
          .string()
          .regex(/^\w{1,64}$/)
          .nullish(),
        name: z.string(),
        arguments: z.preprocess(fromJsonText, z.record(z.string(), z.unknown()).nullish()),
        fields: z.string().nullish(),
      }),
    )
    .min(1)
    .max(25),
  continue_on_error: z.boolean().default(false),
})

/** Characters that the value of a later call may always have, even when earlier results have taken all room. */
const leastRoom = 2_000

/** The outcome of a run. */
export interface Run {
  readonly value: JsonObject
  /** A call was refused and the rest were not run. */
  readonly stopped: boolean
  /** The run was aborted before its last call. */
  readonly cutOff: boolean
}

/**
 * Runs calls in order, each a transaction of its own (mcp 11). A reference `${as.path}` in arguments is replaced
 * by a value of an earlier call: on its own it keeps the value's type, inside other text it becomes text.
 * @param abort ends the run before its next call
 */
export async function runOperations(
  { calls, continue_on_error }: z.output<typeof RunOperations>,
  call: (name: OperationName | string, args: Arguments) => Promise<Outcome>,
  progress: (done: number, total: number) => void,
  abort: AbortSignal,
): Promise<Run> {
  const values: Values = new Map()
  const results: JsonObject[] = []
  let room: number = ceilings.usual
  let failures = 0
  for (const [index, { as, name, arguments: args, fields }] of calls.entries()) {
    if (abort.aborted) return { value: { results, failed: failures }, stopped: true, cutOff: true }
    const filled = fill({ ...args, ...(fields != null && { fields }) }, values)
    const outcome = filled.ok ? await call(name, filled.args) : invalidArguments(filled.items)
    const head = { ...(as != null && { as }), name, ok: outcome.ok }
    progress(index + 1, calls.length)
    if (outcome.ok) {
      const { value, uncut } = outcome.written
      if (as != null) values.set(as, [...(uncut === undefined ? [] : [uncut()]), value])
      const shown = underCeiling(value, Array.isArray(value.items), Math.max(leastRoom, room))
      room -= shown.text.length
      results.push({ ...head, value: shown.value })
      continue
    }
    failures++
    results.push({ ...head, error: outcome.error })
    if (abort.aborted || !continue_on_error) break
  }
  const cutOff = failures > 0 && abort.aborted
  return { value: { results, failed: failures }, stopped: cutOff || (failures > 0 && !continue_on_error), cutOff }
}

/** The values of earlier calls by alias: the uncut one first, then the shown one, which has counts of its own. */
type Values = Map<string, readonly JsonObject[]>

type Filled =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly items: ReturnType<typeof issueItem>[] }

const reference = /\$\{(\w+)((?:\.[\w-]+)*)\}/g

/** Replaces the references in arguments; one that names nothing becomes an item. */
function fill(args: JsonObject, values: Values): Filled {
  const items: ReturnType<typeof issueItem>[] = []
  const filled = (at: unknown, loc: (string | number)[]): unknown => {
    if (typeof at === 'string') {
      const [whole] = at.matchAll(reference)
      if (whole !== undefined && whole[0] === at) return resolve(whole, loc)
      return at.replaceAll(reference, (text, as, path) => asText(resolve([text, as, path], loc)))
    }
    if (Array.isArray(at)) return at.map((item, index) => filled(item, [...loc, index]))
    if (!isObject(at)) return at
    return Object.fromEntries(Object.entries(at).map(([key, inner]) => [key, filled(inner, [...loc, key])]))
  }
  const resolve = ([text, as, path]: readonly string[], loc: (string | number)[]): unknown => {
    const steps = path!.split('.').filter(Boolean)
    const at = values
      .get(as!)
      ?.map(value => valueAt(value, steps))
      .find(found => found !== undefined)
    if (at === undefined) items.push(issueItem(loc, 'value_error', `${text} names no value of an earlier call`))
    return at
  }
  const result = filled(args, []) as JsonObject
  return items.length > 0 ? { ok: false, items } : { ok: true, args: result }
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  let at = value
  for (const step of steps) at = Array.isArray(at) ? at[Number(step)] : isObject(at) ? at[step] : undefined
  return at
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
