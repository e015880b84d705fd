/** The type of a property. A timestamp is an ISO 8601 string, so that strings and timestamps sort alike. */
export type PropertyType = 'string' | 'number' | 'integer' | 'timestamp'

/**
 * A table of nodes or edges. Its rows have a text column `id`, unique in the table. All names are plain SQL
 * identifiers; they are written into the SELECT unchanged.
 */
export interface ElementTable {
  readonly table: string
  /** The properties that a query may use, in the order of answers; each is the column of the same name. */
  readonly properties: Readonly<Record<string, PropertyType>>
  /** A unique integer column of SQLite: the SELECT calls `within` with its value for each row it looks at. */
  readonly rowColumn: string
  /** The column of the table's primary key, which may be the id. */
  readonly primaryKey: string
}

/** The table of nodes. */
export interface NodeTable extends ElementTable {
  readonly labelColumn: string
  readonly labels: readonly string[]
  /** Properties with few nodes per value, the most selective first: paths start from nodes compared by them. */
  readonly keys: readonly string[]
}

/** The table of edges; each edge connects two nodes by their ids. */
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
  /** A column of both tables: a query sees only the rows with one value in it. */
  readonly scopeColumn: string
}
