/** Reads what a forge sent, which may have any form. Pure. */
import { UnreadableEvent } from '../reported.ts'

/** Maximum number of characters that are kept of each kind of text (git 2). */
export const maxLength = {
  subject: 500,
  body: 10_000,
  branch: 255,
  login: 100,
  title: 500,
  url: 2_048,
  name: 255,
} as const

const halved = /[\uD800-\uDBFF]$/

/** A text in storable form, truncated if it is longer. */
export const cutText = (text: string, max: number): string =>
  text.replaceAll('\0', '').toWellFormed().slice(0, max).replace(halved, '')

/** The value at a path of names; undefined if the path leads nowhere. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  let found = value
  for (const name of names) {
    if (typeof found !== 'object' || found === null || Array.isArray(found) || !Object.hasOwn(found, name))
      return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}

/** A non-empty text; null if there is none. */
export function textAt(value: unknown, max: number, ...names: readonly string[]): string | null {
  const found = at(value, ...names)
  return typeof found === 'string' && found !== '' ? cutText(found, max) : null
}

/** The title of a pull request, with no white space around it; empty if it has none. */
export const titleAt = (request: unknown): string => (textAt(request, maxLength.title, 'title') ?? '').trim()

/** A text; empty for any other value, because values from a sender must not be converted to text. */
export function wordAt(value: unknown, ...names: readonly string[]): string {
  const found = at(value, ...names)
  return typeof found === 'string' ? found : ''
}

/** The entry of a table for a word from a sender; undefined if there is none. */
export const lookUp = <Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined

/** A non-negative whole number; null if there is none. */
export function numberAt(value: unknown, ...names: readonly string[]): number | null {
  const found = at(value, ...names)
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : null
}

/** A number or text as a text: the forges' ids are numbers. */
export function idAt(value: unknown, ...names: readonly string[]): string | null {
  const found = at(value, ...names)
  return typeof found === 'number' ? String(found) : typeof found === 'string' && found !== '' ? found : null
}

/** Whether a value is true. */
export const isTrue = (value: unknown, ...names: readonly string[]): boolean => at(value, ...names) === true

/** The items of a list; empty if it is not a list. */
export function listAt(value: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = at(value, ...names)
  return Array.isArray(found) ? found : []
}

const isSha = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) && !/^0+$/.test(text)

/** The sha of a commit; null if there is none, or only zeros. */
export function shaAt(value: unknown, ...names: readonly string[]): string | null {
  const found = at(value, ...names)
  return typeof found === 'string' && isSha(found) ? found : null
}

/** A time: in ISO 8601, or in GitLab's form, `2026-11-20 08:24:10 UTC`; null if there is none. */
export function timeAt(value: unknown, ...names: readonly string[]): string | null {
  const found = at(value, ...names)
  if (typeof found !== 'string' || found.length > 40) return null
  const [, date, time, zone] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) (UTC|[+-]\d{4})$/.exec(found) ?? []
  const ms = Date.parse(date === undefined ? found : `${date}T${time}${zone === 'UTC' ? 'Z' : zone}`)
  return Number.isNaN(ms) || ms < 0 || ms > 253_402_300_799_999 ? null : new Date(ms).toISOString()
}

/**
 * A member that an event must have.
 * @throws UnreadableEvent
 */
export function needed<Value>(value: Value | null | undefined, name: string): Value {
  if (value === null || value === undefined) throw new UnreadableEvent(`It has no ${name}.`)
  return value
}

const branches = 'refs/heads/'

/** The name of the branch of a ref; null for a tag and other refs. */
export const branchOfRef = (ref: string): string | null =>
  ref.startsWith(branches) && ref.length > branches.length
    ? cutText(ref.slice(branches.length), maxLength.branch)
    : null

/** Subject and body of the message of a commit. */
export function messageOf(message: string): { readonly subject: string; readonly body: string | null } {
  const [subject = '', ...rest] = message.replaceAll('\r', '').trim().split('\n')
  const body = rest.join('\n').trim()
  return {
    subject: cutText(subject.trim(), maxLength.subject),
    body: body === '' ? null : cutText(body, maxLength.body),
  }
}
