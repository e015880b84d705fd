import type { Expression } from './ast.ts'

/** Functions that compute one value from many rows. */
export const aggregates = ['count', 'collect', 'sum', 'avg', 'min', 'max'] as const

/** Whether a function computes one value from many rows. */
export const isAggregate = (name: string): boolean => (aggregates as readonly string[]).includes(name)

/** The direct parts of an expression. */
function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'call':
      return expression.args
    case 'list':
      return expression.items
    case 'not':
    case 'minus':
    case 'isNull':
      return [expression.operand]
    case 'binary':
      return [expression.left, expression.right]
    default:
      return []
  }
}

const isAggregateCall = (expression: Expression): boolean => expression.kind === 'call' && isAggregate(expression.name)

/** Whether an expression contains an aggregate. */
export const aggregated = (expression: Expression): boolean =>
  isAggregateCall(expression) || partsOf(expression).some(aggregated)

/** Whether an expression is determined by the grouping keys and by aggregates. */
export function isDeterminedBy(expression: Expression, keys: readonly Expression[]): boolean {
  if (isAggregateCall(expression) || keys.some(key => same(key, expression))) return true
  switch (expression.kind) {
    case 'variable':
      return false
    case 'property':
      return keys.some(key => key.kind === 'variable' && key.name === expression.variable)
    default:
      return partsOf(expression).every(part => isDeterminedBy(part, keys))
  }
}

/** An expression with each alias replaced by the expression of its column. */
export function withoutAliases(expression: Expression, aliased: ReadonlyMap<string, Expression>): Expression {
  const inside = (part: Expression) => withoutAliases(part, aliased)
  switch (expression.kind) {
    case 'variable':
      return aliased.get(expression.name) ?? expression
    case 'property': {
      const of = aliased.get(expression.variable)
      return of?.kind === 'variable' ? { ...expression, variable: of.name } : expression
    }
    default:
      return withParts(expression, inside)
  }
}

/** An expression with each direct part replaced. */
export function withParts(expression: Expression, inside: (part: Expression) => Expression): Expression {
  switch (expression.kind) {
    case 'call':
      return { ...expression, args: expression.args.map(inside) }
    case 'list':
      return { ...expression, items: expression.items.map(inside) }
    case 'not':
    case 'minus':
    case 'isNull':
      return { ...expression, operand: inside(expression.operand) }
    case 'binary':
      return { ...expression, left: inside(expression.left), right: inside(expression.right) }
    default:
      return expression
  }
}

/** Whether two expressions are the same, ignoring their positions. */
export function same(a: Expression, b: Expression): boolean {
  const withoutPlace = (expression: Expression) =>
    JSON.stringify(expression, (key, value: unknown) => (key === 'position' ? undefined : value))
  return withoutPlace(a) === withoutPlace(b)
}
