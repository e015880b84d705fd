/** Refusals as models read them (crew 8): no tag that no tool takes, no milliseconds, references in place of ids. */
import { cut } from './compact.ts'
import { isObject, type JsonObject } from './lean-value.ts'

/** Maximum number of characters of the JSON of a value in a list of changes (crew 2.4). */
const maxValue = 200

const milliseconds = /\.\d{3}Z/g

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

const isTime = (key: string): boolean => ['message', 'at', 'since', 'until'].includes(key) || key.endsWith('_at')

function withoutMilliseconds(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return isTime(key) ? value.replaceAll(milliseconds, 'Z') : value
  if (Array.isArray(value)) return value.map(item => withoutMilliseconds(item, key))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutMilliseconds(member, name)]))
}

/** A value that was changed; a long list or object is shown as the beginning of its JSON. */
function shortValue(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  const json = JSON.stringify(value)
  return json.length > maxValue ? cut(json, maxValue) : value
}

function changeLine(change: unknown): unknown {
  if (!isObject(change) || !('current' in change)) return change
  return { ...change, before: shortValue(change.before), current: shortValue(change.current) }
}

/** A refusal without what a model has no use for; ids are not yet replaced by references. */
export function leanRefusal(error: JsonObject): JsonObject {
  const { detail } = error
  if (!isObject(detail)) return error
  const { etag: _, changed, ...others } = detail
  const leanDetail = {
    ...others,
    ...(changed !== undefined && { changed: Array.isArray(changed) ? changed.map(changeLine) : changed }),
  }
  return { ...error, detail: withoutMilliseconds(leanDetail) }
}

const messageOf = ({ detail }: JsonObject): string | undefined =>
  isObject(detail) && typeof detail.message === 'string' ? detail.message : undefined

/** The ids in the message of a refusal. */
export const idsInMessage = (error: JsonObject): readonly string[] => messageOf(error)?.match(uuids) ?? []

/** A refusal with references in its message in place of ids, where records have one. */
export function withNamesInMessage(error: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const message = messageOf(error)
  if (message === undefined) return error
  const text = message.replaceAll(uuids, id => names.get(id) ?? id)
  return { ...error, detail: { ...(error.detail as JsonObject), message: text } }
}
