import { sql } from 'kysely'
import type { EdgeTable } from './property-graph.ts'
import { all, joined, type Sql, whole } from './sql.ts'

/** One JSON array from pieces of JSON that each begin with a comma. */
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

/**
 * Every walk from a node, as a JSON list of `[end, length, edges, nodes]`. Each row walks on its own, so that no step
 * is taken that the row does not need. A walk passes no edge twice.
 */
export function waysFrom(start: Sql, table: EdgeTable, { min, max, direction, backwards, conditions }: Walk): Sql {
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
    sql`instr(w.edges, e.id) = 0`,
    sql`within(${edge(table.rowColumn)})`,
    ...conditions,
  ])
  return sql`(with recursive w (at, length, edges, nodes) as (
      select ${start}, 0, '', ''
      union all select ${reached}, w.length + 1, ${edges}, ${nodes} from w join ${sql.raw(table.table)} e on ${stepped})
    select json_group_array(json_array(w.at, w.length, w.edges, w.nodes)) from w where w.length >= ${whole(min)})`
}
