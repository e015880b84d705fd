import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AnyOperation, issueItem, parseInput, registry } from '@specboard/contract'
import {
  type Answer,
  answersRepresentation,
  type Caller,
  DigestedFile,
  DomainError,
  etagOf,
  type FileAnswer,
  type Following,
  type IncomingFile,
  type Service,
} from '@specboard/domain'
import type { Logger } from 'pino'
import { hashOf, readBody } from './body.ts'
import { docsRoutes } from './docs.ts'
import { eventStreamHeaders, sendEvents } from './event-stream.ts'
import { Exchange, json, securityHeaders } from './exchange.ts'
import { checkHost, type HostRule } from './hosts.ts'
import { MalformedMultipart } from './multipart.ts'
import { readParams, readQuery } from './query.ts'
import { internalError, invalidInput, methodNotAllowed, type Refusal, refusalOf } from './refusals.ts'
import { Routes } from './routes.ts'
import { malformed, readUpload } from './upload.ts'

/** What the HTTP adapter is made of. */
export interface AppOptions {
  readonly service: Service
  readonly log: Logger
  readonly hosts: HostRule
}

/** What a handler of web requests is told of the request, and tells of it. */
export interface WebContext {
  readonly requestId: string
  readonly key: string | undefined
  /** Takes the agent of the request, for the log. */
  readonly seen: (agentId: string) => void
}

/**
 * The HTTP application: the routes of the registry in a loop, one error mapper, one handler; the docs, and
 * whatever is mounted, behind the same guards.
 */
export class HttpApp {
  readonly #service: Service
  readonly #log: Logger
  readonly #hosts: HostRule
  readonly #routes = new Routes()

  constructor({ service, log, hosts }: AppOptions) {
    this.#service = service
    this.#log = log
    this.#hosts = hosts
    for (const operation of registry)
      this.#routes.add(operation.method, operation.path, (exchange, params) =>
        handle(service, operation, exchange, params),
      )
    for (const [path, operations] of Map.groupBy(registry, operation => operation.path)) {
      const methods = operations.map(({ method }) => method)
      this.#routes.addRest(path, async exchange => {
        await this.#checkKey(exchange)
        throw methodNotAllowed(methods)
      })
    }
    docsRoutes(this.#routes, service.environment.version)
  }

  /** Routes all methods of a path to a handler of web requests. */
  mountWeb(path: string, fetch: (request: Request, context: WebContext) => Promise<Response>): void {
    let loading: Promise<typeof import('@hono/node-server')> | undefined
    this.#routes.addRest(path, async exchange => {
      loading ??= import('@hono/node-server')
      const { getRequestListener } = await loading
      const { requestId, key } = exchange
      const context = { requestId, key, seen: seenIn(exchange) }
      const answer = getRequestListener(async request => completed(await fetch(request, context), requestId))
      await answer(exchange.request, exchange.response)
    })
  }

  /** Routes files that come with a ticket instead of a key; whoever takes them knows whose they are. */
  mountUploads(
    path: string,
    take: (ticket: string, file: IncomingFile, seen: (agentId: string) => void) => Promise<Answer>,
  ): void {
    this.#routes.add('POST', path, async exchange => {
      const upload = await readUpload(exchange)
      if (!upload.ok) return exchange.refuse(invalidInput(upload.items))
      const { status, body } = await take(exchange.query.get('ticket') ?? '', upload.file, seenIn(exchange))
      return exchange.send({ status, headers: { ...json, 'cache-control': 'no-store' }, body: JSON.stringify(body) })
    })
  }

  /** Answers a request that Node's server took. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now()
    const exchange = new Exchange(request, response)
    try {
      await this.#route(exchange)
    } catch (error) {
      await this.#refuse(exchange, error)
    }
    if (!this.#log.isLevelEnabled('info')) return
    this.#log.info({
      request_id: exchange.requestId,
      agent: exchange.agentId,
      method: request.method,
      path: exchange.path,
      status: response.statusCode,
      ms: Math.round((performance.now() - started) * 100) / 100,
    })
  }

  async #route(exchange: Exchange): Promise<void> {
    const { request, path } = exchange
    checkHost(this.#hosts, { host: exchange.header('host'), origin: exchange.header('origin') })
    const found = this.#routes.find(request.method ?? 'GET', path)
    if (found !== undefined) return found.handler(exchange, found.params)
    await this.#checkKey(exchange)
    throw new DomainError('NOT_FOUND', 'No operation has this path. /openapi.json lists all of them.', {
      entity_type: 'path',
      entity_id: path,
    })
  }

  /** Nobody without a key learns which paths of the API there are. */
  async #checkKey({ path, key }: Exchange): Promise<void> {
    if (path.startsWith('/api/v1')) await this.#service.authenticate(key)
  }

  async #refuse(exchange: Exchange, error: unknown): Promise<void> {
    const { request, response } = exchange
    // Who went away is told nothing.
    if (response.destroyed || (request.destroyed && !request.complete)) return exchange.cut()
    const refusal = this.#refusalOf(exchange, error)
    if (response.headersSent) exchange.cut()
    else await exchange.refuse(refusal)
  }

  #refusalOf({ requestId, path }: Exchange, error: unknown): Refusal {
    if (error instanceof DomainError) return refusalOf(error)
    if (error instanceof MalformedMultipart) return invalidInput([malformed(error)])
    this.#log.error({ request_id: requestId, err: error, path })
    return internalError(requestId)
  }
}

const seenIn = (exchange: Exchange) => (agentId: string) => {
  exchange.agentId = agentId
}

/** Gives an answer that was made elsewhere the headers that it lacks. */
function completed(response: Response, requestId: string): Response {
  response.headers.set('x-request-id', requestId)
  for (const [name, value] of Object.entries(securityHeaders))
    if (!response.headers.has(name)) response.headers.set(name, value)
  return response
}

/** One call of an operation: 401, 422, then the service. */
async function handle(
  service: Service,
  operation: AnyOperation,
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
): Promise<void> {
  const isPublic = operation.permission === 'public'
  const caller: Caller | null = isPublic ? null : await service.authenticate(exchange.key)
  exchange.agentId = caller?.id
  const body = await readBody(operation, exchange)
  const raw = {
    params: readParams(operation, params),
    query: readQuery(operation, exchange),
    body: body.ok ? body.value : undefined,
  }
  const parsed = parseInput(operation, raw)
  const upload = operation.kind === 'upload' ? await readUpload(exchange) : undefined
  const faults = [
    ...(body.ok ? [] : body.items),
    ...(upload === undefined || upload.ok ? [] : upload.items),
    ...(parsed.ok ? [] : parsed.items.filter(item => body.ok || item.loc[0] !== 'body')),
  ]
  const idempotencyKey = operation.method === 'POST' ? exchange.header('idempotency-key') : undefined
  if (idempotencyKey !== undefined && (idempotencyKey === '' || idempotencyKey.length > 255)) {
    faults.push(issueItem(['header', 'Idempotency-Key'], 'value_error', 'must have 1 to 255 characters'))
  }
  if (faults.length > 0 || !parsed.ok) return exchange.refuse(invalidInput(faults))
  const came = upload?.ok ? upload.file : undefined
  const digested = came === undefined || idempotencyKey === undefined ? undefined : new DigestedFile(came)
  const answer = await service.perform({
    operation,
    input: { ...parsed.input, ...(came !== undefined && { file: digested ?? came }) },
    caller,
    ifMatch: tags(exchange.header('if-match')),
    idempotency:
      idempotencyKey === undefined
        ? undefined
        : { key: idempotencyKey, path: exchange.path, bodyHash: hashOf(raw.body), file: digested },
    gone: () => exchange.signal,
    following: followingOf(exchange),
  })
  return respond(operation, answer, exchange)
}

/** An event stream is taken as one unless JSON alone is asked for. */
function followingOf(exchange: Exchange): Following {
  const accept = exchange.header('accept') ?? ''
  const live = !accept.includes('application/json') || accept.includes('text/event-stream')
  return { live, lastEventId: exchange.header('last-event-id') }
}

const tags = (header: string | undefined): string[] | undefined =>
  header?.split(',').map(tag => tag.trim().replace(/^W\//, ''))

async function respond(operation: AnyOperation, answer: Answer, exchange: Exchange): Promise<void> {
  const { status, body, total, file, stream } = answer
  if (file !== undefined) return sendFile(exchange, file)
  if (stream !== undefined) {
    exchange.begin(200, eventStreamHeaders).flushHeaders()
    return sendEvents(exchange.response, stream, exchange.signal, () => exchange.cut())
  }
  if (body === undefined) return exchange.send({ status, headers: {}, body: null })
  const text = JSON.stringify(body)
  const headers: Record<string, string> = {
    ...json,
    'cache-control': operation.permission === 'public' ? 'no-store' : 'private, no-cache',
  }
  if (total !== undefined) headers['x-total-count'] = String(total)
  if (answersRepresentation(operation)) {
    const etag = etagOf(text)
    headers.etag = etag
    const known = tags(exchange.header('if-none-match'))
    if (operation.method === 'GET' && (known?.includes(etag) || known?.includes('*')))
      return exchange.send({ status: 304, headers, body: null })
  }
  return exchange.send({ status, headers, body: text })
}

function sendFile(exchange: Exchange, { headers, mimeType, size, content }: FileAnswer): Promise<void> {
  const length = size !== undefined && { 'content-length': String(size) }
  return exchange.send({
    status: 200,
    headers: { 'content-type': mimeType, ...length, ...headers },
    body: content,
  })
}
