import type { AnyOperation, ErrorCode } from '@specboard/contract'
import { answersRepresentation, checksIfMatch } from '@specboard/domain'

/** A header that an operation supports besides the key, and the errors it can cause (general, Wire). */
interface HeededHeader {
  readonly name: string
  readonly schema: { readonly type: 'string'; readonly minLength?: number; readonly maxLength?: number }
  readonly heeds: (operation: AnyOperation) => boolean
  readonly error?: ErrorCode
}

/** Whether an operation answers one record with its tag, and 304 to a client that already has it. */
export const readsRepresentation = (operation: AnyOperation): boolean =>
  operation.method === 'GET' && answersRepresentation(operation)

const headers: readonly HeededHeader[] = [
  {
    name: 'Idempotency-Key',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    heeds: ({ method, permission }) => method === 'POST' && permission !== 'public',
    error: 'IDEMPOTENCY_KEY_REUSED',
  },
  { name: 'If-Match', schema: { type: 'string' }, heeds: checksIfMatch, error: 'PRECONDITION_FAILED' },
  { name: 'If-None-Match', schema: { type: 'string' }, heeds: readsRepresentation },
]

/** The headers that an operation supports. */
export const headersOf = (operation: AnyOperation): readonly HeededHeader[] =>
  headers.filter(({ heeds }) => heeds(operation))
