import type { InPieces } from '@specboard/contract'

/** A link from a card to one it waits for. */
interface Link {
  readonly card_id: string
  readonly depends_on_id: string
}

/** Cards or links processed in one step. */
const cardsOfAPiece = 10_000

/** The links that close a cycle with earlier ones: of each cycle, the link that was read last. */
export function* closingCircles<L extends Link>(links: readonly L[]): InPieces<ReadonlySet<L>> {
  const closing = new Set<L>()
  const waitsFor = new Map<string, string[]>()
  let visited = 0
  for (const link of yield* withinCircles(links)) {
    const reachable = new Set([link.depends_on_id])
    for (const card of reachable) {
      for (const next of waitsFor.get(card) ?? []) reachable.add(next)
      if (++visited % cardsOfAPiece === 0) yield
    }
    if (reachable.has(link.card_id)) closing.add(link)
    else waitsFor.set(link.card_id, [...(waitsFor.get(link.card_id) ?? []), link.depends_on_id])
  }
  return closing
}

/**
 * The links that can be part of a cycle: those that remain after repeatedly removing cards that wait for no other card,
 * and cards that no other card waits for. Real backlogs have few such links, which keeps the search for cycles cheap.
 */
function* withinCircles<L extends Link>(links: readonly L[]): InPieces<L[]> {
  const forwards = yield* peeled(links, 'card_id', 'depends_on_id')
  return yield* peeled(forwards, 'depends_on_id', 'card_id')
}

/**
 * The links that remain after repeatedly removing all cards without a link at their `from` end, together with the links
 * to them.
 */
function* peeled<L extends Link>(links: readonly L[], from: keyof Link, to: keyof Link): InPieces<L[]> {
  const leaving = new Map<string, number>()
  const arriving = new Map<string, L[]>()
  for (const [index, link] of links.entries()) {
    if (index % cardsOfAPiece === 0) yield
    leaving.set(link[from], (leaving.get(link[from]) ?? 0) + 1)
    const others = arriving.get(link[to])
    if (others === undefined) arriving.set(link[to], [link])
    else others.push(link)
  }
  const removed = new Set([...arriving.keys()].filter(card => !leaving.has(card)))
  let count = 0
  for (const card of removed) {
    if (++count % cardsOfAPiece === 0) yield
    for (const link of arriving.get(card) ?? []) {
      const remaining = leaving.get(link[from])! - 1
      leaving.set(link[from], remaining)
      if (remaining === 0) removed.add(link[from])
    }
  }
  return links.filter(link => !removed.has(link[to]) && !removed.has(link[from]))
}
