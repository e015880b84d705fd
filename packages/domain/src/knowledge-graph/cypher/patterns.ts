import { type EdgeType, edgeTypes, type NodeType, nodeTypes } from '@specboard/contract'
import { sql } from 'kysely'
import type { Expression, Match, Member, Name, NodePattern, PathPattern, RelationshipPattern } from './ast.ts'
import { CypherError } from './error.ts'
import { all, column, joined, type Sql, whole } from './sql.ts'

/** What a variable stands for, under the names of its tables. */
export type Binding =
  | { readonly kind: 'node'; readonly alias: string }
  | { readonly kind: 'edge'; readonly alias: string }
  | { readonly kind: 'edges'; readonly list: Sql }
  | { readonly kind: 'path'; readonly nodes: Sql; readonly edges: Sql; readonly length: Sql }

/** The variables of a query, in the order in which they come. */
export type Scope = Map<string, Binding>

/** A node or edge table, or the paths that a walk finds. */
interface Source {
  readonly from: Sql
}

/** What a walk of several edges leaves: where it ended, how far, and what it passed. */
interface Walked {
  readonly edges: Sql
  readonly nodes: Sql
  readonly length: Sql
}

/** Resolves the values in `{…}` and in WHERE, with the variables that are bound so far. */
export interface Values {
  /** A condition. */
  condition(expression: Expression, scope: Scope): Sql
  /** `table.name = value` */
  equal(kind: 'node' | 'edge', alias: string, member: Member, scope: Scope): Sql
}

/** Numbers the tables of a query. */
export class Aliases {
  #count = 0
  next(prefix: string): string {
    return `${prefix}${this.#count++}`
  }
}

function oneOf<Known extends string>(names: readonly Name[], known: readonly Known[], what: string): Known[] {
  return names.map(({ name, position }) => {
    const found = known.find(candidate => candidate === name)
    if (found === undefined) throw new CypherError(`There is no ${what} ${name}: ${known.join(', ')}.`, position)
    return found
  })
}

const labelsOf = ({ labels }: NodePattern): NodeType[] => oneOf(labels, nodeTypes, 'label')
const typesOf = ({ types }: RelationshipPattern): EdgeType[] => oneOf(types, edgeTypes, 'relationship type')

const among = (value: Sql, names: readonly string[]): Sql =>
  sql`${value} in (${joined(
    names.map(name => sql`${name}`),
    ', ',
  )})`

/** Pieces of JSON, each behind a comma, as one array. */
const asArray = (pieces: readonly Sql[]): Sql => sql`'[' || substr(${joined(pieces, ' || ')}, 2) || ']'`

const piece = (id: Sql): Sql => sql`',"' || ${id} || '"'`

/** A MATCH as tables and conditions. */
export class MatchTranslation {
  readonly sources: Source[] = []
  readonly conditions: Sql[] = []
  /** Tables that are new here, with what their rows are known by. */
  readonly introduced: { readonly variable: string | null; readonly binding: Binding; readonly id: Sql | null }[] = []
  readonly #board: string
  readonly #scope: Scope
  readonly #values: Values
  readonly #aliases: Aliases
  /** Edges of this MATCH: none is passed twice. */
  readonly #single: { readonly alias: string; readonly types: readonly EdgeType[] }[] = []
  readonly #walked: Walked[] = []

  constructor(board: string, scope: Scope, values: Values, aliases: Aliases) {
    this.#board = board
    this.#scope = scope
    this.#values = values
    this.#aliases = aliases
  }

  /** Translates the patterns and the condition of a MATCH; its variables are in the scope afterwards. */
  translate(match: Match): void {
    for (const path of match.paths) this.#path(path)
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

  #path({ variable, nodes, relationships }: PathPattern): void {
    const aliases: (string | undefined)[] = nodes.map(pattern => this.#boundNode(pattern))
    const passed: Walked[] = []
    const first = nodes[0]!
    const walksFirst = relationships[0]?.range != null
    const fromRight = walksFirst && (aliases[1] !== undefined || (isLoose(first) && !isLoose(nodes[1]!)))
    if (fromRight && aliases[0] === undefined) aliases[1] ??= this.#node(nodes[1]!)
    else aliases[0] ??= this.#node(first)
    for (const [index, pattern] of relationships.entries())
      passed.push(this.#relationship(pattern, nodes, aliases, index))
    if (variable !== null) this.#bindPath(variable, aliases[0]!, passed)
  }

  #bindPath(variable: Name, start: string, passed: readonly Walked[]): void {
    const binding: Binding = {
      kind: 'path',
      nodes: asArray([piece(column(start, 'id')), ...passed.map(step => step.nodes)]),
      edges: passed.length === 0 ? sql`'[]'` : asArray(passed.map(step => step.edges)),
      length:
        passed.length === 0
          ? whole(0)
          : joined(
              passed.map(step => step.length),
              ' + ',
            ),
    }
    this.#introduce(variable, binding, null)
  }

  #introduce(variable: Name | null, binding: Binding, id: Sql | null): void {
    if (variable !== null) {
      if (this.#scope.has(variable.name))
        throw new CypherError(`The variable ${variable.name} stands for something else already.`, variable.position)
      this.#scope.set(variable.name, binding)
    }
    this.introduced.push({ variable: variable?.name ?? null, binding, id })
  }

  /** The table of a node whose variable is bound already; undefined when it is not. */
  #boundNode(pattern: NodePattern): string | undefined {
    const { variable } = pattern
    const binding = variable === null ? undefined : this.#scope.get(variable.name)
    if (binding === undefined) return undefined
    if (binding.kind !== 'node') throw new CypherError(`${variable!.name} is no node.`, variable!.position)
    this.#constrainNode(pattern, binding.alias)
    return binding.alias
  }

  #constrainNode(pattern: NodePattern, alias: string): void {
    if (this.#aliasOf.has(pattern)) return
    this.#aliasOf.set(pattern, alias)
    const labels = labelsOf(pattern)
    if (labels.length > 0) this.conditions.push(among(column(alias, 'node_type'), labels))
  }

  /** The table of a node; a new one when its variable is not bound. */
  #node(pattern: NodePattern): string {
    const bound = this.#boundNode(pattern)
    if (bound !== undefined) return bound
    const alias = this.#aliases.next('n')
    this.sources.push({ from: sql`kg_nodes as ${sql.ref(alias)}` })
    this.conditions.push(sql`${column(alias, 'board_id')} = ${this.#board}`, sql`within(${column(alias, 'ordinal')})`)
    this.#constrainNode(pattern, alias)
    this.#introduce(pattern.variable, { kind: 'node', alias }, column(alias, 'id'))
    return alias
  }

  #relationship(
    pattern: RelationshipPattern,
    nodes: readonly NodePattern[],
    aliases: (string | undefined)[],
    index: number,
  ): Walked {
    if (pattern.range !== null) return this.#walk(pattern, pattern.range, nodes, aliases, index)
    aliases[index] ??= this.#node(nodes[index]!)
    const left = aliases[index]
    const types = typesOf(pattern)
    const alias = this.#edge(pattern, types)
    aliases[index + 1] ??= this.#node(nodes[index + 1]!)
    const right = aliases[index + 1]!
    const [from, to] = [column(alias, 'from_id'), column(alias, 'to_id')]
    const [a, b] = [column(left, 'id'), column(right, 'id')]
    const out = sql`${from} = ${a} and ${to} = ${b}`
    const back = sql`${from} = ${b} and ${to} = ${a}`
    this.conditions.push(
      pattern.direction === 'out' ? out : pattern.direction === 'in' ? back : sql`(${out}) or (${back})`,
    )
    return { edges: piece(column(alias, 'id')), nodes: piece(b), length: whole(1) }
  }

  #edge(pattern: RelationshipPattern, types: readonly EdgeType[]): string {
    const { variable } = pattern
    const binding = variable === null ? undefined : this.#scope.get(variable.name)
    if (binding !== undefined && binding.kind !== 'edge')
      throw new CypherError(`${variable!.name} is no single relationship.`, variable!.position)
    const alias = binding?.alias ?? this.#aliases.next('e')
    this.#aliasOf.set(pattern, alias)
    if (types.length > 0) this.conditions.push(among(column(alias, 'edge_type'), types))
    if (binding === undefined) {
      this.sources.push({ from: sql`kg_edges as ${sql.ref(alias)}` })
      this.conditions.push(sql`${column(alias, 'board_id')} = ${this.#board}`, sql`within(${column(alias, 'rowid')})`)
      this.#introduce(variable, { kind: 'edge', alias }, column(alias, 'id'))
    }
    this.#single.push({ alias, types })
    return alias
  }

  /**
   * Several edges in a row: every way from the one end that is known, found by a walk of its own for each
   * row, so that no step is taken that the row does not need.
   */
  #walk(
    pattern: RelationshipPattern,
    range: { readonly min: number; readonly max: number },
    nodes: readonly NodePattern[],
    aliases: (string | undefined)[],
    index: number,
  ): Walked {
    const backwards = aliases[index] === undefined && aliases[index + 1] !== undefined
    const [startIndex, endIndex] = backwards ? [index + 1, index] : [index, index + 1]
    aliases[startIndex] ??= this.#node(nodes[startIndex]!)
    const start = column(aliases[startIndex], 'id')
    const walk = this.#aliases.next('w')
    this.sources.push({ from: sql`json_each(${this.#ways(pattern, range, start, backwards)}) as ${sql.ref(walk)}` })
    const member = (position: number) => sql`json_extract(${column(walk, 'value')}, ${sql.lit(`$[${position}]`)})`
    aliases[endIndex] ??= this.#node(nodes[endIndex]!)
    this.conditions.push(sql`${column(aliases[endIndex], 'id')} = ${member(0)}`)
    const walked = { length: member(1), edges: member(2), nodes: member(3) }
    this.#walked.push(walked)
    this.#introduce(pattern.variable, { kind: 'edges', list: asArray([walked.edges]) }, walked.edges)
    return walked
  }

  #ways(
    pattern: RelationshipPattern,
    { min, max }: { readonly min: number; readonly max: number },
    start: Sql,
    backwards: boolean,
  ): Sql {
    const { direction } = pattern
    const outwards = direction === 'both' ? 'both' : (direction === 'out') !== backwards ? 'out' : 'in'
    const [from, to] = [sql`e.from_id`, sql`e.to_id`]
    const meets = {
      out: sql`${from} = w.at`,
      in: sql`${to} = w.at`,
      both: sql`(${from} = w.at or ${to} = w.at)`,
    }[outwards]
    const reached = { out: to, in: from, both: sql`case when ${from} = w.at then ${to} else ${from} end` }[outwards]
    const types = typesOf(pattern)
    const edges = backwards ? sql`${piece(sql`e.id`)} || w.edges` : sql`w.edges || ${piece(sql`e.id`)}`
    const nodes = backwards ? sql`${piece(sql`w.at`)} || w.nodes` : sql`w.nodes || ${piece(reached)}`
    const conditions = [
      meets,
      sql`e.board_id = ${this.#board}`,
      sql`w.length < ${whole(max)}`,
      sql`instr(w.edges, e.id) = 0`,
      sql`within(e.rowid)`,
      ...(types.length === 0 ? [] : [among(sql`e.edge_type`, types)]),
      ...pattern.members.map(member => this.#values.equal('edge', 'e', member, this.#scope)),
    ]
    return sql`(with recursive w (at, length, edges, nodes) as (
        select ${start}, 0, '', ''
        union all select ${reached}, w.length + 1, ${edges}, ${nodes} from w join kg_edges e on ${all(conditions)})
      select json_group_array(json_array(w.at, w.length, w.edges, w.nodes)) from w where w.length >= ${whole(min)})`
  }

  /** Within one MATCH an edge is passed at most once. */
  #noEdgeTwice(): void {
    const overlap = (a: readonly EdgeType[], b: readonly EdgeType[]) =>
      a.length === 0 || b.length === 0 || a.some(type => b.includes(type))
    for (const [index, a] of this.#single.entries()) {
      for (const b of this.#single.slice(index + 1))
        if (a.alias === b.alias) this.conditions.push(sql`0`)
        else if (overlap(a.types, b.types))
          this.conditions.push(sql`${column(a.alias, 'id')} <> ${column(b.alias, 'id')}`)
      for (const walked of this.#walked) this.conditions.push(sql`instr(${walked.edges}, ${column(a.alias, 'id')}) = 0`)
    }
    for (const [index, a] of this.#walked.entries())
      for (const b of this.#walked.slice(index + 1))
        this.conditions.push(sql`not exists (select 1 from json_each(${asArray([a.edges])}) x
          where instr(${b.edges}, x.value) > 0)`)
  }
}

/** A node that anything fits. */
const isLoose = ({ labels, members }: NodePattern) => labels.length === 0 && members.length === 0
