import { aggregated, isAggregate, same, withParts } from '../src/aggregation.ts'
import type { Expression, Match, NodePattern, PathPattern, Query, RelationshipPattern } from '../src/ast.ts'
import type { PlainEdge, PlainGraph, PlainNode } from './plain-graph.ts'

class PathValue {
  readonly nodes: readonly PlainNode[]
  readonly edges: readonly PlainEdge[]
  constructor(nodes: readonly PlainNode[], edges: readonly PlainEdge[]) {
    this.nodes = nodes
    this.edges = edges
  }
}

type Row = ReadonlyMap<string, unknown>

const isEdge = (value: unknown): value is PlainEdge => typeof value === 'object' && value !== null && 'from_id' in value
const isNode = (value: unknown): value is PlainNode =>
  typeof value === 'object' && value !== null && 'node_type' in value

/**
 * Evaluates a query by brute force. This states the meaning of the subset in the plainest form, and the translation to
 * SQL is tested against it.
 */
export function evaluate(query: Query, graph: PlainGraph, parameters: Readonly<Record<string, unknown>>): unknown[][] {
  return new Evaluation(graph, parameters).run(query)
}

class Evaluation {
  readonly #graph: PlainGraph
  readonly #parameters: Readonly<Record<string, unknown>>
  readonly #byId: ReadonlyMap<string, PlainNode>

  constructor(graph: PlainGraph, parameters: Readonly<Record<string, unknown>>) {
    this.#graph = graph
    this.#parameters = parameters
    this.#byId = new Map(graph.nodes.map(node => [node.id, node]))
  }

  run(query: Query): unknown[][] {
    let rows: Row[] = [new Map()]
    const names: string[] = []
    for (const match of query.matches) {
      const own = variablesOf(match).filter(name => !names.includes(name))
      names.push(...own)
      rows = rows.flatMap(row => {
        const found = this.#match(match, row)
        return found.length > 0 || !match.optional
          ? found
          : [new Map([...row, ...own.map(name => [name, null] as const)])]
      })
    }
    const star = query.star === null ? [] : names.map(name => variable(name))
    const items = [...star, ...query.items.map(item => item.expression)]
    const results = this.#project(query, items, rows)
    const skip = query.skip === null ? 0 : Number(this.value(query.skip, new Map()))
    const limit = query.limit === null ? results.length : Number(this.value(query.limit, new Map()))
    return results.slice(skip, skip + limit)
  }

  #match(match: Match, row: Row): Row[] {
    let found: { row: Row; used: readonly PlainEdge[] }[] = [{ row, used: [] }]
    for (const path of match.paths) found = found.flatMap(each => this.#path(path, each.row, each.used))
    return found
      .map(each => each.row)
      .filter(each => match.paths.every(path => this.#membersHold(path, each)))
      .filter(each => match.where === null || this.value(match.where, each) === true)
  }

  readonly #chosen = new WeakMap<Row, Map<NodePattern | RelationshipPattern, unknown>>()

  #membersHold(path: PathPattern, row: Row): boolean {
    const chosen = this.#chosen.get(row)!
    return [...path.nodes, ...path.relationships].every(pattern =>
      pattern.members.every(({ name, value }) => {
        const expected = this.value(value, row)
        const matched = chosen.get(pattern)
        return (Array.isArray(matched) ? matched : [matched]).every(
          element => compare('=', (element as Record<string, unknown>)[name] ?? null, expected) === true,
        )
      }),
    )
  }

  #path(path: PathPattern, row: Row, used: readonly PlainEdge[]): { row: Row; used: readonly PlainEdge[] }[] {
    interface State {
      row: Row
      used: readonly PlainEdge[]
      at: PlainNode
      nodes: readonly PlainNode[]
      edges: readonly PlainEdge[]
      chosen: ReadonlyMap<NodePattern | RelationshipPattern, unknown>
    }
    const before = this.#chosen.get(row) ?? new Map<NodePattern | RelationshipPattern, unknown>()
    let states: State[] = this.#graph.nodes.flatMap(node => {
      const bound = this.#bindNode(path.nodes[0]!, node, row)
      return bound === null
        ? []
        : [
            {
              row: bound,
              used,
              at: node,
              nodes: [node],
              edges: [],
              chosen: new Map([...before, [path.nodes[0]!, node]]),
            },
          ]
    })
    for (const [index, pattern] of path.relationships.entries()) {
      states = states.flatMap(state =>
        this.#steps(pattern, state.at, state.used).flatMap(({ edges, nodes }) => {
          const at = nodes.at(-1) ?? state.at
          const value = pattern.range === null ? edges[0]! : edges
          const withEdge = bind(pattern.variable?.name, value, state.row)
          const bound = withEdge === null ? null : this.#bindNode(path.nodes[index + 1]!, at, withEdge)
          if (bound === null) return []
          return [
            {
              row: bound,
              used: [...state.used, ...edges],
              at,
              nodes: [...state.nodes, ...nodes],
              edges: [...state.edges, ...edges],
              chosen: new Map([...state.chosen, [pattern, value], [path.nodes[index + 1]!, at]]),
            } as State,
          ]
        }),
      )
    }
    return states.map(state => {
      const bindings =
        path.variable === null
          ? state.row
          : new Map([...state.row, [path.variable.name, new PathValue(state.nodes, state.edges)]])
      const copy: Row = new Map(bindings)
      this.#chosen.set(copy, new Map(state.chosen))
      return { row: copy, used: state.used }
    })
  }

  #bindNode(pattern: NodePattern, node: PlainNode, row: Row): Row | null {
    if (pattern.labels.length > 0 && !pattern.labels.some(({ name }) => name === node.node_type)) return null
    return bind(pattern.variable?.name, node, row)
  }

  /** Every way to follow a pattern over edges that are not used yet. */
  #steps(
    pattern: RelationshipPattern,
    from: PlainNode,
    used: readonly PlainEdge[],
  ): { edges: PlainEdge[]; nodes: PlainNode[] }[] {
    const { min, max } = pattern.range ?? { min: 1, max: 1 }
    const ways: { edges: PlainEdge[]; nodes: PlainNode[] }[] = []
    const go = (at: PlainNode, edges: PlainEdge[], nodes: PlainNode[]) => {
      if (edges.length >= min) ways.push({ edges, nodes })
      if (edges.length === max) return
      for (const edge of this.#graph.edges) {
        if (used.includes(edge) || edges.includes(edge)) continue
        if (pattern.types.length > 0 && !pattern.types.some(({ name }) => name === edge.edge_type)) continue
        const ends = new Set<string>()
        if (pattern.direction !== 'in' && edge.from_id === at.id) ends.add(edge.to_id)
        if (pattern.direction !== 'out' && edge.to_id === at.id) ends.add(edge.from_id)
        for (const end of ends) {
          const node = this.#byId.get(end)!
          go(node, [...edges, edge], [...nodes, node])
        }
      }
    }
    go(from, [], [])
    return ways
  }

  #project(query: Query, items: readonly Expression[], rows: readonly Row[]): unknown[][] {
    const grouped = items.some(aggregated)
    if (!grouped && !query.distinct)
      return this.#sorted(
        query,
        items,
        rows.map(row => ({ values: items.map(item => this.value(item, row)), rows: [row] })),
      )
    const keys = grouped ? items.filter(item => !aggregated(item)) : items
    const groups = Map.groupBy(rows, row => JSON.stringify(keys.map(key => shown(this.value(key, row)))))
    if (groups.size === 0 && grouped && keys.length === 0) groups.set('', [])
    return this.#sorted(
      query,
      items,
      [...groups.values()].map(members => ({
        values: items.map(item => (aggregated(item) ? this.#fold(item, members) : this.value(item, members[0]!))),
        rows: members,
      })),
    )
  }

  #sorted(
    query: Query,
    items: readonly Expression[],
    results: readonly { readonly values: unknown[]; readonly rows: readonly Row[] }[],
  ): unknown[][] {
    const keyed = results.map(result => ({
      ...result,
      keys: query.order.map(({ expression }) => {
        const position = items.findIndex(item => same(item, expression))
        if (position !== -1) return result.values[position]
        const offset = items.length - query.items.length
        const named = query.items.flatMap(({ alias }, index) =>
          alias === null ? [] : [[alias, result.values[offset + index]] as const],
        )
        return this.#fold(
          expression,
          result.rows.map(row => new Map([...row, ...named])),
        )
      }),
    }))
    keyed.sort((a, b) => {
      for (const [index, { descending }] of query.order.entries()) {
        const order = byValue(a.keys[index], b.keys[index])
        if (order !== 0) return descending ? -order : order
      }
      return 0
    })
    return keyed.map(({ values }) => values.map(shown))
  }

  #fold(expression: Expression, rows: readonly Row[]): unknown {
    if (expression.kind !== 'call' || !isAggregate(expression.name)) {
      const folded = new Map<string, unknown>(rows[0])
      return this.value(
        replaceAggregates(expression, each => {
          const name = `#${folded.size}`
          folded.set(name, this.#fold(each, rows))
          return variable(name)
        }),
        folded,
      )
    }
    const { name, star, distinct, args } = expression
    if (star) return rows.length
    const all = rows.map(row => this.value(args[0]!, row)).filter(value => value !== null)
    const values = distinct ? [...new Map(all.map(value => [JSON.stringify(shown(value)), value])).values()] : all
    const numbers = values as number[]
    switch (name) {
      case 'count':
        return values.length
      case 'collect':
        return values
      case 'sum':
        return numbers.reduce((sum, value) => sum + value, 0)
      case 'avg':
        return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length
      default: {
        const sorted = values.toSorted(byValue)
        return (name === 'min' ? sorted[0] : sorted.at(-1)) ?? null
      }
    }
  }

  value(expression: Expression, row: Row): unknown {
    switch (expression.kind) {
      case 'literal':
      case 'number':
        return expression.value
      case 'parameter':
        return this.#parameters[expression.name] ?? null
      case 'list':
        return expression.items.map(item => this.value(item, row))
      case 'variable':
        return row.get(expression.name) ?? null
      case 'property': {
        const of = row.get(expression.variable) as Readonly<Record<string, unknown>> | null
        return of?.[expression.name] ?? null
      }
      case 'not': {
        const value = this.value(expression.operand, row)
        return value === null ? null : !value
      }
      case 'minus': {
        const value = this.value(expression.operand, row)
        return value === null ? null : -(value as number)
      }
      case 'isNull':
        return (this.value(expression.operand, row) === null) !== expression.negated
      case 'binary':
        return this.#binary(expression, row)
      case 'call':
        return this.#call(expression, row)
    }
  }

  #binary({ operator, left, right }: Expression & { readonly kind: 'binary' }, row: Row): unknown {
    const [a, b] = [this.value(left, row), this.value(right, row)]
    switch (operator) {
      case 'AND':
        return a === false || b === false ? false : a === null || b === null ? null : true
      case 'OR':
        return a === true || b === true ? true : a === null || b === null ? null : false
      case 'XOR':
        return a === null || b === null ? null : a !== b
      case 'IN': {
        if (b === null) return null
        const tests = (b as unknown[]).map(item => compare('=', a, item))
        return tests.includes(true) ? true : tests.includes(null) ? null : false
      }
      case 'CONTAINS':
      case 'STARTS WITH':
      case 'ENDS WITH':
        if (typeof a !== 'string' || typeof b !== 'string') return null
        return operator === 'CONTAINS' ? a.includes(b) : operator === 'STARTS WITH' ? a.startsWith(b) : a.endsWith(b)
      case '+':
      case '-':
      case '*':
      case '/':
      case '%':
        return arithmetic(operator, a, b)
      default:
        return compare(operator, a, b)
    }
  }

  #call({ name, args }: Expression & { readonly kind: 'call' }, row: Row): unknown {
    const values = args.map(argument => this.value(argument, row))
    if (name === 'coalesce') return values.find(value => value !== null) ?? null
    const [first] = values
    if (first === null) return null
    switch (name) {
      case 'label':
        return isEdge(first) ? first.edge_type : (first as PlainNode).node_type
      case 'labels':
        return [(first as PlainNode).node_type]
      case 'type':
        return (first as PlainEdge).edge_type
      case 'id':
        return (first as PlainNode).id
      case 'startnode':
        return this.#byId.get((first as PlainEdge).from_id)
      case 'endnode':
        return this.#byId.get((first as PlainEdge).to_id)
      case 'tolower':
        return (first as string).toLowerCase()
      case 'toupper':
        return (first as string).toUpperCase()
      case 'nodes':
        return (first as PathValue).nodes
      case 'relationships':
        return (first as PathValue).edges
      case 'abs':
        return Math.abs(first as number)
      case 'round':
        return Math.sign(first as number) * Math.round(Math.abs(first as number))
      default:
        if (first instanceof PathValue) return first.edges.length
        return typeof first === 'string' ? [...first].length : (first as unknown[]).length
    }
  }
}

const variable = (name: string): Expression => ({ kind: 'variable', name, position: { line: 0, column: 0 } })

function variablesOf(match: Match): string[] {
  const names = match.paths.flatMap(path => [
    ...path.nodes.flatMap((node, index) => {
      const edge = path.relationships[index - 1]
      return [edge?.variable?.name, node.variable?.name]
    }),
    path.variable?.name,
  ])
  return [...new Set(names.filter(name => name !== undefined))]
}

function bind(name: string | undefined, value: unknown, row: Row): Row | null {
  if (name === undefined) return row
  if (row.has(name)) return row.get(name) === value ? row : null
  return new Map([...row, [name, value]])
}

function replaceAggregates(expression: Expression, replace: (expression: Expression) => Expression): Expression {
  if (expression.kind === 'call' && isAggregate(expression.name)) return replace(expression)
  return withParts(expression, part => replaceAggregates(part, replace))
}

/** Nodes and edges by their ids, paths by their parts: enough to tell values apart. */
export function shown(value: unknown): unknown {
  if (value instanceof PathValue) return { nodes: value.nodes.map(shown), edges: value.edges.map(shown) }
  if (isEdge(value)) return { edge: value.id }
  if (isNode(value)) return { node: value.id }
  return Array.isArray(value) ? value.map(shown) : value
}

const codePoints = (text: string) => [...text].map(character => character.codePointAt(0)!)

function byText(a: string, b: string): number {
  const [x, y] = [codePoints(a), codePoints(b)]
  for (let index = 0; index < Math.min(x.length, y.length); index++)
    if (x[index] !== y[index]) return x[index]! - y[index]!
  return x.length - y.length
}

/** Compares for sorting; null sorts last. */
function byValue(a: unknown, b: unknown): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  const [x, y] = [sortable(a), sortable(b)]
  return typeof x === 'string' && typeof y === 'string' ? byText(x, y) : Number(x) - Number(y)
}

const sortable = (value: unknown): unknown => (isEdge(value) || isNode(value) ? value.id : value)

const kindOf = (value: unknown): string =>
  isEdge(value) ? 'edge' : isNode(value) ? 'node' : Array.isArray(value) ? 'list' : typeof value

function compare(operator: string, a: unknown, b: unknown): boolean | null {
  if (a === null || b === null || a === undefined || b === undefined || kindOf(a) !== kindOf(b)) return null
  if (Array.isArray(a) && Array.isArray(b)) {
    const tests = a.map((item, index) => compare('=', item, b[index]))
    const alike = a.length === b.length && !tests.includes(false) && (tests.includes(null) ? null : true)
    return alike === null ? null : alike === (operator === '=')
  }
  if (operator === '=' || operator === '<>') {
    const same = JSON.stringify(shown(a)) === JSON.stringify(shown(b))
    return operator === '=' ? same : !same
  }
  const order = byValue(a, b)
  switch (operator) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    default:
      return order >= 0
  }
}

function arithmetic(operator: string, a: unknown, b: unknown): unknown {
  if (a === null || b === null) return null
  if (typeof a === 'string' || typeof b === 'string') return `${a}${b}`
  const [x, y] = [a as number, b as number]
  switch (operator) {
    case '+':
      return x + y
    case '-':
      return x - y
    case '*':
      return x * y
    case '/':
      if (y === 0) return null
      return Number.isInteger(x) && Number.isInteger(y) ? Math.trunc(x / y) : x / y
    default:
      return y === 0 ? null : x % y
  }
}
