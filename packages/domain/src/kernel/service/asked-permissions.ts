import type { AnyOperation, Permission } from '@specboard/contract'
import type { AnyInput } from '../implement.ts'

/** The permissions that a call needs, with the state limit of its record last (access 2.3, 2.4). */
export function askedPermissions(operation: AnyOperation, input: AnyInput, status: string | null): Permission[] {
  if (operation.permission === '-' || operation.permission === 'public') return []
  const body = (input.body ?? {}) as Record<string, unknown>
  const asked = operation.asks?.permissions({ params: input.params, query: input.query, body }, status)
  const limit =
    operation.writesIn !== undefined && status !== null
      ? [`${operation.writesIn}_WRITE_IN_${status.toUpperCase()}` as Permission]
      : []
  return [...(asked ?? [operation.permission]), ...limit]
}
