import type { AnyOperation } from './operation.ts'
import type { Guard } from './permission-rules.ts'
import type { Permission } from './permissions.ts'

/** An operation that a permission protects. */
export interface GuardedOperation {
  readonly operation: string
  /** The parts of it that the permission protects; empty if it protects every call. */
  readonly parts: readonly string[]
}

/**
 * The operations that a permission protects, in the given order. An additional permission that every call needs, such
 * as the READ of the record that a comment is on, is not counted: it protects other operations.
 */
export const guardedBy = (permission: Permission, operations: readonly AnyOperation[]): readonly GuardedOperation[] =>
  operations.flatMap(operation => {
    const own = guardsOf(operation).filter((guard, index) => index === 0 || guard.part !== undefined)
    const mine = own.filter(guard => guard.permission === permission)
    return mine.length === 0 ? [] : [{ operation: operation.name, parts: mine.flatMap(({ part }) => part ?? []) }]
  })

/** Every permission that calls of an operation can need; empty if any key suffices. */
export function guardsOf({ permission, asks }: AnyOperation): readonly Guard[] {
  if (permission === '-' || permission === 'public') return []
  return asks?.guards ?? [{ permission }]
}
