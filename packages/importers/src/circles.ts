import type { InPieces } from '@specboard/contract'

/** A link from a card to one it waits for. */
interface Link {
  readonly card_id: string
  readonly depends_on_id: string
}

/** Cards visited in one piece of work. */
const cardsOfAPiece = 10_000

/** Which links close a circle with those before them: of each circle, the link that was read last. */
export function* closingCircles<L extends Link>(links: readonly L[]): InPieces<ReadonlySet<L>> {
  const closing = new Set<L>()
  const waitsFor = new Map<string, string[]>()
  let visited = 0
  for (const link of withinCircles(links)) {
    const seen = new Set([link.depends_on_id])
    for (const card of seen) {
      for (const next of waitsFor.get(card) ?? []) seen.add(next)
      if (++visited % cardsOfAPiece === 0) yield
    }
    if (seen.has(link.card_id)) closing.add(link)
    else waitsFor.set(link.card_id, [...(waitsFor.get(link.card_id) ?? []), link.depends_on_id])
  }
  return closing
}

/**
 * The links that can be part of a circle: those left after cards that wait for none, and cards that none waits for,
 * have been taken away again and again. Real backlogs have few, so that looking for circles stays cheap.
 */
function withinCircles<L extends Link>(links: readonly L[]): L[] {
  const forwards = peeled(links, 'card_id', 'depends_on_id')
  return peeled(forwards, 'depends_on_id', 'card_id')
}

/** The links left after all cards have gone that have no link at their `from` end, together with the links to them. */
function peeled<L extends Link>(links: readonly L[], from: keyof Link, to: keyof Link): L[] {
  const leaving = new Map<string, number>()
  for (const link of links) leaving.set(link[from], (leaving.get(link[from]) ?? 0) + 1)
  const arriving = Map.groupBy(links, link => link[to])
  const gone = new Set([...arriving.keys()].filter(card => !leaving.has(card)))
  for (const card of gone) {
    for (const link of arriving.get(card) ?? []) {
      const left = leaving.get(link[from])! - 1
      leaving.set(link[from], left)
      if (left === 0) gone.add(link[from])
    }
  }
  return links.filter(link => !gone.has(link[to]) && !gone.has(link[from]))
}
