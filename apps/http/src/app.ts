import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
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
import { Hono } from 'hono'
import type { Logger } from 'pino'
import { hashOf, readBody } from './body.ts'
import { docsRoutes } from './docs.ts'
import { eventStream } from './event-stream.ts'
import { checkHost, type HostRule } from './hosts.ts'
import { Incoming } from './incoming.ts'
import { MalformedMultipart } from './multipart.ts'
import { readParams, readQuery } from './query.ts'
import { internalError, invalidInput, methodNotAllowed, type Refusal, refusalOf } from './refusals.ts'
import { type BodyOf, completed, reply } from './reply.ts'
import { malformed, readUpload } from './upload.ts'

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
  Bindings: HttpBindings
  Variables: { requestId: string; incoming: Incoming; agentId: string | undefined }
}

/** The application: the routes of the registry, the docs, and whatever is mounted. */
export type HttpApp = Hono<Variables>

/** Makes the HTTP application: routes in a loop over the registry, one error mapper, one handler. */
export function httpApp({ service, log, hosts, mount }: AppOptions): HttpApp {
  const app: HttpApp = new Hono<Variables>()

  app.use(async (c, next) => {
    const started = performance.now()
    const incoming = new Incoming(c)
    const given = incoming.header('x-request-id')
    const requestId = given !== undefined && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID()
    c.set('requestId', requestId)
    c.set('incoming', incoming)
    await next()
    completed(c.res, requestId)
    if (!log.isLevelEnabled('info')) return
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
    const incoming = c.get('incoming')
    checkHost(hosts, { host: incoming.header('host'), origin: incoming.header('origin') })
    await next()
  })

  app.onError((error, c) => {
    const requestId = c.get('requestId')
    if (error instanceof DomainError) return refuse(requestId, refusalOf(error))
    if (error instanceof MalformedMultipart) return refuse(requestId, invalidInput([malformed(error)]))
    log.error({ request_id: requestId, err: error, path: c.req.path })
    return refuse(requestId, internalError(requestId))
  })

  for (const operation of registry)
    app.on(operation.method, honoPath(operation.path), async c =>
      handle(
        service,
        operation,
        { incoming: c.get('incoming'), requestId: c.get('requestId'), params: c.req.param() },
        id => c.set('agentId', id),
      ),
    )
  for (const [path, operations] of Map.groupBy(registry, operation => honoPath(operation.path))) {
    const methods = operations.map(({ method }) => method)
    app.all(path, async c => {
      if (path.startsWith('/api/v1')) await service.authenticate(c.get('incoming').key)
      throw methodNotAllowed(methods)
    })
  }
  docsRoutes(app, service.environment.version)
  mount?.(app)
  app.notFound(async c => {
    if (c.req.path.startsWith('/api/v1')) await service.authenticate(c.get('incoming').key)
    throw new DomainError('NOT_FOUND', 'No operation has this path. /openapi.json lists all of them.', {
      entity_type: 'path',
      entity_id: c.req.path,
    })
  })
  return app
}

/** Routes files that come with a ticket instead of a key; whoever takes them knows whose they are. */
export function routeUploads(
  app: HttpApp,
  path: string,
  take: (ticket: string, file: IncomingFile, seen: (agentId: string) => void) => Promise<Answer>,
): void {
  app.post(path, async c => {
    const requestId = c.get('requestId')
    const upload = await readUpload(c.get('incoming'))
    if (!upload.ok) return refuse(requestId, invalidInput(upload.items))
    const { status, body } = await take(c.req.query('ticket') ?? '', upload.file, id => c.set('agentId', id))
    return reply(requestId, status, { ...json, 'cache-control': 'no-store' }, JSON.stringify(body))
  })
}

const honoPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

const json = { 'content-type': 'application/json' }

const refuse = (requestId: string, { status, headers, body }: Refusal): Response =>
  reply(requestId, status, { ...json, ...headers }, JSON.stringify(body))

/** A request that an operation's route took. */
interface Routed {
  readonly incoming: Incoming
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
}

/** One call of an operation: 401, 422, then the service. */
async function handle(
  service: Service,
  operation: AnyOperation,
  routed: Routed,
  seen: (agentId: string) => void,
): Promise<Response> {
  const { incoming, requestId } = routed
  const isPublic = operation.permission === 'public'
  const caller: Caller | null = isPublic ? null : await service.authenticate(incoming.key)
  if (caller !== null) seen(caller.id)
  const body = await readBody(operation, incoming)
  const raw = {
    params: readParams(operation, routed.params),
    query: readQuery(operation, incoming.query),
    body: body.ok ? body.value : undefined,
  }
  const parsed = parseInput(operation, raw)
  const upload = operation.kind === 'upload' ? await readUpload(incoming) : undefined
  const faults = [
    ...(body.ok ? [] : body.items),
    ...(upload === undefined || upload.ok ? [] : upload.items),
    ...(parsed.ok ? [] : parsed.items.filter(item => body.ok || item.loc[0] !== 'body')),
  ]
  const idempotencyKey = operation.method === 'POST' ? incoming.header('idempotency-key') : undefined
  if (idempotencyKey !== undefined && (idempotencyKey === '' || idempotencyKey.length > 255)) {
    faults.push(issueItem(['header', 'Idempotency-Key'], 'value_error', 'must have 1 to 255 characters'))
  }
  if (faults.length > 0 || !parsed.ok) return refuse(requestId, invalidInput(faults))
  const came = upload?.ok ? upload.file : undefined
  const digested = came === undefined || idempotencyKey === undefined ? undefined : new DigestedFile(came)
  const answer = await service.perform({
    operation,
    input: { ...parsed.input, ...(came !== undefined && { file: digested ?? came }) } as never,
    caller,
    ifMatch: tags(incoming.header('if-match')),
    idempotency:
      idempotencyKey === undefined
        ? undefined
        : { key: idempotencyKey, path: incoming.path, bodyHash: hashOf(raw.body), file: digested },
    get signal() {
      return incoming.request.signal
    },
    following: followingOf(incoming),
  })
  return respond(operation, answer, routed)
}

/** An event stream is taken as one unless JSON alone is asked for. */
function followingOf(incoming: Incoming): Following {
  const accept = incoming.header('accept') ?? ''
  const live = !accept.includes('application/json') || accept.includes('text/event-stream')
  return { live, lastEventId: incoming.header('last-event-id') }
}

const tags = (header: string | undefined): string[] | undefined =>
  header?.split(',').map(tag => tag.trim().replace(/^W\//, ''))

function respond(operation: AnyOperation, answer: Answer, { incoming, requestId }: Routed): Response {
  const { status, body, total, file, stream } = answer
  if (file !== undefined) return fileResponse(requestId, file)
  if (stream !== undefined) return eventStream(stream, incoming.request.signal, () => incoming.cut())
  if (body === undefined) return reply(requestId, status, {}, null)
  const text = JSON.stringify(body)
  const headers: Record<string, string> = {
    ...json,
    'cache-control': operation.permission === 'public' ? 'no-store' : 'private, no-cache',
  }
  if (total !== undefined) headers['x-total-count'] = String(total)
  if (answersRepresentation(operation)) {
    const etag = etagOf(text)
    headers.etag = etag
    const known = tags(incoming.header('if-none-match'))
    if (operation.method === 'GET' && (known?.includes(etag) || known?.includes('*'))) {
      return reply(requestId, 304, headers, null)
    }
  }
  return reply(requestId, status, headers, text)
}

function fileResponse(requestId: string, { headers, mimeType, size, content }: FileAnswer): Response {
  const body =
    typeof content === 'string' || content instanceof Uint8Array
      ? content
      : ReadableStream.from(content as AsyncIterable<Uint8Array>)
  const length = size !== undefined && { 'content-length': String(size) }
  return reply(requestId, 200, { 'content-type': mimeType, ...length, ...headers }, body as BodyOf)
}
