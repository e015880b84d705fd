import { shownName } from '../../../lib/external-names.ts'

/** Somebody that a name may mean: an agent of the board, or another name. */
export interface Candidate {
  readonly id: string
  readonly name: string
  readonly handle: string | null
}

/** What stays of a name when it is written differently: of an address what stands before the @, letters and digits. */
function folded(name: string): string {
  const at = name.lastIndexOf('@')
  return (at > 0 ? name.slice(0, at) : name)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Maximum number of twins that are told of a name. */
const maxTwins = 5

/** Finds who a name may mean: who is called the same but for case, accents, blanks and signs (people 1.6). */
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
