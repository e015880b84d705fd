import type { AnyOperation, InputOf } from '@specboard/contract'
import { isObject, type JsonObject } from './lean-value.ts'

/** The member of an answer that contains counts by kind. */
const countsIn: Readonly<Record<string, string>> = { list_my_inbox: 'counts', claim_next_card: 'waiting' }

/** The counts that are left out after a wait without a result. */
const detail: ReadonlySet<string> = new Set(['cards', 'more'])

const isWaiting = ({ query, body }: InputOf<AnyOperation>): boolean =>
  [query, body].some(part => isObject(part) && typeof part.wait_ms === 'number' && part.wait_ms > 0)

/** An answer without kinds whose count is 0; after a wait, with nothing but the counts (crew 5.1, 5.2). */
export function withoutZeros(value: JsonObject, { name }: AnyOperation, input: InputOf<AnyOperation>): JsonObject {
  const member = countsIn[name]
  const counts = member === undefined ? undefined : value[member]
  if (member === undefined || !isObject(counts)) return value
  const entries = isWaiting(input)
    ? Object.entries(counts).filter(([kind]) => !detail.has(kind))
    : Object.entries(counts)
  const { [member]: _, ...others } = value
  const nonZero = Object.fromEntries(entries.filter(([, count]) => count !== 0))
  return Object.keys(nonZero).length === 0 ? others : { ...others, [member]: nonZero }
}
