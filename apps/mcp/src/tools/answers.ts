import { type AnyOperation, isReading } from '@specboard/contract'
import { z } from 'zod'
import { core } from './lean-schema.ts'

/** Whether an operation's answer is an array, which its tool turns into `{items, total, offset}`. */
export const answersList = ({ list, response }: AnyOperation): boolean =>
  list !== undefined || (response !== undefined && core(response) instanceof z.ZodArray)

/** The schema of one item of a list, otherwise of the record; undefined when the answer has no schema. */
export function itemSchema({ list, response }: AnyOperation): z.ZodType | undefined {
  if (list !== undefined) return list
  const inner = response === undefined ? undefined : core(response)
  return inner instanceof z.ZodArray ? (inner.element as z.ZodType) : inner
}

/**
 * Whether a tool's answer tells its caller what it asked for, whole and with a continuation, as the answer of a read
 * does; that of a write is compact, since its caller sent what it holds (mcp 9.3). Executing an intent writes a history
 * entry, but answers a table.
 */
export const answersAsRead = (operation: AnyOperation): boolean =>
  isReading(operation) || operation.name === 'execute_discovery_intent'
