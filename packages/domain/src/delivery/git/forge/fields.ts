/** Reads what a forge sent, which may be of any form. Pure. */
import { UnreadableEvent } from '../told.ts'

/** The most characters of what is kept of each kind of text (git 2). */
export const longest = {
  subject: 500,
  body: 10_000,
  branch: 255,
  login: 100,
  title: 500,
  url: 2_048,
  name: 255,
} as const

const halved = /[\uD800-\uDBFF]$/

/** A text as it can be stored, cut where it is longer. */
export const cutText = (text: string, most: number): string =>
  text.replaceAll('\0', '').toWellFormed().slice(0, most).replace(halved, '')

/** What stands below names; undefined where one of them leads nowhere. */
export function at(value: unknown, ...names: readonly string[]): unknown {
  let found = value
  for (const name of names) {
    if (typeof found !== 'object' || found === null || Array.isArray(found) || !Object.hasOwn(found, name))
      return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}

/** A text that is not empty; null where there is none. */
export function textAt(value: unknown, most: number, ...names: readonly string[]): string | null {
  const found = at(value, ...names)
  return typeof found === 'string' && found !== '' ? cutText(found, most) : null
}

/** A whole number that is not negative; null where there is none. */
export function numberAt(value: unknown, ...names: readonly string[]): number | null {
  const found = at(value, ...names)
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : null
}

/** A number or text as a text: forges number what they have. */
export function idAt(value: unknown, ...names: readonly string[]): string | null {
  const found = at(value, ...names)
  return typeof found === 'number' ? String(found) : typeof found === 'string' && found !== '' ? found : null
}

/** Whether something is true. */
export const isTrue = (value: unknown, ...names: readonly string[]): boolean => at(value, ...names) === true

/** The items of a list; none where there is no list. */
export function listAt(value: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = at(value, ...names)
  return Array.isArray(found) ? found : []
}

const isSha = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text) && !/^0+$/.test(text)

/** The sha of a commit; null where there is none, or only zeros. */
export function shaAt(value: unknown, ...names: readonly string[]): string | null {
  const found = at(value, ...names)
  return typeof found === 'string' && isSha(found) ? found : null
}

/** A time: as ISO 8601 has it, or as GitLab writes it, `2026-11-20 08:24:10 UTC`; null where there is none. */
export function timeAt(value: unknown, ...names: readonly string[]): string | null {
  const found = at(value, ...names)
  if (typeof found !== 'string' || found.length > 40) return null
  const [, date, time, zone] = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) (UTC|[+-]\d{4})$/.exec(found) ?? []
  const ms = Date.parse(date === undefined ? found : `${date}T${time}${zone === 'UTC' ? 'Z' : zone}`)
  return Number.isNaN(ms) || ms < 0 || ms > 253_402_300_799_999 ? null : new Date(ms).toISOString()
}

/**
 * What an event cannot do without.
 * @throws UnreadableEvent
 */
export function needed<Value>(value: Value | null | undefined, name: string): Value {
  if (value === null || value === undefined) throw new UnreadableEvent(`It has no ${name}.`)
  return value
}

const branches = 'refs/heads/'

/** The name of the branch of a ref; null of a tag and other refs. */
export const branchOfRef = (ref: string): string | null =>
  ref.startsWith(branches) && ref.length > branches.length ? cutText(ref.slice(branches.length), longest.branch) : null

/** Subject and body of the message of a commit. */
export function messageOf(message: string): { readonly subject: string; readonly body: string | null } {
  const [subject = '', ...rest] = message.replaceAll('\r', '').trim().split('\n')
  const body = rest.join('\n').trim()
  return { subject: cutText(subject.trim(), longest.subject), body: body === '' ? null : cutText(body, longest.body) }
}
