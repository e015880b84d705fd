import type { Expression, NodePattern } from './ast.ts'

/** How much a label alone narrows a node down. */
export const labelRank = 1

/** How much a property that is not a key narrows a node down. */
const propertyRank = 2

/**
 * How much a pattern and the condition of its MATCH narrow a node down. A path is best started from the node with
 * the highest rank.
 * @param keys properties with few nodes per value, the most selective first
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

/** The properties of a variable that a condition always compares with `=` or IN. */
function comparedWith(variable: string | undefined, where: Expression | null): string[] {
  if (where?.kind !== 'binary') return []
  if (where.operator === 'AND') return [...comparedWith(variable, where.left), ...comparedWith(variable, where.right)]
  if (where.operator !== '=' && where.operator !== 'IN') return []
  const sides = where.operator === 'IN' ? [where.left] : [where.left, where.right]
  return sides.flatMap(side => (side.kind === 'property' && side.variable === variable ? [side.name] : []))
}
