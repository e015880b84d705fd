import { type IssueItem, maskKeys } from '@specboard/contract'
import { DomainError, type NextAction } from '@specboard/domain'
import { json, jsonAnswer } from './answers.ts'
import type { HttpContext } from './http-env.ts'

/** A refused call in terms of HTTP. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly detail: unknown; readonly next_actions?: readonly NextAction[] }
}

const bearer = { 'www-authenticate': 'Bearer' }

/**
 * The answer to a domain error. `retry_after` (seconds) and `allow` become headers.
 * @param next_actions what the caller can do about it, if that is reported (board 6)
 */
export function refusalOf(error: DomainError, next_actions?: readonly NextAction[]): Refusal {
  const { retry_after, allow, ...detail } = error.detail
  return {
    status: error.status,
    headers: {
      ...(error.status === 401 && bearer),
      ...(retry_after !== undefined && { 'retry-after': String(retry_after) }),
      ...(allow !== undefined && { allow: String(allow) }),
    },
    body: { detail, ...(next_actions !== undefined && { next_actions }) },
  }
}

/** The answer to invalid input: 422 with one item for each fault. */
export const invalidInput = (items: readonly IssueItem[]): Refusal => ({
  status: 422,
  headers: {},
  body: { detail: items },
})

/** The answer to an unexpected error: it reveals no detail; the request id leads to the log. */
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

/** The refusal of a method that a known path does not support. */
export const notAllowed = (methods: readonly string[]): DomainError =>
  new DomainError('METHOD_NOT_ALLOWED', `This path takes ${methods.join(', ')}.`, { allow: methods.join(', ') })

/** The refusal of an unknown path. */
export const unknownPath = (path: string): DomainError =>
  new DomainError('NOT_FOUND', 'No operation has this path. /openapi.json lists all of them.', {
    entity_type: 'path',
    entity_id: path,
  })

/** Turns a refusal into an answer. Keys that it repeats from the request are masked (trust 3). */
export const refuse = (c: HttpContext, { status, headers, body }: Refusal): Response | Promise<Response> =>
  jsonAnswer(c, status, { ...json, ...headers }, maskKeys(JSON.stringify(body)))
