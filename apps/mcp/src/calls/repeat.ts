import type { AnyOperation } from '@specboard/contract'
import { type Call, hashOf } from '@specboard/domain'
import { isRepeatable } from '../tools/repeatable.ts'
import type { ToolOptions } from './read-arguments.ts'

/**
 * The key that identifies repeated calls, once arguments are read and references resolved (crew 3). Undefined if the
 * call never counts as a repetition: it is explicitly a second one, it is a move without a report, or the setting is 0.
 */
export function repeatOf(
  operation: AnyOperation,
  input: Call['input'],
  { again }: ToolOptions,
  minutes: number,
): Call['idempotency'] {
  if (minutes === 0 || again || !isRepeatable(operation)) return undefined
  const { query, body } = input as { readonly query: object; readonly body: object | undefined }
  if (operation.name === 'move_card' && !hasReport(body)) return undefined
  const bodyHash = hashOf({ query, body })
  return { key: `mcp ${operation.name} ${bodyHash}`, bodyHash, whileItStands: minutes * 60_000 }
}

const hasReport = (body: object | undefined): boolean => {
  const { conclusion, check } = (body ?? {}) as { readonly conclusion?: unknown; readonly check?: unknown }
  return conclusion != null || check != null
}
