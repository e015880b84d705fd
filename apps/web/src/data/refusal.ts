import { ClientError } from '@specboard/client/calls'
import { messages } from '../messages/messages.ts'
import { statusWords } from '../messages/status-words.ts'
import { faultOf } from './fault.ts'

/** One missing item, with the record where it can be fixed. */
export interface Missing {
  readonly text: string
  readonly ref: string | null
}

/** A suggested next operation. */
export interface NextAction {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly reason: string
}

/** A refusal in the words of the service. */
export interface Refusal {
  /** The code of the service, by which refusals of several records are grouped; '' without one. */
  readonly code: string
  readonly message: string
  readonly missing: readonly Missing[]
  readonly heldBy: readonly string[]
  readonly nextActions: readonly NextAction[]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

/** Fields of a detail that do not list missing items. */
const aside = new Set(['next_actions', 'held_by', 'presets', 'changed'])

function missingOf(value: unknown): Missing[] {
  const text = textOf(value)
  if (text !== undefined) return [{ text, ref: null }]
  if (!isObject(value)) return []
  const ref = textOf(value.ref) ?? null
  const says =
    textOf(value.title) ?? textOf(value.text) ?? textOf(value.name) ?? textOf(value.label) ?? textOf(value.id)
  const status = textOf(value.status)
  if (says === undefined && ref === null) return []
  return [{ text: status === undefined ? (says ?? '') : `${says ?? ''} (${statusWords(status)})`, ref }]
}

const isAction = (value: unknown): value is NextAction =>
  isObject(value) && typeof value.name === 'string' && isObject(value.arguments)

const namesOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(item => textOf(isObject(item) ? (item.name ?? item.agent_name) : item) ?? [])
    : []

/** The refusal in a detail: of a 403 or 409, or of a blocked move. */
export function refusalOfDetail(detail: unknown, nextActions: readonly unknown[] = []): Refusal {
  if (Array.isArray(detail)) {
    const items = detail.filter(isObject)
    const missing = items.map(({ loc, msg }) => ({
      text: `${Array.isArray(loc) ? loc.slice(1).join('.') : ''}: ${String(msg)}`,
      ref: null,
    }))
    return { code: 'VALIDATION_ERROR', message: '', missing, heldBy: [], nextActions: [] }
  }
  if (!isObject(detail)) return { code: '', message: textOf(detail) ?? '', missing: [], heldBy: [], nextActions: [] }
  const own = Array.isArray(detail.next_actions) ? detail.next_actions : []
  return {
    code: textOf(detail.error) ?? '',
    message: textOf(detail.message) ?? '',
    missing: Object.entries(detail).flatMap(([name, value]) =>
      Array.isArray(value) && !aside.has(name) ? value.flatMap(missingOf) : [],
    ),
    heldBy: namesOf(detail.held_by),
    nextActions: [...nextActions, ...own].filter(isAction),
  }
}

/** The refusal of a failed call; any other error gives its own message. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof ClientError) return refusalOfDetail(error.detail, error.nextActions)
  const fault = faultOf(error)
  if (fault === 'unreachable' || fault === 'outdated')
    return { code: '', message: messages.shell.fault.unreachable, missing: [], heldBy: [], nextActions: [] }
  const message = error instanceof Error ? error.message : String(error)
  return { code: '', message, missing: [], heldBy: [], nextActions: [] }
}
