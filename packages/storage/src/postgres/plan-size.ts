/** The members of a plan node that are read, as `explain (format json)` writes it. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Plan Rows': number
  readonly 'Plan Width': number
  readonly Strategy?: string
  readonly Plans?: readonly PlanNode[]
}

/** Nodes that keep their rows, in memory or in temporary files. */
const keeping: ReadonlySet<string> = new Set([
  'Sort',
  'Incremental Sort',
  'Hash',
  'Materialize',
  'Memoize',
  'CTE Scan',
  'Recursive Union',
  'WindowAgg',
  'SetOp',
])

/**
 * The bytes that a query is expected to keep while it runs, in memory or in temporary files.
 * @param explained the answer of `explain (format json)`
 */
export function keptBytes(explained: string): number {
  const [top] = JSON.parse(explained) as readonly [{ readonly Plan: PlanNode }]
  return keptBy(top.Plan, Number.POSITIVE_INFINITY)
}

/** @param max how many rows the node above reads */
function keptBy(node: PlanNode, max: number): number {
  const isLimit = node['Node Type'] === 'Limit'
  // A sort below a limit keeps only the best rows.
  const below = isLimit ? node['Plan Rows'] : Number.POSITIVE_INFINITY
  const own = Math.min(keptRows(node), max) * node['Plan Width']
  return (node.Plans ?? []).reduce((sum, child) => sum + keptBy(child, below), own)
}

function keptRows({ 'Node Type': type, 'Plan Rows': rows, Strategy, Plans = [] }: PlanNode): number {
  if (keeping.has(type)) return rows
  // The number of groups is a guess if nothing is known about the values; it is never more than the rows.
  if (type === 'Aggregate' && (Strategy === 'Hashed' || Strategy === 'Mixed'))
    return Math.max(rows, ...Plans.map(child => child['Plan Rows']))
  return 0
}
