import { sql } from 'kysely'
import { aggregated, isAggregate } from './aggregation.ts'
import type { Answers } from './answers.ts'
import type { Expression, Member } from './ast.ts'
import { type Position, wrong } from './cypher-error.ts'
import type { Dialect } from './dialect.ts'
import { callFunction } from './functions.ts'
import { arithmetic, compare, nullValue, textual } from './operators.ts'
import type { Values } from './patterns.ts'
import type { PropertyGraph, PropertyType } from './property-graph.ts'
import type { Scope } from './scope.ts'
import { balanced, column, type Sql, type Value, whole } from './sql.ts'
import {
  any,
  boolean,
  calculation,
  common,
  comparison,
  edge,
  integer,
  is,
  listOf,
  named,
  node,
  number,
  path,
  real,
  string,
  type Type,
} from './types.ts'

const typeOfProperty = (type: PropertyType): Type => (type === 'number' ? real : type === 'integer' ? integer : string)

/** The dialect, graph and parameters that expressions are translated for. */
interface ExpressionTarget {
  readonly dialect: Dialect
  readonly graph: PropertyGraph
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Translates expressions: typed as far as the query alone determines types, with SQL's three-valued logic. */
export class Expressions implements Values {
  readonly #target: ExpressionTarget
  readonly #answers: Answers
  /** The sort keys of the rows of a collection. */
  readonly #rowOrder: () => readonly Sql[]

  constructor(target: ExpressionTarget, answers: Answers, rowOrder: () => readonly Sql[]) {
    this.#target = target
    this.#answers = answers
    this.#rowOrder = rowOrder
  }

  get #dialect(): Dialect {
    return this.#target.dialect
  }

  condition(expression: Expression, scope: Scope): Sql {
    if (aggregated(expression)) wrong('A condition applies to one row and takes no aggregate.', expression.position)
    return this.#truth(expression, scope)
  }

  equal(kind: 'node' | 'edge', alias: string, { name, position, value }: Member, scope: Scope): Sql {
    const left = this.#propertyOf(kind, alias, name, position)
    return compare(this.#dialect, '=', left, this.value(value, scope), position).sql
  }

  /** The value of a parameter. */
  parameter(name: string, position: Position): unknown {
    const { parameters } = this.#target
    if (!Object.hasOwn(parameters, name)) wrong(`The parameter $${name} is missing.`, position)
    return parameters[name]
  }

  value(expression: Expression, scope: Scope): Value {
    switch (expression.kind) {
      case 'literal':
        return this.#bound(expression.value, expression.position)
      case 'number':
        return expression.isInteger
          ? this.#bound(expression.value, expression.position)
          : { sql: bindReal(expression.value), type: real }
      case 'parameter':
        return this.#bound(this.parameter(expression.name, expression.position), expression.position)
      case 'list': {
        const constant = this.#constant(expression)
        return constant === undefined
          ? this.#list(expression.items.map(item => this.value(item, scope)))
          : this.#bound(constant, expression.position)
      }
      case 'variable':
        return this.#variable(expression.name, expression.position, scope)
      case 'property':
        return this.#property(expression, scope)
      case 'not':
        return { sql: sql`(not ${this.#truth(expression.operand, scope)})`, type: boolean }
      case 'minus': {
        const operand = this.value(expression.operand, scope)
        if (!is(operand.type, 'number')) wrong(`- takes a number, not ${named(operand.type)}.`, expression.position)
        const type = operand.type.kind === 'null' ? operand.type : calculation(operand.type)
        return { sql: this.#dialect.numbers.negated(operand), type }
      }
      case 'isNull': {
        const operand = this.value(expression.operand, scope)
        return {
          sql: expression.negated ? sql`(${operand.sql} is not null)` : sql`(${operand.sql} is null)`,
          type: boolean,
        }
      }
      case 'binary':
        return this.#binary(expression, scope)
      case 'call':
        return this.#call(expression, scope)
    }
  }

  /** A value from the request, as a bound parameter. */
  #bound(value: unknown, position: Position): Value {
    if (value === null || value === undefined) return nullValue
    if (typeof value === 'string') return { sql: this.#dialect.values.text(value), type: string }
    if (typeof value === 'boolean') return { sql: value ? sql`true` : sql`false`, type: boolean }
    if (typeof value === 'number')
      return Number.isSafeInteger(value) ? { sql: whole(value), type: integer } : { sql: bindReal(value), type: real }
    if (Array.isArray(value))
      return { sql: this.#dialect.lists.parsed(JSON.stringify(value)), type: this.#listType(value, position) }
    return wrong('Values are strings, numbers, true, false, null and lists of them.', position)
  }

  /** The value of an expression that is the same on every row; undefined when it depends on the row. */
  #constant(expression: Expression): unknown {
    switch (expression.kind) {
      case 'literal':
      case 'number':
        return expression.value
      case 'parameter':
        return this.parameter(expression.name, expression.position) ?? null
      case 'list': {
        const items = expression.items.map(item => this.#constant(item))
        return items.includes(undefined) ? undefined : items
      }
      default:
        return undefined
    }
  }

  #listType(items: readonly unknown[], position: Position): Type {
    return listOf(common(items.map(item => this.#bound(item, position).type)) ?? any)
  }

  #list(items: readonly Value[]): Value {
    const of = common(items.map(({ type }) => type)) ?? any
    const members = items.map(item => this.#answers.asItem(item, of))
    return { sql: this.#dialect.lists.of(members), type: listOf(of) }
  }

  #variable(name: string, position: Position, scope: Scope): Value {
    const binding = scope.get(name)
    switch (binding?.kind) {
      case 'node':
        return { sql: column(binding.alias, 'id'), type: node }
      case 'edge':
        return { sql: column(binding.alias, 'id'), type: edge }
      case 'edges':
        return { sql: binding.list, type: listOf(edge) }
      case 'path':
        return {
          sql: sql`case when ${binding.length} is null then null
            else ${this.#dialect.lists.path(binding.nodes, binding.edges)} end`,
          type: path,
        }
      default:
        return wrong(`The variable ${name} is not bound.`, position)
    }
  }

  #property(expression: Expression & { readonly kind: 'property' }, scope: Scope): Value {
    const binding = scope.get(expression.variable)
    if (binding === undefined) return wrong(`The variable ${expression.variable} is not bound.`, expression.position)
    if (binding.kind !== 'node' && binding.kind !== 'edge')
      return wrong(
        `${expression.variable} is not a node or relationship, so it has no properties.`,
        expression.position,
      )
    return this.#propertyOf(binding.kind, binding.alias, expression.name, expression.position)
  }

  #propertyOf(kind: 'node' | 'edge', alias: string, name: string, position: Position): Value {
    const { nodes, edges } = this.#target.graph
    const properties = (kind === 'node' ? nodes : edges).properties
    if (!Object.hasOwn(properties, name))
      return wrong(`There is no property ${name}. There are ${Object.keys(properties).join(', ')}.`, position)
    return { sql: column(alias, name), type: typeOfProperty(properties[name]!) }
  }

  #truth(expression: Expression, scope: Scope): Sql {
    const value = this.value(expression, scope)
    if (!is(value.type, 'boolean')) wrong(`Expected true or false, not ${named(value.type)}.`, expression.position)
    return this.#dialect.values.as(value, boolean)
  }

  #binary(expression: Expression & { readonly kind: 'binary' }, scope: Scope): Value {
    const { operator } = expression
    if (operator === 'AND' || operator === 'OR') {
      const truths = operandsOf(expression, operator).map(operand => this.#truth(operand, scope))
      return { sql: balanced(truths, operator), type: boolean }
    }
    if (operator === 'XOR') {
      const [left, right] = [this.#truth(expression.left, scope), this.#truth(expression.right, scope)]
      return { sql: sql`(${left} <> ${right})`, type: boolean }
    }
    if (operator === 'IN') return this.#in(expression, scope)
    const [left, right] = [this.value(expression.left, scope), this.value(expression.right, scope)]
    switch (operator) {
      case 'CONTAINS':
      case 'STARTS WITH':
      case 'ENDS WITH':
        return textual(this.#dialect, operator, left, right)
      case '+':
      case '-':
      case '*':
      case '/':
      case '%':
        return arithmetic(this.#dialect, operator, left, right, expression.position)
      default:
        return compare(this.#dialect, operator, left, right, expression.position)
    }
  }

  /** True when an item equals the value, null when that is unknown, else false. */
  #in({ left, right, position }: Expression & { readonly kind: 'binary' }, scope: Scope): Value {
    const operand = this.value(left, scope)
    const items = this.#itemsOf(right, scope)
    if (items !== null) {
      const tests = items.map(item => compare(this.#dialect, '=', operand, item, position).sql)
      return { sql: tests.length === 0 ? sql`false` : balanced(tests, 'OR'), type: boolean }
    }
    const list = this.value(right, scope)
    const { lists, values } = this.#dialect
    if (list.type.kind === 'null') return { sql: values.as(list, boolean), type: boolean }
    if (list.type.kind !== 'list') return wrong(`IN takes a list, not ${named(list.type)}.`, position)
    const { of } = list.type
    const kinds = of.kind === 'any' ? 'dynamic' : comparison(operand.type, of)
    const found =
      kinds === 'never'
        ? sql`case when not exists (select 1 from ${lists.items(list.sql, 'j')}) then false end`
        : lists.includes(list.sql, operand, kinds)
    return { sql: sql`(case when ${list.sql} is not null then (${found}) end)`, type: boolean }
  }

  /** The items of a short list in the request, which are compared one by one; null for any other list. */
  #itemsOf(expression: Expression, scope: Scope): Value[] | null {
    const constant = this.#constant(expression)
    if (Array.isArray(constant))
      return constant.length > inlineItems ? null : constant.map(item => this.#bound(item, expression.position))
    return expression.kind === 'list' ? expression.items.map(item => this.value(item, scope)) : null
  }

  #call(expression: Expression & { readonly kind: 'call' }, scope: Scope): Value {
    const { name, args, position, star, distinct } = expression
    if (isAggregate(name)) return this.#aggregate(expression, scope)
    if (star || distinct) return wrong(`${name} takes neither * nor DISTINCT.`, position)
    return callFunction(
      name,
      args.map(argument => this.value(argument, scope)),
      this.#target,
      position,
    )
  }

  #aggregate({ name, args, star, distinct, position }: Expression & { readonly kind: 'call' }, scope: Scope): Value {
    if (star) {
      if (name !== 'count' || distinct) wrong(`${name} does not take *.`, position)
      return { sql: sql`count(*)`, type: integer }
    }
    const [argument] = args
    if (argument === undefined || args.length > 1) return wrong(`${name} takes one value.`, position)
    if (aggregated(argument)) return wrong('An aggregate cannot contain another aggregate.', position)
    const value = this.value(argument, scope)
    const { type } = value
    const { lists, numbers, values } = this.#dialect
    switch (name) {
      case 'count':
        return { sql: sql`count(${distinct ? sql`distinct ` : sql``}${values.as(value, type)})`, type: integer }
      case 'collect':
        return { sql: lists.collected(value, distinct, this.#rowOrder()), type: listOf(type) }
      case 'sum':
      case 'avg':
        if (!is(type, 'number')) wrong(`${name} takes numbers, not ${named(type)}.`, position)
        return name === 'sum'
          ? { sql: numbers.sum(value, distinct), type: type.kind === 'null' ? number : type }
          : { sql: numbers.average(value, distinct), type: real }
      default:
        if (!is(type, 'string', 'number', 'boolean', 'scalar')) wrong(`${named(type)} has no order.`, position)
        return { sql: values.extreme(name === 'min' ? 'min' : 'max', value), type }
    }
  }
}

/** Lists in a request up to this length are compared item by item. */
const inlineItems = 50

/** A number that is not an integer; the cast gives its type if nothing else does. */
const bindReal = (value: number): Sql => sql`cast(${value} as double precision)`

/** All operands of a chain of one operator, such as `a AND b AND c`. */
function operandsOf(expression: Expression, operator: 'AND' | 'OR'): Expression[] {
  const operands: Expression[] = []
  let rest = expression
  while (rest.kind === 'binary' && rest.operator === operator) {
    operands.unshift(rest.right)
    rest = rest.left
  }
  return [rest, ...operands]
}
