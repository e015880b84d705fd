import { shownName } from '../../../lib/external-names.ts'

/** Somebody that a name may mean: an agent of the board, or another name. */
export interface Candidate {
  readonly id: string
  readonly name: string
  readonly handle: string | null
}

/** The normalized form of a name: its letters and digits, for an address only of the part before the @. */
function folded(name: string): string {
  const at = name.lastIndexOf('@')
  return (at > 0 ? name.slice(0, at) : name)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Maximum number of twins listed for a name. */
const maxTwins = 5

/**
 * Finds whom a name may belong to: those whose names differ only in case, accents, blanks and punctuation (people 1.6).
 */
export function twinFinder<Somebody extends Candidate>(
  candidates: readonly Somebody[],
): (id: string) => readonly Somebody[] {
  const byName = new Map<string, Somebody[]>()
  for (const candidate of candidates)
    for (const key of new Set([folded(candidate.name), folded(candidate.handle ?? '')])) {
      if (key === '') continue
      const called = byName.get(key)
      if (called === undefined) byName.set(key, [candidate])
      else called.push(candidate)
    }
  return id => (byName.get(folded(shownName(id))) ?? []).filter(twin => twin.id !== id).slice(0, maxTwins)
}
