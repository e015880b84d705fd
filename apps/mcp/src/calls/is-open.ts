import { isReading, operationByName } from '@specboard/contract'
import { mayUse } from '../tools/may-use.ts'
import type { CallContext } from './call-context.ts'

/** Whether the view and the key allow a call of the named operation. */
export function isOpen({ view, caller }: Pick<CallContext, 'view' | 'caller'>, name: string): boolean {
  const operation = operationByName.get(name)
  if (operation === undefined || view.excluded.has(name) || (view.readonly && !isReading(operation))) return false
  return mayUse(caller, operation)
}
