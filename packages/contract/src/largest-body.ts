import { z } from 'zod'
import type { AnyOperation } from './operation.ts'
import { readOf } from './unchanged.ts'

/** Maximum size of any JSON body, bytes (general, Errors). */
export const maxBodyBytes = 8 << 20

/** Bytes that a body may have beyond the fields of its schema: white space, unknown fields, aliases. */
const spareBytes = 64 << 10

/** A UTF-16 unit written as `\uXXXX`, bytes: the longest form of a character. */
const escapedBytes = 6

/** The longest form of a number, bytes. */
const numberBytes = 32

const sizes = new WeakMap<AnyOperation, number>()

/**
 * The largest body of an operation, bytes: what its schema can hold, plus an allowance for verbose encoding (walls 4).
 * An update may send back a stored value that is longer than the schema allows (trust 1).
 */
export function largestBody(operation: AnyOperation): number {
  const size = sizes.get(operation) ?? derived(operation)
  sizes.set(operation, size)
  return size
}

function derived(operation: AnyOperation): number {
  const { body, bodyFreeBeside } = operation
  if (bodyFreeBeside !== undefined || readOf(operation) !== undefined) return maxBodyBytes
  return body === undefined ? spareBytes : Math.min(maxBodyBytes, spareBytes + largestJson(body))
}

/** The longest JSON that a schema accepts, bytes; infinite without a limit. */
export function largestJson(schema: z.core.$ZodType): number {
  if (schema instanceof z.ZodObject) return ofObject(schema)
  if (schema instanceof z.ZodArray) return ofArray(schema)
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat)
    return 2 + escapedBytes * (schema.maxLength ?? Number.POSITIVE_INFINITY)
  if (schema instanceof z.ZodNumber) return numberBytes
  if (schema instanceof z.ZodBoolean || schema instanceof z.ZodNull) return 5
  if (schema instanceof z.ZodEnum) return longest(schema.options.map(textBytes))
  if (schema instanceof z.ZodLiteral) return longest([...schema.values].map(textBytes))
  if (schema instanceof z.ZodUnion) return longest(schema.options.map(largestJson))
  if (schema instanceof z.ZodNullable) return Math.max(4, largestJson(schema.unwrap()))
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  )
    return largestJson(schema.unwrap())
  // The output of a transform is not what is sent.
  if (schema instanceof z.ZodPipe && !(schema.in instanceof z.ZodTransform)) return largestJson(schema.in)
  return Number.POSITIVE_INFINITY
}

const longest = (sizes: readonly number[]): number => Math.max(4, ...sizes)

const textBytes = (value: unknown): number => 2 + escapedBytes * String(value).length

function ofObject({ shape, def }: z.ZodObject): number {
  // Unknown fields are ignored, and have the spare bytes, unless the schema keeps them.
  if (def.catchall !== undefined && !(def.catchall instanceof z.ZodNever)) return Number.POSITIVE_INFINITY
  return Object.entries(shape).reduce((sum, [name, field]) => sum + textBytes(name) + 2 + largestJson(field), 2)
}

function ofArray(schema: z.ZodArray): number {
  const limits = (schema.def.checks ?? []).map(({ _zod: { def } }) =>
    def instanceof Object && 'maximum' in def && typeof def.maximum === 'number'
      ? def.maximum
      : Number.POSITIVE_INFINITY,
  )
  const max = Math.min(...limits)
  return max === Number.POSITIVE_INFINITY ? max : 2 + max * (1 + largestJson(schema.element))
}
