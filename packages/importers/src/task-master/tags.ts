/** The tags and tasks of a Task Master file, from its JSON (exchange 2.3). */
import type { JsonDocument } from '../json.ts'
import type { Entry } from '../neutral.ts'

/** A list of tasks. */
export interface Tag {
  readonly name: string
  readonly tasks: readonly unknown[]
  readonly metadata: Readonly<Record<string, unknown>>
  /** Other members of the tag. */
  readonly rest: Readonly<Record<string, unknown>>
}

export interface TaggedFile {
  readonly tags: readonly Tag[]
  /** Members of the file that are not tags. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** A file with tasks. */
export interface TaskFile {
  readonly entry: Entry
  readonly document: JsonDocument
  readonly tagged: TaggedFile
}

/** The tag of a list without one. */
const master = 'master'

/** The name of an untagged list next to a tag `master`. */
const untagged = 'untagged'

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The id of a task or subtask: a number or a text. */
export const idOf = (value: unknown): string | null =>
  (typeof value === 'string' && value.trim() !== '') || Number.isFinite(value) ? String(value).trim() : null

/** Whether a value is a task: it has an id and a title, or one of them and other typical members. */
const isTask = (value: unknown): boolean =>
  isObject(value) && idOf(value.id) !== null && (typeof value.title === 'string' || 'status' in value)

/** The tags of a document, including an untagged list; undefined if none of its lists has a task. */
export function taggedFile({ value }: JsonDocument): TaggedFile | undefined {
  if (!isObject(value)) return undefined
  const { tasks, metadata, ...others } = value
  const isUntagged = Array.isArray(tasks)
  const named = Object.entries(isUntagged ? others : value)
  const tags = named.flatMap(([name, tag]) => (isObject(tag) && Array.isArray(tag.tasks) ? [tagOf(name, tag)] : []))
  if (isUntagged) {
    const name = tags.some(tag => tag.name === master) ? untagged : master
    tags.unshift(tagOf(name, { tasks, metadata }))
  }
  if (!tags.some(tag => tag.tasks.some(isTask))) return undefined
  const names = new Set(tags.map(({ name }) => name))
  return { tags, rest: Object.fromEntries(named.filter(([name]) => !names.has(name))) }
}

function tagOf(name: string, { tasks, metadata, ...rest }: Record<string, unknown>): Tag {
  const list: readonly unknown[] = Array.isArray(tasks) ? tasks : []
  return isObject(metadata) || metadata === undefined
    ? { name, tasks: list, metadata: metadata ?? {}, rest }
    : { name, tasks: list, metadata: {}, rest: { ...rest, metadata } }
}
