/** A graph as plain objects, with the columns that its tables have. */
export interface PlainGraph {
  readonly nodes: readonly PlainNode[]
  readonly edges: readonly PlainEdge[]
}

export interface PlainNode {
  readonly id: string
  readonly graph: string
  readonly node_type: string
  readonly title: string
  readonly source_artifact_ref: string
  readonly query_hits: number
  readonly relevance_score: number
  readonly boosted_at: string | null
  readonly superseded_by: string | null
  /** Not a property: queries cannot see it. */
  readonly hidden: string
}

export interface PlainEdge {
  readonly id: string
  readonly graph: string
  readonly edge_type: string
  readonly from_id: string
  readonly to_id: string
  readonly confidence: number
}

/** The scope of plain nodes and edges, unless `fields` says otherwise. */
export const plainScope = 'g1'

/** A node with default values, except for `fields`. */
export const plainNode = (id: string, node_type: string, fields: Partial<PlainNode> = {}): PlainNode => ({
  id,
  graph: plainScope,
  node_type,
  title: '',
  source_artifact_ref: `ref:${id}`,
  query_hits: 0,
  relevance_score: 0.5,
  boosted_at: null,
  superseded_by: null,
  hidden: 'h',
  ...fields,
})

/** An edge with default values, except for `fields`. */
export const plainEdge = (
  id: string,
  edge_type: string,
  from_id: string,
  to_id: string,
  fields: Partial<PlainEdge> = {},
): PlainEdge => ({ id, graph: plainScope, edge_type, from_id, to_id, confidence: 1, ...fields })
