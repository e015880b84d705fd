import type { NodeType } from '@specboard/contract'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import type { Database, Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { decodeVector } from '../embedding/vectors.ts'
import { readGraphBoard } from '../store/boards.ts'
import { SlotTable } from './slot-table.ts'

/** How many rows a full block of vectors holds. The last block starts small and doubles: many boards have few nodes. */
const blockRows = 1_024
const firstRows = 16

/** The approximate size of a node apart from its vector, bytes. */
const nodeBytes = 400

/** How many rows are read before yielding to other work. */
const pageRows = 500

/** The inputs to the rank of a node, and its ordinal. */
interface NodeMeasures {
  readonly ordinal: number
  readonly id: string
  readonly node_type: NodeType
  readonly degree: number
  readonly updated_at: string
  readonly source_confidence: number
  readonly relevance_score: number
  readonly superseded_by: string | null
  readonly revocation_reason: string | null
  readonly embedding_model: string
  readonly revision: number
}

const changedNodes = hot<{ board: string; revision: number; after: number; limit: number }, NodeMeasures>((db, param) =>
  db
    .selectFrom('kg_nodes')
    .select([
      'ordinal',
      'id',
      'node_type',
      'degree',
      'updated_at',
      'source_confidence',
      'relevance_score',
      'superseded_by',
      'revocation_reason',
      'embedding_model',
      'revision',
    ])
    .where('board_id', '=', param('board'))
    .where('revision', '>=', param('revision'))
    .where(eb => eb.or([eb('revision', '>', param('revision')), eb('ordinal', '>', param('after'))]))
    .orderBy('revision')
    .orderBy('ordinal')
    .limit(param('limit')),
)

interface VectorRow {
  readonly ordinal: number
  readonly vector: Uint8Array
  readonly model: string
  readonly dimension: number
  readonly revision: number
}

const changedVectors = hot<{ board: string; revision: number; after: number; limit: number }, VectorRow>((db, param) =>
  db
    .selectFrom('kg_vectors')
    .select(['ordinal', 'vector', 'model', 'dimension', 'revision'])
    .where('board_id', '=', param('board'))
    .where('revision', '>=', param('revision'))
    .where(eb => eb.or([eb('revision', '>', param('revision')), eb('ordinal', '>', param('after'))]))
    .orderBy('revision')
    .orderBy('ordinal')
    .limit(param('limit')),
)

const ordinals = hot<{ board: string }, { ordinal: number }>((db, param) =>
  db.selectFrom('kg_nodes').select('ordinal').where('board_id', '=', param('board')),
)

/** How far an index has read: each row has a revision, and revisions only increase. */
interface Mark {
  revision: number
  ordinal: number
}

/** A node in the index. */
export interface IndexedNode {
  readonly slot: number
  readonly ordinal: number
  readonly id: string
  readonly node_type: NodeType
  readonly degree: number
  /** When the node last changed, ms since the epoch. */
  readonly updated_ms: number
  readonly source_confidence: number
  readonly relevance_score: number
  readonly superseded_by: string | null
  readonly revocation_reason: string | null
}

/**
 * The nodes of a board with their vectors in memory, so that a search is one pass over numbers. It changes only by
 * following the revisions of the database. A block holds its vectors dimension by dimension: a query of the built-in
 * embedder is zero in most dimensions, and those are skipped.
 */
export class BoardIndex {
  readonly boardId: string
  readonly model: string
  readonly dimension: number
  readonly #nodes: (IndexedNode | undefined)[] = []
  readonly #slots = new SlotTable()
  readonly #free: number[] = []
  readonly #blocks: Float32Array[] = []
  readonly #nodeMark: Mark = { revision: -1, ordinal: -1 }
  readonly #vectorMark: Mark = { revision: -1, ordinal: -1 }
  #removals = 0
  /** The board's ordinal in the term index; null while it has no graph. */
  ordinal: number | null = null

  constructor(boardId: string, model: string, dimension: number) {
    this.boardId = boardId
    this.model = model
    this.dimension = dimension
  }

  /** The number of nodes in the index. */
  get size(): number {
    return this.#slots.size
  }

  /** The size of the index, bytes. */
  get bytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.byteLength, this.#nodes.length * nodeBytes)
  }

  /** The number of slots, used and free; every slot in use is below it. */
  get slots(): number {
    return this.#nodes.length
  }

  /** The node of a slot; undefined when the slot is free. */
  at(slot: number): IndexedNode | undefined {
    return this.#nodes[slot]
  }

  /** The slot of an ordinal; undefined when its node is not in the index. */
  slotOf(ordinal: number): number | undefined {
    return this.#slots.get(ordinal)
  }

  /** Reads what has changed in pages, yielding to other work between them. */
  async load(database: Database): Promise<void> {
    while (await database.read(db => this.#readPage(db))) await yieldToEventLoop()
  }

  /** Reads what is still missing, so that the index matches what the unit of work sees. */
  async catchUp(db: Db): Promise<void> {
    while (await this.#readPage(db));
    const board = await readGraphBoard(db, this.boardId)
    this.ordinal = board.ordinal
    if (board.removals === this.#removals) return
    const there = new Set((await ordinals(db, { board: this.boardId })).map(({ ordinal }) => ordinal))
    for (const ordinal of [...this.#slots.ordinals()]) if (!there.has(ordinal)) this.#drop(ordinal)
    this.#removals = board.removals
  }

  /** Reads one page of nodes and one of vectors; returns whether there may be more. */
  async #readPage(db: Db): Promise<boolean> {
    const page = (mark: Mark) => ({
      board: this.boardId,
      revision: mark.revision,
      after: mark.ordinal,
      limit: pageRows,
    })
    const nodes = await changedNodes(db, page(this.#nodeMark))
    for (const node of nodes) this.#put(node)
    const vectors = await changedVectors(db, page(this.#vectorMark))
    this.#putVectors(vectors)
    for (const [mark, last] of [
      [this.#nodeMark, nodes.at(-1)],
      [this.#vectorMark, vectors.at(-1)],
    ] as const)
      if (last !== undefined) Object.assign(mark, { revision: last.revision, ordinal: last.ordinal })
    return nodes.length === pageRows || vectors.length === pageRows
  }

  #put({ revision, embedding_model, updated_at, ...node }: NodeMeasures): void {
    const slot = this.#take(node.ordinal)
    this.#nodes[slot] = { slot, ...node, updated_ms: Date.parse(updated_at) }
    if (embedding_model !== this.model) this.#setVectors([{ slot, vector: null }])
  }

  /** The slot of an ordinal; assigns one if it has none. */
  #take(ordinal: number): number {
    const existing = this.#slots.get(ordinal)
    if (existing !== undefined) return existing
    const slot = this.#free.pop() ?? this.#nodes.length
    this.#slots.set(ordinal, slot)
    if (slot === this.#nodes.length) this.#nodes.push(undefined)
    this.#makeRoom(slot)
    return slot
  }

  #makeRoom(slot: number): void {
    const at = Math.floor(slot / blockRows)
    const block = this.#blocks[at] ?? new Float32Array()
    const rows = this.#rowsOf(block)
    if (slot % blockRows < rows) return
    const wider = rows === 0 ? firstRows : Math.min(blockRows, 2 * rows)
    const widened = new Float32Array(wider * this.dimension)
    for (let dimension = 0; dimension < this.dimension && rows > 0; dimension++)
      widened.set(block.subarray(dimension * rows, (dimension + 1) * rows), dimension * wider)
    this.#blocks[at] = widened
  }

  #rowsOf(block: Float32Array): number {
    return block.length / this.dimension
  }

  #drop(ordinal: number): void {
    const slot = this.#slots.get(ordinal)!
    this.#slots.delete(ordinal)
    this.#nodes[slot] = undefined
    this.#setVectors([{ slot, vector: null }])
    this.#free.push(slot)
  }

  #putVectors(rows: readonly VectorRow[]): void {
    this.#setVectors(
      rows.map(({ ordinal, vector, model, dimension }) => {
        const fits = model === this.model && dimension === this.dimension
        return { slot: this.#take(ordinal), vector: fits ? decodeVector(vector) : null }
      }),
    )
  }

  /** Writes vectors dimension by dimension, so that adjacent memory is written together. */
  #setVectors(entries: readonly { readonly slot: number; readonly vector: Float32Array | null }[]): void {
    for (const [blockIndex, group] of Map.groupBy(entries, ({ slot }) => Math.floor(slot / blockRows))) {
      const block = this.#blocks[blockIndex]!
      const rows = this.#rowsOf(block)
      for (let dimension = 0; dimension < this.dimension; dimension++) {
        const start = dimension * rows
        for (const { slot, vector } of group)
          block[start + (slot % blockRows)] = vector === null ? 0 : vector[dimension]!
      }
    }
  }

  /** The cosines between a vector and the vector of every slot. */
  cosines(query: Float32Array): Float64Array {
    const found = new Float64Array(this.#blocks.reduce((sum, block) => sum + this.#rowsOf(block), 0))
    const dimensions = [...query.keys()].filter(dimension => query[dimension] !== 0)
    for (const [index, block] of this.#blocks.entries()) {
      const rows = this.#rowsOf(block)
      const sums = found.subarray(index * blockRows, index * blockRows + rows)
      for (const dimension of dimensions) {
        const factor = query[dimension]!
        const start = dimension * rows
        for (let row = 0; row < rows; row++) sums[row]! += factor * block[start + row]!
      }
    }
    return found
  }
}
