import { type AnyOperation, guardsOf, type Permission } from '@specboard/contract'
import type { AddressedRecord } from '../access/records.ts'
import type { AnyInput } from '../implement.ts'

/** The status of the record that a call addresses, and whether it is archived. */
type State = Pick<AddressedRecord, 'status' | 'archived'>

/** The permissions that a call needs, with the state limit of its record last (access 2.3, 2.4). */
export function requiredPermissions(operation: AnyOperation, input: AnyInput, state: State | null): Permission[] {
  if (operation.permission === '-' || operation.permission === 'public') return []
  const body = (input.body ?? {}) as Record<string, unknown>
  const status = state?.status ?? null
  const permissions = operation.asks?.permissions({ params: input.params, query: input.query, body }, status)
  return [...(permissions ?? [operation.permission]), ...stateLimit(operation, state)]
}

/** The permissions that calls of an operation can need, for a call whose body was not read. */
export const possiblePermissions = (operation: AnyOperation): Permission[] =>
  guardsOf(operation).map(({ permission }) => permission)

/** The state limit of a write; empty if the operation's own 409 about the state takes precedence. */
function stateLimit({ writesIn, openIn }: AnyOperation, state: State | null): Permission[] {
  if (writesIn === undefined || state === null || state.status === null) return []
  if (openIn !== undefined && (state.archived || !openIn.includes(state.status))) return []
  return [`${writesIn}_WRITE_IN_${state.status.toUpperCase()}` as Permission]
}
