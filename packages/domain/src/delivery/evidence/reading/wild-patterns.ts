/** Many patterns with wildcards, of which few are compared with each test (evidence 3). Pure. */
import { matches, type ReadyPattern } from './matching.ts'

interface OwnedPattern<Of> {
  readonly pattern: ReadyPattern
  readonly of: Of
}

/** The length of the pieces of text by which patterns are found, characters. */
const ofPiece = 4

/** The pieces of a text, one starting at each of its characters. */
function piecesOf(text: string): Set<string> {
  const pieces = new Set<string>()
  for (let at = 0; at + ofPiece <= text.length; at++) pieces.add(text.slice(at, at + ofPiece))
  return pieces
}

/**
 * Patterns with wildcards, each with what it belongs to. A test is compared only with the patterns that have one
 * certain piece in common with it: of all pieces that a pattern needs, the one that the fewest other patterns need.
 */
export class WildPatterns<Of> {
  readonly #added: OwnedPattern<Of>[] = []
  #byPiece: ReadonlyMap<string, readonly OwnedPattern<Of>[]> | undefined
  /** Patterns whose texts are shorter than a piece. */
  #short: readonly OwnedPattern<Of>[] = []

  add(pattern: ReadyPattern, of: Of): void {
    this.#added.push({ pattern, of })
    this.#byPiece = undefined
  }

  /** The patterns that match a test. */
  of(address: string): OwnedPattern<Of>[] {
    if (this.#added.length === 0) return []
    const byPiece = this.#indexed()
    const near = new Set(this.#short)
    for (let at = 0; at + ofPiece <= address.length; at++)
      for (const owned of byPiece.get(address.slice(at, at + ofPiece)) ?? []) near.add(owned)
    return [...near].filter(({ pattern }) => matches(pattern, address))
  }

  #indexed(): ReadonlyMap<string, readonly OwnedPattern<Of>[]> {
    if (this.#byPiece !== undefined) return this.#byPiece
    const needed = this.#added.map(owned => ({ owned, pieces: [...piecesOf(owned.pattern.needed)] }))
    const frequency = new Map<string, number>()
    for (const { pieces } of needed) for (const piece of pieces) frequency.set(piece, (frequency.get(piece) ?? 0) + 1)
    const byPiece = new Map<string, OwnedPattern<Of>[]>()
    for (const { owned, pieces } of needed) {
      const [piece = ''] = pieces.toSorted((one, other) => frequency.get(one)! - frequency.get(other)!)
      const same = byPiece.get(piece) ?? []
      same.push(owned)
      byPiece.set(piece, same)
    }
    this.#short = byPiece.get('') ?? []
    this.#byPiece = byPiece
    return byPiece
  }
}
