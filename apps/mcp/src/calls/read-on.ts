/** The calls that read the rest where an answer leaves something out (crew 1.7). */
import { type AnyOperation, ItemChanges, listedItems, operationByName } from '@specboard/contract'
import { DomainError } from '@specboard/domain'
import { answersAsRead, answersList } from '../tools/answers.ts'
import type { LeftOut, ReadingCall, ReadOn, Steps } from './ceiling.ts'
import { isObject, type JsonObject } from './lean-value.ts'
import type { Arguments, ToolOptions } from './read-arguments.ts'

/** The call whose answer is continued, with its arguments as sent. */
interface ContinuedCall {
  readonly operation: AnyOperation
  readonly given: Arguments
  readonly options: ToolOptions
  /** The answer before anything was left out. */
  readonly value: JsonObject
}

/** By operation: the type of record that it reads, and the texts of that record that `read_text` can read. */
const texts: Readonly<Record<string, readonly [type: string, ...texts: readonly string[]]>> = {
  get_ideation: ['ideation', 'description', 'problem_statement', 'proposed_approach'],
  get_refinement: ['refinement', 'description', 'analysis'],
  get_spec: ['spec', 'description', 'context'],
  get_sprint: ['sprint', 'description', 'objective', 'expected_outcome'],
  get_card: [
    ...(['card', 'description', 'details', 'action_plan', 'steps_to_reproduce', 'expected_behavior'] as const),
    ...['observed_behavior', 'regression_test'],
  ],
  get_guideline: ['guideline', 'content'],
}

/** Finds the calls that read the rest of an answer. A call that writes is not repeated: what it changed is read. */
export function readingOn(continued: ContinuedCall): ReadOn {
  const { operation, options } = continued
  if (options.part !== undefined) return leftOut => inPart(continued, options.part!, leftOut)
  if (!answersAsRead(operation)) return leftOut => afterWrite(continued, leftOut)
  return leftOut => byPage(continued, leftOut) ?? byRecord(continued, leftOut) ?? byPart(continued, leftOut)
}

/** The same call without waiting. */
const again = ({ operation, given }: ContinuedCall, args: JsonObject): ReadingCall => {
  const { wait_ms: _, ...others } = given
  return { name: operation.name, arguments: { ...others, ...args } }
}

/** The next page of a list, a log or a text. */
function byPage(continued: ContinuedCall, { steps, shown, last }: LeftOut): ReadingCall | undefined {
  const { operation, value } = continued
  if (steps.length > 1) return undefined
  const offset = typeof value.offset === 'number' ? value.offset : 0
  if (steps[0] === 'items' && answersList(operation)) return again(continued, { offset: offset + shown })
  if (operation.name === 'read_text') return again(continued, { offset: offset + shown })
  if (steps[0] !== 'events' || !isObject(last)) return undefined
  if (operation.name === 'list_board_events') return again(continued, { after: last.sequence })
  return operation.name === 'stream_kg_events' ? again(continued, { since: last.id }) : undefined
}

/** The items of a spec, and the texts of records, have operations that read them. */
function byRecord({ operation, value, given }: ContinuedCall, { steps, shown }: LeftOut): ReadingCall | undefined {
  const [name, ...deeper] = steps
  if (typeof name !== 'string' || deeper.length > 0) return undefined
  const id = value.ref ?? value.id
  if (operation.name === 'get_spec' && (listedItems as readonly string[]).includes(name))
    return { name: 'list_spec_items', arguments: { spec_id: given.spec_id, list: name, offset: shown, full: true } }
  const [entity_type, ...read] = texts[operation.name] ?? []
  if (entity_type === undefined || !read.includes(name) || id === undefined) return undefined
  return { name: 'read_text', arguments: { entity_type, entity_id: id, path: name, offset: shown } }
}

const byPart = (continued: ContinuedCall, { steps, shown }: LeftOut): ReadingCall =>
  again(continued, { part: pointerOf(steps), part_offset: shown })

/** Continues in a part, or in a part of that. */
function inPart(continued: ContinuedCall, part: string, { steps, shown }: LeftOut): ReadingCall {
  const { part_offset = 0 } = continued.options
  const [, index, ...deeper] = steps
  if (index === undefined) return again(continued, { part, part_offset: part_offset + shown })
  const inner = typeof index === 'number' ? index + part_offset : index
  return again(continued, { part: `${part}/${pointerOf([inner, ...deeper])}`, part_offset: shown })
}

/** The record that a call wrote is read by its own operation. */
function afterWrite({ operation, value }: ContinuedCall, { steps, shown }: LeftOut): ReadingCall | undefined {
  if (steps[0] === 'work') return inWork(value, steps, shown)
  if (operation.response === ItemChanges)
    return { name: 'list_spec_items', arguments: { spec_id: value.spec_id, full: true } }
  const type = operation.name.slice(operation.name.indexOf('_') + 1)
  const id = value.ref ?? value.id
  if (id === undefined || !operationByName.has(`get_${type}`)) return undefined
  return {
    name: `get_${type}`,
    arguments: { [`${type}_id`]: id, part: pointerOf(steps), part_offset: shown },
  }
}

/** The texts of a claimed card, and the items of its spec, are read by operations of their own. */
function inWork({ work, card_ref, claim }: JsonObject, steps: Steps, offset: number): ReadingCall | undefined {
  const [, part, name] = steps
  const entity_id = card_ref ?? (isObject(claim) ? claim.card_ref : undefined)
  if (part === 'texts' && typeof name === 'string')
    return { name: 'read_text', arguments: { entity_type: 'card', entity_id, path: name, offset } }
  const list = listOf[String(part)]
  if (list !== undefined && isObject(work) && isObject(work.spec))
    return { name: 'list_spec_items', arguments: { spec_id: work.spec.ref, list, full: true } }
  return { name: 'get_card', arguments: { card_id: entity_id } }
}

const listOf: Readonly<Record<string, string>> = {
  criteria: 'acceptance_criteria',
  requirements: 'functional_requirements',
  technical_requirements: 'technical_requirements',
  rules: 'business_rules',
  scenarios: 'test_scenarios',
}

/** A path as one text, whose steps may contain any characters (RFC 6901, without the first slash). */
const pointerOf = (steps: Steps): string =>
  steps.map(step => String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')

/** The number of characters in one part of a text. */
const charactersOfPart = 8_000

/**
 * The requested part of an answer: the items of a list, the characters of a text, or the members of an object, in each
 * case starting at an offset.
 * @throws DomainError VALIDATION_ERROR if the answer has no such part
 */
export function partOf(value: JsonObject, { part = '', part_offset: offset = 0 }: ToolOptions): JsonObject {
  const found = valueAt(value, part)
  if (typeof found === 'string') {
    const text = wholeCharacters(found.slice(offset, offset + charactersOfPart))
    const next = offset + text.length
    return { text, offset, length: text.length, total: found.length, ...(next < found.length && { next_offset: next }) }
  }
  if (Array.isArray(found)) return { items: found.slice(offset), total: found.length, offset }
  if (isObject(found)) {
    const entries = Object.entries(found)
    return { value: Object.fromEntries(entries.slice(offset)), total: entries.length, offset }
  }
  throw new DomainError('VALIDATION_ERROR', 'This answer has no such part. Send what its `more` says.', {
    field: 'part',
    available: Object.keys(value),
  })
}

/** The text without an unpaired surrogate at the end. */
const wholeCharacters = (text: string): string => (/[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text)

function valueAt(value: JsonObject, part: string): unknown {
  let at: unknown = value
  for (const step of part.split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    at = (Array.isArray(at) || isObject(at)) && Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined
  }
  return at
}
