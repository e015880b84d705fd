import { inTurns } from '@specboard/contract'
import { sql } from 'kysely'
import type { Environment } from '../../kernel/context.ts'
import type { Steps } from '../../kernel/implement.ts'
import { parseNullable } from '../../lib/json.ts'
import { turn } from '../../lib/turn.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { EventsTable } from '../../schema/tables.ts'
import type { Waiting } from '../cards/dependencies/cycle.ts'
import { isOpen } from '../cards/list/filters.ts'
import type { Waits } from '../cards/list/ready.ts'
import { countUnblocked } from './unblocks.ts'

/** An open card, with each card that it waits for; once with null where it waits for none. */
interface OpenCard {
  readonly card_id: string
  readonly depends_on_id: string | null
}

const openCards = hot<{ board: string; after: string; limit: number }, OpenCard>(
  (_, param) =>
    sql<OpenCard>`select open.id as card_id, d.depends_on_id from (
        select id from cards where board_id = ${param('board')} and id > ${param('after')} and ${isOpen('cards')}
        order by id limit ${param('limit')}
      ) open left join card_dependencies d on d.card_id = open.id`,
)

/** So many cards are read at once, in 10 ms; between two reads other calls get their turn. */
const cardsAtOnce = 2_000

interface Place {
  /** The board's last event. */
  seq: number
  /** How many of its cards are open. */
  open: number
}

const placeOf = hot<{ board: string }, Place>(
  (_, param) => sql<Place>`select seq, (select coalesce(sum(count), 0) from list_counts
      where board_id = ${param('board')} and kind = 'card' and ${isOpen('list_counts')}) as open
    from boards where id = ${param('board')}`,
)

type LinkEvent = Pick<EventsTable, 'action' | 'card_id' | 'details'>

const linkEvents = hot<{ board: string; after: number }, LinkEvent>(
  (_, param) =>
    sql<LinkEvent>`select action, card_id, details from events
      where board_id = ${param('board')} and seq > ${param('after')} and (imported = 1 or action in ('card_created',
        'card_moved', 'card_deleted', 'card_archived', 'card_restored', 'dependency_added', 'dependency_removed'))
      order by seq`,
)

/** So many events are read to keep a graph; after more of them it is read anew. */
const mostEvents = 2_000

const closed: ReadonlySet<unknown> = new Set(['done', 'cancelled'])

/** The open cards of a board, and the links between them. */
interface OpenCards {
  readonly cards: ReadonlySet<string>
  readonly links: readonly Waiting[]
}

/** Reads the open cards of a board in turns. */
async function readOpenCards(steps: Steps): Promise<OpenCards> {
  const cards = new Set<string>()
  const links: Waiting[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: OpenCard[] = await steps.read(({ db, boardId }) =>
      openCards(db, { board: boardId, after: after!, limit: cardsAtOnce }),
    )
    after = undefined
    for (const { card_id, depends_on_id } of rows) {
      cards.add(card_id)
      if (depends_on_id !== null) links.push({ card_id, depends_on_id })
      if (after === undefined || card_id > after) after = card_id
    }
    await turn()
  }
  return { cards, links: links.filter(link => cards.has(link.depends_on_id)) }
}

/** Which open cards of a board wait for which, with how many cards each holds up. */
class WaitingGraph {
  /** How many open cards wait for each card, directly or through others; those that hold up none are left out. */
  readonly counts: Promise<ReadonlyMap<string, number>>
  /** The last event of the board that the graph knows of. */
  #seq: number
  /** For how many open cards each open card waits. Undefined while the cards are read. */
  #waitsFor: Map<string, number> | undefined
  /** The open cards that wait for none. */
  readonly #free = new Set<string>()
  #waiting: ReadonlyMap<string, readonly Waiting[]> = new Map()
  #holds = true

  /** @param seq the last event before the cards are read: what happens meanwhile is followed afterwards */
  constructor(seq: number, cards: Promise<OpenCards>) {
    this.#seq = seq
    this.counts = this.#count(cards)
  }

  async #count(read: Promise<OpenCards>): Promise<ReadonlyMap<string, number>> {
    const { cards, links } = await read
    this.#waiting = Map.groupBy(links, link => link.depends_on_id)
    const waitsFor = new Map<string, number>()
    for (const card of cards) waitsFor.set(card, 0)
    for (const { card_id } of links) waitsFor.set(card_id, waitsFor.get(card_id)! + 1)
    for (const [card, awaited] of waitsFor) if (awaited === 0) this.#free.add(card)
    this.#waitsFor = waitsFor
    return inTurns(countUnblocked(links), turn)
  }

  /**
   * Follows the board's events, once the cards are read.
   * @returns false where the counts no longer hold, so that the graph must be read anew
   */
  async follow(db: Db, board: string, { seq, open }: Place): Promise<boolean> {
    const waitsFor = this.#waitsFor
    if (waitsFor === undefined || !this.#holds) return this.#holds
    if (seq > this.#seq) {
      const events = seq - this.#seq > mostEvents ? undefined : await linkEvents(db, { board, after: this.#seq })
      this.#seq = seq
      this.#holds = events?.every(event => this.#holdsAfter(event, waitsFor)) ?? false
    }
    this.#holds &&= waitsFor.size === open
    return this.#holds
  }

  /** The open cards that wait for no other, once the cards are read; undefined where the graph does not know. */
  async free(db: Db, board: string): Promise<readonly string[] | undefined> {
    const [place] = await placeOf(db, { board })
    return (await this.follow(db, board, place!)) && this.#waitsFor !== undefined ? [...this.#free] : undefined
  }

  #holdsAfter({ action, card_id, details }: LinkEvent, waitsFor: Map<string, number>): boolean {
    if (card_id === null) return false
    if (action !== 'card_created' && action !== 'card_moved') return false
    const { status, from_status, to_status } = parseNullable(details) ?? {}
    if (action === 'card_created') {
      if (!closed.has(status) && !waitsFor.has(card_id)) this.#freed(card_id, waitsFor)
      return true
    }
    if (closed.has(from_status) === closed.has(to_status)) return true
    return !closed.has(from_status) && this.#holdsWithout(card_id, waitsFor)
  }

  /** Takes a card out that was closed. The counts hold if it waited for none that is open: they are of those alone. */
  #holdsWithout(card: string, waitsFor: Map<string, number>): boolean {
    const awaited = waitsFor.get(card)
    if (awaited === undefined) return true
    if (awaited > 0) return false
    waitsFor.delete(card)
    this.#free.delete(card)
    for (const { card_id } of this.#waiting.get(card) ?? []) {
      const left = waitsFor.get(card_id)
      if (left === undefined) continue
      if (left === 1) this.#freed(card_id, waitsFor)
      else waitsFor.set(card_id, left - 1)
    }
    return true
  }

  #freed(card: string, waitsFor: Map<string, number>): void {
    waitsFor.set(card, 0)
    this.#free.add(card)
  }
}

/** So many boards' graphs are kept; the one that was longest not asked for goes first. */
const mostGraphs = 32

const kept = new WeakMap<Environment, Map<string, WaitingGraph>>()

function graphsOf(environment: Environment): Map<string, WaitingGraph> {
  const graphs = kept.get(environment) ?? new Map<string, WaitingGraph>()
  kept.set(environment, graphs)
  return graphs
}

/**
 * Which open cards of a board wait for others, as committed: as counted for an earlier call, if the events since then
 * leave the counts as they are. Creating and finishing cards does. A large board is read and counted in turns, for all
 * calls that ask meanwhile together.
 */
export async function waitsOn(steps: Steps): Promise<Waits> {
  const graphs = graphsOf(steps.environment)
  const { board, seq, known } = await steps.read(async ({ db, boardId }) => {
    const [place] = await placeOf(db, { board: boardId })
    const graph = graphs.get(boardId)
    const holds = graph !== undefined && (await graph.follow(db, boardId, place!))
    return { board: boardId, seq: place!.seq, known: holds ? graph : undefined }
  })
  const graph = known ?? new WaitingGraph(seq, readOpenCards(steps))
  graphs.delete(board)
  graphs.set(board, graph)
  if (graphs.size > mostGraphs) graphs.delete(graphs.keys().next().value!)
  try {
    const unblocks = await graph.counts
    return { unblocks, free: await steps.read(({ db, boardId }) => graph.free(db, boardId)) }
  } catch (error) {
    // The reader of the cards lost the board, or was refused: that is no refusal of the others.
    if (graphs.get(board) === graph) graphs.delete(board)
    if (known === undefined) throw error
    return waitsOn(steps)
  }
}
