import type { Item, Match, Query, SortKey } from './ast.ts'
import { CypherError, type Position } from './cypher-error.ts'
import { ExpressionParser } from './expression-parser.ts'
import { PatternParser } from './pattern-parser.ts'
import { TokenCursor } from './token-cursor.ts'
import { tokenize } from './tokens.ts'
import { refuseClause } from './unsupported.ts'

/** The longest query, characters. */
export const maxLength = 10_000

/**
 * Parses a query in the subset of knowledge-graph 11.2 to its syntax tree.
 * @throws CypherError with the position of the fault
 * @example
 *     parseCypher('MATCH (n:Decision) RETURN count(*) AS decisions').items[0]?.column // 'decisions'
 */
export function parseCypher(text: string): Query {
  const start = { line: 1, column: 1 }
  if (text.length > maxLength) throw new CypherError(`A query has at most ${maxLength} characters.`, start)
  if (text.trim() === '') throw new CypherError('The query is empty.', start)
  return new QueryParser(text).query()
}

class QueryParser {
  readonly #text: string
  readonly #cursor: TokenCursor
  readonly #expressions: ExpressionParser
  readonly #patterns: PatternParser

  constructor(text: string) {
    this.#text = text
    this.#cursor = new TokenCursor(tokenize(text))
    this.#expressions = new ExpressionParser(this.#cursor)
    this.#patterns = new PatternParser(this.#cursor, this.#expressions)
  }

  query(): Query {
    const matches: Match[] = []
    while (this.#cursor.isWord('MATCH') || this.#cursor.isWord('OPTIONAL')) matches.push(this.#match())
    this.#refuseClause()
    if (matches.length === 0) this.#cursor.fail('A query must begin with MATCH.')
    this.#cursor.expectWord('RETURN')
    const distinct = this.#cursor.takeWord('DISTINCT')
    const { star, items } = this.#items()
    const order = this.#order()
    const skip = this.#cursor.takeWord('SKIP') ? this.#expressions.expression() : null
    const limit = this.#cursor.takeWord('LIMIT') ? this.#expressions.expression() : null
    this.#cursor.take(';')
    this.#refuseClause()
    if (this.#cursor.token.kind !== 'end') this.#cursor.fail('Expected the end of the query.')
    return { matches, distinct, star, items, order, skip, limit }
  }

  #refuseClause(): void {
    const { kind, text, position } = this.#cursor.token
    if (kind === 'word') refuseClause(text, position)
  }

  #match(): Match {
    const optional = this.#cursor.takeWord('OPTIONAL')
    this.#cursor.expectWord('MATCH')
    const paths = [this.#patterns.path()]
    while (this.#cursor.take(',')) paths.push(this.#patterns.path())
    const where = this.#cursor.takeWord('WHERE') ? this.#expressions.expression() : null
    return { optional, paths, where }
  }

  #items(): { star: Position | null; items: Item[] } {
    let star: Position | null = null
    const items: Item[] = []
    do {
      if (this.#cursor.is('*') && star === null && items.length === 0) star = this.#cursor.next().position
      else items.push(this.#item())
    } while (this.#cursor.take(','))
    return { star, items }
  }

  #item(): Item {
    const { start } = this.#cursor.token
    const expression = this.#expressions.expression()
    const text = this.#text.slice(start, this.#cursor.previous.end)
    const alias = this.#cursor.takeWord('AS') ? this.#cursor.name('a column').name : null
    return { expression, alias, column: alias ?? text }
  }

  #order(): SortKey[] {
    if (!this.#cursor.takeWord('ORDER')) return []
    this.#cursor.expectWord('BY')
    const keys: SortKey[] = []
    do {
      const expression = this.#expressions.expression()
      const descending = this.#cursor.takeWord('DESC') || this.#cursor.takeWord('DESCENDING')
      if (!descending) this.#cursor.takeWord('ASC') || this.#cursor.takeWord('ASCENDING')
      keys.push({ expression, descending })
    } while (this.#cursor.take(','))
    return keys
  }
}
