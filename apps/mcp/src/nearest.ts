import { maskKeys } from '@specboard/contract'

/**
 * The longest name that is looked up, characters; longer ones are refused without looking for similar ones (trust 1).
 */
const maxNameCharacters = 128

/** The longest URI that is looked up, characters (trust 1). */
export const maxUriCharacters = 512

/** An unknown name as a message shows it: truncated if it is too long, keys masked. */
export function shownName(name: string): string {
  // Masked before truncation, so that no part of a key is left.
  const masked = maskKeys(name.slice(0, 2 * maxNameCharacters))
  return masked.length > maxNameCharacters ? `${masked.slice(0, maxNameCharacters)}…` : masked
}

/**
 * The names nearest to a wrong one, best first: what the caller probably meant. Empty if the wrong name is too long.
 */
export function nearest(wrong: string, names: Iterable<string>, limit: number): string[] {
  if (wrong.length > maxNameCharacters) return []
  const sought = wrong.toLowerCase()
  return [...names]
    .map(name => ({ name, distance: distanceBetween(sought, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.ceil(Math.max(sought.length, name.length) / 3)))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name)
}

/** Edits between two names; a prefix counts as one edit, the same words in another order as two. */
function distanceBetween(a: string, b: string): number {
  if (a === b) return 0
  if (a.length >= 3 && b.length >= 3 && (a.startsWith(b) || b.startsWith(a))) return 1
  if (sortedWords(a) === sortedWords(b)) return 2
  return edits(a, b)
}

const sortedWords = (name: string) => name.split('_').sort().join('_')

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, substituted))
    }
    row = next
  }
  return row[b.length]!
}
