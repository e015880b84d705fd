import { sql } from 'kysely'
import type { PropertyGraph } from './property-graph.ts'
import { column, joined, type Sql, type Value } from './sql.ts'
import type { Type } from './types.ts'

/** SQL that turns values into answers: ids become the objects that they identify. */
export class Answers {
  readonly #nodes: PropertyGraph['nodes']
  readonly #edges: PropertyGraph['edges']

  constructor({ nodes, edges }: PropertyGraph) {
    this.#nodes = nodes
    this.#edges = edges
  }

  /** A value in the form of an answer: nodes, edges and paths as JSON objects. */
  shown(value: Sql, type: Type): Sql {
    switch (type.kind) {
      case 'node':
        return sql`(select ${this.#nodeObject('h')} from ${sql.raw(this.#nodes.table)} h where h.id = ${value})`
      case 'edge':
        return sql`(select ${this.#edgeObject('h')} from ${sql.raw(this.#edges.table)} h where h.id = ${value})`
      case 'path':
        return sql`case when ${value} is null then null else json_object(
        '_NODES', json(${this.#nodeList(sql`json_extract(${value}, '$.nodes')`)}),
        '_RELS', json(${this.#edgeList(sql`json_extract(${value}, '$.edges')`)})) end`
      case 'list':
        if (type.of.kind === 'node') return this.#nodeList(value)
        if (type.of.kind === 'edge') return this.#edgeList(value)
        return type.of.kind === 'list' || type.of.kind === 'path' ? this.#list(value, type.of) : value
      default:
        return value
    }
  }

  /** A value as an item of a list with items of type `of`, in which booleans, lists and paths are JSON. */
  asMember({ sql: value, type }: Value, of: Type): Sql {
    switch (type.kind) {
      case 'boolean':
        return sql`json(case ${value} when 1 then 'true' when 0 then 'false' else 'null' end)`
      case 'node':
      case 'edge':
        return of.kind === 'any' ? sql`json(${this.shown(value, type)})` : value
      case 'list':
      case 'path':
        return sql`json(${of.kind === 'any' ? this.shown(value, type) : value})`
      default:
        return value
    }
  }

  #nodeObject(alias: string): Sql {
    const { properties, labelColumn } = this.#nodes
    return sql`json_object(${members(properties, alias)}, '_LABEL', ${column(alias, labelColumn)})`
  }

  #edgeObject(alias: string): Sql {
    const { properties, typeColumn, fromColumn, toColumn } = this.#edges
    const ends = sql`'_SRC', ${column(alias, fromColumn)}, '_DST', ${column(alias, toColumn)}`
    return sql`json_object(${members(properties, alias)}, '_LABEL', ${column(alias, typeColumn)}, ${ends})`
  }

  #nodeList(ids: Sql): Sql {
    return elementList(ids, this.#nodes.table, this.#nodeObject('h'))
  }

  #edgeList(ids: Sql): Sql {
    return elementList(ids, this.#edges.table, this.#edgeObject('h'))
  }

  /** A list with each item in the form of an answer. */
  #list(value: Sql, type: Type): Sql {
    const alias = `i${depthOf(type)}`
    return sql`case when ${value} is null then null else (select json_group_array(json(o.value)) from (
    select ${this.shown(column(alias, 'value'), type)} as value from json_each(${value}) ${sql.ref(alias)}
    order by ${column(alias, 'key')}) o) end`
  }
}

const members = (properties: Readonly<Record<string, unknown>>, alias: string): Sql =>
  joined(
    Object.keys(properties).map(name => sql`${sql.lit(name)}, ${column(alias, name)}`),
    ', ',
  )

const elementList = (ids: Sql, table: string, object: Sql): Sql =>
  sql`case when ${ids} is null then null else (select json_group_array(json(o.value)) from (
    select ${object} as value from json_each(${ids}) j join ${sql.table(table)} h on h.id = j.value order by j.key) o) end`

const depthOf = (type: Type): number => (type.kind === 'list' ? 1 + depthOf(type.of) : 0)
