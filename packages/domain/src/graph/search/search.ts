import type { NodeType } from '@specboard/contract'
import { refsOf } from '../../kernel/references.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { excerpt } from '../../lib/excerpt.ts'
import type { Database, Db } from '../../schema/database.ts'
import { type Embedder, embeddedText } from '../embedding/embedder.ts'
import { combinedScore, rounded } from '../scores.ts'
import type { Hits } from '../store/query-hits.ts'
import { type NodeRow, nodesByIds } from '../store/rows.ts'
import { nodesWith } from '../store/term-index.ts'
import { terms } from '../text/terms.ts'
import { BoardIndex, type IndexedNode } from './board-index.ts'
import { SharedParts } from './shared-parts.ts'
import { Best, similarity, termWeights } from './similarity.ts'

/** Maximum memory that vectors of boards not currently in use may take, bytes. */
const keptBytes = 384 << 20

/** How long the vectors of a board that nobody searches stay in memory, ms. */
const idleMs = 600_000

/** Keeps 32-bit rounding from excluding a node that is just similar enough. */
const tolerance = 1e-9

/** A search among the nodes of one board. */
export interface SimilarQuery {
  readonly topic: string
  readonly top_k: number
  /** Undefined to use the default threshold; if no node reaches that, the nearest nodes are returned. */
  readonly min_similarity?: number | undefined
  readonly type: NodeType | 'all'
  readonly include_superseded: boolean
}

/** The members that every found node has in addition (knowledge-graph 7.2). */
interface Hit {
  /** The beginning of its text. */
  readonly excerpt: string
  /** The reference of the record that it comes from. */
  readonly record_ref: string | null
  /** Other nodes with the same text. */
  readonly also?: string[]
  /** Set if the node was returned only as one of the nearest, because no node was similar enough. */
  readonly below_threshold?: true
}

/** A node that is similar to a topic (knowledge-graph 7.2). */
export interface SimilarNode extends Hit {
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
  /** Undefined to use the default threshold; if no node reaches that, the nearest nodes are returned. */
  readonly min_similarity?: number | undefined
  readonly type: NodeType | 'all'
}

/** A node found on one of several boards. */
export interface GlobalResult extends Hit {
  readonly board_id: string
  readonly digest_id: string
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly node_type: NodeType
  readonly similarity: number
}

/** The results of a search; the warning says that only words were compared. */
export interface SearchResults<Result> {
  readonly results: Result[]
  readonly total: number
  readonly warning?: 'embedding_unavailable'
}

/** How similar a node must be by default. */
const usualSimilarity = 0.3

/** How many nodes are found instead if none is similar enough. */
const maxNearest = 3

/** How many candidates are kept for each result, since several may have the same text. */
const perResult = 4

/** A search text, analysed outside of any unit of work. */
interface AnalysedText {
  readonly terms: readonly string[]
  /** Null when the embedder failed. */
  readonly vector: Float32Array | null
  /** What a node must share with the text; undefined if the vectors alone determine similarity. */
  readonly parts: SharedParts | undefined
}

interface Candidate {
  readonly node: IndexedNode
  readonly boardId: string
  readonly similarity: number
  readonly rank: number
  /** Whether it contains a term of the text, so that its vector is not similar by chance. */
  readonly hasTerm: boolean
  /** Its rank with a similarity of 0. */
  readonly rankAlone: number
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
interface CachedIndex {
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
  readonly #indexes = new Map<string, CachedIndex>()
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
  async similar(boardId: string, query: SimilarQuery): Promise<SearchResults<SimilarNode>> {
    const analysed = await this.#analyse(query.topic)
    const index = this.#index(boardId)
    await index.load(this.#database)
    const chosen = new Chosen(query.top_k, query.min_similarity, before)
    const now = this.#clock()
    await this.#database.read(async db => {
      await index.catchUp(db)
      const counted = await countsIn(db, index, analysed, query.type)
      await compare(db, index, { analysed, weights: weightsOf([counted]), type: query.type }, (node, found) => {
        if (!chosen.wants(found.similarity) || (!query.include_superseded && isSuperseded(node))) return
        const rankBy = (nodeSimilarity: number) => combinedScore(measuresOf(node, now), nodeSimilarity)
        chosen.add({ node, boardId, ...found, rank: rankBy(found.similarity), rankAlone: rankBy(0) })
      })
    })
    this.#letGoBeyondLimit(boardId)
    const results = await this.#results(chosen, analysed, ({ similarity, rank }, row) => ({
      id: row.id,
      title: row.title,
      node_type: row.node_type,
      source_artifact_ref: row.source_artifact_ref,
      similarity,
      combined_score: rank,
      superseded_by: row.superseded_by,
    }))
    this.#hits.count(results.filter(isHit).map(({ id }) => ({ boardId, id })))
    return foundOf(results, analysed)
  }

  /**
   * The nodes of several boards that are most similar to a text. The caller must have checked access. Boards that are
   * not already in memory are loaded one after the other, yielding to others in between.
   */
  async global(boardIds: readonly string[], query: GlobalQuery): Promise<SearchResults<GlobalResult>> {
    const analysed = await this.#analyse(query.q)
    const type = query.type
    const counts: Counts[] = []
    await this.#onEach(boardIds, async (db, index) => {
      counts.push(await countsIn(db, index, analysed, type))
    })
    const weights = weightsOf(counts)
    const chosen = new Chosen(query.limit, query.min_similarity, beforeGlobally)
    // The most recently searched boards are the likeliest to be still in memory.
    await this.#onEach(boardIds.toReversed(), (db, index) =>
      compare(db, index, { analysed, weights, type }, (node, found) => {
        if (!chosen.wants(found.similarity)) return
        const rank = node.relevance_score
        chosen.add({ node, boardId: index.boardId, ...found, rank, rankAlone: rank })
      }),
    )
    const results = await this.#results(chosen, analysed, ({ boardId, similarity }, row) => ({
      board_id: boardId,
      digest_id: `${boardId}:${row.id}`,
      id: row.id,
      title: row.title,
      summary: excerptOf(row),
      node_type: row.node_type,
      similarity,
    }))
    this.#hits.count(results.filter(isHit).map(({ board_id, id }) => ({ boardId: board_id, id })))
    return foundOf(results, analysed)
  }

  /** Runs a function on the index of each board, yielding to other work in between. */
  async #onEach(boardIds: readonly string[], act: (db: Db, index: BoardIndex) => Promise<void>): Promise<void> {
    let startedAt = performance.now()
    for (const boardId of boardIds) {
      const index = this.#index(boardId)
      await index.load(this.#database)
      await this.#database.read(async db => {
        await index.catchUp(db)
        await act(db, index)
      })
      this.#letGoBeyondLimit(boardId)
      if (performance.now() - startedAt < turnMs) continue
      await yieldToEventLoop()
      startedAt = performance.now()
    }
  }

  async #analyse(text: string): Promise<AnalysedText> {
    try {
      const [vector] = await this.#embedder.embed([text])
      const parts = this.#embedder.kind === 'lexical' ? new SharedParts(text) : undefined
      return { terms: [...new Set(terms(text))], vector: vector!, parts }
    } catch (error) {
      this.#onFault(error)
      return { terms: [...new Set(terms(text))], vector: null, parts: undefined }
    }
  }

  /** The index of a board, moved to the end of the order of use. */
  #index(boardId: string): BoardIndex {
    const { model, dimension } = this.#embedder
    const index = this.#indexes.get(boardId)?.index ?? new BoardIndex(boardId, model, dimension)
    this.#indexes.delete(boardId)
    this.#indexes.set(boardId, { index, usedAt: this.#clock() })
    this.#timer ??= setTimeout(() => this.#releaseBuffer(), idleMs).unref()
    return index
  }

  /** Drops the least recently searched boards beyond the memory limit; the one being searched stays. */
  #letGoBeyondLimit(boardId: string): void {
    let { bytes } = this
    for (const [id, { index }] of this.#indexes) {
      if (bytes <= keptBytes) return
      if (id === boardId) continue
      this.#indexes.delete(id)
      bytes -= index.bytes
    }
  }

  /** The memory that the indexes of all boards take, bytes. */
  get bytes(): number {
    let bytes = 0
    for (const { index } of this.#indexes.values()) bytes += index.bytes
    return bytes
  }

  /** Drops the boards that have not been searched for a while, and checks again later if others are left. */
  #releaseBuffer(): void {
    const now = this.#clock()
    for (const [id, { usedAt }] of this.#indexes) if (now - usedAt >= idleMs) this.#indexes.delete(id)
    this.#timer = this.#indexes.size === 0 ? undefined : setTimeout(() => this.#releaseBuffer(), idleMs).unref()
  }

  /** Drops all vectors. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#indexes.clear()
  }

  /** The results for candidates: each text once, with the nodes that have the same text. */
  async #results<Result extends { readonly id: string }>(
    chosen: Chosen,
    { parts }: AnalysedText,
    result: (candidate: Candidate, row: NodeRow) => Result,
  ): Promise<(Result & Hit)[]> {
    const rows = await this.#database.read(db => nodesByIds(db, chosen.ids))
    const byId = new Map(rows.map(row => [row.id, row]))
    if (parts !== undefined) chosen.correct(await unrelatedAmong(chosen.uncertain, byId, parts))
    const { candidates, limit, areBelow } = chosen
    const found = candidates.flatMap(candidate => {
      const row = byId.get(candidate.node.id)
      return row === undefined ? [] : [{ candidate, row }]
    })
    const refs = await this.#database.read(db =>
      refsOf(
        db,
        found.map(({ row }) => recordIn(row)),
      ),
    )
    const byText = Map.groupBy(found, ({ row }) => JSON.stringify([row.node_type, row.title, row.content]))
    return [...byText.values()].slice(0, limit).map(([first, ...others]) => ({
      ...result(first!.candidate, first!.row),
      excerpt: excerptOf(first!.row),
      record_ref: refs.get(recordIn(first!.row)) ?? null,
      ...(others.length > 0 && { also: others.map(({ row }) => row.id) }),
      ...(areBelow && { below_threshold: true as const }),
    }))
  }
}

/** How long a search over boards runs before yielding to other work, ms. */
const turnMs = 10

/** How many texts are compared with a search text before yielding to other work. */
const textsOfATurn = 50

/** The ids of nodes that share nothing with the text. */
async function unrelatedAmong(
  uncertain: readonly Candidate[],
  rows: ReadonlyMap<string, NodeRow>,
  parts: SharedParts,
): Promise<ReadonlySet<string>> {
  const unrelated = new Set<string>()
  for (const [index, { node }] of uncertain.entries()) {
    if (index % textsOfATurn === textsOfATurn - 1) await yieldToEventLoop()
    const row = rows.get(node.id)
    if (row === undefined || !parts.areIn(embeddedText(row))) unrelated.add(node.id)
  }
  return unrelated
}

/** The counts that terms are weighted by. */
interface Counts {
  readonly nodes: number
  /** For each term, how many of the nodes contain it. */
  readonly holders: readonly number[]
}

const isSearched = (node: IndexedNode | undefined, type: NodeType | 'all'): node is IndexedNode =>
  node !== undefined && (type === 'all' || node.node_type === type)

/** The counts of a board. */
async function countsIn(db: Db, index: BoardIndex, analysed: AnalysedText, type: NodeType | 'all'): Promise<Counts> {
  let nodes = 0
  for (let slot = 0; slot < index.slots; slot++) if (isSearched(index.at(slot), type)) nodes++
  const holders: number[] = []
  for (const term of analysed.terms) holders.push((await slotsWith(db, index, term, type)).length)
  return { nodes, holders }
}

/** The weight of each term among the nodes of all boards. */
function weightsOf(boards: readonly Counts[]): number[] {
  const holders = (boards[0]?.holders ?? []).map((_, term) =>
    boards.reduce((sum, board) => sum + board.holders[term]!, 0),
  )
  return termWeights(
    holders,
    boards.reduce((sum, board) => sum + board.nodes, 0),
  )
}

/** What is searched for on a board. */
interface BoardSearch {
  readonly analysed: AnalysedText
  readonly weights: readonly number[]
  readonly type: NodeType | 'all'
}

/** Reports the similarity of every searched node of a board. */
async function compare(
  db: Db,
  index: BoardIndex,
  { analysed, weights, type }: BoardSearch,
  report: (node: IndexedNode, found: Pick<Candidate, 'similarity' | 'hasTerm'>) => void,
): Promise<void> {
  const covered = new Float64Array(index.slots)
  for (const [position, term] of analysed.terms.entries())
    for (const slot of await slotsWith(db, index, term, type)) covered[slot]! += weights[position]!
  const cosines = analysed.vector === null ? null : index.cosines(analysed.vector)
  for (let slot = 0; slot < index.slots; slot++) {
    const node = index.at(slot)
    if (!isSearched(node, type)) continue
    report(node, { similarity: similarity(cosines?.[slot] ?? 0, covered[slot]!), hasTerm: covered[slot]! > 0 })
  }
}

/** How many of the nearest are kept, since some may be near by chance. */
const keptNearest = 64

/**
 * Selects candidates by their similarity. If none is similar enough, and the request did not set a minimum similarity,
 * it selects the nearest instead.
 */
class Chosen {
  readonly #least: number
  readonly #order: (a: Candidate, b: Candidate) => boolean
  readonly #limit: number
  #similar: Best<Candidate>
  #nearest: Best<Candidate> | undefined

  constructor(limit: number, min: number | undefined, order: (a: Candidate, b: Candidate) => boolean) {
    this.#limit = limit
    this.#order = order
    this.#least = (min ?? usualSimilarity) - tolerance
    this.#similar = new Best(perResult * limit, order)
    this.#nearest = min === undefined ? new Best(keptNearest, beforeGlobally) : undefined
  }

  /** Whether a node of this similarity can be selected; checked for every node, before a candidate is made of it. */
  wants(nodeSimilarity: number): boolean {
    if (nodeSimilarity >= this.#least) return true
    if (this.#nearest === undefined) return false
    const { items } = this.#nearest
    // Most nodes have a similarity of 0; the first few of these are enough.
    return items.length < keptNearest || (nodeSimilarity > 0 && nodeSimilarity >= items.at(-1)!.similarity - roundedBy)
  }

  add(candidate: Candidate): void {
    const item = { ...candidate, similarity: rounded(candidate.similarity) }
    if (candidate.similarity >= this.#least) this.#similar.add(item)
    else this.#nearest?.add(item)
  }

  /** The nodes of all candidates. */
  get ids(): string[] {
    return this.#all.map(({ node }) => node.id)
  }

  /** The candidates that contain no term of the text. */
  get uncertain(): readonly Candidate[] {
    return this.#all.filter(({ hasTerm }) => !hasTerm)
  }

  get #all(): readonly Candidate[] {
    return [...this.#similar.items, ...(this.#nearest?.items ?? [])]
  }

  /** Sets the similarity of nodes that share nothing with the text to 0. */
  correct(unrelated: ReadonlySet<string>): void {
    if (unrelated.size === 0) return
    const candidates = this.#all.map(candidate =>
      unrelated.has(candidate.node.id) ? { ...candidate, similarity: 0, rank: candidate.rankAlone } : candidate,
    )
    this.#similar = new Best(perResult * this.#limit, this.#order)
    if (this.#nearest !== undefined) this.#nearest = new Best(keptNearest, beforeGlobally)
    for (const candidate of candidates) this.add(candidate)
  }

  /** Whether no candidate is similar enough, so that the nearest are returned instead. */
  get areBelow(): boolean {
    return this.#similar.items.length === 0
  }

  get candidates(): readonly Candidate[] {
    return this.areBelow ? (this.#nearest?.items ?? []) : this.#similar.items
  }

  get limit(): number {
    return this.areBelow ? Math.min(maxNearest, this.#limit) : this.#limit
  }
}

/** The maximum rounding error of a similarity. */
const roundedBy = 1e-4

/** The id of the record that a node comes from, as in `spec:<id>:decision:<item>`. */
const recordIn = ({ source_artifact_ref }: NodeRow): string => source_artifact_ref.split(':')[1] ?? ''

const isHit = ({ below_threshold }: Hit): boolean => below_threshold !== true

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
async function slotsWith(db: Db, index: BoardIndex, term: string, type: NodeType | 'all'): Promise<number[]> {
  if (index.ordinal === null) return []
  const slots: number[] = []
  for (const ordinal of await nodesWith(db, index.ordinal, term)) {
    const slot = index.slotOf(ordinal)
    if (slot !== undefined && isSearched(index.at(slot), type)) slots.push(slot)
  }
  return slots
}

const excerptLength = 280

/** The beginning of a node's content, which is the rationale of a decision; else of its title. */
const excerptOf = ({ content, title }: NodeRow): string =>
  excerpt(content.trim() === '' ? title : content, excerptLength)

const foundOf = <Result>(results: Result[], { vector }: AnalysedText): SearchResults<Result> => ({
  results,
  total: results.length,
  ...(vector === null && { warning: 'embedding_unavailable' as const }),
})
