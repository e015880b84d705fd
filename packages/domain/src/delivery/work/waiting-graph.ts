import { type InPieces, inTurns } from '@specboard/contract'
import { sql } from 'kysely'
import type { Context, Environment } from '../../kernel/context.ts'
import { parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { EventsTable } from '../../schema/tables.ts'
import type { Waiting } from '../cards/dependencies/cycle.ts'
import { isOpen } from '../cards/list/filters.ts'
import { countUnblocked } from './unblocks.ts'

const openLinks = hot<{ board: string }, Waiting>(
  (_, param) =>
    sql<Waiting>`select d.card_id, d.depends_on_id from card_dependencies d
      where d.board_id = ${param('board')}
        and exists (select 1 from cards waiting where waiting.id = d.card_id and ${isOpen('waiting')})
        and exists (select 1 from cards awaited where awaited.id = d.depends_on_id and ${isOpen('awaited')})`,
)

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

/** A pause in which other calls get their turn. */
const turn = () => new Promise(resolve => setImmediate(resolve))

/** Which open cards of a board wait for which, with how many cards each holds up. */
export class WaitingGraph {
  /** The last event of the board that the graph knows of. */
  #seq: number
  readonly #awaited: ReadonlyMap<string, readonly Waiting[]>
  readonly #closed = new Set<string>()
  readonly #counting: InPieces<ReadonlyMap<string, number>>
  #counts: Promise<ReadonlyMap<string, number>> | undefined

  constructor(seq: number, links: readonly Waiting[]) {
    this.#seq = seq
    this.#awaited = Map.groupBy(links, link => link.card_id)
    this.#counting = countUnblocked(links)
  }

  /** How many open cards wait for each card, directly or through others; those that hold up none are left out. */
  counts(): Promise<ReadonlyMap<string, number>> {
    this.#counts ??= inTurns(this.#counting, turn)
    return this.#counts
  }

  /**
   * Follows the board's events.
   * @returns false where the counts no longer hold, so that the graph must be read anew
   */
  async follow(db: Db, boardId: string, seq: number): Promise<boolean> {
    if (seq - this.#seq > mostEvents) return false
    if (seq > this.#seq) {
      const events = await linkEvents(db, { board: boardId, after: this.#seq })
      this.#seq = seq
      if (!events.every(event => this.#holdsAfter(event))) return false
    }
    return true
  }

  #holdsAfter({ action, card_id, details }: LinkEvent): boolean {
    if (action !== 'card_moved' || card_id === null) return false
    const { from_status, to_status } = parseNullable(details) ?? {}
    if (closed.has(from_status) === closed.has(to_status)) return true
    if (closed.has(from_status)) return false
    this.#closed.add(card_id)
    return (this.#awaited.get(card_id) ?? []).every(link => this.#closed.has(link.depends_on_id))
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
 * The graph of a board as committed: the one of an earlier call, if the events since then leave its counts as they are.
 * Finishing cards does; call it with the reader, which sees no unit of work that may still be rolled back.
 */
export async function waitingGraphOf({ db, boardId, environment }: Context): Promise<WaitingGraph> {
  const graphs = graphsOf(environment)
  const [board] = await lastEvent(db, { board: boardId })
  const { seq } = board!
  const known = graphs.get(boardId)
  const graph =
    known !== undefined && (await known.follow(db, boardId, seq))
      ? known
      : new WaitingGraph(seq, await openLinks(db, { board: boardId }))
  graphs.delete(boardId)
  graphs.set(boardId, graph)
  if (graphs.size > mostGraphs) graphs.delete(graphs.keys().next().value!)
  return graph
}
