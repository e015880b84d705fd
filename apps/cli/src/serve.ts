import {
  type BackupSettings,
  DomainError,
  type KnowledgeGraphSettings,
  type OpenedService,
  Outside,
  openService,
  timeOfDay,
} from '@specboard/domain'
import {
  Authorization,
  addressOf,
  answer,
  type BuiltSite,
  createApp,
  type HttpApp,
  type HttpContext,
  json,
  keyOf,
  type Limits,
  listen,
  type Measured,
  openApiDocument,
  type Provider,
  Providers,
  Sessions,
  type Site,
  TokenBuckets,
  UploadSlots,
  uploadedFile,
  WrongKeys,
  withBody,
} from '@specboard/http'
import type { McpEndpoint } from '@specboard/mcp'
import { keepFilesPrivate } from '@specboard/storage'
import { board, guide as guidePages, openSite } from '@specboard/web'
import { type Logger, pino } from 'pino'
import { eventArchivesOf } from './event-archives.ts'
import { showFirstKey } from './first-key.ts'
import { logCall, logDestination, logOptions } from './log-options.ts'
import { both, listenForMonitors, metricsOf, tracesOf } from './monitoring.ts'
import { notificationSettings } from './notification-settings.ts'
import { warnOfOpenFolder } from './open-folder.ts'
import { SettingError } from './setting-sources.ts'
import { placeOf, type Settings } from './settings.ts'
import { providersOf } from './sign-in-file.ts'
import { endLost } from './storage-lost.ts'
import { unknownVariables } from './unknown-variables.ts'
import { urlOf } from './url-of.ts'
import { version } from './version.ts'
import { endFailing, watchOperations } from './watchdog.ts'
import { ownerLink } from './web-link.ts'

/** A running service and how to end it. */
export interface Running {
  readonly url: string
  readonly port: number
  /** Where monitors query without a key; undefined if no separate port is set. */
  readonly metricsUrl: string | undefined
  /** The owner's key, at the first start only. */
  readonly ownerKey: string | undefined
  /** Finishes accepted requests, then closes everything. */
  stop(): Promise<void>
}

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

/** The application of a data folder, before it listens anywhere. */
export interface Application {
  readonly app: HttpApp
  /** The owner's key, at the first start only. */
  readonly ownerKey: string | undefined
  /** The metrics; undefined if they are not enabled. */
  readonly measured: Measured | undefined
  /** Runs a small operation; returns the unexpected error, if any. */
  readonly selfTest: () => Promise<unknown>
  /** Prepares what the first call over MCP, and with it everybody else, would otherwise wait for. */
  prepareMcp(): Promise<unknown>
  /** Ends the open streams. */
  endStreams(): Promise<void>
  close(): Promise<void>
}

/** The pages for people, beside the API. */
export interface Looks {
  /** The web board. */
  readonly site?: Site | undefined
  /** Returns the guide, or undefined if it could not be built. */
  readonly guide?: (() => Promise<BuiltSite | undefined>) | undefined
}

/**
 * Opens the data folder and creates the application on it. Exits the process when the files of the database are lost.
 * @param port where it will serve requests, and run the background workers; undefined if it does not serve
 * @throws SettingError for the default toolsets, StorageError for the data folder
 */
export async function openApplication(
  settings: Settings,
  log: Logger,
  { port, site, guide }: Looks & { readonly port?: number | undefined } = {},
): Promise<Application> {
  await checkToolsets(settings.mcpDefaultToolsets)
  const providersOfFile = providersOf(settings)
  const listens = port !== undefined
  const metrics = listens ? await metricsOf(settings) : undefined
  const traces = listens ? await tracesOf(settings, log) : undefined
  const ofStorage = new Set<string>()
  const opened = await openService({
    folder: settings.dataDir,
    databaseUrl: settings.databaseUrl,
    databaseConnections: settings.databasePool,
    databaseLimits: databaseLimits(settings),
    attachmentsUrl: settings.attachmentsUrl,
    version,
    secretKeyFile: settings.secretKeyFile,
    leaseMs: settings.leaseMs,
    listensAt: listens ? { host: settings.host, port } : undefined,
    ownerKey: settings.ownerApiKey,
    workers: listens,
    pinned: settings.pinned,
    attachmentMaxBytes: settings.attachmentMaxBytes,
    importMaxBytes: settings.importMaxBytes,
    reportCasesDays: settings.reportCasesDays,
    eventArchives: eventArchivesOf(settings),
    conflictMinutes: settings.mcpConflictMinutes,
    publicUrl: settings.publicUrl,
    sessionLife: sessionLife(settings),
    repeatMinutes: settings.mcpRepeatMinutes,
    answerCharacters: settings.mcpAnswerCharacters,
    quotas: { boardsPerAgent: settings.maxBoardsPerAgent, attachmentBytes: settings.maxAttachmentsMb * mebibyte },
    graph: graphSettings(settings),
    webhooks: { allowedHosts: settings.webhookAllowedHosts },
    ciIssuers: { allowedHosts: settings.oidcAllowedHosts, keysFile: settings.oidcJwksFile },
    notifications: notificationSettings(settings),
    backups: backupSettings(settings),
    openApi: operations => JSON.parse(openApiDocument(version, operations)),
    onPerformed: both(metrics?.performed, traces?.performed),
    onFault: error => log.error({ err: error }),
    onProblem: problem => {
      ofStorage.add(problem)
      log.error({ problem }, 'storage')
    },
    onCondition: (problem, isOver) => {
      // What is wrong with the files has a line of its own.
      if (isOver) log.info({ problem }, 'over')
      else if (!ofStorage.has(problem)) log.warn({ problem }, 'problem')
    },
    onWebhook: ({ isFailing, ...webhook }) => {
      if (isFailing) log.warn(webhook, 'webhook failing')
      else log.info(webhook, 'webhook works again')
    },
    onMigration: (migration, note) => log.info({ migration, note }, 'migrated'),
    onLoss: endLost,
  })
  try {
    metrics?.watch(opened.service)
    for (const key of opened.ignoredSettings) log.warn({ setting: key }, 'stored setting out of range, ignored')
    const guarded = guardedHosts(settings)
    const authorizesAt = listens && settings.oauth !== 'off' ? settings.publicUrl : undefined
    // A request from this process has no Host, and no page can send one.
    const hosts = listens ? guarded : { local: false, allowed: [] }
    const mcp = onFirstUse(async () => {
      const { McpEndpoint } = await import('@specboard/mcp')
      return new McpEndpoint({
        service: opened.service,
        defaultToolsets: settings.mcpDefaultToolsets,
        confirms: settings.mcpConfirm === 'destructive',
        calls: new TokenBuckets(settings.mcpRateLimit),
        cors: guarded.local || guarded.allowed.length > 0,
        uploadPath: listens ? uploadPath : undefined,
        basePath: settings.basePath,
        authorizesAt,
        onFault: error => log.error({ err: error }),
        onCall: call => logCall(log, call, settings.accessLog === 'on'),
      })
    })
    const wrongKeys =
      settings.wrongKeysPerMin === 0
        ? undefined
        : new WrongKeys({
            free: settings.wrongKeysPerMin,
            onMany: address => void opened.service.recordRefused(address).catch(error => log.error({ err: error })),
          })
    const limits: Limits = { wrongKeys, calls: new TokenBuckets(settings.rateLimit), uploads: new UploadSlots() }
    const sessions = listens ? new Sessions(opened.service, signInRules(settings)) : undefined
    const providers = sessions && providersIn(providersOfFile, settings, opened.service, log)
    const authorization =
      authorizesAt === undefined ? undefined : authorizationAt(authorizesAt, settings, opened.service, log)
    const readiness = listens ? () => opened.service.environment.condition.readiness() : undefined
    const app = createApp({
      service: opened.service,
      version,
      log,
      hosts,
      basePath: settings.basePath,
      limits,
      readiness,
      measured: settings.metrics === 'on' ? metrics : undefined,
      tracing: traces,
      sessions,
      providers,
      authorization,
      trustedProxies: settings.trustedProxies,
      accessLog: settings.accessLog === 'on',
      forgeDoor: listens ? { events: opened.forgeEvents, maxBytes: settings.forgeMaxBytes } : undefined,
      channels: listens ? opened.service.environment.notifications : undefined,
      site,
      guide,
    })
    mountMcp(app, mcp.get, limits)
    return {
      app,
      ownerKey: opened.ownerKey,
      measured: metrics,
      selfTest: opened.service.environment.selfTest,
      prepareMcp: mcp.get,
      endStreams: async () => {
        opened.service.end()
        await (await mcp.made())?.close()
      },
      close: async () => {
        await traces?.stop()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Signs people in with identity providers; undefined if none are set up. */
function providersIn(
  providers: readonly Provider[],
  settings: Settings,
  service: OpenedService['service'],
  log: Logger,
): Providers | undefined {
  const { publicUrl, oidcAllowedHosts = [] } = settings
  if (providers.length === 0 || publicUrl === undefined) return undefined
  return new Providers({
    service,
    providers,
    publicUrl,
    outside: new Outside({ clock: service.environment.clock, version }),
    allowedHosts: oidcAllowedHosts,
    onFault: error => log.warn({ err: withoutSecrets(error) }, 'a provider of sign-in failed'),
  })
}

/** Lets people connect MCP clients. */
const authorizationAt = (
  publicUrl: string,
  settings: Settings,
  service: OpenedService['service'],
  log: Logger,
): Authorization =>
  new Authorization({
    service,
    publicUrl,
    outside: new Outside({ clock: service.environment.clock, version }),
    accessMinutes: settings.oauthAccessMinutes ?? 60,
    graceSeconds: settings.oauthRefreshGraceSeconds ?? 60,
    clientHosts: settings.oauthClientHosts ?? [],
    registers: settings.oauthRegistration !== 'off',
    onFault: error => log.error({ err: withoutSecrets(error) }, 'the authorization of a client failed'),
  })

/** The names by which the service may be addressed: includes its public one, if names are checked at all. */
function guardedHosts({ host, allowedHosts, publicUrl }: Settings) {
  const local = loopback.has(host)
  const isChecked = local || allowedHosts.length > 0
  const allowed = publicUrl !== undefined && isChecked ? [...allowedHosts, new URL(publicUrl).hostname] : allowedHosts
  return { local, allowed }
}

/** What may be logged of a failure at a provider: its class, code and message, and nothing that was sent. */
const withoutSecrets = (error: unknown) =>
  error instanceof Error ? { type: error.name, code: (error as { code?: unknown }).code, message: error.message } : {}

/** The delay after the start before the MCP adapter is loaded, ms: the page and `/health` are answered first. */
const mcpAfterMs = 500

/**
 * Starts the service: listens, then opens the data folder. A service that cannot get its port leaves a new folder
 * untouched, so that the owner's key of a first start is always shown.
 * @throws SettingError for the default toolsets, StorageError for the data folder, the system's error when the port
 *   cannot be used
 */
export async function startService(settings: Settings, log: Logger, looks: Looks = {}): Promise<Running> {
  const server = await listen(settings.host, settings.port)
  try {
    const { app, ownerKey, measured, selfTest, prepareMcp, endStreams, close } = await openApplication(settings, log, {
      ...looks,
      port: server.port,
    })
    server.answerWith(app, settings.basePath)
    const monitored = await listenForMonitors(settings, measured)
    // An error here is reported to the first call.
    const preparing = setTimeout(() => void prepareMcp().catch(() => {}), mcpAfterMs).unref()
    const endWatch = watchOperations({ selfTest, onFailing: endFailing })
    return {
      url: urlOf({ ...settings, port: server.port }),
      port: server.port,
      metricsUrl:
        monitored === undefined ? undefined : `${urlOf({ host: settings.metricsHost, port: monitored.port })}/metrics`,
      ownerKey,
      stop: async () => {
        clearTimeout(preparing)
        endWatch()
        await endStreams()
        await monitored?.stop(0)
        await server.stop()
        await close()
      },
    }
  } catch (error) {
    await server.stop(0)
    throw error
  }
}

/** Checks the default toolsets with the MCP adapter, which is loaded only when they are not `all`. */
async function checkToolsets(toolsets: string): Promise<void> {
  if (toolsets === 'all') return
  const { isToolsets } = await import('@specboard/mcp')
  if (!isToolsets(toolsets))
    throw new SettingError(`SPECBOARD_MCP_DEFAULT_TOOLSETS names an unknown toolset: "${toolsets}".`)
}

/** Delays something that takes time and memory to make until it is first used; makes it once. */
function onFirstUse<Value>(make: () => Promise<Value>) {
  let making: Promise<Value> | undefined
  return {
    get: (): Promise<Value> => {
      making ??= make()
      return making
    },
    /** The result; undefined if it was never used. */
    made: async (): Promise<Value | undefined> => making,
  }
}

/**
 * The settings of the knowledge graph.
 * @throws SettingError for an embeddings endpoint without model or dimension
 */
export function graphSettings(settings: Settings): KnowledgeGraphSettings {
  const { kgEmbeddingUrl: url, kgEmbeddingModel: model, kgEmbeddingDim: dimension } = settings
  if (url !== undefined && (model === undefined || dimension === undefined))
    throw new SettingError(
      'SPECBOARD_KG_EMBEDDING_URL needs SPECBOARD_KG_EMBEDDING_MODEL and SPECBOARD_KG_EMBEDDING_DIM.',
    )
  return {
    ...(url !== undefined && {
      embedding: { url, model: model!, dimension: dimension!, apiKey: settings.kgEmbeddingApiKey },
    }),
    cypherPerMinute: settings.kgCypherRatePerMin,
    withTraces: settings.logLevel === 'debug' || settings.logLevel === 'trace',
  }
}

const databaseLimits = ({ databaseStatementSeconds = 60, databaseLockSeconds = 20 }: Settings) => ({
  statementMs: databaseStatementSeconds * 1_000,
  lockMs: databaseLockSeconds * 1_000,
})

const signInRules = ({ agentSignIn = 'auto', keySignIn = 'on', mailSignIn = 'off' }: Settings) => ({
  agents: agentSignIn,
  keys: keySignIn,
  mail: mailSignIn,
})

const sessionLife = ({ sessionIdleHours = 12, sessionMaxDays = 30 }: Settings) => ({
  idleMs: sessionIdleHours * hour,
  mostMs: sessionMaxDays * 24 * hour,
})

const hour = 3_600_000

const backupSettings = ({ backupDir, backupEvery, backupAt, backupKeep }: Settings): BackupSettings | undefined =>
  backupDir === undefined
    ? undefined
    : { into: backupDir, everyMs: backupEvery * hour, at: timeOfDay(backupAt), keep: backupKeep }

/** Whether a ticket was wrong: with a valid one the refusals are different. */
const isNotFound = (error: unknown): boolean => error instanceof DomainError && error.status === 404

const mebibyte = 1 << 20

/** Where files of upload tickets are sent. */
const uploadPath = '/mcp/uploads'

/** Mounts the MCP endpoint on `/mcp`, behind the application's checks. Wrong keys and tickets are counted together. */
function mountMcp(app: HttpApp, endpoint: () => Promise<McpEndpoint>, { wrongKeys, uploads }: Limits): void {
  const contextOf = (c: HttpContext) => ({
    requestId: c.get('requestId'),
    key: keyOf(c),
    withBody: <Value>(maxBytes: number, use: (bytes: Uint8Array) => Promise<Value>) => withBody(c, maxBytes, use),
    seen: (agentId: string) => c.set('agentId', agentId),
  })
  for (const path of ['/mcp', '/mcp/'])
    app.all(path, async c => {
      const response = await (await endpoint()).fetch(c.req.raw, contextOf(c))
      if (response.status === 401) await wrongKeys?.refused(addressOf(c))
      return response
    })
  app.post(uploadPath, async c => {
    const ticket = c.req.query('ticket') ?? ''
    let isKnown = false
    const readFile = () => {
      isKnown = true
      return uploadedFile(c)
    }
    const mcp = await endpoint()
    const uploading = mcp.upload(ticket, {
      readFile,
      receive: (caller, file, call) => uploads.run({ agentId: caller.id }, file, call),
      seen: caller => c.set('agentId', caller.id),
    })
    const { status, body } = await uploading.catch(async error => {
      if (!isKnown && isNotFound(error)) await wrongKeys?.refused(addressOf(c))
      throw error
    })
    return answer(c, status, { ...json, 'cache-control': 'no-store' }, JSON.stringify(body))
  })
}

/** `specboard serve`: prints the address, and at the first start the owner's key; serves until SIGINT or SIGTERM. */
export async function serve(settings: Settings): Promise<number> {
  keepFilesPrivate()
  const destination = pino.destination(logDestination(settings))
  const log = pino(logOptions(settings), destination)
  const site = openSite(board, fault => log.error({ fault }, 'the board could not be built'))
  const guide = openSite(guidePages, fault => log.error({ fault }, 'the guide could not be built'))
  const builtGuide = onFirstUse(() => guide.open().then(guide.built))
  const running = await startService(settings, log, { site, guide: builtGuide.get })
  // Listened for before the address is printed: a reader of the address may end the process at once.
  const ended = new Promise<void>(resolve => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  log.info({ version, url: running.url }, 'started')
  site.open()
  warnOfOpenFolder(settings.dataDir, log)
  for (const { name, says } of await unknownVariables(process.env)) log.warn({ variable: name }, says)
  if (running.ownerKey !== undefined) showFirstKey(running.ownerKey, settings.ownerKeyFile)
  console.log(
    `Specboard ${version} serves on ${running.url} (MCP on ${running.url}/mcp, console on ${running.url}/docs)`,
  )
  if (process.stdout.isTTY) {
    const link = await ownerLink(placeOf(settings), running.url, settings.secretKeyFile)
    if (link !== undefined)
      console.log(`Board: ${link} (signs you in once, within 10 minutes; "specboard open" makes another)`)
  }
  await ended
  site.close()
  guide.close()
  await running.stop()
  log.info('stopped')
  destination.flushSync()
  return 0
}
