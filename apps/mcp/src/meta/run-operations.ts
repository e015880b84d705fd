import { type InPieces, issueItem, maskKeys, type OperationName } from '@specboard/contract'
import { inPieces } from '@specboard/http'
import { z } from 'zod'
import { underCeiling } from '../calls/ceiling.ts'
import { maxArgumentBytes } from '../calls/json-size.ts'
import { isObject, type JsonObject } from '../calls/lean-value.ts'
import type { Arguments } from '../calls/read-arguments.ts'
import { invalidArguments, type Outcome } from '../calls/results.ts'
import { Fields } from '../tools/field-paths.ts'
import { CallArguments } from './call-arguments.ts'

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
        arguments: CallArguments,
        fields: Fields.nullish(),
      }),
    )
    .min(1)
    .max(25),
  continue_on_error: z.boolean().default(false),
})

/** Characters that the value of a later call always gets, even when earlier results have used up the limit. */
const minValueLength = 2_000

/** The outcome of a run. */
export interface RunOutcome {
  readonly value: JsonObject
  /** A call was refused and the rest were not run. */
  readonly stopped: boolean
  /** The run was aborted before its last call. */
  readonly cutOff: boolean
}

/**
 * Runs calls in order, each a transaction of its own (mcp 11). A reference `${as.path}` in arguments is replaced by a
 * value of an earlier call: alone it keeps the value's type, inside other text it becomes text.
 * @param abort ends the run before its next call
 * @param ceiling total characters of all values
 */
export async function runOperations(
  { calls, continue_on_error }: z.output<typeof RunOperations>,
  call: (name: OperationName | string, args: Arguments) => Promise<Outcome>,
  progress: (done: number, total: number) => void,
  abort: AbortSignal,
  ceiling: number,
): Promise<RunOutcome> {
  const values: Values = new Map()
  const results: JsonObject[] = []
  let room = ceiling
  let failures = 0
  for (const [index, { as, name, arguments: args, fields }] of calls.entries()) {
    if (abort.aborted) return { value: { results, failed: failures }, stopped: true, cutOff: true }
    const filled = await inPieces(fill({ ...args, ...(fields != null && { fields }) }, values))
    const outcome = filled.ok ? await call(name, filled.args) : invalidArguments(filled.items)
    const head = { ...(as != null && { as: maskKeys(as) }), name: maskKeys(name), ok: outcome.ok }
    progress(index + 1, calls.length)
    if (outcome.ok) {
      const { value, uncut, within } = outcome.written
      if (as != null) values.set(as, [...(uncut === undefined ? [] : [uncut()]), value])
      const limit = Math.max(minValueLength, room)
      const fitted = within === undefined ? underCeiling(value, limit) : within(limit)
      room -= fitted.text.length
      results.push({ ...head, value: fitted.value })
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

type FilledArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly items: ReturnType<typeof issueItem>[] }

const reference = /\$\{(\w+)((?:\.[\w-]+)*)\}/g

/** The maximum number of references in the arguments of one call. */
const maxReferences = 10_000

/** The number of faults after which the search for others stops. */
const maxFaults = 100

/** Values examined in one piece of work. */
const valuesOfAPiece = 5_000

/** Replaces the references in arguments; one that resolves to nothing becomes a validation item. */
function* fill(args: JsonObject, values: Values): InPieces<FilledArguments> {
  const references = new References(values)
  let looked = 0
  function* filled(at: unknown, loc: Path): InPieces<unknown> {
    if (++looked % valuesOfAPiece === 0) yield
    if (references.ended) return undefined
    if (typeof at === 'string') return references.replacedIn(at, loc)
    if (Array.isArray(at)) {
      const items: unknown[] = []
      for (const [index, item] of at.entries()) items.push(yield* filled(item, [...loc, index]))
      return items
    }
    if (!isObject(at)) return at
    const members: [string, unknown][] = []
    for (const [key, inner] of Object.entries(at)) members.push([key, yield* filled(inner, [...loc, key])])
    return Object.fromEntries(members)
  }
  const result = (yield* filled(args, [])) as JsonObject
  return references.faults.length === 0 ? { ok: true, args: result } : { ok: false, items: references.faults }
}

type Path = readonly (string | number)[]

/** The value of a reference, also as text. */
interface ReferenceValue {
  readonly value: unknown
  readonly text: string
}

const nothing: ReferenceValue = { value: undefined, text: '' }

/** The references of one call. The values that they fill in are no larger than arguments may be. */
class References {
  readonly faults: ReturnType<typeof issueItem>[] = []
  readonly #values: Values
  readonly #named = new Map<string, ReferenceValue>()
  #left = { references: maxReferences, characters: maxArgumentBytes }

  constructor(values: Values) {
    this.#values = values
  }

  /** Whether it is already refused, so that the rest need not be examined. */
  get ended(): boolean {
    return this.#isExcessive || this.faults.length >= maxFaults
  }

  /** A text with its references replaced; the value itself if the whole text is one reference. */
  replacedIn(text: string, loc: Path): unknown {
    let replaced = ''
    let end = 0
    for (const match of text.matchAll(reference)) {
      const named = this.#take(match, loc)
      if (match[0] === text) return named.value
      if (this.ended) return undefined
      replaced += text.slice(end, match.index) + named.text
      end = match.index + match[0].length
    }
    return replaced + text.slice(end)
  }

  get #isExcessive(): boolean {
    return this.#left.references < 0 || this.#left.characters < 0
  }

  #take(match: RegExpExecArray, loc: Path): ReferenceValue {
    const named = this.#named.get(match[0]) ?? this.#find(match)
    this.#left.references--
    this.#left.characters -= named.text.length
    if (named === nothing)
      this.faults.push(issueItem(loc, 'value_error', `${match[0]} names no value of an earlier call`))
    else if (this.#isExcessive)
      this.faults.push(
        issueItem(loc, 'too_long', `must have at most ${maxReferences} references, which fill in at most 4 MiB`),
      )
    return named
  }

  #find([text, as, path]: RegExpExecArray): ReferenceValue {
    const steps = path!.split('.').filter(Boolean)
    const value = this.#values
      .get(as!)
      ?.map(candidate => valueAt(candidate, steps))
      .find(candidate => candidate !== undefined)
    const named = value === undefined ? nothing : { value, text: asText(value) }
    this.#named.set(text, named)
    return named
  }
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  let at = value
  for (const step of steps) {
    if (Array.isArray(at)) at = at[Number(step)]
    else at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined
  }
  return at
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
