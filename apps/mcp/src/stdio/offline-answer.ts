import { createMcpHandler, type JSONRPCRequest } from '@modelcontextprotocol/server'
import { addressAt } from '@specboard/client/address'
import type { JsonObject } from '../calls/lean-value.ts'
import { Exchange } from '../endpoint/exchange.ts'
import { isModern } from '../endpoint/message.ts'
import { mcpServer } from '../server/mcp-server.ts'
import type { View } from '../tools/view.ts'
import { keyMissing, OfflineBackend, unreachable } from './offline-backend.ts'
import { rpcError } from './rpc-error.ts'
import { modernHeaders } from './upstream.ts'

/** What an answer without the service depends on. */
interface OfflineOptions {
  readonly view: View
  readonly url: string
  readonly key: string | undefined
  readonly version: string
}

/** Answers a request while nothing answers at `url` (mcp 4.2), or no request is allowed without a key (mcp 4.1). */
export async function offlineAnswer(
  message: JSONRPCRequest,
  { view, url, key, version }: OfflineOptions,
): Promise<JsonObject> {
  const backend = new OfflineBackend(view, key === undefined ? keyMissing(url) : unreachable(url))
  if (!isModern(message, null)) {
    const exchange = new Exchange(message, 'json')
    await mcpServer(backend, 'legacy', version).connect(exchange)
    return (await (await exchange.run()).json()) as JsonObject
  }
  const handler = createMcpHandler(() => mcpServer(backend, 'modern', version), { legacy: 'reject' })
  const headers = { 'content-type': 'application/json', ...modernHeaders(message) }
  const request = new Request(addressAt(url, '/mcp'), { method: 'POST', headers })
  const response = await handler.fetch(request, { parsedBody: message })
  if (!(response.headers.get('content-type') ?? '').includes('json')) {
    await response.body?.cancel()
    return rpcError(message.id, -32603, `No Specboard answers at ${url}.`)
  }
  return (await response.json()) as JsonObject
}
