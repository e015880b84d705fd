import type { IssueItem } from '@specboard/contract'
import { DomainError } from '@specboard/domain'

/** A refused call as HTTP says it. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly detail: unknown }
}

const bearer = { 'www-authenticate': 'Bearer' }

/** The answer to a domain error. `retry_after` (seconds) and `allow` become headers. */
export function refusalOf(error: DomainError): Refusal {
  const { retry_after, allow, ...detail } = error.detail
  return {
    status: error.status,
    headers: {
      ...(error.status === 401 && bearer),
      ...(retry_after !== undefined && { 'retry-after': String(retry_after) }),
      ...(allow !== undefined && { allow: String(allow) }),
    },
    body: { detail },
  }
}

/** The answer to invalid input: 422 with one item for each thing wrong. */
export const invalidInput = (items: readonly IssueItem[]): Refusal => ({
  status: 422,
  headers: {},
  body: { detail: items },
})

/** The answer to a fault of our own: no detail leaks, the request id ties it to the log. */
export const internalError = (requestId: string): Refusal => ({
  status: 500,
  headers: {},
  body: {
    detail: {
      error: 'INTERNAL_ERROR',
      message: `The service failed; nothing was changed. Tell the operator the request id ${requestId}.`,
      request_id: requestId,
    },
  },
})

/** The refusal of a known path's other methods; HEAD works where GET does. */
export function methodNotAllowed(methods: readonly string[]): DomainError {
  const allow = methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  return new DomainError('METHOD_NOT_ALLOWED', `This path takes ${allow}.`, { allow })
}
