import { maxWaitMs, operationByName } from '@specboard/contract'
import { planOf } from '../tools/arguments.ts'
import { isObject } from './lean-value.ts'
import type { Arguments } from './read-arguments.ts'

/**
 * How long a call asks to wait for something to happen, ms: this does not count towards a tool's time limit (crew 5.1).
 */
export function waitTime(tool: string, args: Arguments): number {
  if (tool === 'run_operations')
    return (Array.isArray(args.calls) ? args.calls : []).reduce(
      (sum: number, call: unknown) =>
        isObject(call) && typeof call.name === 'string' && isObject(call.arguments)
          ? sum + waitTime(call.name, call.arguments)
          : sum,
      0,
    )
  const operation = operationByName.get(tool)
  if (operation === undefined || !planOf(operation).arguments.has('wait_ms')) return 0
  const waitMs = Number(args.wait_ms)
  return waitMs > 0 ? Math.min(maxWaitMs, waitMs) : 0
}
