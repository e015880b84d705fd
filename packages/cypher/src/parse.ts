import type {
  BinaryOperator,
  Expression,
  Item,
  Match,
  Member,
  Name,
  NodePattern,
  PathPattern,
  Query,
  RelationshipPattern,
  SortKey,
} from './ast.ts'
import { CypherError, type Position, unsupported } from './error.ts'
import { type Token, tokenize } from './tokens.ts'

/** The most edges in a row that a pattern can ask for. */
export const maxHops = 10

/** The longest query, characters. */
export const maxLength = 10_000

/** Deeper nesting of expressions is refused. */
const maxDepth = 100

/** Clauses of Cypher that are not in the subset, and what they begin. */
const clauses = new Set(['WITH', 'UNWIND', 'UNION', 'CALL', 'USE', 'SHOW', 'EXPLAIN', 'PROFILE', 'YIELD', 'FINISH'])

const comparisons: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

/** Calls of Cypher that are constructs of their own. */
const constructs: Readonly<Record<string, string>> = {
  shortestpath: 'shortestPath',
  allshortestpaths: 'shortestPath',
  exists: 'EXISTS',
  reduce: 'list comprehension',
  any: 'list comprehension',
  all: 'list comprehension',
  none: 'list comprehension',
  single: 'list comprehension',
}

/**
 * The tree of a query in the subset of knowledge-graph 11.2.
 * @throws CypherError with the place of the trouble
 */
export function parseCypher(text: string): Query {
  const start = { line: 1, column: 1 }
  if (text.trim() === '') throw new CypherError('The query is empty.', start)
  if (text.length > maxLength) throw new CypherError(`A query has at most ${maxLength} characters.`, start)
  return new Parser(text).query()
}

class Parser {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = tokenize(text)
  }

  query(): Query {
    const matches: Match[] = []
    while (this.#isWord('MATCH') || this.#isWord('OPTIONAL')) matches.push(this.#match())
    this.#refuseClause()
    if (matches.length === 0) this.#fail('A query begins with MATCH.')
    this.#word('RETURN')
    const distinct = this.#takeWord('DISTINCT')
    const { star, items } = this.#items()
    const order = this.#order()
    const skip = this.#takeWord('SKIP') ? this.#expression() : null
    const limit = this.#takeWord('LIMIT') ? this.#expression() : null
    this.#take(';')
    this.#refuseClause()
    if (this.#token.kind !== 'end') this.#fail('The query should end here.')
    return { matches, distinct, star, items, order, skip, limit }
  }

  get #token(): Token {
    return this.#tokens[this.#at]!
  }

  #next(): Token {
    return this.#tokens[this.#at++]!
  }

  #fail(message: string): never {
    const { kind, text, position } = this.#token
    const found = kind === 'end' ? 'the end' : JSON.stringify(text)
    throw new CypherError(`${message} Found ${found}.`, position)
  }

  #is(symbol: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead]
    return token?.kind === 'symbol' && token.text === symbol
  }

  #take(symbol: string): boolean {
    const found = this.#is(symbol)
    if (found) this.#at++
    return found
  }

  #expect(symbol: string): void {
    if (!this.#take(symbol)) this.#fail(`${JSON.stringify(symbol)} should stand here.`)
  }

  #isWord(word: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead]
    return token?.kind === 'word' && token.text.toUpperCase() === word
  }

  #takeWord(word: string): boolean {
    const found = this.#isWord(word)
    if (found) this.#at++
    return found
  }

  #word(word: string): void {
    if (!this.#takeWord(word)) this.#fail(`${word} should stand here.`)
  }

  #refuseClause(): void {
    const { kind, text, position } = this.#token
    if (kind === 'word' && clauses.has(text.toUpperCase())) throw unsupported(text.toUpperCase(), position)
  }

  #name(what: string): Name {
    if (this.#token.kind !== 'word') this.#fail(`The name of ${what} should stand here.`)
    const { text, position } = this.#next()
    return { name: text, position }
  }

  #match(): Match {
    const optional = this.#takeWord('OPTIONAL')
    this.#word('MATCH')
    const paths = [this.#path()]
    while (this.#take(',')) paths.push(this.#path())
    const where = this.#takeWord('WHERE') ? this.#expression() : null
    return { optional, paths, where }
  }

  #path(): PathPattern {
    let variable: Name | null = null
    if (this.#token.kind === 'word' && this.#is('=', 1)) {
      variable = this.#name('a path')
      this.#expect('=')
    }
    const construct = this.#token.kind === 'word' ? constructs[this.#token.text.toLowerCase()] : undefined
    if (construct !== undefined) throw unsupported(construct, this.#token.position)
    const nodes = [this.#node()]
    const relationships: RelationshipPattern[] = []
    while (this.#is('-') || this.#is('<')) {
      relationships.push(this.#relationship())
      nodes.push(this.#node())
    }
    return { variable, nodes, relationships }
  }

  #node(): NodePattern {
    const { position } = this.#token
    this.#expect('(')
    const variable = this.#token.kind === 'word' ? this.#name('a variable') : null
    const labels = this.#take(':') ? this.#alternatives('a label') : []
    const members = this.#members()
    this.#expect(')')
    return { variable, labels, members, position }
  }

  /** `a|b|c`, a colon before each if one likes. */
  #alternatives(what: string): Name[] {
    const names = [this.#name(what)]
    while (this.#take('|')) {
      this.#take(':')
      names.push(this.#name(what))
    }
    return names
  }

  #members(): Member[] {
    if (!this.#take('{')) return []
    const members: Member[] = []
    if (!this.#is('}'))
      do {
        const name = this.#name('a property')
        this.#expect(':')
        members.push({ ...name, value: this.#expression() })
      } while (this.#take(','))
    this.#expect('}')
    return members
  }

  #relationship(): RelationshipPattern {
    const { position } = this.#token
    const incoming = this.#take('<')
    this.#expect('-')
    const inside = this.#take('[')
    const variable = inside && this.#token.kind === 'word' ? this.#name('a variable') : null
    const types = inside && this.#take(':') ? this.#alternatives('a relationship type') : []
    const range = inside ? this.#range() : null
    const members = inside ? this.#members() : []
    if (inside) this.#expect(']')
    this.#expect('-')
    const outgoing = this.#take('>')
    if (incoming && outgoing) throw new CypherError('A relationship has one direction, or none.', position)
    return { variable, types, direction: incoming ? 'in' : outgoing ? 'out' : 'both', range, members, position }
  }

  /** `*`, `*2`, `*1..3`, `*2..`, `*..4`; never more than ten edges in a row. */
  #range(): RelationshipPattern['range'] {
    if (!this.#take('*')) return null
    const { position } = this.#token
    const first = this.#integer()
    const open = this.#take('..')
    const last = open ? this.#integer() : first
    const min = first ?? 1
    if (last !== null && min > last) throw new CypherError('The lower bound is above the upper.', position)
    return { min, max: Math.min(last ?? maxHops, maxHops) }
  }

  #integer(): number | null {
    return this.#token.kind === 'integer' ? Number(this.#next().text) : null
  }

  #items(): { star: Position | null; items: Item[] } {
    let star: Position | null = null
    const items: Item[] = []
    do {
      if (this.#is('*') && star === null && items.length === 0) star = this.#next().position
      else items.push(this.#item())
    } while (this.#take(','))
    return { star, items }
  }

  #item(): Item {
    const { start } = this.#token
    const expression = this.#expression()
    const text = this.#text.slice(start, this.#tokens[this.#at - 1]!.end)
    const alias = this.#takeWord('AS') ? this.#name('a column').name : null
    return { expression, alias, column: alias ?? text }
  }

  #order(): SortKey[] {
    if (!this.#takeWord('ORDER')) return []
    this.#word('BY')
    const keys: SortKey[] = []
    do {
      const expression = this.#expression()
      const descending = this.#takeWord('DESC') || this.#takeWord('DESCENDING')
      if (!descending) this.#takeWord('ASC') || this.#takeWord('ASCENDING')
      keys.push({ expression, descending })
    } while (this.#take(','))
    return keys
  }

  #expression(): Expression {
    if (++this.#depth > maxDepth) this.#fail('The query is nested too deep.')
    const expression = this.#chain(['OR'], () => this.#chain(['XOR'], () => this.#chain(['AND'], () => this.#not())))
    this.#depth--
    return expression
  }

  /** Operands with words between them, from left to right. */
  #chain(words: readonly BinaryOperator[], operand: () => Expression): Expression {
    let left = operand()
    for (;;) {
      const operator = words.find(word => this.#isWord(word))
      if (operator === undefined) return left
      const { position } = this.#next()
      left = { kind: 'binary', operator, left, right: operand(), position }
    }
  }

  #not(): Expression {
    if (!this.#isWord('NOT')) return this.#comparison()
    if (++this.#depth > maxDepth) this.#fail('The query is nested too deep.')
    const { position } = this.#next()
    const expression: Expression = { kind: 'not', operand: this.#not(), position }
    this.#depth--
    return expression
  }

  /** `a < b <= c` means both. */
  #comparison(): Expression {
    let left = this.#predicate()
    let whole: Expression | null = null
    while (this.#token.kind === 'symbol' && (comparisons.has(this.#token.text) || this.#is('=~'))) {
      const { text, position } = this.#next()
      if (text === '=~') throw unsupported('regular expressions', position)
      const right = this.#predicate()
      const pair: Expression = { kind: 'binary', operator: text as BinaryOperator, left, right, position }
      whole = whole === null ? pair : { kind: 'binary', operator: 'AND', left: whole, right: pair, position }
      left = right
    }
    return whole ?? left
  }

  /** `IN`, `CONTAINS`, `STARTS WITH`, `ENDS WITH`, `IS [NOT] NULL` behind a value. */
  #predicate(): Expression {
    let operand = this.#sum()
    for (;;) {
      const { position } = this.#token
      if (this.#takeWord('IS')) {
        const negated = this.#takeWord('NOT')
        this.#word('NULL')
        operand = { kind: 'isNull', operand, negated, position }
        continue
      }
      const operator = this.#predicateOperator()
      if (operator === null) return operand
      operand = { kind: 'binary', operator, left: operand, right: this.#sum(), position }
    }
  }

  #predicateOperator(): BinaryOperator | null {
    if (this.#takeWord('IN')) return 'IN'
    if (this.#takeWord('CONTAINS')) return 'CONTAINS'
    for (const word of ['STARTS', 'ENDS'] as const)
      if (this.#takeWord(word)) {
        this.#word('WITH')
        return `${word} WITH`
      }
    return null
  }

  #symbols(symbols: readonly BinaryOperator[], operand: () => Expression): Expression {
    let left = operand()
    for (;;) {
      const operator = symbols.find(symbol => this.#is(symbol))
      if (operator === undefined) return left
      const { position } = this.#next()
      left = { kind: 'binary', operator, left, right: operand(), position }
    }
  }

  #sum(): Expression {
    return this.#symbols(['+', '-'], () => this.#symbols(['*', '/', '%'], () => this.#unary()))
  }

  #unary(): Expression {
    const { position } = this.#token
    if (this.#take('+')) return this.#unary()
    if (!this.#take('-')) return this.#postfix()
    if (++this.#depth > maxDepth) this.#fail('The query is nested too deep.')
    const operand = this.#unary()
    this.#depth--
    return operand.kind === 'number' && operand.value > 0
      ? { ...operand, value: -operand.value, position }
      : { kind: 'minus', operand, position }
  }

  #postfix(): Expression {
    const value = this.#atom()
    if (this.#is('[')) throw unsupported('list index', this.#token.position)
    if (this.#is('{')) throw unsupported('map projection', this.#token.position)
    return value
  }

  #atom(): Expression {
    const token = this.#token
    const { kind, text, position } = token
    switch (kind) {
      case 'string':
        this.#at++
        return { kind: 'literal', value: text, position }
      case 'integer':
      case 'float':
        this.#at++
        return { kind: 'number', value: Number(text), isInteger: kind === 'integer', position }
      case 'parameter':
        this.#at++
        return { kind: 'parameter', name: text, position }
      case 'word':
        return this.#named()
      default:
    }
    if (this.#take('(')) return this.#parenthesised()
    if (this.#take('[')) return this.#list(position)
    if (this.#is('{')) throw unsupported('map literal', position)
    return this.#fail('A value should stand here.')
  }

  #parenthesised(): Expression {
    const { position } = this.#token
    const expression = this.#expression()
    this.#expect(')')
    const arrow = this.#is('-') && (this.#is('[', 1) || this.#is('-', 1) || this.#is('>', 1))
    if (arrow && expression.kind === 'variable') throw unsupported('pattern expression', position)
    return expression
  }

  #list(position: Position): Expression {
    if (this.#token.kind === 'word' && this.#isWord('IN', 1)) throw unsupported('list comprehension', position)
    const items: Expression[] = []
    if (!this.#is(']'))
      do items.push(this.#expression())
      while (this.#take(','))
    this.#expect(']')
    return { kind: 'list', items, position }
  }

  /** A literal, a call, a property or a variable. */
  #named(): Expression {
    const { text, position } = this.#next()
    const upper = text.toUpperCase()
    if (upper === 'CASE') throw unsupported('CASE', position)
    if (upper === 'EXISTS' || upper === 'COUNT' || upper === 'COLLECT')
      if (this.#is('{')) throw unsupported(upper === 'EXISTS' ? 'EXISTS' : 'subqueries', position)
    if (upper === 'TRUE' || upper === 'FALSE') return { kind: 'literal', value: upper === 'TRUE', position }
    if (upper === 'NULL') return { kind: 'literal', value: null, position }
    if (this.#is('(')) return this.#call(text, position)
    if (!this.#take('.')) return { kind: 'variable', name: text, position }
    const { name, position: at } = this.#name('a property')
    return { kind: 'property', variable: text, name, position: at }
  }

  #call(text: string, position: Position): Expression {
    const name = text.toLowerCase()
    const construct = constructs[name]
    if (construct !== undefined) throw unsupported(construct, position)
    this.#expect('(')
    const distinct = this.#takeWord('DISTINCT')
    const star = this.#take('*')
    const args: Expression[] = []
    if (!star && !this.#is(')'))
      do args.push(this.#expression())
      while (this.#take(','))
    this.#expect(')')
    return { kind: 'call', name, distinct, star, args, position }
  }
}
