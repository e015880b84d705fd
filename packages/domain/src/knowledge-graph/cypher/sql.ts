import { edgeAttributes, nodeAttributes } from '@specboard/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Type } from './types.ts'

/** A piece of SQL. Names come from the subset's lists alone; everything else is bound. */
export type Sql = RawBuilder<unknown>

/** A value of a query as SQL: nodes and edges are their ids, lists and paths JSON of ids. */
export interface Value {
  readonly sql: Sql
  readonly type: Type
}

/** A member of a table under its alias. */
export const column = (alias: string, name: string): Sql => sql.ref(`${alias}.${name}`)

/** Pieces joined by a word. */
export const joined = (pieces: readonly Sql[], word: string): Sql => sql.join(pieces, sql.raw(word)) as Sql

/** All of the conditions; true when there are none. */
export const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0
    ? sql`1`
    : joined(
        conditions.map(condition => sql`(${condition})`),
        ' and ',
      )

/** A whole number, which the driver would bind as a fraction. */
export const whole = (value: number): Sql => sql`cast(${value} as integer)`

const nodeObject = (alias: string): Sql =>
  sql`json_object(${joined(
    Object.keys(nodeAttributes).map(name => sql`${sql.lit(name)}, ${column(alias, name)}`),
    ', ',
  )}, '_LABEL', ${column(alias, 'node_type')})`

const edgeObject = (alias: string): Sql =>
  sql`json_object(${joined(
    Object.keys(edgeAttributes).map(name => sql`${sql.lit(name)}, ${column(alias, name)}`),
    ', ',
  )}, '_LABEL', ${column(alias, 'edge_type')}, '_SRC', ${column(alias, 'from_id')}, '_DST', ${column(alias, 'to_id')})`

/** A value as it is answered: ids become the objects that they stand for. */
export function shown(value: Sql, type: Type): Sql {
  switch (type.kind) {
    case 'node':
      return sql`(select ${nodeObject('h')} from kg_nodes h where h.id = ${value})`
    case 'edge':
      return sql`(select ${edgeObject('h')} from kg_edges h where h.id = ${value})`
    case 'path':
      return sql`case when ${value} is null then null else json_object(
        '_NODES', json(${shownList(sql`json_extract(${value}, '$.nodes')`, 'kg_nodes', nodeObject('h'))}),
        '_RELS', json(${shownList(sql`json_extract(${value}, '$.edges')`, 'kg_edges', edgeObject('h'))})) end`
    case 'list':
      if (type.of.kind === 'node') return shownList(value, 'kg_nodes', nodeObject('h'))
      if (type.of.kind === 'edge') return shownList(value, 'kg_edges', edgeObject('h'))
      return value
    default:
      return value
  }
}

const shownList = (value: Sql, table: 'kg_nodes' | 'kg_edges', object: Sql): Sql =>
  sql`case when ${value} is null then null else (select json_group_array(json(o.value)) from (
    select ${object} as value from json_each(${value}) j join ${sql.table(table)} h on h.id = j.value order by j.key) o) end`
