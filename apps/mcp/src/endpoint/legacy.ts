import {
  type JSONRPCNotification,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/server'
import type { Service, Session } from '@specboard/domain'
import type { Backend } from '../backend.ts'
import { mcpServer } from '../server/mcp-server.ts'
import { takesOnly } from './accept.ts'
import type { Broadcast, Listener, Notice } from './broadcast.ts'
import { EventStream } from './event-stream.ts'
import { type AnswerMode, Exchange } from './exchange.ts'
import { methodNotAllowed, rpcError } from './refusals.ts'
import { SessionStreams } from './session-streams.ts'
import { Sessions } from './sessions.ts'

const sessionHeader = 'mcp-session-id'

/** Serves the handshake generation: sessions that need no memory, one exchange per request (mcp 3). */
export class LegacyServing {
  readonly #service: Service
  readonly #sessions: Sessions
  readonly #broadcast: Broadcast
  readonly #onFault: (error: unknown) => void
  /** Calls of sessions that can still be cancelled. */
  readonly #inFlight = new Map<string, Exchange>()
  readonly #streams: SessionStreams

  constructor(service: Service, broadcast: Broadcast, onFault: (error: unknown) => void) {
    this.#service = service
    this.#sessions = new Sessions(service)
    const { isShared } = service.environment.leases
    this.#streams = new SessionStreams(this.#sessions.stored, isShared, onFault)
    this.#broadcast = broadcast
    this.#onFault = onFault
  }

  /** The session in a request; undefined when there is none, a refusal when the session is not ours. */
  async sessionOf(request: Request, agentId: string, id: RequestId | null): Promise<Session | undefined | Response> {
    const token = request.headers.get(sessionHeader)
    if (token === null) return undefined
    const session = await this.#sessions.find(token, agentId)
    return session ?? rpcError(404, -32600, 'session not found; initialize again', id)
  }

  /** Answers a request; an `initialize` opens a session. */
  async post(
    request: Request,
    message: JSONRPCRequest,
    session: Session | undefined,
    agentId: string,
    backend: Backend,
  ): Promise<Response> {
    const server = mcpServer(backend, 'legacy', this.#service.environment.version)
    server.onerror = error => {
      // We close the connection of a cancelled call ourselves.
      if (!(error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)) this.#onFault(error)
    }
    const opens = message.method === 'initialize'
    const headers: Record<string, string> = opens ? { [sessionHeader]: await this.#sessions.issue(agentId) } : {}
    const exchange = new Exchange(message, answerMode(request), headers)
    await server.connect(exchange)
    if (session !== undefined) {
      const place = inFlightKey(session, message.id)
      this.#inFlight.set(place, exchange)
      server.onclose = () => this.#inFlight.delete(place)
    }
    return exchange.run()
  }

  /** Handles a notification: a cancellation ends the named call within the session. */
  notified(session: Session | undefined, { method, params }: JSONRPCNotification): void {
    if (session === undefined || method !== 'notifications/cancelled') return
    const { requestId, reason } = (params ?? {}) as { requestId?: RequestId; reason?: string }
    if (requestId !== undefined) this.#inFlight.get(inFlightKey(session, requestId))?.cancel(reason)
  }

  /** Opens the stream of a session; the newest wins (mcp 3.5). */
  async open(request: Request, listener: Listener): Promise<Response> {
    const session = await this.sessionOf(request, listener.caller.id, null)
    if (session === undefined) return methodNotAllowed()
    if (session instanceof Response) return session
    const uris = new Set(await this.#sessions.stored.subscriptions(session))
    let leave: (() => void) | undefined
    let ended = false
    const stream = new EventStream(() => {
      ended = true
      leave?.()
      this.#streams.remove(session.hash, stream)
    })
    await this.#streams.add(session, stream, uris)
    const send = (notice: Notice) => stream.send(notificationOf(notice))
    const { stored } = this.#sessions
    const refresh = async () => {
      if (await stored.isTerminated(session.hash)) return stream.close()
      const now = await stored.subscriptions(session)
      for (const uri of uris.difference(now)) uris.delete(uri)
      for (const uri of now) uris.add(uri)
    }
    const close = () => stream.close()
    const isShared = this.#service.environment.leases.isShared
    leave = await this.#broadcast.open({ ...listener, uris, send, close, ...(isShared && { refresh }) })
    if (ended) leave()
    if (request.signal.aborted) stream.close()
    request.signal.addEventListener('abort', () => stream.close(), { once: true })
    return stream.response
  }

  /** Ends a session. */
  async end(request: Request, agentId: string): Promise<Response> {
    const session = await this.sessionOf(request, agentId, null)
    if (session === undefined) return methodNotAllowed()
    if (session instanceof Response) return session
    await this.#sessions.stored.terminate(session)
    this.#streams.end(session.hash)
    return new Response(null, { status: 204 })
  }

  /** Stops listening to other nodes. */
  close(): void {
    this.#streams.close()
  }

  /** Subscribes a session to a resource. */
  async subscribe(session: Session | undefined, uri: string): Promise<void> {
    const subscriber = needed(session)
    await this.#sessions.stored.subscribe(subscriber, uri)
    this.#streams.urisOf(subscriber.hash)?.add(uri)
  }

  /** Ends a subscription. */
  async unsubscribe(session: Session | undefined, uri: string): Promise<void> {
    const subscriber = needed(session)
    await this.#sessions.stored.unsubscribe(subscriber, uri)
    this.#streams.urisOf(subscriber.hash)?.delete(uri)
  }
}

const inFlightKey = (session: Session, id: RequestId) => `${session.hash} ${typeof id} ${id}`

const answerMode = (request: Request): AnswerMode => {
  if (takesOnly(request, 'application/json')) return 'json'
  return takesOnly(request, 'text/event-stream') ? 'stream' : 'auto'
}

/** The session that a subscription belongs to. */
function needed(session: Session | undefined): Session {
  if (session !== undefined) return session
  const message = 'Subscriptions need a session: initialize and send its Mcp-Session-Id.'
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message)
}

const notificationOf = (notice: Notice) => {
  if (notice.kind === 'resource_updated')
    return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: notice.uri } }
  const list = notice.kind === 'tools_list_changed' ? 'tools' : 'resources'
  return { jsonrpc: '2.0', method: `notifications/${list}/list_changed` }
}
