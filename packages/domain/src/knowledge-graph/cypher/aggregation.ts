import type { Expression } from './ast.ts'

/** Functions that make one value of many rows. */
export const aggregates = ['count', 'collect', 'sum', 'avg', 'min', 'max'] as const

/** Whether a call makes one value of many rows. */
export const isAggregate = (name: string): boolean => (aggregates as readonly string[]).includes(name)

/** Whether a value is made of many rows. */
export function aggregated(expression: Expression): boolean {
  switch (expression.kind) {
    case 'call':
      return isAggregate(expression.name) || expression.args.some(aggregated)
    case 'list':
      return expression.items.some(aggregated)
    case 'not':
    case 'minus':
    case 'isNull':
      return aggregated(expression.operand)
    case 'binary':
      return aggregated(expression.left) || aggregated(expression.right)
    default:
      return false
  }
}

/** Whether a value rests on the row outside of an aggregate. */
export function readsRow(expression: Expression): boolean {
  switch (expression.kind) {
    case 'variable':
    case 'property':
      return true
    case 'call':
      return !isAggregate(expression.name) && expression.args.some(readsRow)
    case 'list':
      return expression.items.some(readsRow)
    case 'not':
    case 'minus':
    case 'isNull':
      return readsRow(expression.operand)
    case 'binary':
      return readsRow(expression.left) || readsRow(expression.right)
    default:
      return false
  }
}

/** Whether two values are the same but for where they stand. */
export function same(a: Expression, b: Expression): boolean {
  const withoutPlace = (expression: Expression) =>
    JSON.stringify(expression, (key, value: unknown) => (key === 'position' ? undefined : value))
  return withoutPlace(a) === withoutPlace(b)
}
