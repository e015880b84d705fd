import { createHash } from 'node:crypto'
import {
  type AnyOperation,
  hasFields,
  type IssueItem,
  issueItem,
  jsonFault,
  jsonFaultInPieces,
} from '@specboard/contract'
import { DomainError } from '@specboard/domain'
import type { HttpContext } from './http-env.ts'
import { inPieces, largeBodyBytes, oneAtATime } from './limits/large-bodies.ts'

/** A JSON body as it came, or what is wrong with it. */
export type ReadBody =
  | { readonly ok: true; readonly value: unknown; readonly large: boolean }
  | { readonly ok: false; readonly items: readonly IssueItem[] }

/** What is read of a call without a body. */
export const noBody: ReadBody = { ok: true, value: undefined, large: false }

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
  const large = bytes.byteLength > largeBodyBytes
  const parse = (): unknown => JSON.parse(utf8.decode(bytes))
  let value: unknown
  try {
    value = large ? await oneAtATime(parse) : parse()
  } catch {
    // The parser's own message quotes the body, which may hold a key.
    return { ok: false, items: [issueItem(['body'], 'json_invalid', 'The body is not JSON.')] }
  }
  const looking = { fields: hasFields(operation) }
  const fault = large ? await inPieces(jsonFaultInPieces(value, looking)) : jsonFault(value, looking)
  return fault === undefined
    ? { ok: true, value, large }
    : { ok: false, items: [issueItem(['body', ...fault.path], 'value_error', fault.message)] }
}

/** What tells two bodies apart for an Idempotency-Key. */
export const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
