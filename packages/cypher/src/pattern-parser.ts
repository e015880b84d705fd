import type { Member, Name, NodePattern, PathPattern, RelationshipPattern } from './ast.ts'
import { CypherError } from './cypher-error.ts'
import type { ExpressionParser } from './expression-parser.ts'
import type { TokenCursor } from './token-cursor.ts'
import { refuseConstruct } from './unsupported.ts'

/** Maximum number of consecutive edges that a pattern can match. */
export const maxHops = 10

/** Parses the patterns of a MATCH. */
export class PatternParser {
  readonly #cursor: TokenCursor
  readonly #expressions: ExpressionParser

  constructor(cursor: TokenCursor, expressions: ExpressionParser) {
    this.#cursor = cursor
    this.#expressions = expressions
  }

  /** @throws CypherError if the next token does not start a pattern */
  path(): PathPattern {
    let variable: Name | null = null
    if (this.#cursor.token.kind === 'word' && this.#cursor.is('=', 1)) {
      variable = this.#cursor.name('a path')
      this.#cursor.expect('=')
    }
    const { kind, text, position } = this.#cursor.token
    if (kind === 'word') refuseConstruct(text, position)
    const nodes = [this.#node()]
    const relationships: RelationshipPattern[] = []
    while (this.#cursor.is('-') || this.#cursor.is('<')) {
      relationships.push(this.#relationship())
      nodes.push(this.#node())
    }
    return { variable, nodes, relationships }
  }

  #node(): NodePattern {
    const { position } = this.#cursor.token
    this.#cursor.expect('(')
    const variable = this.#cursor.token.kind === 'word' ? this.#cursor.name('a variable') : null
    const labels = this.#cursor.take(':') ? this.#alternatives('a label') : []
    const members = this.#members()
    this.#cursor.expect(')')
    return { variable, labels, members, position }
  }

  /** `a|b|c`, with an optional colon before each name. */
  #alternatives(expected: string): Name[] {
    const names = [this.#cursor.name(expected)]
    while (this.#cursor.take('|')) {
      this.#cursor.take(':')
      names.push(this.#cursor.name(expected))
    }
    return names
  }

  #members(): Member[] {
    if (!this.#cursor.take('{')) return []
    const members: Member[] = []
    if (!this.#cursor.is('}'))
      do {
        const name = this.#cursor.name('a property')
        this.#cursor.expect(':')
        members.push({ ...name, value: this.#expressions.expression() })
      } while (this.#cursor.take(','))
    this.#cursor.expect('}')
    return members
  }

  #relationship(): RelationshipPattern {
    const { position } = this.#cursor.token
    const incoming = this.#cursor.take('<')
    this.#cursor.expect('-')
    const inside = this.#cursor.take('[')
    const variable = inside && this.#cursor.token.kind === 'word' ? this.#cursor.name('a variable') : null
    const types = inside && this.#cursor.take(':') ? this.#alternatives('a relationship type') : []
    const range = inside ? this.#range() : null
    const members = inside ? this.#members() : []
    if (inside) this.#cursor.expect(']')
    this.#cursor.expect('-')
    const outgoing = this.#cursor.take('>')
    if (incoming && outgoing) throw new CypherError('A relationship has at most one direction.', position)
    return { variable, types, direction: incoming ? 'in' : outgoing ? 'out' : 'both', range, members, position }
  }

  /** `*`, `*2`, `*1..3`, `*2..`, `*..4`; never more than ten consecutive edges. */
  #range(): RelationshipPattern['range'] {
    if (!this.#cursor.take('*')) return null
    const { position } = this.#cursor.token
    const first = this.#integer()
    const open = this.#cursor.take('..')
    const last = open ? this.#integer() : first
    const min = first ?? 1
    if (last !== null && min > last) throw new CypherError('The lower bound is above the upper bound.', position)
    return { min, max: Math.min(last ?? maxHops, maxHops) }
  }

  #integer(): number | null {
    return this.#cursor.token.kind === 'integer' ? Number(this.#cursor.next().text) : null
  }
}
