import type { RuntimeSettings } from '../kernel/runtime-settings.ts'
import type { Database } from '../schema/database.ts'
import { type RebuildProgress, type Rebuilt, rebuildBoard } from './backfill/rebuild.ts'
import { CallsPerMinute } from './calls-per-minute.ts'
import type { GraphResources } from './consolidation/consolidate.ts'
import { builtinEmbedder } from './embedding/builtin.ts'
import type { Embedder } from './embedding/embedder.ts'
import { type EmbeddingEndpoint, HttpEmbedder } from './embedding/http.ts'
import { CypherThread } from './queries/thread.ts'
import { Search } from './search/search.ts'
import { Hits } from './store/query-hits.ts'
import { BoardSignals } from './streams/board-signals.ts'
import { SharedReads } from './streams/shared-reads.ts'
import { StreamCounter } from './streams/stream-counter.ts'
import { Ticker } from './tick/ticker.ts'
import { QueueWorker } from './worker/worker.ts'

/** How the knowledge graph is set up. */
export interface KnowledgeGraphSettings {
  /** Where embeddings come from; the built-in embedder unless given. */
  readonly embedding?: EmbeddingEndpoint | undefined
  /** Cypher queries of one agent in a minute. */
  readonly cypherPerMinute?: number | undefined
  /** Whether failed attempts keep their traces. */
  readonly withTraces?: boolean | undefined
}

const usualCypherPerMinute = 120

/**
 * The knowledge graph of a service: what runs beside its calls (worker, tick, hits) and what they share
 * (embedder, search, streams).
 */
export class KnowledgeGraph {
  readonly embedder: Embedder
  readonly worker: QueueWorker
  readonly ticker: Ticker
  readonly search: Search
  readonly signals = new BoardSignals()
  readonly shared: SharedReads
  readonly streams = new StreamCounter()
  readonly cypher: CypherThread
  readonly cypherRate: CallsPerMinute
  readonly #resources: GraphResources
  readonly #hits: Hits
  #migrating = false

  constructor(options: {
    readonly database: Database
    readonly settings: RuntimeSettings
    readonly clock: () => number
    readonly newId: () => string
    readonly onFault: (error: unknown) => void
    readonly graph: KnowledgeGraphSettings
  }) {
    const { database, settings, clock, newId, onFault, graph } = options
    const { embedding, cypherPerMinute = usualCypherPerMinute, withTraces = false } = graph
    const embedder = embedding === undefined ? builtinEmbedder : new HttpEmbedder(embedding)
    const onChange = (boardId: string) => this.signals.tell(boardId)
    this.embedder = embedder
    this.shared = new SharedReads(database)
    this.#resources = { database, embedder, clock, newId, onFault }
    this.#hits = new Hits(database, clock, onFault)
    this.worker = new QueueWorker(this.#resources, { settings, onChange, withTrace: withTraces })
    this.ticker = new Ticker({ database, embedder, settings, clock, newId, hits: this.#hits, onFault, onChange })
    this.search = new Search({ database, embedder, clock, hits: this.#hits, onFault })
    this.cypher = new CypherThread(database.folder, onFault)
    this.cypherRate = new CallsPerMinute(cypherPerMinute, clock)
  }

  /** Starts what runs beside the calls: the worker takes up what was left, the tick its rhythm. */
  async start(): Promise<void> {
    await this.worker.start()
    this.ticker.start()
  }

  /** Ends what runs, in order, and writes what was gathered. */
  async stop(): Promise<void> {
    await this.worker.stop()
    await this.ticker.stop()
    await this.#hits.flush()
    await this.cypher.stop()
    this.signals.tellAll()
  }

  /** Something was queued: the worker looks soon, and streams tell of it. */
  queued(boardIds: Iterable<string>): void {
    const boards = new Set(boardIds)
    for (const boardId of boards) this.signals.tell(boardId)
    this.worker.wake(boards)
  }

  /** Writes the hits gathered so far. */
  flushHits(): Promise<void> {
    return this.#hits.flush()
  }

  /** The boards whose graphs can be rebuilt. */
  async boards(): Promise<string[]> {
    const rows = await this.#resources.database.read(db => db.selectFrom('boards').select('id').orderBy('id').execute())
    return rows.map(({ id }) => id)
  }

  /**
   * Extracts all records of a board anew, one board at a time in this process; null when another is at it. It
   * can be stopped by the signal and begun again: what is right already is let be.
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
      return await rebuildBoard(this.#resources, boardId, options)
    } finally {
      this.#migrating = false
      this.signals.tell(boardId)
    }
  }
}
