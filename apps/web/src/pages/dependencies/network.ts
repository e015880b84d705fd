import { type CardSummary, isOpen } from '../../data/card-list.ts'
import type { Dependency } from '../../data/dependencies.ts'

/** A card that waits for others, or that others wait for. */
export interface LinkedCard {
  readonly card: CardSummary
  /** The cards that it waits for, and those that wait for it, of those that are shown. */
  readonly waitsFor: readonly string[]
  readonly waiting: readonly string[]
  /** How many open cards wait for it, directly or through others. */
  readonly holdsUp: number
  readonly isCritical: boolean
  /** Whether it is shown only because one of the chosen cards waits for it. */
  readonly isOutside: boolean
}

/** The cards that are linked, with what waits for what. */
export interface Network {
  readonly cards: ReadonlyMap<string, LinkedCard>
  /** The longest chain of open cards, each waiting for the one before it. */
  readonly criticalPath: readonly string[]
  /** How many of the chosen cards are not linked to any other. */
  readonly alone: number
}

interface NetworkFilter {
  readonly isChosen: (card: CardSummary) => boolean
  /** Whether cards that are done or cancelled are shown. */
  readonly withDone: boolean
}

/** The network of chosen cards of a board, and of the cards that they wait for directly. */
export function networkOf(
  cards: readonly CardSummary[],
  links: readonly Dependency[],
  { isChosen, withDone }: NetworkFilter,
): Network {
  const byId = new Map(cards.filter(card => withDone || isOpen(card)).map(card => [card.id, card]))
  const chosen = new Set([...byId.values()].filter(isChosen).map(({ id }) => id))
  const visibleLinks = links.filter(({ card_id, depends_on_id }) => chosen.has(card_id) && byId.has(depends_on_id))
  const waitsFor = Map.groupBy(visibleLinks, link => link.card_id)
  const waiting = Map.groupBy(visibleLinks, link => link.depends_on_id)
  const ids = [...byId.keys()].filter(id => waitsFor.has(id) || waiting.has(id))
  const neighbours = {
    before: (id: string) => (waitsFor.get(id) ?? []).map(link => link.depends_on_id),
    after: (id: string) => (waiting.get(id) ?? []).map(link => link.card_id),
  }
  const open = new Set(ids.filter(id => isOpen(byId.get(id)!)))
  const openAfter = (id: string) => neighbours.after(id).filter(next => open.has(next))
  const criticalPath = longestRow([...open], openAfter)
  const critical = new Set(criticalPath)
  return {
    cards: new Map(
      ids.map(id => [
        id,
        {
          card: byId.get(id)!,
          waitsFor: neighbours.before(id),
          waiting: neighbours.after(id),
          // All except the card itself.
          holdsUp: open.has(id) ? reachedFrom(id, openAfter).size - 1 : 0,
          isCritical: critical.has(id),
          isOutside: !chosen.has(id),
        },
      ]),
    ),
    criticalPath,
    alone: [...chosen].filter(id => !waitsFor.has(id) && !waiting.has(id)).length,
  }
}

/** A card and all cards reachable from it, in the order in which they are reached. */
export function reachedFrom(start: string, next: (id: string) => readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>()
  const stack = [start]
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (reached.has(id)) continue
    reached.add(id)
    stack.push(...next(id))
  }
  return reached
}

/** The longest chain in an acyclic order, the first of several; empty if no chain has two cards. */
function longestRow(ids: readonly string[], after: (id: string) => readonly string[]): readonly string[] {
  const rows = new Map<string, { readonly length: number; readonly next: string | undefined }>()
  for (const id of lastFirst(ids, after)) {
    let best: { readonly length: number; readonly next: string | undefined } = { length: 1, next: undefined }
    for (const next of after(id)) {
      const length = 1 + (rows.get(next)?.length ?? 0)
      if (length > best.length) best = { length, next }
    }
    rows.set(id, best)
  }
  let start: string | undefined
  for (const id of ids) if (start === undefined || rows.get(id)!.length > rows.get(start)!.length) start = id
  if (start === undefined || rows.get(start)!.length < 2) return []
  const row: string[] = []
  for (let id: string | undefined = start; id !== undefined; id = rows.get(id)?.next) row.push(id)
  return row
}

/** An order in which each card follows all cards that wait for it. */
function lastFirst(ids: readonly string[], after: (id: string) => readonly string[]): readonly string[] {
  const ordered: string[] = []
  const visited = new Set<string>()
  for (const start of ids) {
    const stack: { readonly id: string; readonly isDone: boolean }[] = [{ id: start, isDone: false }]
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      if (step.isDone) ordered.push(step.id)
      if (step.isDone || visited.has(step.id)) continue
      visited.add(step.id)
      stack.push({ id: step.id, isDone: true }, ...after(step.id).map(id => ({ id, isDone: false })))
    }
  }
  return ordered
}

/** The cards, ordered by how many others they block, highest first. */
export const blockingMost = ({ cards }: Network): readonly LinkedCard[] =>
  [...cards.values()].filter(({ holdsUp }) => holdsUp > 0).toSorted((a, b) => b.holdsUp - a.holdsUp)

/** A card with all cards that it waits for and that wait for it, directly or through others. */
export function chainOf({ cards }: Network, id: string): ReadonlySet<string> {
  const along = (side: 'waitsFor' | 'waiting') => reachedFrom(id, at => cards.get(at)?.[side] ?? [])
  return along('waitsFor').union(along('waiting'))
}
