import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import type { PropertyGraph } from './property-graph.ts'
import { column, type Sql, type Value } from './sql.ts'
import type { Type } from './types.ts'

/** SQL that turns values into answers: ids become the objects that they identify. */
export class Answers {
  readonly #dialect: Dialect
  readonly #nodes: PropertyGraph['nodes']
  readonly #edges: PropertyGraph['edges']

  constructor({ dialect, graph }: { readonly dialect: Dialect; readonly graph: PropertyGraph }) {
    this.#dialect = dialect
    this.#nodes = graph.nodes
    this.#edges = graph.edges
  }

  /** A value in the form of an answer: nodes, edges and paths as JSON objects. */
  shown(value: Sql, type: Type): Sql {
    const { lists } = this.#dialect
    switch (type.kind) {
      case 'node':
        return sql`(select ${this.#nodeObject('h')} from ${sql.raw(this.#nodes.table)} h where h.id = ${value})`
      case 'edge':
        return sql`(select ${this.#edgeObject('h')} from ${sql.raw(this.#edges.table)} h where h.id = ${value})`
      case 'path': {
        const object = lists.object([
          ['_NODES', lists.member(this.#nodeList(lists.nodesOf(value)))],
          ['_RELS', lists.member(this.#edgeList(lists.edgesOf(value)))],
        ])
        return sql`case when ${value} is null then null else ${object} end`
      }
      case 'list':
        if (type.of.kind === 'node') return this.#nodeList(value)
        if (type.of.kind === 'edge') return this.#edgeList(value)
        return type.of.kind === 'list' || type.of.kind === 'path' ? this.#list(value, type.of) : value
      default:
        return value
    }
  }

  /** A value as an item of a list with items of type `of`: of `any`, nodes, edges and paths are objects. */
  asItem(value: Value, of: Type): Sql {
    const { lists, values } = this.#dialect
    if (of.kind === 'any' && ['node', 'edge', 'path', 'list'].includes(value.type.kind))
      return lists.nested(this.shown(value.sql, value.type))
    return lists.item(of.kind === 'scalar' ? { sql: values.as(value, of), type: of } : value)
  }

  #nodeObject(alias: string): Sql {
    const { properties, labelColumn } = this.#nodes
    return this.#dialect.lists.object([...members(properties, alias), ['_LABEL', column(alias, labelColumn)]])
  }

  #edgeObject(alias: string): Sql {
    const { properties, typeColumn, fromColumn, toColumn } = this.#edges
    return this.#dialect.lists.object([
      ...members(properties, alias),
      ['_LABEL', column(alias, typeColumn)],
      ['_SRC', column(alias, fromColumn)],
      ['_DST', column(alias, toColumn)],
    ])
  }

  #nodeList(ids: Sql): Sql {
    return this.#elementList(ids, this.#nodes.table, this.#nodeObject('h'))
  }

  #edgeList(ids: Sql): Sql {
    return this.#elementList(ids, this.#edges.table, this.#edgeObject('h'))
  }

  /** The list of the objects that ids identify. */
  #elementList(ids: Sql, table: string, object: Sql): Sql {
    const { lists } = this.#dialect
    return sql`case when ${ids} is null then null else (select ${lists.gathered(sql`o.value`)} from (
      select ${object} as value from ${lists.ids(ids, 'j')} join ${sql.table(table)} h on h.id = j.value
      order by j.key) o) end`
  }

  /** A list with each item in the form of an answer. */
  #list(value: Sql, type: Type): Sql {
    const { lists } = this.#dialect
    const alias = `i${depthOf(type)}`
    return sql`case when ${value} is null then null else (select ${lists.gathered(sql`o.value`)} from (
      select ${this.shown(column(alias, 'value'), type)} as value from ${lists.items(value, alias)}
      order by ${column(alias, 'key')}) o) end`
  }
}

const members = (properties: Readonly<Record<string, unknown>>, alias: string): (readonly [string, Sql])[] =>
  Object.keys(properties).map(name => [name, column(alias, name)])

const depthOf = (type: Type): number => (type.kind === 'list' ? 1 + depthOf(type.of) : 0)
