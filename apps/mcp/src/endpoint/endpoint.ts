import type { RequestId } from '@modelcontextprotocol/server'
import { maxBodyBytes } from '@specboard/contract'
import {
  type Answer,
  type Caller,
  DomainError,
  holdsNothing,
  type McpCaller,
  maxUnauthorizedBytes,
  refuseCi,
  type Service,
  type Session,
  storedKey,
  tooManyCalls,
} from '@specboard/domain'
import type { TokenBuckets } from '@specboard/http'
import type { Backend } from '../backend.ts'
import { isObject } from '../calls/lean-value.ts'
import type { IssueTicket } from '../calls/upload-ticket.ts'
import { AgentBackend, type AgentBackendOptions, type CallRecord } from '../server/agent-backend.ts'
import { protocolVersions } from '../server/protocol-versions.ts'
import { readsOnly, type View, ViewError, viewOf } from '../tools/view.ts'
import { Broadcast, type Listener } from './broadcast.ts'
import { challengeOf, insufficientScope, tokenOf } from './challenge.ts'
import { corsHeaders, preflight } from './cors.ts'
import { LegacyServing } from './legacy.ts'
import { isModern, type Message, messageInPieces, messageOf } from './message.ts'
import { ModernServing } from './modern.ts'
import { publicOrigin } from './public-origin.ts'
import { methodNotAllowed, refusal, rpcError } from './refusals.ts'
import { type TicketUpload, UploadTickets } from './upload-tickets.ts'
import { viewRequestOf } from './view-request.ts'

/** What the MCP endpoint needs. */
export interface EndpointOptions {
  readonly service: Service
  /** Setting MCP_DEFAULT_TOOLSETS. */
  readonly defaultToolsets: string
  /**
   * Setting MCP_CONFIRM: whether the person at a client confirms destructive calls, unless the view or connection says
   * otherwise (people 4).
   */
  readonly confirms: boolean
  /** The calls that each key may make (mcp 15). */
  readonly calls: TokenBuckets
  readonly onFault: (error: unknown) => void
  readonly onCall: (record: CallRecord) => void
  /** Whether pages may read the answers: only requests from allowed origins get here. */
  readonly cors: boolean
  /** The path that accepts files of upload tickets; undefined when nothing listens, so that no tickets are issued. */
  readonly uploadPath: string | undefined
  /** The path below which the service is reached; by default the root of the host. */
  readonly basePath?: string | undefined
  /** The origin at which clients are authorized (people 3); undefined if they are not. */
  readonly authorizesAt?: string | undefined
}

/** Context of one request. */
export interface RequestContext {
  readonly requestId: string
  /** The key sent with it, in the forms and with the precedence of the API. */
  readonly key: string | undefined
  /** Called with the agent's id, for the access log. */
  readonly seen: (agentId: string) => void
  /**
   * Receives the body and passes its bytes to `use`; until `use` ends, they count towards the limit on waiting bodies.
   * @throws DomainError PAYLOAD_TOO_LARGE, BUSY
   */
  readonly withBody: <Value>(maxBytes: number, use: (bytes: Uint8Array) => Promise<Value>) => Promise<Value>
}

/** Creates the backend that answers one request. */
export type MakeBackend = (options: AgentBackendOptions) => Backend

/** A request with a valid key. */
interface AdmittedRequest {
  readonly request: Request
  readonly caller: Caller
  /** Its connection, if it came through one. */
  readonly connection: McpCaller['connection']
  readonly key: string
  /** Milliseconds until the key may call again; 0 when it may now. */
  readonly retryAfterMs: number
  readonly requestId: string
  readonly withBody: RequestContext['withBody']
}

/** The endpoint `/mcp`: checks every request, then passes it to its protocol generation (mcp 2). */
export class McpEndpoint {
  readonly #options: EndpointOptions
  readonly #makeBackend: MakeBackend
  readonly #broadcast: Broadcast
  readonly #modern: ModernServing
  readonly #legacy: LegacyServing
  readonly #tickets: UploadTickets

  /** @param makeBackend creates the backend of a request; tests of the protocol pass their own */
  constructor(options: EndpointOptions, makeBackend: MakeBackend = backendOptions => new AgentBackend(backendOptions)) {
    const { service, onFault } = options
    this.#options = options
    this.#makeBackend = makeBackend
    this.#broadcast = new Broadcast(service, onFault)
    this.#modern = new ModernServing(service, this.#broadcast)
    this.#legacy = new LegacyServing(service, this.#broadcast, onFault)
    this.#tickets = new UploadTickets(service)
  }

  /** Answers a request whose Host and Origin have been checked. */
  async fetch(request: Request, context: RequestContext): Promise<Response> {
    const isPreflight = request.method === 'OPTIONS'
    const response = isPreflight
      ? new Response(null, { status: 204, headers: preflight })
      : await this.#admit(request, context).catch(error => refusedAnswer(error, request, this.#options.authorizesAt))
    const origin = request.headers.get('origin')
    if (origin !== null && this.#options.cors)
      for (const [name, value] of Object.entries(corsHeaders(origin))) response.headers.set(name, value)
    return response
  }

  /**
   * Uploads the file of an upload ticket.
   * @throws DomainError NOT_FOUND for an invalid ticket, the errors of the upload, and whatever `redeeming` throws
   */
  upload(token: string, redeeming: TicketUpload): Promise<Answer> {
    return this.#tickets.redeem(token, redeeming)
  }

  /** Ends every open stream with its closing message. */
  async close(): Promise<void> {
    this.#broadcast.close()
    this.#legacy.close()
    await this.#modern.close()
  }

  /**
   * Checks size, key, rate and method, in this order (mcp 2).
   * @throws DomainError UNAUTHORIZED
   */
  async #admit(request: Request, { key, requestId, seen, withBody }: RequestContext): Promise<Response> {
    if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) return tooLarge()
    const { caller, connection } = await this.#callerOf(request, key)
    seen(caller.id)
    const retryAfterMs = this.#options.calls.take(caller.id)
    const admitted = { request, caller, connection, key: key!, requestId, withBody, retryAfterMs }
    if (request.method === 'POST') return this.#post(admitted)
    if (admitted.retryAfterMs > 0) return tooManyRequests(admitted.retryAfterMs)
    if (request.method === 'DELETE') return this.#legacy.end(request, caller.id)
    if (request.method !== 'GET') return methodNotAllowed()
    const view = await this.#viewOf(admitted, null)
    return view instanceof Response ? view : this.#legacy.open(request, listenerOf(admitted, view))
  }

  /** Checks content type, JSON, message, protocol headers and view, in this order; then passes the message on. */
  async #post(admitted: AdmittedRequest): Promise<Response> {
    const { request, caller, retryAfterMs } = admitted
    const isJson = /^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '')
    const startedAt = performance.now()
    const max = holdsNothing(caller.base) ? maxUnauthorizedBytes : maxBodyBytes
    const incoming = isJson ? await admitted.withBody(max, messageInPieces) : messageOf('')
    // Each read and unit of work checks the caller again; this covers requests that need neither (walls 4).
    if (performance.now() - startedAt > slowBodyMs) await this.#options.service.confirm(caller)
    if (retryAfterMs > 0 && !isToolCall(incoming)) return tooManyRequests(retryAfterMs)
    if (!isJson) return refusal(new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the message as application/json.'))
    if (incoming instanceof Response) return incoming
    const id = incoming.kind === 'request' ? incoming.message.id : null
    const modern = incoming.kind !== 'response' && isModern(incoming.message, request.headers.get(versionHeader))
    const opens = incoming.kind === 'request' && incoming.message.method === 'initialize'
    const session = modern || opens ? undefined : await this.#legacySession(request, caller.id, id)
    if (session instanceof Response) return session
    const view = await this.#viewOf(admitted, id)
    if (view instanceof Response) return view
    if (incoming.kind === 'response') return accepted()
    const { authorizesAt } = this.#options
    if (admitted.connection?.isReadOnly === true && authorizesAt !== undefined && isWriting(incoming.message))
      return refusal(readOnly(), { 'www-authenticate': insufficientScope(request, authorizesAt) })
    const backend = this.#backendFor(admitted, view, session)
    if (modern) return this.#modern.post(request, incoming.message, listenerOf(admitted, view), backend)
    if (incoming.kind === 'request') return this.#legacy.post(request, incoming.message, session, caller.id, backend)
    this.#legacy.notified(session, incoming.message)
    return accepted()
  }

  /**
   * The caller: by a key in any of its forms, or by the access token of a connection, only as a bearer.
   * @throws DomainError UNAUTHORIZED, or FORBIDDEN for the session of a CI run
   */
  async #callerOf(request: Request, key: string | undefined): Promise<McpCaller> {
    const { service, authorizesAt } = this.#options
    const isToken = authorizesAt !== undefined && tokenOf(request) !== undefined
    if (isToken) return service.authenticateMcp(key)
    const caller = await service.authenticate(key)
    refuseCi(caller)
    return { caller }
  }

  /** The session of a request of the handshake generation, or a refusal of its protocol version. */
  #legacySession(
    request: Request,
    agentId: string,
    id: RequestId | null,
  ): Promise<Session | undefined | Response> | Response {
    const version = request.headers.get(versionHeader)
    const { legacy } = protocolVersions
    if (version !== null && !legacy.some(candidate => candidate === version.trim()))
      return rpcError(400, -32600, `Unsupported protocol version ${version}.`, id, { supported: legacy })
    return this.#legacy.sessionOf(request, agentId, id)
  }

  /** The view that a request asks for; its board may be given by key (work 1). */
  async #viewOf({ request, caller, connection }: AdmittedRequest, id: RequestId | null): Promise<View | Response> {
    const { service, defaultToolsets } = this.#options
    try {
      const viewRequest = viewRequestOf(new URL(request.url).searchParams, request.headers)
      // A connection allowed only to read stays read-only, whatever the address says (people 3.5).
      const allowed = connection?.isReadOnly === true ? { ...viewRequest, readonly: '1' } : viewRequest
      const view = viewOf(allowed, defaultToolsets)
      if (view.boardId === undefined) return view
      return { ...view, boardId: await service.idOf(caller, 'board', view.boardId) }
    } catch (error) {
      if (error instanceof ViewError) return rpcError(400, -32602, error.message, id)
      throw error
    }
  }

  #backendFor(
    { request, caller, connection, key, retryAfterMs, requestId }: AdmittedRequest,
    view: View,
    session: Session | undefined,
  ): Backend {
    const { service, uploadPath, basePath = '', confirms, onFault, onCall } = this.#options
    const origin = publicOrigin(request) + basePath
    const issueTicket: IssueTicket = async claim => {
      const { token, expiresAt } = await this.#tickets.issue(claim, caller.proof?.keyHash ?? storedKey(key).key_hash)
      return { url: `${origin}${uploadPath}?ticket=${token}`, expiresAt }
    }
    return this.#makeBackend({
      service,
      caller,
      view,
      confirms: view.confirms ?? connection?.confirms ?? confirms,
      requestId,
      retryAfterMs,
      origin,
      issueTicket: uploadPath === undefined ? undefined : issueTicket,
      onFault,
      onCall,
      subscribe: uri => this.#legacy.subscribe(session, uri),
      unsubscribe: uri => this.#legacy.unsubscribe(session, uri),
    })
  }
}

/** If receiving the body takes longer than this, the caller is checked again, ms. */
const slowBodyMs = 20

/** @throws anything that is not a refusal of the key or the size */
function refusedAnswer(error: unknown, request: Request, authorizesAt: string | undefined): Response {
  if (!(error instanceof DomainError)) throw error
  if (error.code === 'PAYLOAD_TOO_LARGE') return tooLarge(Number(error.extra.max_bytes))
  if (error.status !== 401) throw error
  return refusal(error, { 'www-authenticate': challengeOf(request, authorizesAt) })
}

const versionHeader = 'mcp-protocol-version'

const listenerOf = ({ key, caller }: AdmittedRequest, { boardId }: View): Listener => ({ key, caller, boardId })

const accepted = () => new Response(null, { status: 202 })

/** A request that calls a tool. */
type ToolCall = Extract<Message, { kind: 'request' }>

const isToolCall = (incoming: Message | Response): incoming is ToolCall =>
  !(incoming instanceof Response) && incoming.kind === 'request' && incoming.message.method === 'tools/call'

/** Whether a message calls a tool that writes, including through a tool that calls others. */
function isWriting({ method, params }: { readonly method: string; readonly params?: unknown }): boolean {
  if (method !== 'tools/call') return false
  const { name, arguments: args } = (params ?? {}) as CalledTool
  if (name === 'call_operation') return typeof args?.name === 'string' && !readsOnly(args.name)
  if (name !== 'run_operations') return typeof name === 'string' && !readsOnly(name)
  const calls: readonly unknown[] = Array.isArray(args?.calls) ? args.calls : []
  return calls.some(call => isObject(call) && typeof call.name === 'string' && !readsOnly(call.name))
}

interface CalledTool {
  readonly name?: unknown
  readonly arguments?: Readonly<Record<string, unknown>>
}

const readOnly = () =>
  new DomainError('FORBIDDEN', 'This connection may only read: its person did not allow it to change anything.')

const tooLarge = (maxBytes: number = maxBodyBytes) => {
  const says =
    maxBytes === maxBodyBytes
      ? 'A message may have at most 8 MiB.'
      : `A key that holds no permission may send messages of at most ${maxBytes >> 10} KiB.`
  return refusal(new DomainError('PAYLOAD_TOO_LARGE', says, { max_bytes: maxBytes }))
}

const tooManyRequests = (waitMs: number) =>
  refusal(tooManyCalls(waitMs), { 'retry-after': String(Math.ceil(waitMs / 1000)) })
