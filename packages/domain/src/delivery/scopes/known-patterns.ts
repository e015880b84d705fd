import type { Json } from '@specboard/storage'
import { parseJson } from '../../lib/json.ts'

/** Patterns as they were read last, with their text. */
interface CachedPatterns {
  readonly text: Json<string[]> | undefined
  readonly patterns: readonly string[]
}

/** Maximum number of cards and reservations whose patterns are kept. */
const maxKept = 4_000

const cache = new Map<string, CachedPatterns>()

function keep(id: string, entry: CachedPatterns): readonly string[] {
  if (cache.size === maxKept && !cache.has(id)) cache.clear()
  cache.set(id, entry)
  return entry.patterns
}

/**
 * The patterns of a card or reservation: the same list object as long as its text is the same, so that results that
 * were cached by list are found. Texts are compared, not used as keys: hashing long ones takes longer than reading
 * them.
 */
export function patternsOf(id: string, text: Json<string[]>): readonly string[] {
  const cached = cache.get(id)
  return cached?.text === text ? cached.patterns : keep(id, { text, patterns: parseJson(text) })
}

/**
 * The patterns of a card, parsed elsewhere: if an equal list is already known for the card, that list; otherwise the
 * given one.
 */
export function knownPatterns(id: string, patterns: readonly string[]): readonly string[] {
  const cached = cache.get(id)?.patterns
  const isSame = cached?.length === patterns.length && cached.every((one, index) => one === patterns[index])
  return isSame ? cached : keep(id, { text: undefined, patterns })
}
