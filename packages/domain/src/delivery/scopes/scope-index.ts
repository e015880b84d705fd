import { foldersOf } from '../../lib/path-patterns.ts'
import type { Scope } from './store.ts'

/** A scope as it was last read, with its patterns in the index. */
interface IndexedScope {
  scope: Scope
  readonly entries: readonly Entry[]
}

/** A pattern of a scope, with its place among the patterns of that scope. */
interface Entry {
  readonly owner: { scope: Scope }
  readonly pattern: string
  readonly index: number
}

/** Two patterns that may share a path, the first one of the asking side. */
export type Near = readonly [ofA: string, ofB: string]

/**
 * The patterns of a board's scopes by the folders of their paths, so that a pattern is compared only with those that
 * may share a path with it. It is updated scope by scope, because few of them change between two reads.
 */
export class ScopeIndex {
  readonly #indexed = new Map<string, IndexedScope>()
  /** The patterns whose deepest known folder is this one. */
  readonly #at = new Map<string, Set<Entry>>()
  /** The patterns whose paths are in a folder or below it. */
  readonly #below = new Map<string, Set<Entry>>()
  #scopes: readonly Scope[] | undefined

  /** Brings the index up to date with the scopes of a board. */
  hold(scopes: readonly Scope[]): void {
    if (this.#scopes === scopes) return
    this.#scopes = scopes
    const current = new Map(scopes.map(scope => [scope.id, scope]))
    for (const [id, { scope, entries }] of this.#indexed)
      if (current.get(id)?.patterns !== scope.patterns) {
        for (const entry of entries) this.#remove(entry)
        this.#indexed.delete(id)
      }
    for (const scope of current.values()) {
      const existing = this.#indexed.get(scope.id)
      if (existing === undefined) this.#hold(scope)
      else existing.scope = scope
    }
  }

  #hold(scope: Scope): void {
    const entries: Entry[] = []
    const owner: IndexedScope = { scope, entries }
    for (const [index, pattern] of scope.patterns.entries()) entries.push({ owner, pattern, index })
    for (const entry of entries) this.#add(entry)
    this.#indexed.set(scope.id, owner)
  }

  /**
   * The pairs of patterns that may share a path, by the other scope, in the order of both lists of patterns.
   * @param isAsked whether a scope is compared at all
   */
  near(patterns: readonly string[], isAsked: (other: Scope) => boolean): ReadonlyMap<Scope, readonly Near[]> {
    const found = new Map<Scope, Near[]>()
    for (const [index, folders] of foldersOfEach(patterns).entries()) {
      const ofA = patterns[index]!
      for (const { owner, pattern } of this.#nearTo(folders, isAsked)) {
        const pairs = found.get(owner.scope)
        if (pairs === undefined) found.set(owner.scope, [[ofA, pattern]])
        else pairs.push([ofA, pattern])
      }
    }
    return found
  }

  #nearTo(folders: readonly string[], isAsked: (other: Scope) => boolean): Entry[] {
    const found: Entry[] = []
    const take = (entries: ReadonlySet<Entry> | undefined) => {
      for (const entry of entries ?? []) if (isAsked(entry.owner.scope)) found.push(entry)
    }
    take(this.#below.get(folders.at(-1)!))
    for (const folder of folders.slice(0, -1)) take(this.#at.get(folder))
    return found.length > 1 ? found.sort((a, b) => a.index - b.index) : found
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

/**
 * The folders of the patterns of a list, by list: those of a card are needed each time the scopes of its board are
 * compared.
 */
const folders = new WeakMap<readonly string[], readonly (readonly string[])[]>()

function foldersOfEach(patterns: readonly string[]): readonly (readonly string[])[] {
  const cached = folders.get(patterns)
  if (cached !== undefined) return cached
  const found = patterns.map(foldersOf)
  folders.set(patterns, found)
  return found
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

/** Maximum number of boards whose indexes are kept. */
const maxKept = 32

const indexes = new Map<string, ScopeIndex>()

/** The index of a board, as it was last used. */
export function scopeIndexOf(board: string): ScopeIndex {
  const index = indexes.get(board) ?? new ScopeIndex()
  // The most recently used index is removed last.
  indexes.delete(board)
  indexes.set(board, index)
  if (indexes.size > maxKept) indexes.delete(indexes.keys().next().value!)
  return index
}
