import { edgeAttributes, edgeTypes, nodeAttributes, nodeTypes } from '@specboard/contract'
import type { PropertyGraph } from '@specboard/cypher'

/** The knowledge graph as seen by Cypher (knowledge-graph 2.1, 2.2); a query sees one board. */
export const knowledgeGraph: PropertyGraph = {
  nodes: {
    table: 'kg_nodes',
    labelColumn: 'node_type',
    labels: nodeTypes,
    properties: nodeAttributes,
    keys: ['id', 'source_artifact_ref'],
    rowColumn: 'ordinal',
    primaryKey: 'ordinal',
  },
  edges: {
    table: 'kg_edges',
    typeColumn: 'edge_type',
    types: edgeTypes,
    properties: edgeAttributes,
    fromColumn: 'from_id',
    toColumn: 'to_id',
    rowColumn: 'rowid',
    primaryKey: 'id',
  },
  scopeColumn: 'board_id',
}
