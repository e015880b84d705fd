/** A line of a beads file: the fields that are read; other fields are kept separately (exchange 2.2). */
import { Fields } from '../fields.ts'
import type { SourcePlace } from '../neutral.ts'

export interface Link {
  readonly issue_id: string | null
  readonly depends_on_id: string
  readonly type: string
  readonly fields: Fields
}

export interface Remark {
  readonly fields: Fields
  readonly place: SourcePlace
}

/** An issue with all of its readable fields. */
export interface Issue {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly status: string | null
  readonly parent: string | null
  readonly labels: readonly string[]
  readonly links: readonly Link[]
  readonly remarks: readonly Remark[]
  readonly isEphemeral: boolean
  readonly isPinned: boolean
  readonly isTemplate: boolean
  /** All fields, including those that are read. */
  readonly values: Readonly<Record<string, unknown>>
  readonly place: SourcePlace
}

/** Further parts of an issue, from the files next to it (imports 5). */
export interface AdjacentParts {
  readonly labels: unknown[]
  readonly dependencies: unknown[]
  readonly comments: { readonly value: unknown; readonly place: SourcePlace }[]
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An id or another short text; null for any other value. */
export const textIn = (value: unknown): string | null => {
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText && String(value).trim() !== '' ? String(value).trim() : null
}

/**
 * The issue in an object; undefined if it has no id or no title.
 * @param tell called for parts that cannot be read
 */
export function issueIn(
  values: Record<string, unknown>,
  place: SourcePlace,
  beside: AdjacentParts | undefined,
  tell: (reason: string) => void,
): Issue | undefined {
  const id = textIn(values.id)
  const { title } = values
  if (id === null || (typeof title !== 'string' && typeof title !== 'number')) return undefined
  const each = <Value>(name: string, more: readonly unknown[], read: (value: unknown) => Value | null): Value[] =>
    [...listIn(values[name], name, tell), ...more].flatMap(value => {
      const found = read(value)
      if (found === null) tell(`One of the ${name} cannot be read: ${excerptOf(value)}.`)
      return found === null ? [] : [found]
    })
  const remarks = listIn(values.comments, 'comments', tell).map(value => ({ value, place }))
  return {
    id,
    title: String(title),
    type: textIn(values.issue_type) ?? 'task',
    status: textIn(values.status),
    parent: textIn(values.parent),
    labels: each('labels', beside?.labels ?? [], textIn),
    links: each('dependencies', beside?.dependencies ?? [], linkIn),
    remarks: [...remarks, ...(beside?.comments ?? [])].flatMap(remark => {
      if (isObject(remark.value)) return [{ fields: new Fields(remark.value), place: remark.place }]
      tell(`One of the comments cannot be read: ${excerptOf(remark.value)}.`)
      return []
    }),
    isEphemeral: isTrue(values.ephemeral),
    isPinned: isTrue(values.pinned) || values.status === 'pinned',
    isTemplate: isTrue(values.is_template),
    values,
    place,
  }
}

function linkIn(value: unknown): Link | null {
  if (!isObject(value)) return null
  const depends_on_id = textIn(value.depends_on_id)
  if (depends_on_id === null) return null
  return {
    issue_id: textIn(value.issue_id),
    depends_on_id,
    type: textIn(value.type) ?? 'blocks',
    fields: new Fields(value),
  }
}

/** A database writes 1 for true. */
const isTrue = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true'

function listIn(value: unknown, name: string, tell: (reason: string) => void): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (value !== undefined && value !== null) tell(`Its ${name} are not a list: ${excerptOf(value)}.`)
  return []
}

export const excerptOf = (value: unknown): string => JSON.stringify(value)?.slice(0, 80) ?? String(value)
