import { sql } from 'kysely'
import { aggregated, isDeterminedBy, same, withoutAliases } from './aggregation.ts'
import { Answers } from './answers.ts'
import type { Expression, Item, Match, Query, SortKey } from './ast.ts'
import { CypherError } from './cypher-error.ts'
import type { Dialect } from './dialect.ts'
import { Expressions } from './expressions.ts'
import { MatchTranslation } from './patterns.ts'
import type { PropertyGraph } from './property-graph.ts'
import { Aliases, type Binding, type Scope } from './scope.ts'
import { all, column, joined, type Sql, type Value, whole } from './sql.ts'
import type { Type } from './types.ts'

/** A query as one SELECT, with the names and types of its columns. */
export interface TranslatedQuery {
  readonly sql: string
  /** The values bound to it. */
  readonly parameters: readonly unknown[]
  readonly columns: readonly { readonly name: string; readonly type: Type }[]
}

/** The database, graph, scope and parameters that a query is translated for. */
export interface Target {
  readonly dialect: Dialect
  readonly graph: PropertyGraph
  /** The value of the graph's scope column whose rows the query sees. */
  readonly scope: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** Maximum number of rows to return. */
  readonly maxRows: number
}

/**
 * Translates a query to one SELECT on one scope of a graph. Every name in it comes from the description of the
 * graph; strings and numbers of the query and its parameters are bound. The SELECT calls `sqlFunctions` and
 * `within` on SQLite, `postgresFunctions` on PostgreSQL; `readValue` turns its rows into answers.
 * @throws CypherError with the position of the fault
 * @example
 *     const query = parseCypher('MATCH (a:Person)-[:knows]->(b) WHERE a.name = $name RETURN b.name')
 *     const target = { dialect: sqlite, graph, scope: 'club', parameters: { name: 'Ada' }, maxRows: 100 }
 *     const { sql, parameters, columns } = translate(query, target)
 *     connection.execute(sql, parameters).rows // { c0: 'Charles' }, …: a member for each of columns
 */
export function translate(query: Query, target: Target): TranslatedQuery {
  return new Translation(query, target).run()
}

class Translation {
  readonly #query: Query
  readonly #target: Target
  readonly #answers: Answers
  readonly #scope: Scope = new Map()
  readonly #aliases = new Aliases()
  readonly #values: Expressions
  readonly #sources: Sql[] = []
  readonly #conditions: Sql[] = []
  /** The ids that together identify a row: nodes in the order of the query, then the rest. */
  readonly #rowIds: { readonly nodes: Sql[]; readonly others: Sql[] } = { nodes: [], others: [] }

  constructor(query: Query, target: Target) {
    this.#query = query
    this.#target = target
    this.#answers = new Answers(target)
    this.#values = new Expressions(target, this.#answers, () => this.#places)
  }

  run(): TranslatedQuery {
    for (const match of this.#query.matches) {
      if (match.optional) this.#optional(match)
      else this.#required(match)
    }
    const items = this.#items()
    const values = items.map(({ expression }) => this.#values.value(expression, this.#scope))
    const inner = this.#inner(items, values)
    const columns = items.map(({ column: name }, index) => ({ name, type: values[index]!.type }))
    const outer = columns.map(
      ({ type }, index) => sql`${this.#answers.shown(sql.ref(`q.c${index}`), type)} as ${sql.ref(`c${index}`)}`,
    )
    const select = sql`select ${joined(outer, ', ')} from (${inner}) as q order by q.place`
    const { sql: text, parameters } = this.#target.dialect.compile(select)
    return { sql: text, parameters, columns }
  }

  #items(): Item[] {
    const { star, items } = this.#query
    const variables = star === null ? [] : [...this.#scope.keys()]
    if (star !== null && variables.length === 0) throw new CypherError('* has no variable to return.', star)
    return [
      ...variables.map(name => ({
        expression: { kind: 'variable' as const, name, position: star! },
        column: name,
        alias: null,
      })),
      ...items,
    ]
  }

  #required(match: Match): void {
    const translation = this.#translated(match, this.#scope)
    for (const { from } of translation.sources)
      this.#sources.push(this.#sources.length === 0 ? from : sql`${this.#target.dialect.tables.join} ${from}`)
    this.#conditions.push(...translation.conditions)
    for (const { binding, id } of translation.introduced) this.#tellApart(binding, id)
  }

  /** The tables and conditions of a match; its variables are in the scope afterwards. */
  #translated(match: Match, scope: Scope): MatchTranslation {
    const translation = new MatchTranslation(this.#target, scope, this.#values, this.#aliases)
    translation.translate(match)
    return translation
  }

  #tellApart({ kind }: Binding, id: Sql | null): void {
    if (id !== null) this.#rowIds[kind === 'node' ? 'nodes' : 'others'].push(id)
  }

  get #places(): Sql[] {
    const { nodes, others } = this.#rowIds
    return [...nodes, ...others].map(id => this.#target.dialect.values.idOrder(id))
  }

  /** An optional match runs a subquery for each row before it; if that finds nothing, one row of nulls remains. */
  #optional(match: Match): void {
    const { tables } = this.#target.dialect
    const inner: Scope = new Map(this.#scope)
    const translation = this.#translated(match, inner)
    const members: Sql[] = []
    const add = (member: Sql) => members.push(member) - 1
    const found = this.#aliases.next('o')
    const joins: Sql[] = []
    for (const { variable, binding, id } of translation.introduced) {
      const outer = this.#rebound(binding, id, member => tables.dependentColumn(found, add(member)), joins)
      this.#tellApart(binding, id === null ? null : outer.id)
      if (variable !== null) this.#scope.set(variable, outer.binding)
    }
    const from = joined(
      translation.sources.map(({ from }, index) => (index === 0 ? from : sql`${tables.join} ${from}`)),
      ' ',
    )
    const rest = sql`${translation.sources.length === 0 ? sql`` : sql` from ${from}`} where ${all(translation.conditions)}`
    const rows = sql`left join ${tables.dependent(members, rest, found)} on true`
    this.#sources.push(this.#sources.length === 0 ? sql`(select 1) as one ${rows}` : rows)
    this.#sources.push(...joins)
  }

  /** What a variable of an optional match is bound to after the match. */
  #rebound(
    binding: Binding,
    id: Sql | null,
    pass: (member: Sql) => Sql,
    joins: Sql[],
  ): { readonly binding: Binding; readonly id: Sql } {
    switch (binding.kind) {
      case 'node':
      case 'edge': {
        const alias = this.#aliases.next(binding.kind === 'node' ? 'n' : 'e')
        const { nodes, edges } = this.#target.graph
        const { table } = binding.kind === 'node' ? nodes : edges
        joins.push(
          sql`left join ${sql.table(table)} as ${sql.ref(alias)} on ${column(alias, 'id')} = ${pass(column(binding.alias, 'id'))}`,
        )
        return { binding: { kind: binding.kind, alias }, id: column(alias, 'id') }
      }
      case 'edges': {
        const list = pass(binding.list)
        return { binding: { kind: 'edges', list }, id: id === null ? list : pass(id) }
      }
      case 'path':
        return {
          binding: {
            kind: 'path',
            nodes: pass(binding.nodes),
            edges: pass(binding.edges),
            length: pass(binding.length),
          },
          id: sql`null`,
        }
    }
  }

  /** Matches, groups, sorts and limits on ids. The outer query looks up objects for the remaining rows only. */
  #inner(items: readonly Item[], values: readonly Value[]): Sql {
    const grouped = items.some(({ expression }) => aggregated(expression))
    if (grouped) this.#refuseMixed(items)
    const isKey = ({ expression }: Item) => !aggregated(expression)
    const groups = grouped || this.#query.distinct ? items.filter(isKey) : []
    const single = grouped && groups.length === 0
    const folded = groups.length > 0 || single
    const order = [...this.#order(items, values, folded), ...(single ? [] : this.#place(folded))]
    const selected = [
      ...values.map(({ sql: value }, index) => sql`${value} as ${sql.ref(`c${index}`)}`),
      sql`row_number() over (${order.length === 0 ? sql`` : sql`order by ${joined(order, ', ')}`}) as place`,
    ]
    const { skip, limit } = this.#window()
    const groupBy = groups.length === 0 ? sql`` : sql` group by ${joined(this.#groupKeys(items, groups), ', ')}`
    return sql`select ${joined(selected, ', ')} from ${joined(this.#sources, ' ')} where ${all(this.#conditions)}${groupBy}
      order by place limit ${whole(limit)} offset ${whole(skip)}`
  }

  /** The keys that rows are grouped by: columns by their position, so that they may be constants. */
  #groupKeys(items: readonly Item[], groups: readonly Item[]): Sql[] {
    const { dialect, graph } = this.#target
    return groups.flatMap(item => {
      const { expression } = item
      const binding = expression.kind === 'variable' ? this.#scope.get(expression.name) : undefined
      const position = sql.lit(items.indexOf(item) + 1)
      if (binding?.kind !== 'node' && binding?.kind !== 'edge') return [position]
      const table = binding.kind === 'node' ? graph.nodes : graph.edges
      return [position, ...dialect.tables.groupedWith(binding.alias, table)]
    })
  }

  /** Refuses an item next to an aggregate that is not the same for all rows of its group. */
  #refuseMixed(items: readonly Item[]): void {
    const keys = items.map(item => item.expression).filter(expression => !aggregated(expression))
    for (const { expression } of items)
      if (!isDeterminedBy(expression, keys))
        throw new CypherError(
          'Next to an aggregate, use only values that are also returned on their own.',
          expression.position,
        )
  }

  #order(items: readonly Item[], values: readonly Value[], folded: boolean): Sql[] {
    return this.#query.order.flatMap(key => {
      const value = this.#sortValue(key, items, values, folded)
      const { type } = value
      if (type.kind === 'list' || type.kind === 'path')
        throw new CypherError('Lists and paths have no order.', key.expression.position)
      // Null sorts last in ascending order and first in descending order.
      const keys = [sql`${value.sql} is null`, ...this.#target.dialect.values.sortKeys(value)]
      return key.descending ? keys.map(each => sql`${each} desc`) : keys
    })
  }

  /** The value of a sort key: a column by its alias or its expression, or a value that the columns determine. */
  #sortValue({ expression: key }: SortKey, items: readonly Item[], values: readonly Value[], folded: boolean): Value {
    const aliased = new Map(items.flatMap(({ alias, expression }) => (alias === null ? [] : [[alias, expression]])))
    const expression = withoutAliases(key, aliased)
    const index = items.findIndex(item => same(item.expression, expression))
    if (index !== -1) return values[index]!
    if (!folded && aggregated(expression))
      throw new CypherError('Only grouped rows can be sorted by an aggregate.', key.position)
    const returned = items.map(item => item.expression)
    if (folded && !isDeterminedBy(expression, returned))
      throw new CypherError('Grouped rows can be sorted only by values that they return.', key.position)
    return this.#values.value(expression, this.#scope)
  }

  /** The final sort key: the ids of the row's nodes, then of the rest. */
  #place(folded: boolean): Sql[] {
    return this.#places.map(id => (folded ? sql`min(${id})` : id))
  }

  #window(): { readonly skip: number; readonly limit: number } {
    const { skip, limit } = this.#query
    const requestedLimit = limit === null ? Number.POSITIVE_INFINITY : this.#whole(limit)
    return { skip: skip === null ? 0 : this.#whole(skip), limit: Math.min(requestedLimit, this.#target.maxRows) }
  }

  #whole(expression: Expression): number {
    const value =
      expression.kind === 'parameter'
        ? this.#values.parameter(expression.name, expression.position)
        : expression.kind === 'number' && expression.isInteger
          ? expression.value
          : null
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
    throw new CypherError('Expected a whole number of at least 0.', expression.position)
  }
}
