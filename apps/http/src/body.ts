import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type AnyOperation, hasFields, type IssueItem, issueItem, jsonFault } from '@specboard/contract'
import { DomainError } from '@specboard/domain'
import type { Exchange } from './exchange.ts'

/** The most bytes of a JSON body (general, Errors). */
export const maxBodyBytes = 8 << 20

/** A JSON body as it came, or what is wrong with it. */
export type ReadBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly items: readonly IssueItem[] }

/**
 * Reads the JSON body of a call; operations without one ignore whatever came.
 * @throws DomainError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
 */
export async function readBody(operation: AnyOperation, exchange: Exchange): Promise<ReadBody> {
  if (operation.body === undefined) return { ok: true, value: undefined }
  if (!exchange.hasBody) return { ok: true, value: undefined }
  const type = exchange.header('content-type')
  const bytes = await readBytes(exchange.request)
  if (bytes.byteLength === 0) return { ok: true, value: undefined }
  if (type !== undefined && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.')
  }
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    // The parser's own message quotes the body, which may hold a key.
    return { ok: false, items: [issueItem(['body'], 'json_invalid', 'The body is no JSON.')] }
  }
  const fault = jsonFault(value, { fields: hasFields(operation) })
  return fault === undefined
    ? { ok: true, value }
    : { ok: false, items: [issueItem(['body', ...fault.path], 'value_error', fault.message)] }
}

/** Refuses what is no UTF-8, where it would otherwise put a replacement character in its place. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes <= maxBodyBytes) return
      request.off('data', take)
      reject(tooLarge())
    }
    request.on('data', take)
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    request.once('error', reject)
  })
}

const tooLarge = () =>
  new DomainError('PAYLOAD_TOO_LARGE', 'A JSON body has at most 8 MiB.', { max_bytes: maxBodyBytes })

/** What tells two bodies apart for an Idempotency-Key. */
export const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
