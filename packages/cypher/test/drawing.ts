import fc from 'fast-check'
import { type PlainEdge, type PlainGraph, type PlainNode, plainEdge, plainNode } from './plain-graph.ts'

const nodeKinds = ['Decision', 'Requirement', 'Entity'] as const
const edgeKinds = ['supersedes', 'derives_from', 'belongs_to'] as const

/** Parameters used by drawn queries; the long list is too long to be compared item by item. */
export const drawnParameters = {
  text: 'a',
  one: 1,
  none: null,
  mixed: ['a', 1, null, true],
  long: [...Array.from({ length: 60 }, (_, index) => `x${index}`), 'a', 1],
}

/** A query, and whether the order of its rows is fully determined. */
export interface DrawnQuery {
  readonly text: string
  readonly ordered: boolean
}

/** An item of a RETURN: its expression, its column, and whether rows can be sorted by it. */
interface DrawnItem {
  readonly value: string
  readonly alias: string | null
  readonly sortable: boolean
}

/** Draws small graphs and queries over them, in which every name is bound where it is used. */
export class Drawing {
  readonly #g: fc.GeneratorValue
  readonly #nodes: string[] = []
  readonly #edges: string[] = []
  readonly #walks: string[] = []
  readonly #paths: string[] = []
  #count = 0

  constructor(g: fc.GeneratorValue) {
    this.#g = g
  }

  #int(max: number): number {
    return this.#g(fc.integer, { min: 0, max })
  }

  #of<Item>(items: readonly Item[]): Item {
    return items[this.#int(items.length - 1)]!
  }

  #maybe(percent = 50): boolean {
    return this.#int(99) < percent
  }

  graph(): PlainGraph {
    const nodes: PlainNode[] = Array.from({ length: 1 + this.#int(4) }, (_, index) =>
      plainNode(`n${index}`, this.#of(nodeKinds), {
        title: this.#of(['a', 'A', 'ab', 'é', '']),
        query_hits: this.#int(2),
        superseded_by: this.#of([null, 'a', 'b']),
      }),
    )
    const edges = new Map<string, PlainEdge>()
    for (let index = this.#int(6); index > 0; index--) {
      const [type, from, to] = [this.#of(edgeKinds), this.#of(nodes).id, this.#of(nodes).id]
      edges.set(`${type} ${from} ${to}`, plainEdge(`e${index}`, type, from, to, { confidence: this.#of([0.5, 1.5]) }))
    }
    return { nodes, edges: [...edges.values()] }
  }

  query(): DrawnQuery {
    const matches = Array.from({ length: 1 + this.#int(2) }, (_, index) => this.#match(this.#maybe(index ? 50 : 10)))
    const star = this.#nodes.length > 0 && this.#maybe(8)
    const items = Array.from({ length: star ? this.#int(1) : 1 + this.#int(2) }, () => this.#item())
    const columns = items.map(({ value, alias }) => (alias === null ? value : `${value} ${this.#word('AS')} ${alias}`))
    const distinct = this.#maybe(25) ? `${this.#word('DISTINCT')} ` : ''
    const ordered = !star && items.every(({ sortable }) => sortable) && this.#maybe()
    const returned = [...(star ? ['*'] : []), ...columns].join(', ')
    const rest = ordered ? ` ${this.#word('ORDER')} BY ${this.#keys(items).join(', ')}${this.#window()}` : ''
    return { text: `${matches.join(' ')} ${this.#word('RETURN')} ${distinct}${returned}${rest}`, ordered }
  }

  /** A keyword in upper or lower case, sometimes after a comment. */
  #word(word: string): string {
    return `${this.#maybe(5) ? '/* SET */ ' : ''}${this.#maybe(20) ? word.toLowerCase() : word}`
  }

  /** Some sort keys derived from the columns, then all columns, so that only equal rows can swap places. */
  #keys(items: readonly DrawnItem[]): string[] {
    const way = () => this.#of(['', ' ASC', ' DESC'])
    const first = items.flatMap(({ value, alias }) => {
      const name = alias ?? value
      if (!this.#maybe(40)) return []
      if (this.#nodes.includes(value)) return [`${name}.title`, `toLower(${name}.superseded_by)`]
      return [`coalesce(${name}, null) IS NULL`, `coalesce(${name}, null)`]
    })
    return [...first, ...items.map(({ value, alias }) => alias ?? value)].map(key => `${key}${way()}`)
  }

  #window(): string {
    const skip = this.#maybe(30) ? ` SKIP ${this.#of(['0', '1', '$one'])}` : ''
    const limit = this.#maybe(30) ? ` LIMIT ${this.#of(['0', '2', '$one'])}` : ''
    return `${skip}${limit}${this.#maybe(20) ? ' ;' : ''}`
  }

  #match(optional: boolean): string {
    const paths = Array.from({ length: 1 + (this.#maybe(25) ? 1 : 0) }, () => this.#path())
    const where = this.#maybe(45) ? ` ${this.#word('WHERE')} ${this.#condition(2)}` : ''
    return `${optional ? `${this.#word('OPTIONAL')} ` : ''}${this.#word('MATCH')} ${paths.join(', ')}${where}`
  }

  #path(): string {
    let text = this.#node()
    for (let count = this.#int(2); count > 0; count--) text += this.#relationship() + this.#node()
    if (!this.#maybe(20)) return text
    const name = `p${this.#count++}`
    this.#paths.push(name)
    return `${name} = ${text}`
  }

  #node(): string {
    const name = this.#maybe(75) ? this.#of(['a', 'b', 'c']) : ''
    if (name !== '' && !this.#nodes.includes(name)) this.#nodes.push(name)
    const label = this.#maybe(20) ? `:${this.#alternatives(nodeKinds)}` : ''
    return `(${name}${label}${this.#maybe(10) ? ` {title: ${this.#text()}}` : ''})`
  }

  #alternatives(names: readonly string[]): string {
    const first = this.#of(names)
    return this.#maybe(30) ? `${first}${this.#of(['|', '|:', ' | '])}${this.#of(names)}` : first
  }

  #relationship(): string {
    if (this.#maybe(15)) return this.#of(['-->', '<--', '--'])
    const ranged = this.#maybe(30)
    const name = this.#maybe() ? `r${this.#count++}` : ''
    if (name !== '') (ranged ? this.#walks : this.#edges).push(name)
    const types = this.#maybe(40) ? `:${this.#alternatives(edgeKinds)}` : ''
    const range = ranged ? this.#of(['*', '*0..2', '*1..2', '*2', '*..2', '*0', '*2..', '*1..20']) : ''
    const members = this.#maybe(10) ? ` {confidence: ${this.#of(['0.5', '1.5', '$one'])}}` : ''
    const inside = `[${name}${types}${range}${members}]`
    return this.#of([`-${inside}->`, `<-${inside}-`, `-${inside}-`])
  }

  /** A string or null. */
  #text(): string {
    const ofNodes = this.#nodes.flatMap(name => [
      `${name}.title`,
      `${name}.superseded_by`,
      `toLower(${name}.title)`,
      `coalesce(${name}.superseded_by, ${name}.title)`,
      `label(${name})`,
      `${name}.title + ${name}.query_hits`,
    ])
    return this.#of(["'a'", '"ab"', "''", '$text', ...ofNodes, ...this.#edges.map(name => `type(${name})`)])
  }

  /** A number or null. */
  #number(): string {
    return this.#of([
      '1',
      '0.5',
      '$one',
      ...this.#nodes.flatMap(name => [
        `${name}.query_hits`,
        `-${name}.query_hits`,
        `${name}.query_hits + 1 * 2`,
        `(${name}.query_hits - 1) / 2`,
        `${name}.query_hits % 2`,
        `7 / ${name}.query_hits`,
        `size(${name}.title)`,
        `abs(${name}.query_hits - 1)`,
      ]),
      ...this.#edges.flatMap(name => [`${name}.confidence`, `round(${name}.confidence)`]),
      ...this.#walks.map(name => `size(${name})`),
      ...this.#paths.map(name => `length(${name})`),
    ])
  }

  /** A string, a number, true, false or null. */
  #value(): string {
    const numbers = this.#nodes.map(name => `coalesce(${name}.superseded_by, ${name}.query_hits)`)
    return this.#of([this.#text(), this.#number(), 'null', '$none', 'true', ...numbers])
  }

  #list(): string {
    const items = Array.from({ length: this.#int(2) }, () => this.#value())
    return this.#of([`[${items.join(', ')}]`, '[]', '$mixed', '$long', ...this.#nodes.map(name => `labels(${name})`)])
  }

  #condition(depth: number): string {
    if (depth > 0 && this.#maybe(45)) {
      const [left, right] = [this.#condition(depth - 1), this.#condition(depth - 1)]
      const word = this.#word(this.#of(['AND', 'OR', 'XOR']))
      return this.#of([`(${left} ${word} ${right})`, `${left} ${word} ${right}`, `${this.#word('NOT')} (${left})`])
    }
    const compare = () => this.#of(['=', '<>', '<', '<=', '>', '>='])
    const pair = (names: readonly string[]) => `${this.#of(names)} ${this.#of(['=', '<>'])} ${this.#of(names)}`
    const bound = [...this.#nodes, ...this.#edges, ...this.#walks, ...this.#paths]
    const end = this.#of(['startNode', 'endNode'])
    return this.#of([
      `${this.#value()} ${compare()} ${this.#value()}`,
      `${this.#number()} ${compare()} ${this.#number()} ${compare()} ${this.#number()}`,
      `${this.#value()} IS ${this.#of(['', 'NOT '])}NULL`,
      `${this.#value()} ${this.#of(['CONTAINS', 'STARTS WITH', 'ENDS WITH'])} ${this.#of([this.#text(), "'b'", '1'])}`,
      `${this.#value()} IN ${this.#list()}`,
      `${this.#list()} ${this.#of(['=', '<>'])} ${this.#list()}`,
      ...(bound.length > 0 ? [`${this.#of(bound)} IS ${this.#of(['', 'NOT '])}NULL`] : []),
      ...(this.#nodes.length > 0 ? [pair(this.#nodes), `${this.#of(this.#nodes)} IN [${this.#of(this.#nodes)}]`] : []),
      ...(this.#edges.length > 0 ? [pair(this.#edges)] : []),
      ...(this.#edges.length * this.#nodes.length > 0
        ? [`${end}(${this.#of(this.#edges)}) = ${this.#of(this.#nodes)}`]
        : []),
    ])
  }

  #item(): DrawnItem {
    const alias = this.#maybe(40) ? `x${this.#count++}` : null
    if (this.#maybe(30)) return { value: this.#aggregate(), alias, sortable: true }
    const sortable = this.#of([this.#text(), this.#number(), this.#condition(0), ...this.#nodes, ...this.#edges])
    const unsortable = [
      this.#list(),
      ...this.#nodes.map(name => `[${name}, 1, true]`),
      ...this.#walks.flatMap(name => [name, `[${name}]`]),
      ...this.#paths.flatMap(name => [name, `nodes(${name})`, `relationships(${name})`]),
      ...[...this.#nodes, ...this.#walks, ...this.#paths].map(name => `collect(${name})`),
      `collect(DISTINCT ${this.#text()})`,
    ]
    return this.#maybe(70)
      ? { value: sortable, alias, sortable: true }
      : { value: this.#of(unsortable), alias: null, sortable: false }
  }

  #aggregate(): string {
    const names = [...this.#nodes, ...this.#edges]
    const only = this.#of(['', 'DISTINCT '])
    return this.#of([
      'count(*)',
      'count(*) + 1',
      `count(${only}${this.#of([this.#value(), ...names])})`,
      `sum(${only}${this.#number()})`,
      `avg(${this.#number()}) > 1`,
      `min(${this.#text()})`,
      `max(${this.#number()})`,
      `size(collect(${only}${this.#text()}))`,
    ])
  }
}
