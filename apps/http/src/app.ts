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

/** What the HTTP adapter is made of. */
export interface AppOptions {
  readonly service: Pick<Service, 'authenticate' | 'perform'>
  /** Version of the service, for the OpenAPI document. */
  readonly version: string
  readonly log: Logger
  readonly hosts: HostRule
}

/**
 * The HTTP application: the routes of the registry in a loop with one handler, the docs, one error mapper. What
 * is mounted on it later is behind the same guards.
 */
export function createApp({ service, version, log, hosts }: AppOptions): HttpApp {
  const report: Report = (fault, c) => log.error({ request_id: c.get('requestId'), err: fault, path: c.req.path })
  // The other router that Hono would try first refuses some of the paths.
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

/** What the log says of a caller who went away; nobody gets to read it. */
const clientClosedRequest = 499

/** Whether the caller went away before it had its answer. */
function isGone(c: HttpContext): boolean {
  const { incoming, outgoing } = nodeOf(c)
  if (incoming === undefined) return c.req.raw.signal.aborted
  return outgoing?.destroyed === true || (incoming.destroyed && !incoming.complete)
}
