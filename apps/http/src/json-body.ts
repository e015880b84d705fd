import { createHash } from 'node:crypto'
import { type AnyOperation, hasFields, type IssueItem, issueItem, jsonFault } from '@specboard/contract'
import { DomainError } from '@specboard/domain'
import type { HttpContext } from './http-env.ts'

/** A JSON body as it came, or what is wrong with it. */
export type ReadBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly items: readonly IssueItem[] }

/** What is read of a call without a body. */
export const noBody: ReadBody = { ok: true, value: undefined }

/** Refuses what is not UTF-8, where it would otherwise put a replacement character in its place. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the JSON body of a call.
 * @throws DomainError UNSUPPORTED_MEDIA_TYPE
 */
export async function readJsonBody(operation: AnyOperation, c: HttpContext): Promise<ReadBody> {
  // `text()` would put a replacement character in the place of what is not UTF-8.
  const bytes = await c.req.raw.arrayBuffer()
  if (bytes.byteLength === 0) return noBody
  const type = c.req.header('content-type')
  if (type !== undefined && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
  }
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    // The parser's own message quotes the body, which may hold a key.
    return { ok: false, items: [issueItem(['body'], 'json_invalid', 'The body is not JSON.')] }
  }
  const fault = jsonFault(value, { fields: hasFields(operation) })
  return fault === undefined
    ? { ok: true, value }
    : { ok: false, items: [issueItem(['body', ...fault.path], 'value_error', fault.message)] }
}

/** What tells two bodies apart for an Idempotency-Key. */
export const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
