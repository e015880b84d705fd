import type { NodeType } from '@specboard/contract'
import type { Database, Db } from '../../schema/database.ts'
import type { Embedder } from '../embedding/embedder.ts'
import { combinedScore, rounded } from '../scores.ts'
import type { Hits } from '../store/query-hits.ts'
import { type NodeRow, nodesByIds } from '../store/rows.ts'
import { nodesWith } from '../store/term-index.ts'
import { terms } from '../text/terms.ts'
import { BoardIndex, type IndexedNode } from './board-index.ts'
import { Best, similarity, termWeights } from './similarity.ts'

/** The most memory that vectors of boards not currently in use may take, bytes. */
const keptBytes = 384 << 20

/** How long the vectors of a board that nobody searches stay in memory, ms. */
const idleMs = 600_000

/** Keeps 32-bit rounding from excluding a node that is just similar enough. */
const tolerance = 1e-9

/** A search among the nodes of one board. */
export interface SimilarQuery {
  readonly topic: string
  readonly top_k: number
  readonly min_similarity: number
  readonly type: NodeType | 'all'
  readonly include_superseded: boolean
}

/** A node that is similar to a topic (knowledge-graph 7.2). */
export interface SimilarNode {
  readonly id: string
  readonly title: string
  readonly node_type: NodeType
  readonly source_artifact_ref: string
  readonly similarity: number
  readonly combined_score: number
  readonly superseded_by: string | null
}

/** A search over several boards. */
export interface GlobalQuery {
  readonly q: string
  readonly limit: number
  readonly min_similarity: number
  readonly type: NodeType | 'all'
}

/** A node found on one of several boards. */
export interface GlobalResult {
  readonly board_id: string
  readonly digest_id: string
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly node_type: NodeType
  readonly similarity: number
}

/** The results of a search; the warning says that only words were compared. */
export interface Found<Result> {
  readonly results: Result[]
  readonly total: number
  readonly warning?: 'embedding_unavailable'
}

/** A search text, analysed outside of any unit of work. */
interface Analysed {
  readonly terms: readonly string[]
  /** Null when the embedder failed. */
  readonly vector: Float32Array | null
}

interface Candidate {
  readonly node: IndexedNode
  readonly boardId: string
  readonly similarity: number
  readonly rank: number
}

/** Orders by rank, then similarity, then id. */
const before = (a: Candidate, b: Candidate): boolean =>
  a.rank !== b.rank
    ? a.rank > b.rank
    : a.similarity !== b.similarity
      ? a.similarity > b.similarity
      : a.node.id < b.node.id

/** The order of results from several boards: by similarity, then as `before`. */
const beforeGlobally = (a: Candidate, b: Candidate): boolean =>
  a.similarity !== b.similarity ? a.similarity > b.similarity : before(a, b)

/** The index of a board, and when it was last searched, ms. */
interface Kept {
  readonly index: BoardIndex
  readonly usedAt: number
}

/** Searches nodes by similarity, using vectors kept in memory and the term index. */
export class Search {
  readonly #database: Database
  readonly #embedder: Embedder
  readonly #clock: () => number
  readonly #hits: Hits
  readonly #onFault: (error: unknown) => void
  /** Indexes by board, least recently used first. */
  readonly #indexes = new Map<string, Kept>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: {
    readonly database: Database
    readonly embedder: Embedder
    readonly clock: () => number
    readonly hits: Hits
    readonly onFault: (error: unknown) => void
  }) {
    this.#database = options.database
    this.#embedder = options.embedder
    this.#clock = options.clock
    this.#hits = options.hits
    this.#onFault = options.onFault
  }

  /** The nodes of a board that are most similar to a topic. The caller must have checked access. */
  async similar(boardId: string, query: SimilarQuery): Promise<Found<SimilarNode>> {
    const analysed = await this.#analyse(query.topic)
    const index = this.#index(boardId)
    await index.load(this.#database)
    const results = await this.#database.read(async db => {
      const best = new Best<Candidate>(query.top_k, before)
      const now = this.#clock()
      await this.#compare(db, [index], analysed, query.type, (node, nodeSimilarity) => {
        if (!query.include_superseded && isSuperseded(node)) return
        if (nodeSimilarity < query.min_similarity - tolerance) return
        const rank = combinedScore(measuresOf(node, now), nodeSimilarity)
        best.add({ node, boardId, similarity: rounded(nodeSimilarity), rank })
      })
      return this.#withRows(db, best.items, ({ similarity, rank }, row) => ({
        id: row.id,
        title: row.title,
        node_type: row.node_type,
        source_artifact_ref: row.source_artifact_ref,
        similarity,
        combined_score: rank,
        superseded_by: row.superseded_by,
      }))
    })
    this.#hits.count(results.map(({ id }) => ({ boardId, id })))
    return foundOf(results, analysed)
  }

  /** The nodes of several boards that are most similar to a text. The caller must have checked access. */
  async global(boardIds: readonly string[], query: GlobalQuery): Promise<Found<GlobalResult>> {
    const analysed = await this.#analyse(query.q)
    const indexes = boardIds.map(boardId => this.#index(boardId))
    for (const index of indexes) await index.load(this.#database)
    const results = await this.#database.read(async db => {
      const best = new Best<Candidate>(query.limit, beforeGlobally)
      await this.#compare(db, indexes, analysed, query.type, (node, nodeSimilarity, boardId) => {
        if (nodeSimilarity < query.min_similarity - tolerance) return
        best.add({ node, boardId, similarity: rounded(nodeSimilarity), rank: node.relevance_score })
      })
      return this.#withRows(db, best.items, ({ boardId, similarity }, row) => ({
        board_id: boardId,
        digest_id: `${boardId}:${row.id}`,
        id: row.id,
        title: row.title,
        summary: summaryOf(row),
        node_type: row.node_type,
        similarity,
      }))
    })
    this.#hits.count(results.map(({ board_id, id }) => ({ boardId: board_id, id })))
    return foundOf(results, analysed)
  }

  async #analyse(text: string): Promise<Analysed> {
    try {
      const [vector] = await this.#embedder.embed([text])
      return { terms: [...new Set(terms(text))], vector: vector! }
    } catch (error) {
      this.#onFault(error)
      return { terms: [...new Set(terms(text))], vector: null }
    }
  }

  /** The index of a board, moved to the end of the order of use; drops indexes beyond the memory limit. */
  #index(boardId: string): BoardIndex {
    const { model, dimension } = this.#embedder
    const index = this.#indexes.get(boardId)?.index ?? new BoardIndex(boardId, model, dimension)
    this.#indexes.delete(boardId)
    this.#indexes.set(boardId, { index, usedAt: this.#clock() })
    let { bytes } = this
    for (const [id, kept] of this.#indexes) {
      if (bytes <= keptBytes || id === boardId) break
      this.#indexes.delete(id)
      bytes -= kept.index.bytes
    }
    this.#timer ??= setTimeout(() => this.#letGo(), idleMs).unref()
    return index
  }

  /** The memory that the vectors of all boards take, bytes. */
  get bytes(): number {
    return [...this.#indexes.values()].reduce((sum, { index }) => sum + index.bytes, 0)
  }

  /** Lets go of the boards that nobody has searched for a while, and looks again later if others are left. */
  #letGo(): void {
    const now = this.#clock()
    for (const [id, { usedAt }] of this.#indexes) if (now - usedAt >= idleMs) this.#indexes.delete(id)
    this.#timer = this.#indexes.size === 0 ? undefined : setTimeout(() => this.#letGo(), idleMs).unref()
  }

  /** Lets go of all vectors. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#indexes.clear()
  }

  /** Reports the similarity of every searched node. */
  async #compare(
    db: Db,
    indexes: readonly BoardIndex[],
    analysed: Analysed,
    type: NodeType | 'all',
    report: (node: IndexedNode, similarity: number, boardId: string) => void,
  ): Promise<void> {
    const searched = (node: IndexedNode | undefined): node is IndexedNode =>
      node !== undefined && (type === 'all' || node.node_type === type)
    let count = 0
    const holders = analysed.terms.map(() => [] as number[][])
    for (const index of indexes) {
      await index.catchUp(db)
      for (let slot = 0; slot < index.slots; slot++) if (searched(index.at(slot))) count++
      for (const [position, term] of analysed.terms.entries())
        holders[position]!.push(await slotsWith(db, index, term, searched))
    }
    const weights = termWeights(
      holders.map(slots => slots.reduce((sum, ofBoard) => sum + ofBoard.length, 0)),
      count,
    )
    for (const [board, index] of indexes.entries()) {
      const covered = new Float64Array(index.slots)
      for (const [position, slots] of holders.entries())
        for (const slot of slots[board]!) covered[slot]! += weights[position]!
      const cosines = analysed.vector === null ? null : index.cosines(analysed.vector)
      for (let slot = 0; slot < index.slots; slot++) {
        const node = index.at(slot)
        if (searched(node)) report(node, similarity(cosines?.[slot] ?? 0, covered[slot]!), index.boardId)
      }
    }
  }

  async #withRows<Result>(
    db: Db,
    candidates: readonly Candidate[],
    result: (candidate: Candidate, row: NodeRow) => Result,
  ): Promise<Result[]> {
    const rows = await nodesByIds(
      db,
      candidates.map(({ node }) => node.id),
    )
    const byId = new Map(rows.map(row => [row.id, row]))
    return candidates.flatMap(candidate => {
      const row = byId.get(candidate.node.id)
      return row === undefined ? [] : [result(candidate, row)]
    })
  }
}

const isSuperseded = ({ superseded_by, revocation_reason }: IndexedNode): boolean =>
  superseded_by !== null || revocation_reason === 'superseded'

const dayMs = 86_400_000

const measuresOf = (node: IndexedNode, nowMs: number) => ({
  degree: node.degree,
  age_days: Math.max(0, nowMs - node.updated_ms) / dayMs,
  source_confidence: node.source_confidence,
  dimmed: node.revocation_reason !== null || node.superseded_by !== null,
})

/** The slots of the searched nodes that contain a term. */
async function slotsWith(
  db: Db,
  index: BoardIndex,
  term: string,
  searched: (node: IndexedNode | undefined) => boolean,
): Promise<number[]> {
  if (index.ordinal === null) return []
  const slots: number[] = []
  for (const ordinal of await nodesWith(db, index.ordinal, term)) {
    const slot = index.slotOf(ordinal)
    if (slot !== undefined && searched(index.at(slot))) slots.push(slot)
  }
  return slots
}

const summaryLength = 280

const summaryOf = ({ content, title }: NodeRow): string => {
  const text = content.trim() === '' ? title : content
  return [...text.slice(0, 2 * summaryLength)].slice(0, summaryLength).join('')
}

const foundOf = <Result>(results: Result[], { vector }: Analysed): Found<Result> => ({
  results,
  total: results.length,
  ...(vector === null && { warning: 'embedding_unavailable' as const }),
})
