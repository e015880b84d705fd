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

const lastEvent = hot<{ board: string }, { seq: number }>(
  (_, param) => sql<{ seq: number }>`select seq from boards where id = ${param('board')}`,
)

type LinkEvent = Pick<EventsTable, 'action' | 'card_id' | 'details'>

const linkEvents = hot<{ board: string; after: number }, LinkEvent>(
  (_, param) =>
    sql<LinkEvent>`select action, card_id, details from events
      where board_id = ${param('board')} and seq > ${param('after')} and action in ('card_moved', 'card_deleted',
        'card_archived', 'card_restored', 'dependency_added', 'dependency_removed')
      order by seq`,
)

/** So many events are read to keep a graph; after more of them it is read anew. */
const mostEvents = 2_000

const closed: ReadonlySet<unknown> = new Set(['done', 'cancelled'])

/** The links between the open cards of a board. */
async function openLinks(steps: Steps): Promise<Waiting[]> {
  const open = new Set<string>()
  const links: Waiting[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: OpenCard[] = await steps.read(({ db, boardId }) =>
      openCards(db, { board: boardId, after: after!, limit: cardsAtOnce }),
    )
    after = undefined
    for (const { card_id, depends_on_id } of rows) {
      open.add(card_id)
      if (depends_on_id !== null) links.push({ card_id, depends_on_id })
      if (after === undefined || card_id > after) after = card_id
    }
    await turn()
  }
  return links.filter(link => open.has(link.depends_on_id))
}

/** Which open cards of a board wait for which, with how many cards each holds up. */
class WaitingGraph {
  /** How many open cards wait for each card, directly or through others; those that hold up none are left out. */
  readonly counts: Promise<ReadonlyMap<string, number>>
  /** The last event of the board that the graph knows of. */
  #seq: number
  /** Undefined while the links are read. */
  #awaited: ReadonlyMap<string, readonly Waiting[]> | undefined
  readonly #closed = new Set<string>()
  #holds = true

  /** @param seq the last event before the links are read: what happens meanwhile is followed afterwards */
  constructor(seq: number, links: Promise<readonly Waiting[]>) {
    this.#seq = seq
    this.counts = this.#count(links)
  }

  async #count(read: Promise<readonly Waiting[]>): Promise<ReadonlyMap<string, number>> {
    const links = await read
    this.#awaited = Map.groupBy(links, link => link.card_id)
    return inTurns(countUnblocked(links), turn)
  }

  /**
   * Follows the board's events, once the links are read.
   * @returns false where the counts no longer hold, so that the graph must be read anew
   */
  async follow(db: Db, boardId: string, seq: number): Promise<boolean> {
    const awaited = this.#awaited
    if (awaited !== undefined && this.#holds && seq > this.#seq) {
      const events =
        seq - this.#seq > mostEvents ? undefined : await linkEvents(db, { board: boardId, after: this.#seq })
      this.#seq = seq
      this.#holds = events?.every(event => this.#holdsAfter(event, awaited)) ?? false
    }
    return this.#holds
  }

  #holdsAfter({ action, card_id, details }: LinkEvent, awaited: ReadonlyMap<string, readonly Waiting[]>): boolean {
    if (action !== 'card_moved' || card_id === null) return false
    const { from_status, to_status } = parseNullable(details) ?? {}
    if (closed.has(from_status) === closed.has(to_status)) return true
    if (closed.has(from_status)) return false
    this.#closed.add(card_id)
    return (awaited.get(card_id) ?? []).every(link => this.#closed.has(link.depends_on_id))
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
 * How many open cards of a board wait for each card, as committed: as counted for an earlier call, if the events since
 * then leave the counts as they are. Finishing cards does. A large board is read and counted in turns, for all calls that
 * ask meanwhile together.
 */
export async function unblocksOn(steps: Steps): Promise<ReadonlyMap<string, number>> {
  const graphs = graphsOf(steps.environment)
  const { board, seq, known } = await steps.read(async ({ db, boardId }) => {
    const [row] = await lastEvent(db, { board: boardId })
    const graph = graphs.get(boardId)
    const holds = graph !== undefined && (await graph.follow(db, boardId, row!.seq))
    return { board: boardId, seq: row!.seq, known: holds ? graph : undefined }
  })
  const graph = known ?? new WaitingGraph(seq, openLinks(steps))
  graphs.delete(board)
  graphs.set(board, graph)
  if (graphs.size > mostGraphs) graphs.delete(graphs.keys().next().value!)
  try {
    return await graph.counts
  } catch (error) {
    // The reader of the links lost the board, or was refused: that is no refusal of the others.
    if (graphs.get(board) === graph) graphs.delete(board)
    if (known === undefined) throw error
    return unblocksOn(steps)
  }
}
