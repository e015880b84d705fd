import { randomUUID } from 'node:crypto'
import { type AnyOperation, issueItem, parseInput, registry } from '@specboard/contract'
import {
  type Answer,
  answersRepresentation,
  type Caller,
  DomainError,
  etagOf,
  type FileAnswer,
  type Following,
  type Service,
} from '@specboard/domain'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import { hashOf, readBody } from './body.ts'
import { docsRoutes } from './docs.ts'
import { eventStream } from './event-stream.ts'
import { checkHost, type HostRule } from './hosts.ts'
import { readParams, readQuery } from './query.ts'
import { internalError, invalidInput, methodNotAllowed, type Refusal, refusalOf } from './refusals.ts'

/** What the HTTP adapter is made of. */
export interface AppOptions {
  readonly service: Service
  readonly log: Logger
  readonly hosts: HostRule
  /** Further routes that share the guards, such as `/mcp`. */
  readonly mount?: (app: HttpApp) => void
}

/** What a request carries through the middlewares. */
export interface Variables {
  Variables: { requestId: string; agentId: string | undefined }
}

/** The application: the routes of the registry, the docs, and whatever is mounted. */
export type HttpApp = Hono<Variables>

/** Headers of every answer; the docs pages bring a policy of their own. */
const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
}

/** Makes the HTTP application: routes in a loop over the registry, one error mapper, one handler. */
export function httpApp({ service, log, hosts, mount }: AppOptions): HttpApp {
  const app: HttpApp = new Hono<Variables>()

  app.use(async (c, next) => {
    const started = performance.now()
    const given = c.req.header('x-request-id')
    const requestId = given !== undefined && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID()
    c.set('requestId', requestId)
    await next()
    c.header('x-request-id', requestId)
    for (const [name, value] of Object.entries(securityHeaders)) if (!c.res.headers.has(name)) c.header(name, value)
    log.info({
      request_id: requestId,
      agent: c.get('agentId'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 100) / 100,
    })
  })

  app.use(async (c, next) => {
    checkHost(hosts, { host: c.req.header('host'), origin: c.req.header('origin') })
    await next()
  })

  app.onError((error, c) => {
    if (error instanceof DomainError) return refuse(refusalOf(error))
    const requestId = c.get('requestId')
    log.error({ request_id: requestId, err: error, path: c.req.path })
    return refuse(internalError(requestId))
  })

  for (const operation of registry)
    app.on(operation.method, honoPath(operation.path), async c =>
      handle(service, operation, c.req.raw, c.req.param(), id => c.set('agentId', id)),
    )
  for (const [path, operations] of Map.groupBy(registry, operation => honoPath(operation.path))) {
    const methods = operations.map(({ method }) => method)
    app.all(path, async c => {
      if (path.startsWith('/api/v1')) await service.authenticate(keyOf(c.req.raw))
      throw methodNotAllowed(methods)
    })
  }
  docsRoutes(app, service.environment.version)
  mount?.(app)
  app.notFound(async c => {
    if (c.req.path.startsWith('/api/v1')) await service.authenticate(keyOf(c.req.raw))
    throw new DomainError('NOT_FOUND', 'No operation has this path. /openapi.json lists all of them.', {
      entity_type: 'path',
      entity_id: c.req.path,
    })
  })
  return app
}

const honoPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

const refuse = ({ status, headers, body }: Refusal): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

/** The key of a request: the first of the three forms that is present (access 1). */
export function keyOf(request: Request): string | undefined {
  const authorization = /^bearer(?:\s+(.*))?$/i.exec(request.headers.get('authorization') ?? '')
  if (authorization !== null) return authorization[1]?.trim() ?? ''
  return request.headers.get('x-api-key') ?? new URL(request.url).searchParams.get('api_key') ?? undefined
}

/** One call of an operation: 401, 422, then the service. */
async function handle(
  service: Service,
  operation: AnyOperation,
  request: Request,
  params: Readonly<Record<string, string>>,
  seen: (agentId: string) => void,
): Promise<Response> {
  const isPublic = operation.permission === 'public'
  const caller: Caller | null = isPublic ? null : await service.authenticate(keyOf(request))
  if (caller !== null) seen(caller.id)
  const url = new URL(request.url)
  const body = await readBody(operation, request)
  const raw = {
    params: readParams(operation, params),
    query: readQuery(operation, url.searchParams),
    body: body.ok ? body.value : undefined,
  }
  const parsed = parseInput(operation, raw)
  const faults = [
    ...(body.ok ? [] : body.items),
    ...(parsed.ok ? [] : parsed.items.filter(item => body.ok || item.loc[0] !== 'body')),
  ]
  const idempotencyKey = request.headers.get('idempotency-key')
  if (idempotencyKey !== null && (idempotencyKey === '' || idempotencyKey.length > 255)) {
    faults.push(issueItem(['header', 'Idempotency-Key'], 'value_error', 'must have 1 to 255 characters'))
  }
  if (faults.length > 0 || !parsed.ok) return refuse(invalidInput(faults))
  const answer = await service.perform({
    operation,
    input: parsed.input as never,
    caller,
    ifMatch: tags(request.headers.get('if-match')),
    idempotency:
      idempotencyKey === null ? undefined : { key: idempotencyKey, path: url.pathname, bodyHash: hashOf(raw.body) },
    signal: request.signal,
    following: followingOf(request),
  })
  return respond(operation, answer, request)
}

/** An event stream is taken as one unless JSON alone is asked for. */
function followingOf({ headers }: Request): Following {
  const accept = headers.get('accept') ?? ''
  const live = !accept.includes('application/json') || accept.includes('text/event-stream')
  return { live, lastEventId: headers.get('last-event-id') ?? undefined }
}

const tags = (header: string | null): string[] | undefined =>
  header?.split(',').map(tag => tag.trim().replace(/^W\//, ''))

function respond(operation: AnyOperation, answer: Answer, request: Request): Response {
  const { status, body, total, file, stream } = answer
  if (file !== undefined) return fileResponse(file)
  if (stream !== undefined) return eventStream(stream, request.signal)
  if (body === undefined) return new Response(null, { status })
  const text = JSON.stringify(body)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'cache-control': operation.permission === 'public' ? 'no-store' : 'private, no-cache',
  }
  if (total !== undefined) headers['x-total-count'] = String(total)
  if (answersRepresentation(operation)) {
    const etag = etagOf(text)
    headers.etag = etag
    const known = tags(request.headers.get('if-none-match'))
    if (operation.method === 'GET' && (known?.includes(etag) || known?.includes('*')))
      return new Response(null, { status: 304, headers })
  }
  return new Response(text, { status, headers })
}

/** What a Response takes as its body. */
type BodyOf = ConstructorParameters<typeof Response>[0]

function fileResponse({ headers, mimeType, size, content }: FileAnswer): Response {
  const body =
    typeof content === 'string' || content instanceof Uint8Array
      ? content
      : ReadableStream.from(content as AsyncIterable<Uint8Array>)
  return new Response(body as BodyOf, {
    status: 200,
    headers: { 'content-type': mimeType, ...(size !== undefined && { 'content-length': String(size) }), ...headers },
  })
}
