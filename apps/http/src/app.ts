import { OpenAPIHono } from '@hono/zod-openapi'
import { maskKeys, registry } from '@specboard/contract'
import { InvalidInput, type Readiness, refusalOfError, type Service } from '@specboard/domain'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { TrieRouter } from 'hono/router/trie-router'
import type { Logger } from 'pino'
import { addDocs } from './docs.ts'
import { addForgeDoor, type ForgeDoor } from './hooks/forge-route.ts'
import { type HttpApp, type HttpContext, type HttpEnv, nodeOf, type Report } from './http-env.ts'
import type { UploadSlots } from './limits/upload-slots.ts'
import { addMetrics, type MetricsText } from './metrics.ts'
import { forwardedAddress, TrustedProxies } from './middleware/address.ts'
import { addAnswerHeaders } from './middleware/answer-headers.ts'
import { type HostRule, hostAndOrigin } from './middleware/host-and-origin.ts'
import { type KeyLimits, key, unkeyed } from './middleware/key.ts'
import { requestId } from './middleware/request-id.ts'
import { requestLog } from './middleware/request-log.ts'
import { type Tracing, traced } from './middleware/traced.ts'
import type { Authorization } from './oauth/authorization.ts'
import { operationHandler } from './operation-handler.ts'
import { addOperations } from './operation-routes.ts'
import { addReadiness } from './readiness.ts'
import { internalError, invalidInput, notAllowed, refusalOf, refuse, unknownPath } from './refusals.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { Providers } from './sign-in/providers.ts'
import { basedGuide, basedSite } from './web/based-pages.ts'
import { addOauthRoutes, isForAnyOrigin } from './web/oauth-routes.ts'
import { addProviderRoutes } from './web/provider-routes.ts'
import { addSessionRoutes } from './web/session-routes.ts'
import { addGuide, addSite, type BuiltSite, type Site, unknownPage } from './web/site.ts'
import { addUnsubscribeRoutes, type Unsubscriber } from './web/unsubscribe.ts'

/** Limits on callers (trust 1). */
export interface Limits extends KeyLimits {
  readonly uploads: UploadSlots
}

/** The options of the HTTP application. */
export interface AppOptions {
  readonly service: Pick<
    Service,
    'authenticate' | 'perform' | 'check' | 'confirm' | 'refuseUnread' | 'withIds' | 'nextActions' | 'asRefusal'
  >
  /** The version stated in the OpenAPI document. */
  readonly version: string
  readonly log: Logger
  readonly hosts: HostRule
  /** The path below which it is reached; by default the root of the host. */
  readonly basePath?: string | undefined
  readonly limits: Limits
  /** Whether a write succeeds now, for load balancers; without it there is no /ready. */
  readonly readiness?: (() => Promise<Readiness>) | undefined
  /** The metrics, for keys that may read the state of the service; without them there is no /metrics. */
  readonly measured?: MetricsText | undefined
  /** What makes traces of requests; none are made without it. */
  readonly tracing?: Tracing | undefined
  /** Browser sessions; without them only keys are accepted. */
  readonly sessions?: Sessions | undefined
  /** The identity providers with which people sign in; by default none. */
  readonly providers?: Providers | undefined
  /** Addresses and networks of trusted proxies, which report the address of a caller; by default none. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Authorizes MCP clients; without it none can be authorized. */
  readonly authorization?: Authorization | undefined
  /** Whether every request is logged, rather than only those that fail or are slow. */
  readonly accessLog?: boolean | undefined
  /** Receives forge events; by default none are received. */
  readonly forgeDoor?: ForgeDoor | undefined
  /** Lets receivers of mail disable their channels. */
  readonly channels?: Unsubscriber | undefined
  /** The pages for people. */
  readonly site?: Site | undefined
  /** The pages of the documentation; undefined if they could not be built. */
  readonly guide?: (() => Promise<BuiltSite | undefined>) | undefined
}

/**
 * Creates the HTTP application: a route for each operation of the registry, all with the same handler; the docs pages;
 * one error mapper. Routes that are mounted later pass the same middleware.
 */
export function createApp(options: AppOptions): HttpApp {
  const {
    service,
    version,
    log,
    hosts,
    basePath = '',
    limits,
    readiness,
    measured,
    tracing,
    sessions,
    providers,
    authorization,
    trustedProxies = [],
    accessLog = false,
    forgeDoor,
    channels,
    site,
    guide,
  } = options
  const report: Report = (fault, c) => {
    c.set('isReported', true)
    log.error({ request_id: c.get('requestId'), err: fault, path: maskKeys(c.req.path) })
  }
  // Hono would try its RegExpRouter first, which does not support some of the paths.
  const app: HttpApp = new OpenAPIHono<HttpEnv>({ router: new TrieRouter() })
  if (basePath !== '')
    app.use((c, next) => {
      c.set('basePath', basePath)
      return next()
    })
  if (tracing !== undefined) app.use(traced(tracing))
  if (log.isLevelEnabled('info')) app.use(requestLog(log, { all: accessLog }))
  if (trustedProxies.length > 0) app.use(forwardedAddress(new TrustedProxies(trustedProxies)))
  app.use(requestId, addAnswerHeaders, hostAndOrigin(hosts, authorization === undefined ? undefined : isForAnyOrigin))
  const keyed = key(service, limits, sessions)
  const open = unkeyed(limits.wrongKeys)
  app.use('/api/v1*', (c, next) => (isUnkeyed(c) ? open : keyed)(c, next))
  app.use(methodNotAllowed({ app, onMethodNotAllowed: (c, methods) => refuse(c, refusalOf(notAllowed(methods))) }))
  addOperations(app, operation => operationHandler(service, operation, limits.uploads, report))
  addDocs(app, version, basePath)
  if (readiness !== undefined) addReadiness(app, readiness)
  if (measured !== undefined) addMetrics(app, measured, service)
  if (guide !== undefined) addGuide(app, basePath === '' ? guide : basedGuide(guide, basePath))
  const { wrongKeys } = limits
  if (sessions !== undefined) addSessionRoutes(app, { sessions, providers, wrongKeys })
  if (sessions !== undefined && authorization !== undefined) addOauthRoutes(app, { authorization, sessions, wrongKeys })
  if (sessions !== undefined && providers !== undefined) addProviderRoutes(app, { sessions, providers, wrongKeys })
  if (forgeDoor !== undefined) addForgeDoor(app, forgeDoor)
  if (channels !== undefined) addUnsubscribeRoutes(app, channels, limits.wrongKeys)
  const based = basePath === '' ? site : site && basedSite(site, basePath)
  if (based !== undefined) addSite(app, based)
  app.notFound(c => unknownPage(c, based) ?? refuse(c, refusalOf(unknownPath(c.req.path))))
  app.onError((error, c) => {
    if (hasDisconnected(c)) return new Response(null, { status: clientClosedRequest })
    // Sessions, streams and sign-in also use the database, outside of operations.
    const refusal = refusalOfError(service.asRefusal(error))
    if (refusal !== undefined) return refuse(c, refusalOf(refusal))
    if (error instanceof InvalidInput) return refuse(c, invalidInput(error.items))
    report(error, c)
    return refuse(c, internalError(c.get('requestId')))
  })
  return app
}

/** The calls below /api/v1 that need no key. */
const unkeyedCalls: ReadonlySet<string> = new Set(
  registry.filter(({ permission }) => permission === 'public').map(({ method, path }) => `${method} ${path}`),
)

const isUnkeyed = ({ req }: HttpContext): boolean => unkeyedCalls.has(`${req.method} ${req.path}`)

/** The status in the log when the caller disconnected; nobody receives it. */
const clientClosedRequest = 499

/** Whether the caller disconnected before it was answered. */
function hasDisconnected(c: HttpContext): boolean {
  const { incoming, outgoing } = nodeOf(c)
  if (incoming === undefined) return c.req.raw.signal.aborted
  return outgoing?.destroyed === true || (incoming.destroyed && !incoming.complete)
}
