import {
  type AuthInfo,
  createMcpHandler,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type McpHttpHandler,
} from '@modelcontextprotocol/server'
import { maskKeys } from '@specboard/contract'
import type { Service } from '@specboard/domain'
import type { Backend } from '../backend.ts'
import { mcpServer } from '../server/mcp-server.ts'
import { takesOnly } from './accept.ts'
import type { Broadcast, Listener } from './broadcast.ts'
import { subscriptionStream } from './listen.ts'

/** Serves the generation without a handshake: each request carries everything it needs. */
export class ModernServing {
  readonly #service: Service
  readonly #broadcast: Broadcast
  /** Answers JSON, or an event stream when a notification precedes the answer. */
  readonly #handler: McpHttpHandler
  /** For callers that accept only an event stream. */
  readonly #streaming: McpHttpHandler

  constructor(service: Service, broadcast: Broadcast) {
    this.#service = service
    this.#broadcast = broadcast
    const serve = (responseMode: 'auto' | 'sse') =>
      createMcpHandler(({ authInfo }) => this.#server(backendOf(authInfo)), { legacy: 'reject', responseMode })
    this.#handler = serve('auto')
    this.#streaming = serve('sse')
  }

  /** Answers a message. */
  async post(
    request: Request,
    message: JSONRPCRequest | JSONRPCNotification,
    listener: Listener,
    backend: Backend,
  ): Promise<Response> {
    const authInfo: AuthInfo = { token: '', clientId: listener.caller.id, scopes: [], extra: { backend } }
    if (message.method === 'subscriptions/listen') {
      const server = () => this.#server(backend)
      return subscriptionStream({ request, message, authInfo, listener, server }, this.#service, this.#broadcast)
    }
    const parsedBody = takesOnly(request, 'application/json') ? withoutProgress(message) : message
    const handler = takesOnly(request, 'text/event-stream') ? this.#streaming : this.#handler
    return withMaskedKeys(await handler.fetch(request, { parsedBody, authInfo }))
  }

  /** Ends all open exchanges. */
  async close(): Promise<void> {
    await Promise.all([this.#handler.close(), this.#streaming.close()])
  }

  #server(backend: Backend) {
    return mcpServer(backend, 'modern', this.#service.environment.version)
  }
}

/** A refusal by the library with keys masked, as it may quote the request (trust 3). */
async function withMaskedKeys(response: Response): Promise<Response> {
  if (response.ok || response.body === null) return response
  return new Response(maskKeys(await response.text()), { status: response.status, headers: response.headers })
}

/** The backend of a request, passed through the library to the server that it creates. */
const backendOf = (authInfo: AuthInfo | undefined): Backend => authInfo?.extra?.backend as Backend

/** A message without its progress token: a caller that accepts no stream cannot receive progress. */
function withoutProgress<Message extends JSONRPCRequest | JSONRPCNotification>(message: Message): Message {
  const meta = message.params?._meta
  if (meta?.progressToken === undefined) return message
  const { progressToken: _, ...rest } = meta
  return { ...message, params: { ...message.params, _meta: rest } }
}
