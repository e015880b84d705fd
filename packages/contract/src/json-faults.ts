import { atOnce, type InPieces } from './pieces.ts'
import { isReservedKey, reservedKeyRefusal } from './reserved-keys.ts'

/** A value that no JSON of the service may contain, and where it is. */
export interface JsonFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The deepest nesting that a body may have. */
const maxDepth = 128

/** Members examined in one piece of work, which takes less than a millisecond. */
const membersOfAPiece = 20_000

/** One level of the walk: an array or object, and how far it has been examined. */
interface Level {
  readonly at: Readonly<Record<string | number, unknown>>
  /** The keys of an object; null for an array. */
  readonly keys: readonly string[] | null
  readonly length: number
  next: number
}

const levelOf = (at: object): Level => {
  const keys = Array.isArray(at) ? null : Object.keys(at)
  return {
    at: at as Readonly<Record<string | number, unknown>>,
    keys,
    length: keys === null ? (at as readonly unknown[]).length : keys.length,
    next: 0,
  }
}

/**
 * The first value that would be stored changed or not at all: a text with a NUL character or half a surrogate pair, a
 * number beyond the largest, a reserved key (walls 2, rule 1); or a value that is nested too deep.
 */
export const jsonFault = (value: unknown): JsonFault | undefined => atOnce(jsonFaultInPieces(value))

/** Like `jsonFault`, but in pieces, for bodies that may be large. */
export function* jsonFaultInPieces(value: unknown): InPieces<JsonFault | undefined> {
  const levels: Level[] = []
  const pathTo = (): (string | number)[] => levels.map(({ keys, next }) => (keys === null ? next - 1 : keys[next - 1]!))
  let looked = 0
  let at = value
  for (;;) {
    const wrong = wrongValue(at)
    if (wrong !== undefined) return { path: pathTo(), message: wrong }
    if (typeof at === 'object' && at !== null) {
      if (levels.length >= maxDepth)
        return { path: pathTo().slice(0, 8), message: `must not be nested deeper than ${maxDepth}` }
      levels.push(levelOf(at))
    }
    let level = levels.at(-1)
    while (level !== undefined && level.next >= level.length) {
      levels.pop()
      level = levels.at(-1)
    }
    if (level === undefined) return undefined
    const key = level.keys === null ? level.next : level.keys[level.next]!
    level.next++
    if (typeof key === 'string') {
      if (isReservedKey(key)) return { path: pathTo(), message: reservedKeyRefusal }
      const wrongKey = wrongText(key)
      if (wrongKey !== undefined) return { path: pathTo().slice(0, -1), message: `keys ${wrongKey}` }
    }
    at = level.at[key]
    if (++looked % membersOfAPiece === 0) yield
  }
}

function wrongValue(at: unknown): string | undefined {
  if (typeof at === 'string') return wrongText(at)
  return typeof at === 'number' && !Number.isFinite(at) ? 'must not be beyond 1.8e308' : undefined
}

function wrongText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character'
  return text.isWellFormed() ? undefined : 'must not contain half a surrogate pair'
}
