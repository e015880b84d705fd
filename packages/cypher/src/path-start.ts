import type { Expression, NodePattern } from './ast.ts'

/** How much a label alone tells of a node. */
export const labelRank = 1

/** How much a property that is no key tells of a node. */
const propertyRank = 2

/**
 * How much a pattern and its condition tell of a node: the more, the better a path begins there.
 * @param keys properties that tell few nodes, the most telling first
 */
export function rankOf(
  { variable, labels, members }: NodePattern,
  where: Expression | null,
  keys: readonly string[],
): number {
  const named = [...members.map(({ name }) => name), ...comparedWith(variable?.name, where)]
  const ranks = named.map(name =>
    keys.includes(name) ? propertyRank + keys.length - keys.indexOf(name) : propertyRank,
  )
  return Math.max(labels.length > 0 ? labelRank : 0, ...ranks)
}

/** The properties of a variable that a condition compares with `=` or IN, whatever else it asks. */
function comparedWith(variable: string | undefined, where: Expression | null): string[] {
  if (where?.kind !== 'binary') return []
  if (where.operator === 'AND') return [...comparedWith(variable, where.left), ...comparedWith(variable, where.right)]
  if (where.operator !== '=' && where.operator !== 'IN') return []
  const sides = where.operator === 'IN' ? [where.left] : [where.left, where.right]
  return sides.flatMap(side => (side.kind === 'property' && side.variable === variable ? [side.name] : []))
}
