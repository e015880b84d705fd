import type { BinaryOperator, Expression } from './ast.ts'
import type { Position } from './cypher-error.ts'
import type { TokenCursor } from './token-cursor.ts'
import { refuseConstruct, unsupported } from './unsupported.ts'

/** Expressions nested deeper than this are refused. */
const maxDepth = 100

const comparisons: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

/** Parses expressions by operator precedence. */
export class ExpressionParser {
  readonly #cursor: TokenCursor
  #depth = 0

  constructor(cursor: TokenCursor) {
    this.#cursor = cursor
  }

  /** @throws CypherError if the next token does not start an expression */
  expression(): Expression {
    if (++this.#depth > maxDepth) this.#cursor.fail('The query is nested too deep.')
    const expression = this.#chain(['OR'], () => this.#chain(['XOR'], () => this.#chain(['AND'], () => this.#not())))
    this.#depth--
    return expression
  }

  /** Operands joined by operators that are words, from left to right. */
  #chain(words: readonly BinaryOperator[], operand: () => Expression): Expression {
    let left = operand()
    for (;;) {
      const operator = words.find(word => this.#cursor.isWord(word))
      if (operator === undefined) return left
      const { position } = this.#cursor.next()
      left = { kind: 'binary', operator, left, right: operand(), position }
    }
  }

  #not(): Expression {
    if (!this.#cursor.isWord('NOT')) return this.#comparison()
    if (++this.#depth > maxDepth) this.#cursor.fail('The query is nested too deep.')
    const { position } = this.#cursor.next()
    const expression: Expression = { kind: 'not', operand: this.#not(), position }
    this.#depth--
    return expression
  }

  /** `a < b <= c` means both. */
  #comparison(): Expression {
    let left = this.#predicate()
    let whole: Expression | null = null
    while (
      this.#cursor.token.kind === 'symbol' &&
      (comparisons.has(this.#cursor.token.text) || this.#cursor.is('=~'))
    ) {
      const { text, position } = this.#cursor.next()
      if (text === '=~') throw unsupported('regular expressions', position)
      const right = this.#predicate()
      const pair: Expression = { kind: 'binary', operator: text as BinaryOperator, left, right, position }
      whole = whole === null ? pair : { kind: 'binary', operator: 'AND', left: whole, right: pair, position }
      left = right
    }
    return whole ?? left
  }

  /** `IN`, `CONTAINS`, `STARTS WITH`, `ENDS WITH`, `IS [NOT] NULL` after a value. */
  #predicate(): Expression {
    let operand = this.#sum()
    for (;;) {
      const { position } = this.#cursor.token
      if (this.#cursor.takeWord('IS')) {
        const negated = this.#cursor.takeWord('NOT')
        this.#cursor.expectWord('NULL')
        operand = { kind: 'isNull', operand, negated, position }
        continue
      }
      const operator = this.#predicateOperator()
      if (operator === null) return operand
      operand = { kind: 'binary', operator, left: operand, right: this.#sum(), position }
    }
  }

  #predicateOperator(): BinaryOperator | null {
    if (this.#cursor.takeWord('IN')) return 'IN'
    if (this.#cursor.takeWord('CONTAINS')) return 'CONTAINS'
    for (const word of ['STARTS', 'ENDS'] as const)
      if (this.#cursor.takeWord(word)) {
        this.#cursor.expectWord('WITH')
        return `${word} WITH`
      }
    return null
  }

  #symbols(symbols: readonly BinaryOperator[], operand: () => Expression): Expression {
    let left = operand()
    for (;;) {
      const operator = symbols.find(symbol => this.#cursor.is(symbol))
      if (operator === undefined) return left
      const { position } = this.#cursor.next()
      left = { kind: 'binary', operator, left, right: operand(), position }
    }
  }

  #sum(): Expression {
    return this.#symbols(['+', '-'], () => this.#symbols(['*', '/', '%'], () => this.#unary()))
  }

  #unary(): Expression {
    const { position } = this.#cursor.token
    if (this.#cursor.take('+')) return this.#unary()
    if (!this.#cursor.take('-')) return this.#postfix()
    if (++this.#depth > maxDepth) this.#cursor.fail('The query is nested too deep.')
    const operand = this.#unary()
    this.#depth--
    return operand.kind === 'number' && operand.value > 0
      ? { ...operand, value: -operand.value, position }
      : { kind: 'minus', operand, position }
  }

  #postfix(): Expression {
    const value = this.#atom()
    if (this.#cursor.is('[')) throw unsupported('list index', this.#cursor.token.position)
    if (this.#cursor.is('{')) throw unsupported('map projection', this.#cursor.token.position)
    return value
  }

  #atom(): Expression {
    const token = this.#cursor.token
    const { kind, text, position } = token
    switch (kind) {
      case 'string':
        this.#cursor.next()
        return { kind: 'literal', value: text, position }
      case 'integer':
      case 'float':
        this.#cursor.next()
        return { kind: 'number', value: Number(text), isInteger: kind === 'integer', position }
      case 'parameter':
        this.#cursor.next()
        return { kind: 'parameter', name: text, position }
      case 'word':
        return this.#named()
      default:
    }
    if (this.#cursor.take('(')) return this.#parenthesised()
    if (this.#cursor.take('[')) return this.#list(position)
    if (this.#cursor.is('{')) throw unsupported('map literal', position)
    return this.#cursor.fail('Expected a value.')
  }

  #parenthesised(): Expression {
    const { position } = this.#cursor.token
    const expression = this.expression()
    this.#cursor.expect(')')
    const arrow =
      this.#cursor.is('-') && (this.#cursor.is('[', 1) || this.#cursor.is('-', 1) || this.#cursor.is('>', 1))
    if (arrow && expression.kind === 'variable') throw unsupported('pattern expression', position)
    return expression
  }

  #list(position: Position): Expression {
    if (this.#cursor.token.kind === 'word' && this.#cursor.isWord('IN', 1))
      throw unsupported('list comprehension', position)
    const items: Expression[] = []
    if (!this.#cursor.is(']'))
      do items.push(this.expression())
      while (this.#cursor.take(','))
    this.#cursor.expect(']')
    return { kind: 'list', items, position }
  }

  /** A literal, a call, a property or a variable. */
  #named(): Expression {
    const { text, position } = this.#cursor.next()
    const upper = text.toUpperCase()
    if (upper === 'CASE') throw unsupported('CASE', position)
    if (upper === 'EXISTS' || upper === 'COUNT' || upper === 'COLLECT')
      if (this.#cursor.is('{')) throw unsupported(upper === 'EXISTS' ? 'EXISTS' : 'subqueries', position)
    if (upper === 'TRUE' || upper === 'FALSE') return { kind: 'literal', value: upper === 'TRUE', position }
    if (upper === 'NULL') return { kind: 'literal', value: null, position }
    if (this.#cursor.is('(')) return this.#call(text, position)
    if (!this.#cursor.take('.')) return { kind: 'variable', name: text, position }
    const { name, position: at } = this.#cursor.name('a property')
    return { kind: 'property', variable: text, name, position: at }
  }

  #call(text: string, position: Position): Expression {
    const name = text.toLowerCase()
    refuseConstruct(name, position)
    this.#cursor.expect('(')
    const distinct = this.#cursor.takeWord('DISTINCT')
    const star = this.#cursor.take('*')
    const args: Expression[] = []
    if (!star && !this.#cursor.is(')'))
      do args.push(this.expression())
      while (this.#cursor.take(','))
    this.#cursor.expect(')')
    return { kind: 'call', name, distinct, star, args, position }
  }
}
