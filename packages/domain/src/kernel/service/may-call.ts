import { type AnyOperation, type OperationName, operationByName } from '@specboard/contract'
import type { Access } from '../access/access.ts'
import { withDefaults } from '../body-fields.ts'
import { requiredPermissions } from './required-permissions.ts'

/** The facts about a call that permissions depend on. */
export interface PermissionFacts {
  readonly operation: OperationName
  /** The status of the record that the call addresses. */
  readonly status?: string
  readonly body?: Readonly<Record<string, unknown>>
}

/** Whether permissions let the caller make a call on a record of a board that is not archived. */
export function mayCall(access: Access, { operation: name, status, body }: PermissionFacts): boolean {
  const operation = operationByName.get(name) as AnyOperation
  const input = {
    params: {},
    query: {},
    body: operation.method === 'POST' ? withDefaults(operation, body ?? {}) : body,
  }
  const state = status === undefined ? null : { status, archived: false }
  return requiredPermissions(operation, input, state).every(permission => access.allows(permission))
}
