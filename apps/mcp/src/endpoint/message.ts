import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCNotification,
  type JSONRPCRequest,
} from '@modelcontextprotocol/server'
import { rpcError } from './refusals.ts'

/** The most bytes of a body (mcp 15). */
export const maxBodyBytes = 8 << 20

/** Deepest nesting of a body. */
const maxDepth = 64

/** What came in a body. */
export type Message =
  | { readonly kind: 'request'; readonly message: JSONRPCRequest }
  | { readonly kind: 'notification'; readonly message: JSONRPCNotification }
  | { readonly kind: 'response' }

/** The message of a body, or the refusal of what is none: no JSON, an array, nested too deep, no JSON-RPC. */
export function messageOf(text: string): Message | Response {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return rpcError(400, -32700, 'Parse error: the body is no JSON.')
  }
  if (isDeeper(value, maxDepth))
    return rpcError(400, -32600, `Invalid request: nested deeper than ${maxDepth}.`, idOf(value))
  if (isJSONRPCRequest(value)) return { kind: 'request', message: value }
  if (isJSONRPCNotification(value)) return { kind: 'notification', message: value }
  if (isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value)) return { kind: 'response' }
  return rpcError(400, -32600, 'Invalid request: send one JSON-RPC message; batches are not taken.', idOf(value))
}

function idOf(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(inner, depth - 1)) return true
  return false
}
