import { ClientError } from '@specboard/client/calls'
import { messages } from '../messages/messages.ts'
import { statusWords } from '../messages/status-words.ts'
import { faultOf } from './fault.ts'
import { fieldFault } from './field-faults.ts'
import { type Detail, gateWords, isDetail } from './gate-facts.ts'

/** One missing item, with the record where it can be fixed. */
export interface MissingItem {
  readonly text: string
  readonly ref: string | null
  /** Its page at the forge. */
  readonly url?: string
}

/** A suggested next operation. */
export interface NextAction {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly reason: string
  /** The record that it is about, if the refusal names one. */
  readonly ref?: string | undefined
}

/** A refusal: in the page's own words for known gates, otherwise in the service's. */
export interface Refusal {
  /** The service's code, by which refusals of several records are grouped; '' if there is none. */
  readonly code: string
  readonly message: string
  readonly missing: readonly MissingItem[]
  readonly heldBy: readonly string[]
  readonly nextActions: readonly NextAction[]
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

/** Lists in a detail that are not missing items: who is allowed, possible targets, and next actions for agents. */
const aside = new Set([
  ...['next_actions', 'held_by', 'presets', 'changed'],
  ...['agents', 'allowed', 'fields', 'path', 'persons', 'ways'],
])

const { parts, reasons } = messages.refusals

/** The name of an item. */
const nameOf = (item: Detail): string | undefined =>
  textOf(item.title) ?? textOf(item.text) ?? textOf(item.name) ?? textOf(item.label)

/** Why an item counts as missing, in words. */
function reasonOf({ problem, reason, gate, status }: Detail): string | undefined {
  const wording = reasons[textOf(problem) ?? textOf(reason) ?? textOf(gate) ?? '']
  const statusName = textOf(status)
  return wording ?? (statusName === undefined ? undefined : statusWords(statusName))
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:/.test(value)

/** A missing item in words; empty if there are no words for it. */
export function missingItem(item: Detail): MissingItem[] {
  const ref = textOf(item.ref) ?? null
  const reason = reasonOf(item)
  const name = nameOf(item)
  const page = isAddress(item.url) ? { url: item.url } : {}
  if (name !== undefined) return [{ text: reason === undefined ? name : `${name} (${reason})`, ref, ...page }]
  if (ref !== null) return [{ text: reason === undefined ? '' : `(${reason})`, ref }]
  if (reason !== undefined && textOf(item.status) === undefined) return [{ text: reason, ref }]
  const id = textOf(item.id)
  return id === undefined ? [] : [{ text: id, ref }]
}

/**
 * The missing items in a list of a detail.
 * @param isWorded whether the page describes the gate in its own words; these already cover the parts of the record
 * that have no words of their own
 */
const missingIn = (list: readonly unknown[], isWorded: boolean): MissingItem[] =>
  list.flatMap(item => {
    if (isDetail(item)) return missingItem(item)
    const text = textOf(item)
    if (text === undefined) return []
    const part = parts[text]
    return part === undefined && isWorded ? [] : [{ text: part ?? text, ref: null }]
  })

/** The references of the records in a detail, by their ids. */
const refsIn = (lists: readonly (readonly unknown[])[]): ReadonlyMap<unknown, string> =>
  new Map(
    lists.flat().flatMap(item => {
      const ref = isDetail(item) ? textOf(item.ref) : undefined
      return isDetail(item) && ref !== undefined ? [[item.id, ref] as const] : []
    }),
  )

const isAction = (value: unknown): value is NextAction =>
  isDetail(value) && typeof value.name === 'string' && isDetail(value.arguments)

const namesOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(item => textOf(isDetail(item) ? (item.name ?? item.agent_name) : item) ?? [])
    : []

/** The refusal that a detail describes: that of a 403 or 409, or that of a blocked move. */
export function refusalOfDetail(detail: unknown, nextActions: readonly unknown[] = []): Refusal {
  if (Array.isArray(detail)) {
    const missing = detail.filter(isDetail).map(item => ({ text: fieldFault(item), ref: null }))
    return { code: 'VALIDATION_ERROR', message: '', missing, heldBy: [], nextActions: [] }
  }
  if (!isDetail(detail)) return { code: '', message: textOf(detail) ?? '', missing: [], heldBy: [], nextActions: [] }
  const own = Array.isArray(detail.next_actions) ? detail.next_actions : []
  const code = textOf(detail.error) ?? ''
  const words = gateWords(code, detail)
  const lists = Object.entries(detail).flatMap(([name, value]) =>
    Array.isArray(value) && !aside.has(name) ? [value as readonly unknown[]] : [],
  )
  const refs = refsIn(lists)
  return {
    code,
    message: words ?? textOf(detail.message) ?? '',
    missing: lists.flatMap(list => missingIn(list, words !== undefined)),
    heldBy: namesOf(detail.held_by ?? detail.persons),
    nextActions: [...nextActions, ...own].filter(isAction).map(action => withRef(action, refs)),
  }
}

/** The action with the reference of its record, if the refusal names that. */
function withRef(action: NextAction, refs: ReadonlyMap<unknown, string>): NextAction {
  const ref = Object.values(action.arguments).flatMap(id => refs.get(id) ?? [])[0]
  return ref === undefined ? action : { ...action, ref }
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
