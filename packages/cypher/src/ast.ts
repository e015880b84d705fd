import type { Position } from './cypher-error.ts'

/** A name and its position. */
export interface Name {
  readonly name: string
  readonly position: Position
}

/** A member of a pattern's `{…}`. */
export interface Member extends Name {
  readonly value: Expression
}

/** `(n:Label {…})` */
export interface NodePattern {
  readonly variable: Name | null
  /** Matches any of these; empty matches all. */
  readonly labels: readonly Name[]
  readonly members: readonly Member[]
  readonly position: Position
}

/** `-[r:type*1..3 {…}]->` */
export interface RelationshipPattern {
  readonly variable: Name | null
  /** Matches any of these; empty matches all. */
  readonly types: readonly Name[]
  readonly direction: 'out' | 'in' | 'both'
  /** How many edges in a row; null for exactly one. */
  readonly range: { readonly min: number; readonly max: number } | null
  readonly members: readonly Member[]
  readonly position: Position
}

/** `p = (a)-->(b)<--(c)`; has one relationship fewer than nodes. */
export interface PathPattern {
  readonly variable: Name | null
  readonly nodes: readonly NodePattern[]
  readonly relationships: readonly RelationshipPattern[]
}

/** `[OPTIONAL] MATCH … [WHERE …]` */
export interface Match {
  readonly optional: boolean
  readonly paths: readonly PathPattern[]
  readonly where: Expression | null
}

interface At {
  readonly position: Position
}

/** Operators with two operands. */
export type BinaryOperator =
  | 'OR'
  | 'XOR'
  | 'AND'
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | 'IN'
  | 'CONTAINS'
  | 'STARTS WITH'
  | 'ENDS WITH'

/** A value of a query. */
export type Expression =
  | (At & { readonly kind: 'literal'; readonly value: string | boolean | null })
  | (At & { readonly kind: 'number'; readonly value: number; readonly isInteger: boolean })
  | (At & { readonly kind: 'list'; readonly items: readonly Expression[] })
  | (At & { readonly kind: 'parameter'; readonly name: string })
  | (At & { readonly kind: 'variable'; readonly name: string })
  | (At & { readonly kind: 'property'; readonly variable: string; readonly name: string })
  | (At & { readonly kind: 'not'; readonly operand: Expression })
  | (At & { readonly kind: 'minus'; readonly operand: Expression })
  | (At & { readonly kind: 'isNull'; readonly operand: Expression; readonly negated: boolean })
  | (At & {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
    })
  | (At & {
      readonly kind: 'call'
      /** In lower case. */
      readonly name: string
      readonly distinct: boolean
      /** `count(*)` */
      readonly star: boolean
      readonly args: readonly Expression[]
    })

/** One of the expressions that a query returns. */
export interface Item {
  readonly expression: Expression
  /** The alias, else the text of the expression. */
  readonly column: string
  readonly alias: string | null
}

/** A sort key. */
export interface SortKey {
  readonly expression: Expression
  readonly descending: boolean
}

/** A whole query. */
export interface Query {
  readonly matches: readonly Match[]
  readonly distinct: boolean
  /** `*`: all variables, returned before the other items. */
  readonly star: Position | null
  readonly items: readonly Item[]
  readonly order: readonly SortKey[]
  readonly skip: Expression | null
  readonly limit: Expression | null
}
