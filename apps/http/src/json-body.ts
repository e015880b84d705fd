import {
  type AnyOperation,
  hasTooManyParts,
  type IssueItem,
  issueItem,
  jsonFault,
  jsonFaultInPieces,
  largestBody,
  maxJsonParts,
} from '@specboard/contract'
import { DomainError } from '@specboard/domain'
import type { HttpContext } from './http-env.ts'
import { inPieces, largeBodyBytes, oneAtATime } from './limits/large-bodies.ts'
import { withBody } from './received-body.ts'

/** A parsed JSON body, or what is wrong with it. */
export type ReadBody =
  | { readonly ok: true; readonly value: unknown; readonly large: boolean }
  | { readonly ok: false; readonly items: readonly IssueItem[] }

/** The result of reading a call without a body. */
export const noBody: ReadBody = { ok: true, value: undefined, large: false }

/** Throws on bytes that are not UTF-8 instead of replacing them. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the JSON body of a call.
 * @param max the maximum number of bytes to read; by default the operation's limit
 * @throws DomainError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, BUSY
 */
export const readJsonBody = (
  operation: AnyOperation,
  c: HttpContext,
  max: number = largestBody(operation),
): Promise<ReadBody> => withBody(c, max, bytes => parsed(c, bytes))

async function parsed(c: HttpContext, bytes: Uint8Array): Promise<ReadBody> {
  if (bytes.byteLength === 0) return noBody
  const type = c.req.header('content-type')
  if (type !== undefined && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
  }
  const large = bytes.byteLength > largeBodyBytes
  if (large && (await inPieces(hasTooManyParts(bytes)))) return { ok: false, items: [tooManyParts] }
  const parse = (): unknown => JSON.parse(utf8.decode(bytes))
  let value: unknown
  try {
    value = large ? await oneAtATime(parse) : parse()
  } catch {
    // The parser's own message quotes the body, which may contain a key.
    return { ok: false, items: [issueItem(['body'], 'json_invalid', 'The body is not JSON.')] }
  }
  const fault = large ? await inPieces(jsonFaultInPieces(value)) : jsonFault(value)
  return fault === undefined
    ? { ok: true, value, large }
    : { ok: false, items: [issueItem(['body', ...fault.path], 'value_error', fault.message)] }
}

const tooManyParts = issueItem(['body'], 'too_long', `must have at most ${maxJsonParts} objects, lists and commas`, {
  max_length: maxJsonParts,
})
