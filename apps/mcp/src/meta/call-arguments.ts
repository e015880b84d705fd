import { freeJsonLimits, hasMoreKeys, isReservedKey, reservedKeyRefusal, tooManyKeys } from '@specboard/contract'
import { z } from 'zod'
import { isObject } from '../calls/lean-value.ts'

/** Parses a value that was sent as JSON text. */
function fromJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/**
 * Arguments of a call within a meta tool, which may be JSON text. The schema of a record would copy all keys before
 * validating one, and silently drop `__proto__`.
 */
export const CallArguments = z.preprocess((value, { issues }) => {
  const args = fromJsonText(value)
  if (!isObject(args)) return args
  if (hasMoreKeys(args, freeJsonLimits.members)) {
    issues.push({ ...tooManyKeys, input: null })
    return z.NEVER
  }
  const reserved = Object.keys(args).find(isReservedKey)
  if (reserved === undefined) return args
  issues.push({ code: 'custom', message: reservedKeyRefusal, path: [reserved], input: null })
  return z.NEVER
}, z.record(z.string(), z.unknown()).nullish())
