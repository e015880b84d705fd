import { OpenAPIHono } from '@hono/zod-openapi'
import { DomainError, type Service } from '@specboard/domain'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { TrieRouter } from 'hono/router/trie-router'
import type { Logger } from 'pino'
import { addDocs } from './docs.ts'
import { type HttpApp, type HttpContext, type HttpEnv, nodeOf, type Report } from './http-env.ts'
import { InvalidInput } from './invalid-input.ts'
import { addAnswerHeaders } from './middleware/answer-headers.ts'
import { type HostRule, hostAndOrigin } from './middleware/host-and-origin.ts'
import { key } from './middleware/key.ts'
import { requestId } from './middleware/request-id.ts'
import { requestLog } from './middleware/request-log.ts'
import { operationHandler } from './operation-handler.ts'
import { addOperations } from './operation-routes.ts'
import { internalError, invalidInput, notAllowed, refusalOf, refuse, unknownPath } from './refusals.ts'

/** What the HTTP adapter needs. */
export interface AppOptions {
  readonly service: Pick<Service, 'authenticate' | 'perform'>
  /** Version of the service, for the OpenAPI document. */
  readonly version: string
  readonly log: Logger
  readonly hosts: HostRule
}

/**
 * Creates the HTTP application: one route per operation of the registry, all with the same handler, the docs and one
 * error mapper. Whatever is mounted on it later is behind the same guards.
 *
 * @example
 * // Guards run in the order in which they were added, so routes are mounted on the application after it is created.
 * const app = createApp({ service, version: '1.0.0', log, hosts: { local: true, allowed: [] } })
 * app.post('/mcp', handler)
 * const server = await listen(app, '127.0.0.1', 0)
 */
export function createApp({ service, version, log, hosts }: AppOptions): HttpApp {
  const report: Report = (fault, c) => log.error({ request_id: c.get('requestId'), err: fault, path: c.req.path })
  // Hono's default tries RegExpRouter first, which rejects some of the paths.
  const app: HttpApp = new OpenAPIHono<HttpEnv>({ router: new TrieRouter() })
  if (log.isLevelEnabled('info')) app.use(requestLog(log))
  app.use(requestId, addAnswerHeaders, hostAndOrigin(hosts))
  app.use('/api/v1*', key(service))
  app.use(methodNotAllowed({ app, onMethodNotAllowed: (c, methods) => refuse(c, refusalOf(notAllowed(methods))) }))
  addOperations(app, operation => operationHandler(service, operation, report))
  addDocs(app, version)
  app.notFound(c => refuse(c, refusalOf(unknownPath(c.req.path))))
  app.onError((error, c) => {
    if (isGone(c)) return new Response(null, { status: clientClosedRequest })
    if (error instanceof DomainError) return refuse(c, refusalOf(error))
    if (error instanceof InvalidInput) return refuse(c, invalidInput(error.items))
    report(error, c)
    return refuse(c, internalError(c.get('requestId')))
  })
  return app
}

/** The status logged when the caller disconnected before the answer; no client ever sees it. */
const clientClosedRequest = 499

/** Whether the caller disconnected before it got its answer. */
function isGone(c: HttpContext): boolean {
  const { incoming, outgoing } = nodeOf(c)
  if (incoming === undefined) return c.req.raw.signal.aborted
  return outgoing?.destroyed === true || (incoming.destroyed && !incoming.complete)
}
