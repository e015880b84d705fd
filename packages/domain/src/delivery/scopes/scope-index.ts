import { foldersOf } from '../../lib/path-patterns.ts'
import type { Scope } from './store.ts'

/** A pattern of a scope, with its place among the patterns of that scope. */
interface Entry {
  readonly scope: string
  readonly pattern: string
  readonly index: number
}

/** Two patterns that may share a path, the first one of the asking side. */
export type Near = readonly [ofA: string, ofB: string]

/**
 * The patterns of the scopes of a board by the folders that their paths lie in, so that a pattern is compared only with those
 * that may share a path with it. It is brought up to date scope by scope: between two reads few of them change.
 */
export class ScopeIndex {
  readonly #entries = new Map<string, { readonly patterns: readonly string[]; readonly entries: readonly Entry[] }>()
  /** The patterns whose paths lie in a folder and are told apart no further. */
  readonly #at = new Map<string, Set<Entry>>()
  /** The patterns whose paths lie in a folder or below it. */
  readonly #below = new Map<string, Set<Entry>>()
  #held: readonly Scope[] | undefined

  /** Takes over the scopes of a board. */
  hold(scopes: readonly Scope[]): void {
    if (this.#held === scopes) return
    this.#held = scopes
    const current = new Map(scopes.map(({ id, patterns }) => [id, patterns]))
    for (const [id, { patterns, entries }] of this.#entries)
      if (current.get(id) !== patterns) {
        for (const entry of entries) this.#remove(entry)
        this.#entries.delete(id)
      }
    for (const [id, patterns] of current)
      if (!this.#entries.has(id)) {
        const entries = patterns.map((pattern, index) => ({ scope: id, pattern, index }))
        for (const entry of entries) this.#add(entry)
        this.#entries.set(id, { patterns, entries })
      }
  }

  /** The pairs of patterns that may share a path, by the id of the other scope, in the order of both lists of patterns. */
  near(patterns: readonly string[]): ReadonlyMap<string, readonly Near[]> {
    const found = new Map<string, Near[]>()
    for (const ofA of patterns)
      for (const { scope, pattern } of this.#nearTo(ofA)) {
        const pairs = found.get(scope)
        if (pairs === undefined) found.set(scope, [[ofA, pattern]])
        else pairs.push([ofA, pattern])
      }
    return found
  }

  #nearTo(pattern: string): Entry[] {
    const folders = foldersOf(pattern)
    const found = [...(this.#below.get(folders.at(-1)!) ?? [])]
    for (const folder of folders.slice(0, -1)) found.push(...(this.#at.get(folder) ?? []))
    return found.sort((a, b) => a.index - b.index)
  }

  #add(entry: Entry): void {
    const folders = foldersOf(entry.pattern)
    addTo(this.#at, folders.at(-1)!, entry)
    for (const folder of folders) addTo(this.#below, folder, entry)
  }

  #remove(entry: Entry): void {
    const folders = foldersOf(entry.pattern)
    removeFrom(this.#at, folders.at(-1)!, entry)
    for (const folder of folders) removeFrom(this.#below, folder, entry)
  }
}

function addTo(map: Map<string, Set<Entry>>, folder: string, entry: Entry): void {
  const entries = map.get(folder)
  if (entries === undefined) map.set(folder, new Set([entry]))
  else entries.add(entry)
}

function removeFrom(map: Map<string, Set<Entry>>, folder: string, entry: Entry): void {
  const entries = map.get(folder)
  entries?.delete(entry)
  if (entries?.size === 0) map.delete(folder)
}

/** The most boards whose indexes are kept. */
const mostKept = 32

const kept = new Map<string, ScopeIndex>()

/** The index of a board, as it was last used. */
export function scopeIndexOf(board: string): ScopeIndex {
  const index = kept.get(board) ?? new ScopeIndex()
  // The one that was used last is the last to go.
  kept.delete(board)
  kept.set(board, index)
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
  return index
}
