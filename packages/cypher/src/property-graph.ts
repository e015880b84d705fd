/** The type of a property. A timestamp is kept as text in ISO 8601, so that texts and timestamps sort alike. */
export type PropertyType = 'string' | 'number' | 'integer' | 'timestamp'

/**
 * A table of nodes or edges. Its rows have a text column `id`, unique in the table. All names are plain SQL
 * identifiers; they are written into the SELECT as they are.
 */
interface ElementTable {
  readonly table: string
  /** What a query may ask of an element, in the order of answers: each property is the column of its name. */
  readonly properties: Readonly<Record<string, PropertyType>>
  /** An integer column that differs from row to row: the SELECT calls `within` with it for each row it looks at. */
  readonly rowColumn: string
}

/** The table of nodes. */
export interface NodeTable extends ElementTable {
  readonly labelColumn: string
  readonly labels: readonly string[]
  /** Properties that tell few nodes, the most telling first: a path begins at a node that one of them names. */
  readonly keys: readonly string[]
}

/** The table of edges; each joins two nodes by their ids. */
export interface EdgeTable extends ElementTable {
  readonly typeColumn: string
  readonly types: readonly string[]
  readonly fromColumn: string
  readonly toColumn: string
}

/** The tables that queries are translated for, and every name that a query may use. */
export interface PropertyGraph {
  readonly nodes: NodeTable
  readonly edges: EdgeTable
  /** A column of both tables: a query sees the rows of one value alone. */
  readonly scopeColumn: string
}
