import {
  classifyInboundRequest,
  type JSONRPCNotification,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from '@modelcontextprotocol/server'
import { isObject } from '../calls/lean-value.ts'
import { rpcError } from './refusals.ts'

/** Maximum bytes of a body (mcp 15). */
export const maxBodyBytes = 8 << 20

/** Deepest nesting of a body. */
const maxDepth = 64

/** The message in a body. */
export type Message =
  | { readonly kind: 'request'; readonly message: JSONRPCRequest }
  | { readonly kind: 'notification'; readonly message: JSONRPCNotification }
  | { readonly kind: 'response' }

/** The message in a body, or a refusal: the body is not JSON, is an array, is nested too deep or is not JSON-RPC. */
export function messageOf(text: string): Message | Response {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return rpcError(400, -32700, 'Parse error: the body is not JSON.')
  }
  const id = isObject(value) && isRequestId(value.id) ? value.id : null
  if (isDeeper(value, maxDepth)) return rpcError(400, -32600, `Invalid request: nested deeper than ${maxDepth}.`, id)
  const kind = kindOf(value)
  if (kind === undefined)
    return rpcError(400, -32600, 'Invalid request: send one JSON-RPC message; batches are not accepted.', id)
  return kind === 'response' ? { kind } : ({ kind, message: value } as Message)
}

const isRequestId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id)

/** The kind of a JSON-RPC message; undefined for anything else. */
function kindOf(value: unknown): Message['kind'] | undefined {
  if (!isObject(value) || value.jsonrpc !== '2.0') return undefined
  if (typeof value.method !== 'string') return 'result' in value || isObject(value.error) ? 'response' : undefined
  if (value.params !== undefined && !isObject(value.params)) return undefined
  if (!('id' in value)) return 'notification'
  return isRequestId(value.id) ? 'request' : undefined
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(inner, depth - 1)) return true
  return false
}

/** The first revision without a handshake; later ones sort after it. */
const firstModern = '2026-07-28'

/**
 * Whether a message belongs to the generation without a handshake: it claims a revision in its envelope, or
 * its header names one. The library decides about an `initialize` that has a claim as well.
 */
export function isModern(message: JSONRPCRequest | JSONRPCNotification, version: string | null): boolean {
  const { method, params } = message
  const claims = isObject(params?._meta) && PROTOCOL_VERSION_META_KEY in params._meta
  if (method === 'initialize' && claims) {
    const header = version === null ? {} : { protocolVersionHeader: version }
    return classifyInboundRequest({ httpMethod: 'POST', body: message, ...header }).kind !== 'legacy'
  }
  return claims || (version !== null && version.trim() >= firstModern)
}
