import type { EdgeType, NodeType } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { KgEdgesTable, KgNodesTable, KgVectorsTable } from '../../schema/tables.ts'

/** A node as stored. */
export type NodeRow = Omit<KgNodesTable, 'ordinal'> & { readonly ordinal: number }

/** An edge as stored. */
export type EdgeRow = KgEdgesTable

/** `column in (ids)`, with the ids as the text of a JSON array. */
export const among = (column: string, ids: string): Expression<SqlBool> =>
  dialect.inList(sql.ref<string | null>(column), ids)

const ownNodes = hot<{ board: string; owner: string }, NodeRow>((db, param) =>
  db.selectFrom('kg_nodes').selectAll().where('board_id', '=', param('board')).where('owner_ref', '=', param('owner')),
)

/** The nodes that a record's extraction yielded. */
export const nodesOwnedBy = (db: Db, board: string, owner: string): Promise<NodeRow[]> => ownNodes(db, { board, owner })

/** What identifies a stored node. */
export interface NodeIdentity {
  readonly id: string
  readonly node_type: NodeType
  readonly source_artifact_ref: string
}

const identities = hot<{ board: string; refs: string }, NodeIdentity>((db, param) =>
  db
    .selectFrom('kg_nodes')
    .select(['id', 'node_type', 'source_artifact_ref'])
    .where('board_id', '=', param('board'))
    .where(among('source_artifact_ref', param('refs'))),
)

/** The stored nodes with these references. */
export const nodesOfRefs = (db: Db, board: string, refs: readonly string[]): Promise<NodeIdentity[]> =>
  identities(db, { board, refs: JSON.stringify(refs) })

const byIds = hot<{ ids: string }, NodeRow>((db, param) =>
  db
    .selectFrom('kg_nodes')
    .selectAll()
    .where(among('id', param('ids'))),
)

/** The nodes with these ids, in no particular order. */
export const nodesByIds = (db: Db, ids: readonly string[]): Promise<NodeRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : byIds(db, { ids: JSON.stringify(ids) })

const edgesOwned = hot<{ board: string; owner: string }, EdgeRow>((db, param) =>
  db
    .selectFrom('kg_edges')
    .selectAll()
    .where('board_id', '=', param('board'))
    .where('owner_ref', '=', param('owner'))
    .where('edge_type', '<>', 'contradicts'),
)

/** The edges that a record's extraction yielded. */
export const edgesOwnedBy = (db: Db, board: string, owner: string): Promise<EdgeRow[]> =>
  edgesOwned(db, { board, owner })

const edgesOfNode = hot<{ node: string }, EdgeRow>((db, param) =>
  db
    .selectFrom('kg_edges')
    .selectAll()
    .where(eb => eb.or([eb('from_id', '=', param('node')), eb('to_id', '=', param('node'))])),
)

/** The edges in and out of a node. */
export const edgesAt = (db: Db, node: string): Promise<EdgeRow[]> => edgesOfNode(db, { node })

const edgesOfType = hot<{ ids: string; type: EdgeType }, EdgeRow>((db, param) =>
  db
    .selectFrom('kg_edges')
    .selectAll()
    .where('edge_type', '=', param('type'))
    .where(eb => eb.or([among('from_id', param('ids')), among('to_id', param('ids'))])),
)

/** The edges of one type in and out of these nodes. */
export const edgesOfTypeAt = (db: Db, type: EdgeType, ids: readonly string[]): Promise<EdgeRow[]> =>
  edgesOfType(db, { type, ids: JSON.stringify(ids) })

const vectors = hot<{ ordinal: number }, Pick<KgVectorsTable, 'model' | 'vector'>>((db, param) =>
  db.selectFrom('kg_vectors').select(['model', 'vector']).where('ordinal', '=', param('ordinal')),
)

/** The vector of a node; undefined when it has none. */
export const vectorOf = async (
  db: Db,
  ordinal: number,
): Promise<Pick<KgVectorsTable, 'model' | 'vector'> | undefined> => (await vectors(db, { ordinal }))[0]

const putVector = hot<
  { ordinal: number; board: string; model: string; dimension: number; vector: Uint8Array; revision: number },
  never
>(
  (_, param) =>
    sql<never>`insert into kg_vectors (ordinal, board_id, model, dimension, vector, revision)
      values (${param('ordinal')}, ${param('board')}, ${param('model')}, ${param('dimension')}, ${param('vector')},
        ${param('revision')})
      on conflict (${dialect.keyOnBoard(['ordinal'])}) do update set model = excluded.model, dimension = excluded.dimension,
        vector = excluded.vector, revision = excluded.revision`,
)

/** Stores the vector of a node. */
export const storeVector = (
  db: Db,
  vector: {
    readonly ordinal: number
    readonly board: string
    readonly model: string
    readonly vector: Uint8Array
    readonly revision: number
  },
): Promise<unknown> => putVector(db, { ...vector, dimension: vector.vector.byteLength / 4 })

const dropVector = hot<{ ordinal: number }, never>((db, param) =>
  db.deleteFrom('kg_vectors').where('ordinal', '=', param('ordinal')),
)

/** Deletes the vector of a node. */
export const removeVector = (db: Db, ordinal: number): Promise<unknown> => dropVector(db, { ordinal })

const ordinalOf = hot<{ id: string }, { ordinal: number }>((db, param) =>
  db.selectFrom('kg_nodes').select('ordinal').where('id', '=', param('id')),
)

/** The ordinal of a node. */
export const readOrdinal = async (db: Db, id: string): Promise<number> => (await ordinalOf(db, { id }))[0]!.ordinal
