import {
  type AuthInfo,
  createMcpHandler,
  type JSONRPCRequest,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  readRequestBody,
} from '@modelcontextprotocol/server'
import { type Caller, DomainError, type Service } from '@specboard/domain'
import { isVisible } from '../resources/visible.ts'
import { AgentBackend, type CallRecord, maxArgumentBytes } from '../server/agent-backend.ts'
import { type Backend, UnknownResource } from '../server/backend.ts'
import { mcpServer, protocolVersions } from '../server/mcp-server.ts'
import { type View, ViewError, viewOf } from '../tools/view.ts'
import { Broadcast, type Notice } from './broadcast.ts'
import { EventStream } from './event-stream.ts'
import { Exchange } from './exchange.ts'
import { subscriptionHandler } from './listen.ts'
import { isModern, maxBodyBytes, messageOf } from './message.ts'
import { RateLimit } from './rate-limit.ts'
import { methodNotAllowed, refusal, rpcError } from './refusals.ts'
import { type Session, Sessions } from './sessions.ts'
import { viewRequestOf } from './view-request.ts'

/** What the MCP endpoint is made of. */
export interface EndpointOptions {
  readonly service: Service
  /** Setting MCP_DEFAULT_TOOLSETS. */
  readonly defaultToolsets: string
  /** Setting MCP_RATE_LIMIT: calls a second for each key; 0 switches the limit off. */
  readonly rateLimit: number
  readonly onFault: (error: unknown) => void
  readonly onCall: (record: CallRecord) => void
  /** Only requests of allowed origins come here: their pages may read the answers. */
  readonly cors: boolean
}

/** What is known of one request. */
export interface RequestContext {
  readonly requestId: string
  /** The key that came with it, in the forms and with the precedence of the API. */
  readonly key: string | undefined
  /** Told the agent, for the access log. */
  readonly seen: (agentId: string) => void
}

const sessionHeader = 'mcp-session-id'

/** Everything that the answers to one request come from. */
interface Exchanged {
  readonly request: Request
  readonly caller: Caller
  readonly key: string
  readonly session: Session | undefined
  readonly view: View
  readonly backend: Backend
}

/** The endpoint `/mcp`, both protocol generations (mcp 2). */
export class McpEndpoint {
  readonly #options: EndpointOptions
  readonly #sessions: Sessions
  readonly #rateLimit: RateLimit
  readonly #broadcast: Broadcast
  /** JSON, or an event stream once progress is told. */
  readonly #modern: McpHttpHandler
  /** For callers that take nothing but an event stream. */
  readonly #modernStreaming: McpHttpHandler
  readonly #inFlight = new Map<string, Exchange>()
  /** The one stream of each session, and what the session subscribes to. */
  readonly #sessionStreams = new Map<string, { readonly stream: EventStream; readonly uris: Set<string> }>()

  constructor(options: EndpointOptions) {
    const { service, rateLimit, onFault } = options
    this.#options = options
    this.#sessions = new Sessions(service)
    this.#rateLimit = new RateLimit(rateLimit)
    this.#broadcast = new Broadcast(service, onFault)
    const serve = (responseMode: 'auto' | 'sse') =>
      createMcpHandler(({ authInfo }) => mcpServer(backendOf(authInfo), 'modern', service.environment.version), {
        legacy: 'reject',
        responseMode,
      })
    this.#modern = serve('auto')
    this.#modernStreaming = serve('sse')
  }

  /** Answers a request whose Host and Origin were checked already. */
  async fetch(request: Request, context: RequestContext): Promise<Response> {
    const origin = request.headers.get('origin')
    const cors = origin !== null && this.#options.cors ? corsHeaders(origin) : {}
    const response =
      request.method === 'OPTIONS'
        ? new Response(null, { status: 204, headers: preflight })
        : await this.#answer(request, context)
    for (const [name, value] of Object.entries(cors)) response.headers.set(name, value)
    return response
  }

  /** Ends every open stream with its closing message. */
  async close(): Promise<void> {
    this.#broadcast.close()
    await Promise.all([this.#modern.close(), this.#modernStreaming.close()])
  }

  async #answer(request: Request, context: RequestContext): Promise<Response> {
    if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) return tooLarge()
    const { key } = context
    let caller: Caller
    try {
      caller = await this.#options.service.authenticate(key)
    } catch (error) {
      if (!(error instanceof DomainError) || error.status !== 401) throw error
      return refusal(error, { 'www-authenticate': 'Bearer realm="mcp"' })
    }
    context.seen(caller.id)
    const retryAfterMs = this.#rateLimit.take(caller.id)
    if (request.method === 'POST') return this.#post(request, caller, key!, retryAfterMs, context)
    if (retryAfterMs > 0) return tooManyRequests(retryAfterMs)
    if (request.method === 'GET') return this.#get(request, caller, key!)
    if (request.method === 'DELETE') return this.#delete(request, caller)
    return methodNotAllowed()
  }

  async #post(
    request: Request,
    caller: Caller,
    key: string,
    retryAfterMs: number,
    context: RequestContext,
  ): Promise<Response> {
    const isJson = /^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '')
    const text = isJson ? await textOf(request) : ''
    if (text === undefined) return tooLarge()
    const incoming = messageOf(text)
    const isCall =
      !(incoming instanceof Response) && incoming.kind === 'request' && incoming.message.method === 'tools/call'
    if (retryAfterMs > 0 && !(isJson && isCall)) return tooManyRequests(retryAfterMs)
    if (!isJson) return refusal(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the message as application/json.'))
    if (incoming instanceof Response) return incoming
    const body = 'message' in incoming ? incoming.message : undefined
    const id = incoming.kind === 'request' ? incoming.message.id : null
    const version = request.headers.get('mcp-protocol-version')
    const isLegacy = body === undefined || !isModern(body, version)
    const isInitialize = incoming.kind === 'request' && incoming.message.method === 'initialize'
    if (isLegacy && !isInitialize && version !== null && !isLegacyVersion(version)) {
      return rpcError(400, -32600, `Unsupported protocol version ${version}.`, id, {
        supported: protocolVersions.legacy,
      })
    }
    let session: Session | undefined
    const token = isLegacy && !isInitialize ? request.headers.get(sessionHeader) : null
    if (token !== null) {
      session = await this.#sessions.find(token, caller.id)
      if (session === undefined) return rpcError(404, -32600, 'session not found; initialize again', id)
    }
    const view = this.#viewOf(request, id)
    if (view instanceof Response) return view
    const backend = this.#backend({ request, caller, session, view, retryAfterMs, requestId: context.requestId })
    const exchanged: Exchanged = { request, caller, key, session, view, backend }
    if (isCall && text.length > maxArgumentBytes) {
      const { params } = incoming.message as JSONRPCRequest
      if (Buffer.byteLength(JSON.stringify(params?.arguments ?? {})) > maxArgumentBytes)
        return rpcError(413, -32600, 'arguments have at most 4 MiB.', id)
    }
    if (!isLegacy && body !== undefined) return this.#postModern(exchanged, body)
    if (incoming.kind === 'request') return this.#postLegacy(exchanged, incoming.message, context)
    if (incoming.kind === 'notification') this.#cancelled(session, incoming.message)
    return new Response(null, { status: 202 })
  }

  #viewOf(request: Request, id: string | number | null): View | Response {
    try {
      return viewOf(viewRequestOf(new URL(request.url).searchParams, request.headers), this.#options.defaultToolsets)
    } catch (error) {
      if (error instanceof ViewError) return rpcError(400, -32602, error.message, id)
      throw error
    }
  }

  #backend(given: {
    readonly request: Request
    readonly caller: Caller
    readonly session: Session | undefined
    readonly view: View
    readonly retryAfterMs: number
    readonly requestId: string
  }): Backend {
    const { service, onFault, onCall } = this.#options
    const { caller, session, view, retryAfterMs, requestId } = given
    return new AgentBackend({
      service,
      caller,
      view,
      requestId,
      retryAfterMs,
      origin: new URL(given.request.url).origin,
      onFault,
      onCall,
      subscribe: async uri => {
        if (!(await isVisible(service, caller, uri, view.boardId))) throw new UnknownResource(uri)
        await this.#sessions.subscribe(needed(session), uri)
        this.#sessionStreams.get(needed(session).hash)?.uris.add(uri)
      },
      unsubscribe: async uri => {
        if (!(await isVisible(service, caller, uri, view.boardId))) throw new UnknownResource(uri)
        await this.#sessions.unsubscribe(needed(session), uri)
        this.#sessionStreams.get(needed(session).hash)?.uris.delete(uri)
      },
    })
  }

  async #postModern({ request, caller, key, view, backend }: Exchanged, body: object): Promise<Response> {
    const authInfo = authInfoOf(backend, caller)
    if ('method' in body && body.method === 'subscriptions/listen') {
      return subscriptionHandler(
        request,
        body,
        { authInfo, caller, key, view },
        this.#options.service,
        this.#broadcast,
        () => mcpServer(backend, 'modern', this.#options.service.environment.version),
      )
    }
    const streamOnly = takesOnly(request, 'text/event-stream')
    const parsedBody = takesOnly(request, 'application/json') ? withoutProgress(body) : body
    return (streamOnly ? this.#modernStreaming : this.#modern).fetch(request, { parsedBody, authInfo })
  }

  async #postLegacy(
    { request, caller, session, backend }: Exchanged,
    message: JSONRPCRequest,
    context: RequestContext,
  ) {
    const server = mcpServer(backend, 'legacy', this.#options.service.environment.version)
    server.onerror = error => this.#options.onFault(Object.assign(error, { request_id: context.requestId }))
    const isInitialize = message.method === 'initialize'
    const headers: Record<string, string> = isInitialize
      ? { [sessionHeader]: await this.#sessions.issue(caller.id) }
      : {}
    const wantsProgress = message.params?._meta?.progressToken !== undefined && !takesOnly(request, 'application/json')
    const exchange = new Exchange(message, {
      streams: wantsProgress || takesOnly(request, 'text/event-stream'),
      headers,
    })
    await server.connect(exchange)
    if (session === undefined) return exchange.run()
    const place = inFlightKey(session, message.id)
    this.#inFlight.set(place, exchange)
    const closed = server.onclose
    server.onclose = () => {
      this.#inFlight.delete(place)
      closed?.()
    }
    return exchange.run()
  }

  #cancelled(
    session: Session | undefined,
    { method, params }: { readonly method: string; readonly params?: object | undefined },
  ): void {
    if (session === undefined || method !== 'notifications/cancelled') return
    const { requestId, reason } = (params ?? {}) as { requestId?: string | number; reason?: string }
    if (requestId !== undefined) this.#inFlight.get(inFlightKey(session, requestId))?.cancel(reason)
  }

  async #get(request: Request, caller: Caller, key: string): Promise<Response> {
    const session = await this.#sessionOf(request, caller)
    if (session instanceof Response) return session
    const view = this.#viewOf(request, null)
    if (view instanceof Response) return view
    const uris = new Set(await this.#sessions.subscriptions(session))
    let leave = () => {}
    const stream = new EventStream(() => {
      leave()
      if (this.#sessionStreams.get(session.hash)?.stream === stream) this.#sessionStreams.delete(session.hash)
    })
    this.#sessionStreams.get(session.hash)?.stream.close()
    this.#sessionStreams.set(session.hash, { stream, uris })
    leave = await this.#broadcast.open(
      {
        key,
        agentId: caller.id,
        boardId: view.boardId,
        uris,
        send: notice => stream.send(notificationOf(notice)),
        close: () => stream.close(),
      },
      caller,
    )
    request.signal.addEventListener('abort', () => stream.close(), { once: true })
    return stream.response
  }

  async #delete(request: Request, caller: Caller): Promise<Response> {
    const session = await this.#sessionOf(request, caller)
    if (session instanceof Response) return session
    await this.#sessions.terminate(session)
    this.#sessionStreams.get(session.hash)?.stream.close()
    return new Response(null, { status: 204 })
  }

  /** The session of a GET or DELETE, which mean nothing without one. */
  async #sessionOf(request: Request, caller: Caller): Promise<Session | Response> {
    const token = request.headers.get(sessionHeader)
    if (token === null) return methodNotAllowed()
    const session = await this.#sessions.find(token, caller.id)
    return session ?? rpcError(404, -32600, 'session not found; initialize again')
  }
}

/** The text of a body, its length already bounded where it was said; undefined when it is too large. */
async function textOf(request: Request): Promise<string | undefined> {
  if (request.headers.has('content-length')) return request.text()
  const read = await readRequestBody(request, maxBodyBytes)
  return read.tooLarge ? undefined : read.text
}

const inFlightKey = (session: Session, id: string | number) => `${session.hash} ${typeof id} ${id}`

const isLegacyVersion = (version: string) => (protocolVersions.legacy as readonly string[]).includes(version.trim())

/** Hands the backend of a request to the server that the library makes for it. */
const authInfoOf = (backend: Backend, caller: Caller): AuthInfo => ({
  token: '',
  clientId: caller.id,
  scopes: [],
  extra: { backend },
})

const backendOf = (authInfo: AuthInfo | undefined): Backend => authInfo?.extra?.backend as Backend

/** Whether a caller takes nothing but one type; none named, or any, takes both. */
function takesOnly(request: Request, type: 'application/json' | 'text/event-stream'): boolean {
  const accept = request.headers.get('accept') ?? ''
  const takes = (name: string) => accept.includes(name)
  const other = type === 'application/json' ? 'text/event-stream' : 'application/json'
  return takes(type) && !takes(other) && !takes('*/*')
}

/** A message whose caller cannot be told of progress. */
function withoutProgress(body: object): object {
  const { params } = body as { params?: { _meta?: Record<string, unknown> } }
  if (params?._meta?.progressToken === undefined) return body
  const { progressToken: _, ...meta } = params._meta
  return { ...body, params: { ...params, _meta: meta } }
}

/** The session that subscriptions hang on. */
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

const tooLarge = () =>
  refusal(new DomainError('PAYLOAD_TOO_LARGE', 'A message has at most 8 MiB.', { max_bytes: maxBodyBytes }))

const tooManyRequests = (retry_after_ms: number) =>
  refusal(new DomainError('RATE_LIMITED', 'This key calls too often. Wait and call again.', { retry_after_ms }), {
    'retry-after': String(Math.ceil(retry_after_ms / 1000)),
  })

const preflight = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers':
    'authorization, content-type, accept, x-api-key, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id, x-mcp-toolsets, x-mcp-tools, x-mcp-exclude-tools, x-mcp-readonly, x-mcp-board, x-mcp-schemas',
  'access-control-max-age': '600',
}

const corsHeaders = (origin: string): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after, x-request-id',
  vary: 'Origin',
})
