import { type AnyOperation, guardsOf, isStateLimit } from '@specboard/contract'
import { Access } from './access.ts'
import type { Base } from './base.ts'

/**
 * Maximum number of bytes read from a caller that may not do what it asks for, or that may do nothing at all (walls 4,
 * rule 2).
 */
export const maxUnauthorizedBytes = 64 << 10

/**
 * Whether a call of the operation is refused on every board, whatever it contains: no board grants what a key lacks.
 */
export function isClosedTo(base: Base, operation: AnyOperation): boolean {
  // A state limit alone allows nothing.
  const guards = guardsOf(operation).filter(({ permission }) => !isStateLimit(permission))
  const access = new Access(base, null)
  return guards.length > 0 && !guards.some(({ permission }) => access.allowsAny(permission))
}

/** Whether a key holds no permission: its preset is empty. */
export const holdsNothing = ({ allowed }: Base): boolean => [...allowed].every(isStateLimit)
