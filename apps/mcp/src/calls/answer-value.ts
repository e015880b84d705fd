import { type AnyOperation, type InputOf, ItemChanges, isReading } from '@specboard/contract'
import type { Answer, NextAction } from '@specboard/domain'
import { shownName } from '../nearest.ts'
import { answersAsRead, answersList, itemSchema } from '../tools/answers.ts'
import { planOf } from '../tools/arguments.ts'
import { pathsOf } from '../tools/field-paths.ts'
import { underCeiling, type ValueText } from './ceiling.ts'
import { compact, moved } from './compact.ts'
import { knowsPath, pathIn, pick } from './fields.ts'
import { type LeanCall, leanForm, leanPart } from './lean-form.ts'
import { isObject, type JsonObject, leanValue } from './lean-value.ts'
import type { Arguments, ToolOptions } from './read-arguments.ts'
import { partOf, readingOn } from './read-on.ts'
import { withoutZeros } from './without-zeros.ts'
import { withoutWork } from './work-of-claim.ts'

/** The facts that determine the form of an answer. */
export interface AnswerShape {
  readonly operation: AnyOperation
  readonly input: InputOf<AnyOperation>
  readonly options: ToolOptions
  /** The arguments as sent. */
  readonly given: Arguments
  readonly warnings: readonly string[]
  /** The agent that reads the answer in the lean form; undefined for the full form (crew 8). */
  readonly leanFor?: string | undefined
  /** Maximum number of characters of the answer (crew 1.7). */
  readonly ceiling: number
  /** Calls that report the progress of work that continues after the answer. */
  readonly next?: readonly NextAction[]
  /** What work on a claimed card needs (crew 5.5). */
  readonly work?: JsonObject | undefined
  /** What the caller can do about an empty list. */
  readonly hint?: string | undefined
}

/**
 * The value of an answer (mcp 9.1-9.3): always lean and below the ceiling, with the calls that read the rest (crew
 * 1.7). A list becomes a page of compact items, a write is compact, a read is complete; `fields` selects parts, `part`
 * continues in one.
 */
export function answerValue(answer: Answer, shaping: AnswerShape): ValueText {
  const { operation, options } = shaping
  const next = [...(answer.next?.actions ?? []), ...(shaping.next ?? [])]
  const schema = itemSchema(operation)
  const fields = options.fields === undefined ? [] : pathsOf(options.fields)
  const paths = fields.map(path => pathIn(schema, path))
  const unknownFields = fields
    .filter((_, index) => !knowsPath(schema, paths[index]!))
    .map(path => `unknown field '${shownName(path)}' ignored`)
  const warnings = [...shaping.warnings, ...(answer.warnings ?? []), ...unknownFields, ...ignoredNulls(answer, shaping)]
  const isList = answersList(operation)
  const shapedBy = isList ? pageValue : recordValue
  const isLean = shaping.leanFor !== undefined && options.fields === undefined
  const shapedValue = shapedBy(answer, shaping, paths, isLean ? inFull : shortened)
  const output = isLean ? leanForm(shapedValue, leanCall(shaping)) : shapedValue
  const value = options.part === undefined ? output : partOf(shapedValue, options)
  const whole = {
    ...(shaping.work === undefined ? value : { ...withoutWork(value), work: workOf(shaping.work, shaping) }),
    ...(answer.repeated && { repeated: true }),
    ...(answer.hidden !== undefined && options.part === undefined && { hidden: answer.hidden }),
    ...(answer.next !== undefined && { next: answer.next.next }),
    ...(shaping.hint !== undefined && value.total === 0 && { _hint: shaping.hint }),
    ...(next.length > 0 && { next_actions: next }),
    ...(warnings.length > 0 && { _warnings: warnings }),
  }
  const result = underCeiling(
    whole,
    shaping.ceiling,
    readingOn({ operation, given: shaping.given, options, value: { ...shapedValue, work: shaping.work } }),
  )
  return { ...result, uncut: () => shapedBy(answer, shaping, paths, inFull) }
}

const workOf = (work: JsonObject, { leanFor }: AnswerShape): JsonObject =>
  leanFor === undefined ? work : leanPart(work, leanFor)

const leanCall = ({ leanFor, operation, given, options }: AnswerShape): LeanCall => ({
  operation,
  given,
  callerId: leanFor!,
  full: options.full === true,
})

/** Fields that were sent as null, which leaves them unchanged, although they have a value (crew 9.12). */
function ignoredNulls({ body }: Answer, { operation, options }: AnswerShape): string[] {
  if (!isObject(body) || isReading(operation)) return []
  return (options.nulls ?? [])
    .filter(name => !isEmpty(body[name]))
    .map(name => `null ignored; clear: ["${name}"] empties it`)
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Shortens a record for the answer of an operation. */
type Shorten = (record: JsonObject, operation: AnyOperation) => JsonObject

const inFull: Shorten = record => record

/** The fields that a move changed, or everything in a report of changes; for any other answer its compact form. */
const shortened: Shorten = (record, { name, response }) => {
  if (name.startsWith('move_')) return moved(record)
  return response === ItemChanges ? record : compact(record)
}

function recordValue(
  { body }: Answer,
  { operation, input }: AnswerShape,
  paths: readonly string[],
  shorten: Shorten,
): JsonObject {
  const whole = body === undefined ? doneValue(operation, input) : leanValue(body)
  if (!isObject(whole)) return { value: whole }
  const lean = withoutZeros(whole, operation, input)
  if (paths.length > 0) return picked(lean, paths)
  return answersAsRead(operation) ? lean : shorten(lean, operation)
}

/** The parts of a record selected by paths, without members that the selection leaves empty. */
const picked = (record: JsonObject, paths: readonly string[]) => leanValue(pick(record, paths)) as JsonObject

/** The value of a success without a body. */
function doneValue(operation: AnyOperation, { params }: InputOf<AnyOperation>): JsonObject {
  const last = planOf(operation).pathNames.at(-1)
  const values: Readonly<Record<string, unknown>> = params
  return { ok: true, operation: operation.name, ...(last !== undefined && { id: values[last] }) }
}

function pageValue(
  answer: Answer,
  { operation, input, options }: AnswerShape,
  paths: readonly string[],
  shorten: Shorten,
): JsonObject {
  const all = answer.body as readonly unknown[]
  const pagedHere = !Object.hasOwn(operation.query, 'limit')
  const { offset = 0, limit = all.length } = (pagedHere ? options : input.query) as { offset?: number; limit?: number }
  const body = pagedHere ? all.slice(offset, offset + limit) : all
  const total = answer.total ?? all.length
  const items = body.map(leanValue).map(item => {
    if (!isObject(item)) return item
    if (paths.length > 0) return picked(item, paths)
    return options.full ? item : shorten(item, operation)
  })
  const next = offset + items.length
  return { items, total, offset, ...(next < total && items.length > 0 && { next_offset: next }) }
}
