import type { InPieces } from '@specboard/contract'
import type { DependencyLink } from '../cards/dependencies/cycle.ts'
import { countUnblocked } from './unblocks.ts'

/** The cards at the other end of each card's links. */
type Ends = Map<string, string[]>

/** The number of cards visited to correct counts, in 5 ms; if it takes more, everything is recounted in turns. */
const maxVisits = 30_000

/** Limits the number of visited cards, so that one correction does not take long. */
class Visits {
  #left = maxVisits

  get isOver(): boolean {
    return this.#left < 0
  }

  /** The cards reachable by links, including the starting ones; only part of them once the limit is reached. */
  reached(ends: Ends, from: Iterable<string>): Set<string> {
    const found = new Set(from)
    for (const card of found) {
      if (this.#left-- < 0) break
      for (const next of ends.get(card) ?? []) found.add(next)
    }
    return found
  }
}

/** The links between the open cards of a board, and how many cards each of them holds up. */
export class OpenLinks {
  readonly #awaited: Ends = new Map()
  readonly #waiting: Ends = new Map()
  #counts = new Map<string, number>()
  #size = 0

  /** Counts nothing yet (see `count`). */
  constructor(links: readonly DependencyLink[]) {
    for (const link of links) this.#add(link)
  }

  /** How many links there are. */
  get size(): number {
    return this.#size
  }

  /** How many open cards wait for a card, directly or through others (work 2). */
  unblocks(card: string): number {
    return this.#counts.get(card) ?? 0
  }

  /** The links that start or end at a card. */
  of(card: string): DependencyLink[] {
    const awaited = (this.#awaited.get(card) ?? []).map(depends_on_id => ({ card_id: card, depends_on_id }))
    const waiting = (this.#waiting.get(card) ?? []).map(card_id => ({ card_id, depends_on_id: card }))
    return [...awaited, ...waiting]
  }

  /** Recounts what each card unblocks. */
  *count(): InPieces<void> {
    const links = [...this.#waiting].flatMap(([depends_on_id, cards]) =>
      cards.map(card_id => ({ card_id, depends_on_id })),
    )
    yield
    this.#counts = new Map(yield* countUnblocked(links))
  }

  /**
   * Adds and removes links, and corrects the counts.
   * @returns the cards whose count changed; undefined if that would take too long, so that everything must be recounted
   */
  change(added: readonly DependencyLink[], removed: readonly DependencyLink[]): readonly string[] | undefined {
    const visits = new Visits()
    const changed = [...added, ...removed]
    const holders = visits.reached(
      this.#awaited,
      changed.map(link => link.depends_on_id),
    )
    const waiting = visits.reached(
      this.#waiting,
      changed.map(link => link.card_id),
    )
    const count = () =>
      holders.size <= waiting.size ? this.#heldBy(holders, visits) : this.#holdersOf(waiting, visits)
    const before = count()
    for (const link of removed) this.#remove(link)
    for (const link of added) this.#add(link)
    const after = count()
    return visits.isOver ? undefined : this.#correct(before, after)
  }

  /** For each of some cards, how many it holds up. */
  #heldBy(cards: Iterable<string>, visits: Visits): Map<string, number> {
    const counts = new Map<string, number>()
    for (const card of cards) counts.set(card, visits.reached(this.#waiting, [card]).size - 1)
    return counts
  }

  /** For each card that holds up some of these, how many of them. */
  #holdersOf(cards: Iterable<string>, visits: Visits): Map<string, number> {
    const counts = new Map<string, number>()
    for (const card of cards)
      for (const holder of visits.reached(this.#awaited, [card]))
        if (holder !== card) counts.set(holder, (counts.get(holder) ?? 0) + 1)
    return counts
  }

  #correct(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] {
    const changed: string[] = []
    for (const card of new Set([...before.keys(), ...after.keys()])) {
      const more = (after.get(card) ?? 0) - (before.get(card) ?? 0)
      if (more === 0) continue
      changed.push(card)
      const count = this.unblocks(card) + more
      if (count === 0) this.#counts.delete(card)
      else this.#counts.set(card, count)
    }
    return changed
  }

  #add({ card_id, depends_on_id }: DependencyLink): void {
    addEnd(this.#awaited, card_id, depends_on_id)
    addEnd(this.#waiting, depends_on_id, card_id)
    this.#size++
  }

  #remove({ card_id, depends_on_id }: DependencyLink): void {
    removeEnd(this.#awaited, card_id, depends_on_id)
    removeEnd(this.#waiting, depends_on_id, card_id)
    this.#size--
  }
}

function addEnd(ends: Ends, card: string, other: string): void {
  const others = ends.get(card)
  if (others === undefined) ends.set(card, [other])
  else others.push(other)
}

function removeEnd(ends: Ends, card: string, other: string): void {
  const remaining = ends.get(card)!.filter(end => end !== other)
  if (remaining.length === 0) ends.delete(card)
  else ends.set(card, remaining)
}
