import type { Json } from '@specboard/storage'
import { parseJson } from '../../lib/json.ts'

/** Patterns as they were read last, with their text. */
interface CachedPatterns {
  readonly text: Json<string[]> | undefined
  readonly patterns: readonly string[]
}

/** Maximum number of cards and reservations whose patterns are kept. */
const maxKept = 4_000

const kept = new Map<string, CachedPatterns>()

function keep(id: string, known: CachedPatterns): readonly string[] {
  if (kept.size === maxKept && !kept.has(id)) kept.clear()
  kept.set(id, known)
  return known.patterns
}

/**
 * The patterns of a card or reservation: the same list object as long as its text is the same, so that results that
 * were cached by list are found. Texts are compared, not used as keys: hashing long ones takes longer than reading
 * them.
 */
export function patternsOf(id: string, text: Json<string[]>): readonly string[] {
  const known = kept.get(id)
  return known?.text === text ? known.patterns : keep(id, { text, patterns: parseJson(text) })
}

/**
 * The patterns of a card, parsed elsewhere: if an equal list is already known for the card, that list; otherwise the
 * given one.
 */
export function knownPatterns(id: string, patterns: readonly string[]): readonly string[] {
  const known = kept.get(id)?.patterns
  const isSame = known?.length === patterns.length && known.every((one, index) => one === patterns[index])
  return isSame ? known : keep(id, { text: undefined, patterns })
}
