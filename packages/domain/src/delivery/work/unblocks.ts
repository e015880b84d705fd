import type { InPieces } from '@specboard/contract'
import type { DependencyLink } from '../cards/dependencies/cycle.ts'

/** The number of cards counted at once: their bits take two words of a cache line each, however large the board is. */
const blockSize = 1_024
const blockWords = blockSize / 32

/** The links of a board by number: the cards that wait for the card `v` are `waiting[first[v]]` to `first[v + 1]`. */
interface Links {
  readonly cards: readonly string[]
  readonly first: Int32Array
  readonly waiting: Int32Array
}

function numbered(links: readonly DependencyLink[]): Links {
  const numbers = new Map<string, number>()
  const cards: string[] = []
  const numberOf = (card: string): number => {
    const existing = numbers.get(card)
    if (existing !== undefined) return existing
    numbers.set(card, cards.length)
    return cards.push(card) - 1
  }
  const ends = links.map(link => [numberOf(link.depends_on_id), numberOf(link.card_id)] as const)
  const first = new Int32Array(cards.length + 1)
  for (const [awaited] of ends) first[awaited + 1]!++
  for (let card = 0; card < cards.length; card++) first[card + 1]! += first[card]!
  const free = first.slice()
  const waiting = new Int32Array(links.length)
  for (const [awaited, card] of ends) waiting[free[awaited]!++] = card
  return { cards, first, waiting }
}

/** The cards, in an order in which each comes after all that wait for it. */
function waitingFirst({ cards, first, waiting }: Links): Int32Array {
  const order = new Int32Array(cards.length)
  const next = first.slice()
  const visited = new Uint8Array(cards.length)
  const path: number[] = []
  let ordered = 0
  for (let start = 0; start < cards.length; start++) {
    if (visited[start] === 1) continue
    visited[start] = 1
    path.push(start)
    while (path.length > 0) {
      const card = path[path.length - 1]!
      if (next[card]! === first[card + 1]!) {
        order[ordered++] = path.pop()!
        continue
      }
      const after = waiting[next[card]!++]!
      if (visited[after] === 1) continue
      visited[after] = 1
      path.push(after)
    }
  }
  return order
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

/**
 * For each card that others wait for, how many do, directly or through others (work 2). A set of bits for each card,
 * made from those of the cards that wait for it, a block of cards at a time.
 * @param links between open cards; no card waits for itself, directly or through others
 */
export function* countUnblocked(links: readonly DependencyLink[]): InPieces<ReadonlyMap<string, number>> {
  const graph = numbered(links)
  yield
  const { cards, first, waiting } = graph
  const order = waitingFirst(graph)
  const counts = new Int32Array(cards.length)
  const sets = new Int32Array(cards.length * blockWords)
  for (let block = 0; block < cards.length; block += blockSize) {
    if (block > 0) yield
    sets.fill(0)
    for (const card of order) {
      const own = card * blockWords
      for (let link = first[card]!; link < first[card + 1]!; link++) {
        const after = waiting[link]!
        const bit = after - block
        if (bit >= 0 && bit < blockSize) sets[own + (bit >>> 5)]! |= 1 << (bit & 31)
        for (let word = 0; word < blockWords; word++) sets[own + word]! |= sets[after * blockWords + word]!
      }
      for (let word = 0; word < blockWords; word++) counts[card]! += bitsIn(sets[own + word]!)
    }
  }
  return new Map(cards.flatMap((card, number) => (counts[number]! > 0 ? [[card, counts[number]!] as const] : [])))
}
