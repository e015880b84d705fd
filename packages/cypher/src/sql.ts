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

/** Conditions joined by a word, as a tree that is flat however many they are. */
export function balanced(conditions: readonly Sql[], word: 'AND' | 'OR'): Sql {
  const [first] = conditions
  if (first === undefined || conditions.length === 1) return first ?? sql`1`
  const half = Math.ceil(conditions.length / 2)
  const [left, right] = [conditions.slice(0, half), conditions.slice(half)]
  return sql`(${balanced(left, word)} ${sql.raw(word)} ${balanced(right, word)})`
}

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
      return type.of.kind === 'list' || type.of.kind === 'path' ? shownItems(value, type.of) : value
    default:
      return value
  }
}

const shownList = (value: Sql, table: 'kg_nodes' | 'kg_edges', object: Sql): Sql =>
  sql`case when ${value} is null then null else (select json_group_array(json(o.value)) from (
    select ${object} as value from json_each(${value}) j join ${sql.table(table)} h on h.id = j.value order by j.key) o) end`

/** Each item of a list as it is answered. */
function shownItems(value: Sql, type: Type): Sql {
  const alias = `i${depthOf(type)}`
  return sql`case when ${value} is null then null else (select json_group_array(json(o.value)) from (
    select ${shown(column(alias, 'value'), type)} as value from json_each(${value}) ${sql.ref(alias)}
    order by ${column(alias, 'key')}) o) end`
}

const depthOf = (type: Type): number => (type.kind === 'list' ? 1 + depthOf(type.of) : 0)

/** A value as an item of a list of values of a type, in which true and false, lists and paths are JSON. */
export function asMember({ sql: value, type }: Value, of: Type): Sql {
  switch (type.kind) {
    case 'boolean':
      return sql`json(case ${value} when 1 then 'true' when 0 then 'false' else 'null' end)`
    case 'node':
    case 'edge':
      return of.kind === 'any' ? sql`json(${shown(value, type)})` : value
    case 'list':
    case 'path':
      return sql`json(${of.kind === 'any' ? shown(value, type) : value})`
    default:
      return value
  }
}
