import { type AnyOperation, type ErrorCode, errorExamples, errorStatus, NextAction } from '@specboard/contract'
import { z } from 'zod'
import { headersOf } from './headers.ts'

/**
 * The body of a refusal with a code; further members say what is missing. `next_actions`, of 403, 404, 409 and 412, are
 * calls that help.
 */
export const CodedError = z
  .object({
    detail: z.looseObject({ error: z.string(), message: z.string() }),
    next_actions: z.array(NextAction).max(3).exactOptional(),
  })
  .meta({ id: 'Error' })

/** The body of a refusal of invalid input, with one item for each fault. */
export const HTTPValidationError = z
  .object({
    detail: z.array(
      z
        .object({
          loc: z.array(z.union([z.string(), z.int()])),
          msg: z.string(),
          type: z.string(),
          ctx: z.record(z.string(), z.unknown()).optional(),
          input: z.unknown().optional(),
          did_you_mean: z.string().optional(),
        })
        .meta({ id: 'ValidationErrorItem' }),
    ),
  })
  .meta({
    id: 'HTTPValidationError',
    examples: [
      {
        detail: [
          {
            loc: ['body', 'title'],
            msg: 'Too small: expected string to have >=1 characters',
            type: 'string_too_short',
            ctx: { min_length: 1 },
            input: '',
          },
        ],
      },
    ],
  })

/** Codes that every operation with a key can answer. */
const commonErrors: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'INTERNAL_ERROR',
  'BUSY',
  'STORAGE_FULL',
  'STORAGE_LOST',
]

/** The codes for errors in reading a body. */
const bodyErrors: readonly ErrorCode[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/** Every code that an operation can answer, by status. */
export function errorsOf(operation: AnyOperation): ReadonlyMap<number, readonly ErrorCode[]> {
  const common = operation.permission === 'public' ? [] : commonErrors
  const found: readonly ErrorCode[] = operation.path.includes('{') ? ['NOT_FOUND'] : []
  const read = operation.body === undefined ? [] : bodyErrors
  const heeded = headersOf(operation).flatMap(({ error }) => error ?? [])
  const codes = [...new Set([...common, ...found, ...operation.errors, ...read, ...heeded])]
  return Map.groupBy(codes, code => errorStatus[code])
}

/** The body of a refusal with a code, as an example. */
export const errorExample = (error: ErrorCode): z.output<typeof CodedError> => ({
  detail: { error, ...errorExamples[error] },
})
