import { createHash } from 'node:crypto'
import { type AnyOperation, hasFields, type IssueItem, issueItem, jsonFault } from '@specboard/contract'
import { DomainError } from '@specboard/domain'
import type { Incoming } from './incoming.ts'

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
export async function readBody(operation: AnyOperation, incoming: Incoming): Promise<ReadBody> {
  if (operation.body === undefined) return { ok: true, value: undefined }
  const type = incoming.header('content-type')
  const bytes = await readBytes(incoming)
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

async function readBytes(incoming: Incoming): Promise<Uint8Array> {
  const { request } = incoming
  const length = incoming.header('content-length')
  if (length !== undefined) {
    if (Number(length) > maxBodyBytes) throw tooLarge()
    return new Uint8Array(await request.arrayBuffer())
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = () =>
  new DomainError('PAYLOAD_TOO_LARGE', 'A JSON body has at most 8 MiB.', { max_bytes: maxBodyBytes })

/** What tells two bodies apart for an Idempotency-Key. */
export const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('hex')
