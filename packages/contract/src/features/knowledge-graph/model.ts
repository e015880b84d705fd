import { z } from 'zod'

/** The kinds of node (knowledge-graph 2.1). */
export const nodeTypes = [
  'Decision',
  'Criterion',
  'Constraint',
  'Assumption',
  'Requirement',
  'Entity',
  'APIContract',
  'TestScenario',
  'Bug',
  'Learning',
  'Alternative',
] as const

/** The kind of a node, its label in Cypher. */
export type NodeType = (typeof nodeTypes)[number]

const toEntity = nodeTypesTo('Entity', [
  'Entity',
  'Requirement',
  'Constraint',
  'Criterion',
  'TestScenario',
  'APIContract',
  'Decision',
  'Bug',
  'Alternative',
  'Assumption',
  'Learning',
])

/** The kinds of edge, each with the pairs of node types that it connects, from and to (knowledge-graph 2.2). */
export const edgePairs = {
  supersedes: [['Decision', 'Decision']],
  contradicts: [['Decision', 'Decision']],
  derives_from: [['Decision', 'Requirement']],
  relates_to: [['Decision', 'Alternative']],
  mentions: [['Decision', 'Entity']],
  depends_on: [
    ['Decision', 'Decision'],
    ['Entity', 'Entity'],
    ['Bug', 'Entity'],
    ['Entity', 'Bug'],
    ['Bug', 'Bug'],
  ],
  violates: [['Bug', 'Constraint']],
  implements: [['APIContract', 'Requirement']],
  tests: [['TestScenario', 'Criterion']],
  validates: [['Learning', 'Bug']],
  belongs_to: [...toEntity, ...nodeTypesTo('Bug', ['Entity', 'APIContract'])],
  originates_from: [
    ['Bug', 'Entity'],
    ['Bug', 'Bug'],
  ],
  covered_by: [
    ['Bug', 'Entity'],
    ['Bug', 'TestScenario'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [NodeType, NodeType])[]>>

function nodeTypesTo(to: NodeType, from: readonly NodeType[]): readonly (readonly [NodeType, NodeType])[] {
  return from.map(type => [type, to] as const)
}

/** The kind of an edge, its relationship type in Cypher. */
export type EdgeType = keyof typeof edgePairs

/** The kinds of edge, in the order of the contract. */
export const edgeTypes = Object.keys(edgePairs) as EdgeType[]

/** How an edge was created. */
export const edgeLayers = ['deterministic', 'cognitive', 'fallback', 'legacy'] as const

/** The layer of an edge; the built-in extraction writes only the first and third. */
export type EdgeLayer = (typeof edgeLayers)[number]

/** Why the subject of a node is no longer in force. */
export const revocationReasons = [
  'source_cancelled',
  'source_archived',
  'source_removed',
  'superseded',
  'revoked',
] as const

/** Why the subject of a node is no longer in force. */
export type RevocationReason = (typeof revocationReasons)[number]

/** The type of an attribute, as the schema operation and Cypher know it. */
export type AttributeType = 'string' | 'number' | 'integer' | 'timestamp'

/** A node's attributes in order: its members in responses, and Cypher's property names. */
export const nodeAttributes = {
  id: 'string',
  node_type: 'string',
  title: 'string',
  content: 'string',
  context: 'string',
  justification: 'string',
  source_artifact_ref: 'string',
  source_session_id: 'string',
  created_at: 'timestamp',
  updated_at: 'timestamp',
  created_by_agent: 'string',
  source_confidence: 'number',
  relevance_score: 'number',
  query_hits: 'integer',
  last_queried_at: 'timestamp',
  last_recomputed_at: 'timestamp',
  priority_boost: 'number',
  manual_boost: 'number',
  boosted_at: 'timestamp',
  superseded_by: 'string',
  superseded_at: 'timestamp',
  revocation_reason: 'string',
  embedding_model: 'string',
} as const satisfies Readonly<Record<string, AttributeType>>

/** An edge's attributes in order: its members in responses, and Cypher's property names. */
export const edgeAttributes = {
  id: 'string',
  edge_type: 'string',
  confidence: 'number',
  layer: 'string',
  rule_id: 'string',
  created_by: 'string',
  fallback_reason: 'string',
  created_by_session_id: 'string',
  created_at: 'timestamp',
  owner_ref: 'string',
} as const satisfies Readonly<Record<string, AttributeType>>

/** The kinds of record that the graph is built from. */
export const artifactTypes = ['ideation', 'refinement', 'spec', 'sprint', 'card'] as const

/** The kind of a record that the graph is built from, in the order of lineage. */
export type ArtifactType = (typeof artifactTypes)[number]

export const KgNodeType = z.enum(nodeTypes)
export const KgEdgeType = z.enum(edgeTypes as [EdgeType, ...EdgeType[]])
export const KgArtifactType = z.enum(artifactTypes)
