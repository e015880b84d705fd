import { z } from 'zod'
import { bare, type IssueItem, issueItem } from './issues.ts'
import { type AnyOperation, isReading } from './operation.ts'

/** The prefixes of guard names: a write must never ignore one. */
const guardName = /^(?:expected_|if_)/

/**
 * The items of a 422 for members of a body, or arguments, that would guard a write and that its operation does not have
 * (crew 2.2): the caller believes that nothing is overwritten.
 * @param declaredNames the names that the operation takes
 * @param locOf the place of a name
 */
export function unknownGuards(
  operation: AnyOperation,
  names: Iterable<string>,
  declaredNames: Pick<ReadonlySet<string>, 'has'>,
  locOf: (name: string) => readonly (string | number)[],
): IssueItem[] {
  if (isReading(operation)) return []
  return [...names]
    .filter(name => guardName.test(name) && !declaredNames.has(name))
    .map(name => unknownGuard(locOf(name), declaredNames))
}

function unknownGuard(loc: readonly (string | number)[], declaredNames: Pick<ReadonlySet<string>, 'has'>): IssueItem {
  const suggestion = declaredNames.has('expected_rev') ? 'expected_rev' : undefined
  const way =
    suggestion === undefined ? 'this operation takes no such guard' : `send ${suggestion}, the rev that you read`
  return {
    ...issueItem(loc, 'unknown_member', `is not known; ${way}`),
    ...(suggestion !== undefined && { did_you_mean: suggestion }),
  }
}

/** The items for members of the body that look like guards and that its schema does not declare. */
export function unknownGuardsIn(operation: AnyOperation, body: unknown): IssueItem[] {
  const schema = operation.body === undefined ? undefined : bare(operation.body)
  if (!(schema instanceof z.ZodObject) || schema.def.catchall !== undefined) return []
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const declaredNames = new Set([...Object.keys(schema.shape), ...Object.keys(operation.aliases)])
  return unknownGuards(operation, Object.keys(body), declaredNames, name => ['body', name])
}
