import { sql } from 'kysely'
import type { Expression, Match, Member, Name, NodePattern, PathPattern, RelationshipPattern } from './ast.ts'
import { CypherError } from './cypher-error.ts'
import type { Dialect } from './dialect.ts'
import { labelRank, rankOf } from './path-start.ts'
import type { PropertyGraph } from './property-graph.ts'
import type { Aliases, Binding, Scope } from './scope.ts'
import { column, joined, type Sql, whole } from './sql.ts'
import { asArray, piece, waysFrom } from './walks.ts'

/** A node or edge table, or the paths that a walk finds. */
interface Source {
  readonly from: Sql
}

/** A table or path that a MATCH adds to the query. */
interface MatchSource {
  readonly variable: string | null
  readonly binding: Binding
  /** What identifies its rows; null for paths. */
  readonly id: Sql | null
  /** The pattern that adds it; null for paths. */
  readonly pattern: NodePattern | RelationshipPattern | null
}

/** The edges and nodes that a relationship passes, as pieces of JSON, and the number of edges. */
interface PathPieces {
  readonly edges: Sql
  readonly nodes: Sql
  readonly length: Sql
}

/** The indexes of a relationship's two nodes in its path: the node already reached, and the other. */
interface Ends {
  readonly from: number
  readonly to: number
}

/** Translates the values in `{…}` and in WHERE, with the variables that are bound so far. */
export interface Values {
  /** A condition. */
  condition(expression: Expression, scope: Scope): Sql
  /** `table.name = value` */
  equal(kind: 'node' | 'edge', alias: string, member: Member, scope: Scope): Sql
}

/**
 * The names in a pattern.
 * @throws CypherError for a name that is not known
 */
function knownNames(names: readonly Name[], available: readonly string[], kind: string): string[] {
  for (const { name, position } of names)
    if (!available.includes(name))
      throw new CypherError(`There is no ${kind} ${name}. There are ${available.join(', ')}.`, position)
  return names.map(({ name }) => name)
}

const among = (value: Sql, names: readonly string[]): Sql =>
  sql`${value} in (${joined(
    names.map(name => sql`${name}`),
    ', ',
  )})`

/** The dialect, graph and scope that a MATCH is translated for. */
interface MatchTarget {
  readonly dialect: Dialect
  readonly graph: PropertyGraph
  /** The value of the graph's scope column. */
  readonly scope: string
}

/** Translates a MATCH to tables and conditions. */
export class MatchTranslation {
  readonly sources: Source[] = []
  readonly conditions: Sql[] = []
  /** The tables and paths that this MATCH adds. */
  readonly introduced: MatchSource[] = []
  readonly #dialect: Dialect
  readonly #graph: PropertyGraph
  /** The value of the graph's scope column. */
  readonly #within: string
  readonly #scope: Scope
  readonly #values: Values
  readonly #aliases: Aliases
  /** The single edges of this MATCH. No edge is passed twice. */
  readonly #single: { readonly alias: string; readonly types: readonly string[] }[] = []
  readonly #walked: PathPieces[] = []

  constructor({ dialect, graph, scope: within }: MatchTarget, scope: Scope, values: Values, aliases: Aliases) {
    this.#dialect = dialect
    this.#graph = graph
    this.#within = within
    this.#scope = scope
    this.#values = values
    this.#aliases = aliases
  }

  /** Translates the patterns and the condition of a MATCH; its variables are in the scope afterwards. */
  translate(match: Match): void {
    for (const path of match.paths) this.#path(path, match.where)
    this.#noEdgeTwice()
    for (const path of match.paths) {
      for (const pattern of path.nodes) this.#members('node', pattern)
      for (const pattern of path.relationships) if (pattern.range === null) this.#members('edge', pattern)
    }
    if (match.where !== null) this.conditions.push(this.#values.condition(match.where, this.#scope))
  }

  readonly #aliasOf = new Map<NodePattern | RelationshipPattern, string>()

  #members(kind: 'node' | 'edge', pattern: NodePattern | RelationshipPattern): void {
    const alias = this.#aliasOf.get(pattern)!
    for (const member of pattern.members) this.conditions.push(this.#values.equal(kind, alias, member, this.#scope))
  }

  /**
   * Follows a path outwards from the node that is narrowed down most. From there on, rows are found by their ids, so
   * that the database need not guess where to begin.
   */
  #path({ variable, nodes, relationships }: PathPattern, where: Expression | null): void {
    const before = this.introduced.length
    const aliases: (string | undefined)[] = nodes.map(pattern => this.#boundNode(pattern))
    const bound = aliases.findIndex(alias => alias !== undefined)
    const ranks = nodes.map(pattern => rankOf(pattern, where, this.#graph.nodes.keys))
    const anchor = bound === -1 ? ranks.indexOf(Math.max(...ranks)) : bound
    aliases[anchor] ??= this.#node(nodes[anchor]!, false)
    // If a node is narrowed down by a label at most, starting with all edges of the type is just as good.
    let reached = bound !== -1 || ranks[anchor]! > labelRank
    const steps: PathPieces[] = []
    const follow = (index: number, ends: Ends) => {
      steps[index] = this.#relationship(relationships[index]!, nodes, aliases, { ...ends, reached })
      reached = true
    }
    for (let index = anchor; index < relationships.length; index++) follow(index, { from: index, to: index + 1 })
    for (let index = anchor - 1; index >= 0; index--) follow(index, { from: index + 1, to: index })
    this.#inOrder(before, nodes, relationships)
    if (variable !== null) this.#bindPath(variable, aliases[0]!, steps)
  }

  /** Sorts what a path added into the order of its text, because rows and `*` follow that order. */
  #inOrder(before: number, nodes: readonly NodePattern[], relationships: readonly RelationshipPattern[]): void {
    const order = new Map<unknown, number>()
    for (const [index, pattern] of nodes.entries()) {
      const { name } = pattern.variable ?? {}
      const first = name === undefined ? index : nodes.findIndex(node => node.variable?.name === name)
      order.set(pattern, 2 * first)
    }
    for (const [index, pattern] of relationships.entries()) order.set(pattern, 2 * index + 1)
    const own = this.introduced.splice(before).sort((a, b) => order.get(a.pattern)! - order.get(b.pattern)!)
    this.introduced.push(...own)
    for (const { variable, binding } of own)
      if (variable !== null) {
        this.#scope.delete(variable)
        this.#scope.set(variable, binding)
      }
  }

  #bindPath(variable: Name, start: string, steps: readonly PathPieces[]): void {
    const { lists } = this.#dialect
    const binding: Binding = {
      kind: 'path',
      nodes: lists.ofIds(asArray([piece(column(start, 'id')), ...steps.map(step => step.nodes)])),
      edges: lists.ofIds(steps.length === 0 ? sql`'[]'` : asArray(steps.map(step => step.edges))),
      length:
        steps.length === 0
          ? whole(0)
          : joined(
              steps.map(step => step.length),
              ' + ',
            ),
    }
    this.#introduce(variable, binding, null, null)
  }

  #introduce(variable: Name | null, binding: Binding, id: Sql | null, pattern: MatchSource['pattern']): void {
    if (variable !== null) {
      if (this.#scope.has(variable.name))
        throw new CypherError(`The variable ${variable.name} is already used for something else.`, variable.position)
      this.#scope.set(variable.name, binding)
    }
    this.introduced.push({ variable: variable?.name ?? null, binding, id, pattern })
  }

  /** The table of a node whose variable is already bound; undefined when it is not. */
  #boundNode(pattern: NodePattern): string | undefined {
    const { variable } = pattern
    const binding = variable === null ? undefined : this.#scope.get(variable.name)
    if (binding === undefined) return undefined
    if (binding.kind !== 'node') throw new CypherError(`${variable!.name} is not a node.`, variable!.position)
    // The variable of an optional match that found nothing is null, and matches nothing.
    if (!this.#aliasOf.has(pattern)) this.conditions.push(sql`${column(binding.alias, 'id')} is not null`)
    this.#constrainNode(pattern, binding.alias)
    return binding.alias
  }

  #constrainNode(pattern: NodePattern, alias: string): void {
    if (this.#aliasOf.has(pattern)) return
    this.#aliasOf.set(pattern, alias)
    const { labelColumn, labels: allLabels } = this.#graph.nodes
    const labels = knownNames(pattern.labels, allLabels, 'label')
    if (labels.length > 0) this.conditions.push(among(column(alias, labelColumn), labels))
  }

  /**
   * The table of a node; a new one when its variable is not bound.
   * @param reached whether the node is found by its id, and not by its scope
   */
  #node(pattern: NodePattern, reached: boolean): string {
    const bound = this.#boundNode(pattern)
    if (bound !== undefined) return bound
    const alias = this.#aliases.next('n')
    const { table, rowColumn } = this.#graph.nodes
    this.sources.push({ from: sql`${sql.raw(table)} as ${sql.ref(alias)}` })
    this.conditions.push(this.#inScope(alias, reached), ...this.#dialect.tables.timed(column(alias, rowColumn)))
    this.#constrainNode(pattern, alias)
    this.#introduce(pattern.variable, { kind: 'node', alias }, column(alias, 'id'), pattern)
    return alias
  }

  #inScope(alias: string, reached: boolean): Sql {
    const scope = column(alias, this.#graph.scopeColumn)
    return sql`${reached ? this.#dialect.tables.filtering(scope) : scope} = ${this.#within}`
  }

  /** Follows a relationship from the node already reached to the other. */
  #relationship(
    pattern: RelationshipPattern,
    nodes: readonly NodePattern[],
    aliases: (string | undefined)[],
    ends: Ends & { readonly reached: boolean },
  ): PathPieces {
    if (pattern.range !== null) return this.#walk(pattern, pattern.range, nodes, aliases, ends)
    const alias = this.#edge(pattern, ends.reached)
    aliases[ends.to] ??= this.#node(nodes[ends.to]!, true)
    const left = Math.min(ends.from, ends.to)
    const [a, b] = [column(aliases[left]!, 'id'), column(aliases[left + 1]!, 'id')]
    const { fromColumn, toColumn } = this.#graph.edges
    const [from, to] = [column(alias, fromColumn), column(alias, toColumn)]
    const out = sql`${from} = ${a} and ${to} = ${b}`
    const back = sql`${from} = ${b} and ${to} = ${a}`
    this.conditions.push({ out, in: back, both: sql`(${out}) or (${back})` }[pattern.direction])
    return { edges: piece(column(alias, 'id')), nodes: piece(b), length: whole(1) }
  }

  /**
   * The table of an edge.
   * @param reached whether the edge is found from a node, and not by its scope and type
   */
  #edge(pattern: RelationshipPattern, reached: boolean): string {
    const { variable } = pattern
    const { table, typeColumn, rowColumn } = this.#graph.edges
    const types = this.#typesOf(pattern)
    const binding = variable === null ? undefined : this.#scope.get(variable.name)
    if (binding !== undefined && binding.kind !== 'edge')
      throw new CypherError(`${variable!.name} is not a single relationship.`, variable!.position)
    const alias = binding?.alias ?? this.#aliases.next('e')
    this.#aliasOf.set(pattern, alias)
    if (types.length > 0) this.conditions.push(among(column(alias, typeColumn), types))
    if (binding === undefined) {
      this.sources.push({ from: sql`${sql.raw(table)} as ${sql.ref(alias)}` })
      this.conditions.push(
        this.#inScope(alias, reached || types.length === 0),
        ...this.#dialect.tables.timed(column(alias, rowColumn)),
      )
      this.#introduce(variable, { kind: 'edge', alias }, column(alias, 'id'), pattern)
    }
    this.#single.push({ alias, types })
    return alias
  }

  #typesOf({ types }: RelationshipPattern): string[] {
    return knownNames(types, this.#graph.edges.types, 'relationship type')
  }

  /** Follows several consecutive edges from the node already reached to the other. */
  #walk(
    pattern: RelationshipPattern,
    range: { readonly min: number; readonly max: number },
    nodes: readonly NodePattern[],
    aliases: (string | undefined)[],
    ends: Ends,
  ): PathPieces {
    const start = column(aliases[ends.from]!, 'id')
    const alias = this.#aliases.next('w')
    const { scopeColumn, edges } = this.#graph
    const edge = (name: string) => sql.raw(`e.${name}`)
    const ways = waysFrom(this.#dialect, alias, start, edges, {
      ...range,
      direction: pattern.direction,
      backwards: ends.to < ends.from,
      conditions: [
        sql`${this.#dialect.tables.filtering(edge(scopeColumn))} = ${this.#within}`,
        ...(pattern.types.length === 0 ? [] : [among(edge(edges.typeColumn), this.#typesOf(pattern))]),
        ...pattern.members.map(member => this.#values.equal('edge', 'e', member, this.#scope)),
      ],
    })
    this.sources.push({ from: ways.from })
    aliases[ends.to] ??= this.#node(nodes[ends.to]!, true)
    this.conditions.push(sql`${column(aliases[ends.to]!, 'id')} = ${ways.end}`)
    this.#walked.push(ways)
    const list = this.#dialect.lists.ofIds(asArray([ways.edges]))
    this.#introduce(pattern.variable, { kind: 'edges', list }, ways.edges, pattern)
    return ways
  }

  /** Lets each edge be passed at most once within one MATCH. */
  #noEdgeTwice(): void {
    const { lists, texts } = this.#dialect
    const overlap = (a: readonly string[], b: readonly string[]) =>
      a.length === 0 || b.length === 0 || a.some(type => b.includes(type))
    for (const [index, a] of this.#single.entries()) {
      for (const b of this.#single.slice(index + 1))
        if (a.alias === b.alias) this.conditions.push(sql`false`)
        else if (overlap(a.types, b.types))
          this.conditions.push(sql`${column(a.alias, 'id')} <> ${column(b.alias, 'id')}`)
      for (const walked of this.#walked)
        this.conditions.push(sql`not ${texts.holds(walked.edges, column(a.alias, 'id'))}`)
    }
    for (const [index, a] of this.#walked.entries())
      for (const b of this.#walked.slice(index + 1))
        this.conditions.push(sql`not exists (select 1 from ${lists.ids(lists.ofIds(asArray([a.edges])), 'x')}
          where ${texts.holds(b.edges, sql`x.value`)})`)
  }
}
