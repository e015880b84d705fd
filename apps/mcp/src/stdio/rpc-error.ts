import type { RequestId } from '@modelcontextprotocol/server'
import type { JsonObject } from '../calls/lean-value.ts'

/** A JSON-RPC error as a message. */
export const rpcError = (id: RequestId | null, code: number, message: string): JsonObject => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
