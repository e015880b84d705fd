import { dialects } from '@specboard/cypher'
import { AgentSlots } from '../kernel/agent-slots.ts'
import type { Callers } from '../kernel/followers/callers.ts'
import type { Follower, Wants } from '../kernel/followers/follower.ts'
import type { Leases } from '../kernel/leases.ts'
import type { RuntimeSettings } from '../kernel/runtime-settings.ts'
import { BoardSignals } from '../kernel/streams/board-signals.ts'
import type { Database } from '../schema/database.ts'
import { removedOwner } from '../schema/removed-owner.ts'
import { type RebuildProgress, type Rebuilt, rebuildBoard } from './backfill/rebuild.ts'
import { CallsPerMinute } from './calls-per-minute.ts'
import type { GraphResources } from './consolidation/consolidate.ts'
import { builtinEmbedder } from './embedding/builtin.ts'
import type { Embedder } from './embedding/embedder.ts'
import { type EmbeddingEndpoint, HttpEmbedder } from './embedding/http.ts'
import { QueryProcesses } from './queries/query-processes.ts'
import { type CypherRunner, queryLimits } from './queries/run-cypher.ts'
import { Search } from './search/search.ts'
import { Hits } from './store/query-hits.ts'
import { Ticker } from './tick/ticker.ts'
import { QueueWorker } from './worker/worker.ts'

/** Settings of the knowledge graph. */
export interface KnowledgeGraphSettings {
  /** An endpoint for embeddings; without one, the built-in embedder is used. */
  readonly embedding?: EmbeddingEndpoint | undefined
  /** How many Cypher queries one agent may run in a minute. */
  readonly cypherPerMinute?: number | undefined
  /** Whether failed attempts keep their stack traces. */
  readonly withTraces?: boolean | undefined
}

const defaultCypherPerMinute = 120

/** The lease name of the node that rebuilds a graph. */
const rebuilding = 'rebuild'

/** The shortest time between two notifications of a board, ms: a backfill changes it hundreds of times a second. */
const restMs = 100

/**
 * The knowledge graph of a service: its background work (worker, tick, hits) and what calls share (embedder, search,
 * signals).
 */
export class KnowledgeGraph implements Follower {
  readonly embedder: Embedder
  readonly worker: QueueWorker
  readonly ticker: Ticker
  readonly search: Search
  /** Notified when something has changed in a board's graph or queue. */
  readonly signals = new BoardSignals(restMs)
  readonly cypherRate: CallsPerMinute
  /** What is needed to run Cypher queries. */
  readonly cypher: CypherRunner
  readonly wants: Wants = {
    events: boards => this.queued(boards),
    calls: boards => this.signals.notifyEach(boards),
    freed: () => this.worker.nodeEnded(),
  }
  readonly #resources: GraphResources
  readonly #hits: Hits
  readonly #leases: Leases
  #migrating = false

  constructor(options: {
    readonly database: Database
    readonly settings: RuntimeSettings
    readonly leases: Leases
    readonly callers: Callers
    readonly clock: () => number
    readonly newId: () => string
    readonly onFault: (error: unknown) => void
    readonly graph: KnowledgeGraphSettings
  }) {
    const { database, settings, leases, callers, clock, newId, onFault, graph } = options
    const { embedding, cypherPerMinute = defaultCypherPerMinute, withTraces = false } = graph
    const embedder = embedding === undefined ? builtinEmbedder : new HttpEmbedder(embedding)
    const onChange = (boardId: string) => this.signals.notify(boardId)
    this.embedder = embedder
    this.#resources = { database, embedder, clock, newId, onFault }
    this.#leases = leases
    this.#hits = new Hits(database, clock, onFault)
    this.worker = new QueueWorker(this.#resources, { settings, leases, callers, onChange, withTrace: withTraces })
    const hits = this.#hits
    this.ticker = new Ticker({ database, embedder, settings, leases, clock, newId, hits, onFault, onChange })
    this.search = new Search({ database, embedder, clock, hits, onFault })
    this.cypher = {
      slots: new AgentSlots(queryLimits),
      processes: new QueryProcesses(database.address),
      dialect: dialects[database.engine],
    }
    this.cypherRate = new CallsPerMinute(cypherPerMinute, clock)
  }

  faults(): readonly string[] {
    return this.worker.hasStopped ? ['the worker of the knowledge graph has stopped'] : []
  }

  /** Starts the background work: the worker resumes what a previous process left, and ticks run on schedule. */
  async start(): Promise<void> {
    await this.worker.start()
    this.ticker.start()
  }

  /** Stops the background work in order and writes the hits collected so far. */
  async stop(): Promise<void> {
    await this.worker.stop()
    await this.ticker.stop()
    await this.#hits.flush()
    await this.cypher.processes.stop()
    this.search.stop()
    this.signals.notifyAll()
  }

  /** Call after queueing records of these boards: wakes the worker and the streams. */
  queued(boardIds: Iterable<string>): void {
    const boards = new Set(boardIds)
    this.signals.notifyEach(boards)
    this.worker.wake(boards)
  }

  /** Writes the hits collected so far. */
  flushHits(): Promise<void> {
    return this.#hits.flush()
  }

  /** The boards whose graphs can be rebuilt. */
  async boards(): Promise<string[]> {
    const rows = await this.#resources.database.read(db =>
      db.selectFrom('boards').select('id').where('owner_id', '<>', removedOwner).orderBy('id').execute(),
    )
    return rows.map(({ id }) => id)
  }

  /**
   * Extracts all records of a board again. One rebuild runs at a time; null when another is running. The signal stops
   * it, and it can be started again: what is already correct is left alone.
   *
   * @example
   * for (const boardId of await graph.boards()) await graph.rebuild(boardId, { onProgress: show })
   */
  async rebuild(
    boardId: string,
    options: { readonly signal?: AbortSignal; readonly onProgress?: (progress: RebuildProgress) => void } = {},
  ): Promise<Rebuilt | null> {
    if (this.#migrating) return null
    this.#migrating = true
    try {
      if (!(await this.#leases.take(rebuilding))) return null
      return await rebuildBoard(this.#resources, boardId, options)
    } finally {
      this.#migrating = false
      await this.#leases.release(rebuilding)
      this.signals.notify(boardId)
    }
  }
}
