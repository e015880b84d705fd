import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import type { EdgeTable } from './property-graph.ts'
import { all, joined, type Sql, whole } from './sql.ts'

/** The text of one JSON array from pieces of JSON that each begin with a comma. */
export const asArray = (pieces: readonly Sql[]): Sql => sql`'[' || substr(${joined(pieces, ' || ')}, 2) || ']'`

/** An id as a piece of a JSON array. */
export const piece = (id: Sql): Sql => sql`',"' || ${id} || '"'`

/** Which edges a walk follows, and how many. */
export interface Walk {
  readonly min: number
  readonly max: number
  /** The direction of the edges, reading the pattern from left to right. */
  readonly direction: 'out' | 'in' | 'both'
  /** Whether the walk goes from right to left; its edges and nodes are still listed from left to right. */
  readonly backwards: boolean
  /** The conditions on each edge `e`. */
  readonly conditions: readonly Sql[]
}

/** A table of walks, and its columns. */
export interface WalkTable {
  readonly from: Sql
  readonly end: Sql
  readonly length: Sql
  readonly edges: Sql
  readonly nodes: Sql
}

/**
 * Every walk from a node, as a table. Each row of the tables before it walks on its own, so that no step is taken that
 * the row does not need. A walk passes no edge twice.
 */
export function waysFrom(
  { tables, texts }: Dialect,
  alias: string,
  start: Sql,
  table: EdgeTable,
  { min, max, direction, backwards, conditions }: Walk,
): WalkTable {
  const edge = (name: string) => sql.raw(`e.${name}`)
  const [from, to] = [edge(table.fromColumn), edge(table.toColumn)]
  const outwards = direction === 'both' ? 'both' : (direction === 'out') !== backwards ? 'out' : 'in'
  const meets = {
    out: sql`${from} = w.at`,
    in: sql`${to} = w.at`,
    both: sql`(${from} = w.at or ${to} = w.at)`,
  }[outwards]
  const reached = {
    out: to,
    in: from,
    both: sql`case when ${from} = w.at then ${to} else ${from} end`,
  }[outwards]
  const edges = backwards ? sql`${piece(sql`e.id`)} || w.edges` : sql`w.edges || ${piece(sql`e.id`)}`
  const nodes = backwards ? sql`${piece(sql`w.at`)} || w.nodes` : sql`w.nodes || ${piece(reached)}`
  const stepped = all([
    meets,
    sql`w.length < ${whole(max)}`,
    sql`not ${texts.holds(sql`w.edges`, sql`e.id`)}`,
    ...tables.timed(edge(table.rowColumn)),
    ...conditions,
  ])
  const none = tables.id(sql`''`)
  const walks = sql`with recursive w (at, length, edges, nodes) as (
      select ${tables.id(start)}, 0, ${none}, ${none}
      union all select ${tables.id(reached)}, w.length + 1, ${tables.id(edges)}, ${tables.id(nodes)}
        from w join ${sql.raw(table.table)} e on ${stepped})`
  const columns = ['at', 'length', 'edges', 'nodes'].map(name => sql.ref(`w.${name}`))
  const [end, length, edgesColumn, nodesColumn] = columns.map((_, position) => tables.dependentColumn(alias, position))
  return {
    from: tables.recursive(walks, columns, sql` from w where w.length >= ${whole(min)}`, alias),
    end: end!,
    length: length!,
    edges: edgesColumn!,
    nodes: nodesColumn!,
  }
}
