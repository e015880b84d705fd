import { artifactTypes } from '@specboard/contract'
import { errorMessage } from '@specboard/storage'
import { sql } from 'kysely'
import type { ReadWrite } from '../../schema/database.ts'
import { consolidate, type GraphResources } from '../consolidation/consolidate.ts'
import { embedBoard } from '../consolidation/embed-board.ts'
import type { Artifact } from '../consolidation/plan.ts'
import { artifactOf } from '../extraction/refs.ts'
import { raiseRevision, readGraphBoard, schemaVersion, writeGraphBoard } from '../store/boards.ts'
import { indexNode } from '../store/term-index.ts'
import { rescoreBoard } from '../tick/rescore-board.ts'

/** How many nodes one unit of work indexes. */
const batch = 200

/** The progress of a rebuild, in records. */
export interface RebuildProgress {
  readonly done: number
  readonly total: number
}

/** The result of rebuilding a board. */
export interface Rebuilt {
  readonly records: number
  /** One message for each record that failed. */
  readonly errors: readonly string[]
  readonly nodes_reindexed: number
  readonly nodes_reembedded: number
  readonly from_version: string
}

/** Every record of a board, and every deleted record that still has nodes; parents first. */
async function artifactsOf(database: ReadWrite, boardId: string): Promise<Artifact[]> {
  return database.read(async db => {
    const found = new Map<string, Artifact>()
    for (const type of artifactTypes) {
      const { rows } = await sql<{
        id: string
      }>`select id from ${sql.table(`${type}s`)} where board_id = ${boardId} order by created_at, id`.execute(db)
      for (const { id } of rows) found.set(`${type}:${id}`, { boardId, type, id })
    }
    const owners = await db
      .selectFrom('kg_nodes')
      .select('owner_ref')
      .distinct()
      .where('board_id', '=', boardId)
      .where('owner_ref', 'is not', null)
      .execute()
    for (const { owner_ref } of owners) {
      const artifact = artifactOf(owner_ref!)
      if (artifact !== null && !found.has(owner_ref!)) found.set(owner_ref!, { boardId, ...artifact })
    }
    return [...found.values()]
  })
}

async function reindex(database: ReadWrite, boardId: string): Promise<number> {
  let after = { created_at: '', id: '' }
  let count = 0
  for (;;) {
    const rows = await database.write(async db => {
      const { ordinal } = await raiseRevision(db, boardId)
      const nodes = await db
        .selectFrom('kg_nodes')
        .select(['id', 'created_at', 'ordinal', 'title', 'context', 'content'])
        .where('board_id', '=', boardId)
        .where(eb => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after.created_at, after.id)))
        // An index has the nodes of a board in this order.
        .orderBy('created_at')
        .orderBy('id')
        .limit(batch)
        .execute()
      for (const node of nodes) await indexNode(db, ordinal, node)
      return nodes
    })
    if (rows.length === 0) return count
    count += rows.length
    after = rows.at(-1)!
  }
}

/**
 * Extracts every record of a board again and updates the graph: it removes stale nodes and edges and rebuilds index,
 * vectors and scores; ids, hits and boosts are kept. Each record is a unit of work of its own, so that the rebuild can
 * be stopped and started again at any time.
 */
export async function rebuildBoard(
  resources: GraphResources,
  boardId: string,
  {
    signal,
    onProgress = () => {},
  }: { readonly signal?: AbortSignal | undefined; readonly onProgress?: (progress: RebuildProgress) => void } = {},
): Promise<Rebuilt> {
  const { database, newId, clock, embedder, onFault } = resources
  const from = (await database.read(db => readGraphBoard(db, boardId))).schema_version
  const artifacts = await artifactsOf(database, boardId)
  const errors: string[] = []
  for (const [done, artifact] of artifacts.entries()) {
    signal?.throwIfAborted()
    onProgress({ done, total: artifacts.length })
    try {
      await consolidate(resources, {
        artifact,
        sessionId: newId(),
        compareHash: false,
        signal,
        isWanted: async () => true,
        done: async () => {},
      })
    } catch (error) {
      signal?.throwIfAborted()
      onFault(error)
      errors.push(`${artifact.type} ${artifact.id}: ${errorMessage(error)}`)
    }
  }
  onProgress({ done: artifacts.length, total: artifacts.length })
  const nodes_reindexed = await reindex(database, boardId)
  const nodes_reembedded = await embedBoard(database, embedder, boardId).catch(error => {
    onFault(error)
    return 0
  })
  await rescoreBoard(
    database,
    boardId,
    { stale: '', old: null, all: true },
    {
      clock,
      onFault: error => {
        throw error
      },
    },
  )
  if (errors.length === 0) await database.write(db => writeGraphBoard(db, boardId, { schema_version: schemaVersion }))
  return { records: artifacts.length, errors, nodes_reindexed, nodes_reembedded, from_version: from }
}
