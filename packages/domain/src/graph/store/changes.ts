import type { NodeType } from '@specboard/contract'
import { toJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { turning } from '../../schema/in-pieces.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { KgNodesTable } from '../../schema/tables.ts'
import { encodeVector } from '../embedding/vectors.ts'
import { statementOf } from '../text/polarity.ts'
import { countRemovals, raiseRevision } from './boards.ts'
import { rescore } from './rescore.ts'
import { type EdgeRow, edgesAt, type NodeRow, readOrdinal, removeVector, storeVector, vectorOf } from './rows.ts'
import { indexNode } from './term-index.ts'

/** A vector with the model that made it; null when it could not be made. */
export type NodeVector = { readonly model: string; readonly vector: Float32Array } | null

/** A node to be stored; the other columns are derived. */
export type NewNode = Omit<
  NodeRow,
  | 'ordinal'
  | 'board_id'
  | 'source_session_id'
  | 'created_at'
  | 'updated_at'
  | 'created_by_agent'
  | 'relevance_score'
  | 'query_hits'
  | 'last_queried_at'
  | 'last_recomputed_at'
  | 'manual_boost'
  | 'boosted_at'
  | 'embedding_model'
  | 'degree'
  | 'polarity'
  | 'core'
  | 'revision'
>

/** An edge to be stored; the other columns are derived. */
export type NewEdge = Omit<EdgeRow, 'board_id' | 'created_by' | 'created_by_session_id' | 'created_at'>

/** The columns of a node that a session or an undo writes. */
export type NodeChange = Partial<Omit<NodeRow, 'ordinal' | 'id' | 'board_id' | 'revision' | 'degree'>>

/** The recorded columns of a removed node. */
export type RemovedNode = Omit<NodeRow, 'ordinal' | 'revision'>

/** A change of a node by a unit of work, with the previous values. */
export interface RecordedNode {
  readonly kind: 'node'
  readonly target_id: string
  readonly before: Partial<NodeRow> | null
  readonly after: Partial<NodeRow> | null
  readonly vector: Uint8Array | null
}

/** An edge that a unit of work added or removed. */
export interface RecordedEdge {
  readonly kind: 'edge'
  readonly target_id: string
  readonly before: EdgeRow | null
  readonly after: EdgeRow | null
  readonly vector: null
}

/** A change of a graph by a unit of work. */
export type GraphChange = RecordedNode | RecordedEdge

/** The author of all changes except boosts. */
export const system = 'system:consolidation'

/** The relevance of a node before it is first computed. */
const firstScore = 0.5

/** The columns that hold the statement of a decision. */
export const statementColumns = (node_type: NodeType, title: string): Pick<KgNodesTable, 'polarity' | 'core'> => {
  if (node_type !== 'Decision') return { polarity: null, core: null }
  const { polarity, core } = statementOf(title)
  return { polarity, core: toJson(core) }
}

/**
 * The changes of one unit of work on a board's graph. Every write of nodes and edges goes through here, so that index,
 * vectors, pre-images and scores stay in step.
 *
 * @example
 * const changes = await GraphChanges.begin(db, { boardId, sessionId, now })
 * await changes.addNode(node, vector)
 * await changes.settle() // without this, the scores are stale
 */
export class GraphChanges {
  readonly boardId: string
  readonly sessionId: string
  readonly now: string
  readonly recorded: GraphChange[] = []
  /** Decisions that were added, changed or removed: their contradictions must be checked. */
  readonly decisions = new Set<string>()
  readonly #db: Db
  readonly #board: { readonly ordinal: number; readonly revision: number }
  readonly #touched = new Set<string>()
  /** Yields to the event loop after some writes. */
  readonly #step: () => Promise<void> | undefined
  #removed = 0

  private constructor(
    db: Db,
    unit: { readonly boardId: string; readonly sessionId: string; readonly now: string },
    board: { readonly ordinal: number; readonly revision: number },
  ) {
    this.#db = db
    this.#step = turning(db)
    this.boardId = unit.boardId
    this.sessionId = unit.sessionId
    this.now = unit.now
    this.#board = board
  }

  /** Starts changing the graph of a board. */
  static async begin(
    db: Db,
    unit: { readonly boardId: string; readonly sessionId: string; readonly now: string },
  ): Promise<GraphChanges> {
    return new GraphChanges(db, unit, await raiseRevision(db, unit.boardId))
  }

  /** Adds a node. */
  async addNode(node: NewNode, vector: NodeVector): Promise<void> {
    await this.#insertNode(
      {
        ...node,
        board_id: this.boardId,
        source_session_id: this.sessionId,
        created_at: this.now,
        updated_at: this.now,
        created_by_agent: system,
        relevance_score: firstScore,
        query_hits: 0,
        last_queried_at: null,
        last_recomputed_at: null,
        manual_boost: 0,
        boosted_at: null,
        embedding_model: vector?.model ?? '',
        degree: 0,
        ...statementColumns(node.node_type, node.title),
        revision: this.#board.revision,
      },
      vector === null ? null : encodeVector(vector.vector),
    )
    this.#recordNode(node.id, null, {})
  }

  /** Restores a removed node. */
  async restoreNode(node: RemovedNode, vector: Uint8Array | null): Promise<void> {
    await this.#insertNode({ ...node, revision: this.#board.revision }, vector)
  }

  async #insertNode(node: Omit<NodeRow, 'ordinal'>, vector: Uint8Array | null): Promise<void> {
    await this.#step()
    await insertRow(this.#db, 'kg_nodes', node)
    const ordinal = await readOrdinal(this.#db, node.id)
    await indexNode(this.#db, this.#board.ordinal, { ...node, ordinal })
    if (vector !== null) await this.#storeVector(ordinal, node.embedding_model, vector)
    this.#touch(node)
  }

  #storeVector(ordinal: number, model: string, vector: Uint8Array): Promise<unknown> {
    const { revision } = this.#board
    return storeVector(this.#db, { ordinal, board: this.boardId, model, vector, revision })
  }

  /** Changes columns of a node. `vector` belongs to the new text; undefined when the text does not change. */
  async updateNode(before: NodeRow, change: NodeChange, vector?: NodeVector): Promise<void> {
    const columns: NodeChange = {
      ...change,
      ...(change.title !== undefined && statementColumns(before.node_type, change.title)),
      ...(vector !== undefined && { embedding_model: vector?.model ?? '' }),
    }
    await this.writeNode(before, columns, vector == null ? vector : encodeVector(vector.vector))
    const names = Object.keys(columns) as (keyof NodeChange)[]
    this.#recordNode(before.id, Object.fromEntries(names.map(name => [name, before[name]])), columns)
  }

  /** Writes columns of a node without a pre-image. `vector` null removes the vector, undefined keeps it. */
  async writeNode(before: NodeRow, columns: NodeChange, vector?: Uint8Array | null): Promise<void> {
    const after = { ...before, ...columns }
    await this.#step()
    await updateRow(this.#db, 'kg_nodes', before.id, { ...columns, revision: this.#board.revision })
    if (before.title !== after.title || before.content !== after.content || before.context !== after.context)
      await indexNode(this.#db, this.#board.ordinal, after)
    if (vector === null) await removeVector(this.#db, before.ordinal)
    else if (vector !== undefined) await this.#storeVector(before.ordinal, after.embedding_model, vector)
    this.#touch(after)
  }

  /** Removes a node with its edges; returns the edges. */
  async removeNode(node: NodeRow): Promise<EdgeRow[]> {
    await this.#step()
    const edges = await edgesAt(this.#db, node.id)
    for (const edge of edges) await this.removeEdge(edge)
    const embedding = await vectorOf(this.#db, node.ordinal)
    await this.#db.deleteFrom('kg_nodes').where('id', '=', node.id).execute()
    const { ordinal, revision, ...columns } = node
    this.#recordNode(node.id, columns, null, embedding?.vector ?? null)
    this.#removed++
    this.#touch(node)
    return edges
  }

  /** Adds an edge. */
  async addEdge(edge: NewEdge): Promise<void> {
    const row: EdgeRow = {
      ...edge,
      board_id: this.boardId,
      created_by: system,
      created_by_session_id: this.sessionId,
      created_at: this.now,
    }
    await this.restoreEdge(row)
    this.#recordEdge(edge.id, null, row)
  }

  /** Restores a removed edge. */
  async restoreEdge(edge: EdgeRow): Promise<void> {
    await this.#step()
    await insertRow(this.#db, 'kg_edges', edge)
    this.#touchEnds(edge)
  }

  /** Removes an edge. */
  async removeEdge(edge: EdgeRow): Promise<void> {
    await this.#step()
    await this.#db.deleteFrom('kg_edges').where('id', '=', edge.id).execute()
    this.#recordEdge(edge.id, edge, null)
    this.#touchEnds(edge)
  }

  /** Recomputes the relevance of every changed node, and of every node that gained or lost an edge. */
  async settle(): Promise<void> {
    await countRemovals(this.#db, this.boardId, this.#removed)
    await rescore(this.#db, [...this.#touched], this.now, this.#board.revision)
  }

  #touch(node: { readonly id: string; readonly node_type: NodeType }): void {
    this.#touched.add(node.id)
    if (node.node_type === 'Decision') this.decisions.add(node.id)
  }

  #touchEnds({ from_id, to_id }: EdgeRow): void {
    this.#touched.add(from_id)
    this.#touched.add(to_id)
  }

  #recordNode(
    target_id: string,
    before: RecordedNode['before'],
    after: RecordedNode['after'],
    vector: Uint8Array | null = null,
  ): void {
    this.recorded.push({ kind: 'node', target_id, before, after, vector })
  }

  #recordEdge(target_id: string, before: EdgeRow | null, after: EdgeRow | null): void {
    this.recorded.push({ kind: 'edge', target_id, before, after, vector: null })
  }
}
