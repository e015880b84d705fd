import type { AnyOperation } from '@specboard/contract'
import { z } from 'zod'
import { core } from './lean-schema.ts'

/** Whether an operation answers an array, which a tool answers as `{items, total, offset}`. */
export const answersList = ({ list, response }: AnyOperation): boolean =>
  list !== undefined || (response !== undefined && core(response) instanceof z.ZodArray)

/** The schema of one item of a list, of the record otherwise; undefined where the answer has none. */
export function itemSchema({ list, response }: AnyOperation): z.ZodType | undefined {
  if (list !== undefined) return list
  const inner = response === undefined ? undefined : core(response)
  return inner instanceof z.ZodArray ? (inner.element as z.ZodType) : inner
}
