/** Markers that shortened answers contain instead of a full value, and that no call may send back (crew 1.5). */
import { z } from 'zod'
import { bare, type IssueItem, issueItem } from './issues.ts'
import type { AnyOperation } from './operation.ts'

/** The item of a 422 for a value that was shortened when it was read. */
export const cutText = (loc: readonly (string | number)[]): IssueItem =>
  issueItem(loc, 'cut_text', 'a shortened text; leave the member out, or read it whole with read_text')

/** Maximum number of characters of a truncation mark. */
const maxMarkLength = 300

/** The beginning of a text that ends with a truncation mark, such as `…[+120]`; undefined for any other text. */
export function cutBeginning(text: string): string | undefined {
  if (!text.endsWith(']')) return undefined
  const at = text.lastIndexOf('…[+')
  if (at === -1 || text.length - at > maxMarkLength) return undefined
  const [count = ''] = text.slice(at + 3, -1).split(';', 1)
  return count !== '' && [...count].every(digit => digit >= '0' && digit <= '9') ? text.slice(0, at) : undefined
}

/** The operations whose bodies are typically a record as it was read, with changes. */
export const writesBack = ({ body }: AnyOperation): boolean => {
  const schema = body === undefined ? undefined : bare(body)
  return schema instanceof z.ZodObject && 'expected_rev' in schema.shape
}

/**
 * The items for members that shortened answers have for left-out content: `_omitted`, and `<list>_count` for a list
 * that the operation takes, in the body or in an item of one of its lists.
 * @param locOf returns the location of a member of the body
 */
export function leftOutMembers(
  operation: AnyOperation,
  body: unknown,
  locOf: (name: string) => readonly (string | number)[],
): IssueItem[] {
  if (!writesBack(operation) || typeof body !== 'object' || body === null) return []
  const lists = new Set(Object.keys((bare(operation.body!) as z.ZodObject).shape).map(name => `${name}_count`))
  const own = Object.keys(body).filter(name => name === '_omitted' || lists.has(name))
  const inItems = Object.entries(body).flatMap(([list, value]) =>
    Array.isArray(value) ? value.flatMap((item, index) => leftOutOf(item, [...locOf(list), index])) : [],
  )
  return [...own.map(name => cutText(locOf(name))), ...inItems]
}

function leftOutOf(item: unknown, loc: readonly (string | number)[]): IssueItem[] {
  if (typeof item !== 'object' || item === null) return []
  return '_omitted' in item || Object.keys(item).some(name => name.endsWith('_count')) ? leftOutNames(item, loc) : []
}

const leftOutNames = (item: object, loc: readonly (string | number)[]): IssueItem[] =>
  Object.keys(item)
    .filter(
      name => name === '_omitted' || (name.endsWith('_count') && countedLists.has(name.slice(0, -'_count'.length))),
    )
    .map(name => cutText([...loc, name]))

/** Lists of objects inside items. */
const countedLists: ReadonlySet<string> = new Set(['annotations', 'response_errors'])
