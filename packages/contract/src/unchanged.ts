import type { z } from 'zod'
import { isFreeJsonLimit } from './free-json.ts'
import { unfolded } from './issues.ts'
import type { AnyOperation } from './operation.ts'
import { registry } from './registry.ts'

const reads = new Map<AnyOperation, AnyOperation | undefined>()

/** The GET that returns what an update changes: it has the same path. */
export function readOf(operation: AnyOperation): AnyOperation | undefined {
  if (operation.method !== 'PATCH' && operation.method !== 'PUT') return undefined
  if (!reads.has(operation))
    reads.set(
      operation,
      registry.find(({ method, path }) => method === 'GET' && path === operation.path),
    )
  return reads.get(operation)
}

/**
 * The fields of a body that are only refused because of limits that older versions did not have; undefined if there is
 * any other issue. A longer stored value may be sent back unchanged (trust 1).
 */
export function longFields(issues: readonly z.core.$ZodIssue[]): readonly string[] | undefined {
  if (withoutNewLimits(issues).length > 0) return undefined
  return [...new Set(issues.flatMap(unfolded).map(({ path }) => String(path[0])))]
}

/** The issues apart from limits that older versions did not have. */
export const withoutNewLimits = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] =>
  issues.flatMap(unfolded).filter(issue => !isNewLimit(issue))

const isNewLimit = (issue: z.core.$ZodIssue): boolean =>
  issue.path.length > 0 && ((issue.code === 'too_big' && issue.origin === 'array') || isFreeJsonLimit(issue))
